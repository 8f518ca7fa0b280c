/** Whatever somebody changes in the folder of a run, no certificate is given for it, and none holds with it. */
import { createHash } from 'node:crypto';
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { EvidenceError } from '../../src/certify/evidence.ts';
import { RunFolder, readSummary } from '../../src/certify/run-folder.ts';
import { newKey, publicKeyOf, readKey, signatureOf } from '../../src/certify/signature.ts';
import { certificate, verify } from '../../src/cli/certify/certificate.ts';
import { evidenceOfPeer } from './controls.ts';
import { addRecords, scenarioRecord, subjectAt } from './records.ts';

const base = mkdtempSync(join(tmpdir(), 'causeway-run-folder-'));
const keyFile = join(base, 'desk.pem');
const pem = newKey();
const key = readKey(pem);
const real = join(base, 'real');
const other = join(base, 'other');
const reports = { 'report.html': '<p>passed</p>', 'junit.xml': '<testsuites/>' };
let folders = 0;

beforeAll(async () => {
  writeFileSync(keyFile, pem, { mode: 0o600 });
  for (const [path, ids] of [
    [real, ['S-01', 'S-10']],
    [other, ['S-01', 'S-09']],
  ] as const) {
    const folder = new RunFolder(path, key);
    const evidence = await evidenceOfPeer({ defects: [], ids, keptIn: folder, isNarrow: true });
    folder.keepReports(evidence, reports);
  }
  expect(certified(real)).toEqual({ code: 0, said: expect.stringContaining('2 passed') });
}, 60_000);
afterAll(() => rmSync(base, { recursive: true }));

interface Answer {
  readonly code: number;
  readonly said: string;
}

function answerOf(act: () => number): Answer {
  const said: string[] = [];
  const hear = (words: string) => void said.push(words);
  const spies = (['log', 'error'] as const).map((name) =>
    vi.spyOn(console, name).mockImplementation(hear),
  );
  try {
    return { code: act(), said: said.join('\n') };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

const asked = { key: keyFile, days: 30, issuer: publicKeyOf(key), json: false };

function certified(out: string): Answer {
  return answerOf(() => certificate({ ...asked, out, evidence: undefined }));
}

/** The certificate of the folder as it was, with the folder as it is. */
function verified(out: string): Answer {
  const file = join(real, 'certificate.json');
  return answerOf(() => verify({ ...asked, out, evidence: out }, [file]));
}

function copy(): string {
  folders += 1;
  const path = join(base, `copy-${folders}`);
  cpSync(real, path, { recursive: true });
  return path;
}

function change(path: string, file: string, change: (text: string) => string): void {
  const text = readFileSync(join(path, file), 'utf8');
  const changed = change(text);
  expect(changed).not.toBe(text);
  writeFileSync(join(path, file), changed);
}

const linesOf = (text: string) => text.split(/(?<=\n)/);
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** As somebody would who knows the format and has no key. */
function chainedAgain(path: string, edit: (lines: string[]) => void): void {
  const lines = linesOf(readFileSync(join(path, 'evidence.jsonl'), 'utf8'));
  edit(lines);
  let previous = '0'.repeat(64);
  const chained = lines.map((line) => {
    const text = `${JSON.stringify({ ...JSON.parse(line), previous })}\n`;
    previous = sha256(text);
    return text;
  });
  writeFileSync(join(path, 'evidence.jsonl'), chained.join(''));
  change(path, 'run.json', (text) => {
    const run = JSON.parse(text);
    return JSON.stringify({ ...run, evidence: { records: lines.length, head: previous } });
  });
}

const edits: readonly (readonly [what: string, edit: (path: string) => void, why: string])[] = [
  [
    'an outcome in run.json',
    (path) =>
      change(path, 'run.json', (text) =>
        text.replace('"outcome": "passed"', '"outcome": "failed"'),
      ),
    'run.json was changed after it was signed',
  ],
  [
    'an outcome in the evidence',
    (path) =>
      change(path, 'evidence.jsonl', (text) =>
        text.replace('"outcome":"passed"', '"outcome":"failed"'),
      ),
    'evidence.jsonl: line 3 does not follow the line before it',
  ],
  [
    'a verdict',
    (path) =>
      change(path, 'evidence.jsonl', (text) => text.replace('"isMet":true', '"isMet":false')),
    'is passed, but',
  ],
  [
    'the bytes of a message',
    (path) => change(path, 'evidence.jsonl', (text) => text.replace(/"raw":"(.)/, '"raw":"Z')),
    'evidence.jsonl: line 3 does not follow the line before it',
  ],
  [
    'the bytes of the last attempt',
    (path) =>
      change(path, 'evidence.jsonl', (text) => {
        const lines = linesOf(text);
        return [...lines.slice(0, -1), lines.at(-1)?.replace(/"raw":"(.)/, '"raw":"Z')].join('');
      }),
    'evidence.jsonl does not end at the position in run.json',
  ],
  [
    'an attempt that is taken out',
    (path) =>
      change(path, 'evidence.jsonl', (text) => {
        const [begun, , ...rest] = linesOf(text);
        return [begun, ...rest].join('');
      }),
    'evidence.jsonl: line 2 does not follow the line before it',
  ],
  [
    'an attempt that is added',
    (path) =>
      change(path, 'evidence.jsonl', (text) => {
        const last = JSON.parse(linesOf(text).at(-1) ?? '');
        return `${text}${JSON.stringify({ ...last, previous: sha256(linesOf(text).at(-1) ?? '') })}\n`;
      }),
    'evidence.jsonl continues after its signed end',
  ],
  [
    'the end of the evidence, by a line',
    (path) => change(path, 'evidence.jsonl', (text) => linesOf(text).slice(0, -1).join('')),
    'evidence.jsonl has 2 of the 3 records in run.json',
  ],
  [
    'the end of the evidence, by a few bytes',
    (path) => {
      const file = join(path, 'evidence.jsonl');
      truncateSync(file, readFileSync(file).length - 5);
    },
    'line 3 is not a whole record',
  ],
  [
    'the end of run.json',
    (path) => change(path, 'run.json', (text) => text.slice(0, -20)),
    'run.json is not a JSON object',
  ],
  ['a missing run.json', (path) => unlinkSync(join(path, 'run.json')), 'run.json cannot be read'],
  [
    'missing evidence',
    (path) => unlinkSync(join(path, 'evidence.jsonl')),
    'evidence.jsonl cannot be read',
  ],
  ['a missing report', (path) => unlinkSync(join(path, 'report.html')), 'report.html cannot be'],
  [
    'a report',
    (path) => change(path, 'report.html', (text) => text.replace('passed', 'PASSED')),
    'report.html is not the report that the run wrote',
  ],
  [
    'the run.json of another run',
    (path) => cpSync(join(other, 'run.json'), join(path, 'run.json')),
    'evidence.jsonl does not end at the position in run.json',
  ],
  [
    'the evidence of another run',
    (path) => cpSync(join(other, 'evidence.jsonl'), join(path, 'evidence.jsonl')),
    'evidence.jsonl does not end at the position in run.json',
  ],
  [
    'evidence that is chained again without the key',
    (path) =>
      chainedAgain(path, (lines) => {
        lines[1] = lines[1]?.replace(/"raw":"(.)/, '"raw":"Z') ?? '';
      }),
    'run.json was changed after it was signed',
  ],
  [
    'the rules of engagement',
    (path) =>
      change(path, 'run.json', (text) => text.replace('"rulesHash": "r', '"rulesHash": "s')),
    'run.json was changed after it was signed',
  ],
];

test.each(edits)(
  '%s in a run folder: no certificate, and the old one is broken',
  (_, edit, why) => {
    const path = copy();
    edit(path);
    expect(certified(path)).toEqual({ code: 1, said: expect.stringContaining(why) });
    expect(verified(path)).toEqual({ code: 1, said: expect.stringContaining('BROKEN evidence') });
    expect(verified(path).said).toContain(why);
  },
);

test('a signature that is taken away, or is of a key of somebody else, certifies nothing', () => {
  const unsigned = copy();
  const stranger = readKey(newKey());
  const seal = (path: string, signer: string | null, sign: (run: object) => string | null) => {
    chainedAgain(path, (lines) => {
      for (const [at, line] of lines.entries()) {
        lines[at] = line.replace(JSON.stringify(publicKeyOf(key)), JSON.stringify(signer));
      }
    });
    change(path, 'run.json', (text) => {
      const { signature: _, ...run } = { ...JSON.parse(text), signer };
      return JSON.stringify({ ...run, signature: sign(run) });
    });
  };
  seal(unsigned, null, () => null);
  expect(certified(unsigned).said).toContain('the evidence is not signed');
  expect(verified(unsigned).said).toContain('it is not signed by the issuer');
  const strange = copy();
  seal(strange, publicKeyOf(stranger), (run) => signatureOf(run, stranger));
  expect(certified(strange).said).toContain('which is not this key');
  expect(verified(strange).said).toContain('it is not signed by the issuer');
});

test('the folder of another run does not fit a certificate', () => {
  expect(verified(other)).toEqual({ code: 1, said: expect.stringContaining('BROKEN evidence') });
});

test('verify fails where nobody says who the issuer is', () => {
  const file = join(real, 'certificate.json');
  const unnamed = { ...asked, out: real, issuer: undefined, evidence: real };
  expect(() => verify(unnamed, [file])).toThrow('--issuer KEY is required');
  expect(verified(real).code).toBe(0);
});

test('a run goes on from its evidence, drops a line that was not signed yet, and refuses changed evidence', () => {
  const path = join(base, 'on');
  const about = subjectAt('1.0');
  addRecords(new RunFolder(path, key).takeUp(about), [scenarioRecord('S-01', 'failed')]);
  writeFileSync(join(path, 'evidence.jsonl'), '{"previous":"torn', { flag: 'a' });
  const again = new RunFolder(path, key).takeUp(about);
  expect(again.count).toBe(2);
  addRecords(again, [scenarioRecord('S-01', 'passed')]);
  const { run, count } = new RunFolder(path).read();
  expect(run.scenarios[0]).toMatchObject({ outcome: 'passed', attempts: [{}, {}] });
  expect(count).toBe(4);
  change(path, 'evidence.jsonl', (text) => text.replace('"failed"', '"passed"'));
  expect(() => new RunFolder(path, key).takeUp(about)).toThrow(EvidenceError);
});

test('evidence for another version, key or rules is set aside with its certificate, and collected again', () => {
  const path = join(base, 'aside');
  const about = subjectAt('1.0');
  const first = new RunFolder(path, key);
  addRecords(first.takeUp(about), [scenarioRecord('S-01', 'passed')]);
  first.write('certificate.json', '{}');
  const later = new RunFolder(path, key).takeUp(subjectAt('2.0'));
  expect(later.count).toBe(0);
  // Beside the results of another version it would claim what that version has not shown.
  expect(readdirSync(path).filter((file) => file.startsWith('certificate'))).toEqual([
    expect.stringMatching(/^certificate-\d+\.json$/),
  ]);
  expect(first.previous()?.identity.version).toBe('1.0');
  addRecords(later, [scenarioRecord('S-01', 'passed')]);
  expect(new RunFolder(path).takeUp(subjectAt('2.0')).count).toBe(0);
});

test.each([
  ['{"format": 1, "scen', 'is not JSON; it is damaged or incomplete'],
  ['{"format": 1}', 'is not a certification run'],
])('a run.json of %j is named, with what is wrong', (text, wrong) => {
  const folder = mkdtempSync(join(base, 'damaged-'));
  const file = join(folder, 'run.json');
  writeFileSync(file, text);
  for (const read of [
    () => readSummary(file),
    () => new RunFolder(folder, key).takeUp(subjectAt('1.0')),
  ]) {
    expect(read).toThrow(new EvidenceError(`${file} ${wrong}`));
  }
});

test('two programs do not write to one folder', () => {
  const path = join(base, 'two');
  const [one, two] = [1, 2].map(() => new RunFolder(path, key).takeUp(subjectAt('1.0')));
  if (one === undefined || two === undefined) throw new Error('unreachable');
  addRecords(one, [scenarioRecord('S-01', 'passed')]);
  expect(() => addRecords(two, [scenarioRecord('S-01', 'passed')])).toThrow(
    'another program writes to',
  );
});
