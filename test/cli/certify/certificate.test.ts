/** What the desk signs for a run, and what somebody with the certificate learns from it. */
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test, vi } from 'vitest';
import { issue } from '../../../src/certify/certificate.ts';
import { Evidence } from '../../../src/certify/evidence.ts';
import type { ScenarioRecord, Subject } from '../../../src/certify/record.ts';
import { RunFolder } from '../../../src/certify/run-folder.ts';
import { newKey, publicKeyOf, readKey } from '../../../src/certify/signature.ts';
import { certificate, deskKey, keyOfRun, verify } from '../../../src/cli/certify/certificate.ts';
import { UsageError } from '../../../src/cli/verb.ts';
import { addRecords, scenarioRecord, subjectAt } from '../../certify/records.ts';

const base = mkdtempSync(join(tmpdir(), 'causeway-cli-certificate-'));
const keyFile = join(base, 'desk.pem');
const pem = newKey();
writeFileSync(keyFile, pem, { mode: 0o600 });
const key = readKey(pem);
const issuer = publicKeyOf(key);
const passed = scenarioRecord('S-01', 'passed');
let folders = 0;
afterAll(() => rmSync(base, { recursive: true }));

function ran(scenarios: readonly ScenarioRecord[], about: Subject = subjectAt('1.0')): string {
  folders += 1;
  const out = join(base, `run-${folders}`);
  const run = new RunFolder(out, key);
  run.keepReports(addRecords(run.takeUp(about), scenarios), { 'report.html': '<p>' });
  return out;
}

const asked = { key: keyFile, days: 30, issuer, evidence: undefined, json: false };

/** The exit code and all that is printed. */
function answerOf(act: () => number): { readonly code: number; readonly text: string } {
  const lines: string[] = [];
  const spies = (['log', 'error'] as const).map((name) =>
    vi.spyOn(console, name).mockImplementation((line: string) => void lines.push(line)),
  );
  try {
    return { code: act(), text: lines.join('\n') };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

const certified = (out: string, more: object = {}) =>
  answerOf(() => certificate({ ...asked, ...more, out }));
const verified = (file: string, more: object = {}) =>
  answerOf(() => verify({ ...asked, ...more, out: '' }, [file]));

test('a certificate is written beside its run, and says whom it is for, what it covers and who signed it', () => {
  const out = ran([
    passed,
    scenarioRecord('S-02', 'waived'),
    scenarioRecord('S-24', 'failed', { level: 'optional' }),
    scenarioRecord('S-31', 'notRun', { isPlayable: false }),
  ]);
  const { code, text } = certified(out, { days: 10 });
  const file = join(out, 'certificate.json');
  const day = new Date(Date.now() + 10 * 86_400_000).toISOString().slice(0, 10);
  expect([code, text.split('\n')]).toEqual([
    0,
    [
      `${file}: OMS 1.0`,
      `1 passed, 1 waived, 1 failed, 1 not run; valid until ${day}`,
      expect.stringMatching(/^signed by key [0-9a-f ]+$/),
      `public key ${issuer}`,
    ],
  ]);
  const good = verified(file, { evidence: out });
  expect([good.code, good.text]).toEqual([0, expect.not.stringContaining('BROKEN')]);
  expect(good.text).toContain(
    'Example & Sons: OMS 1.0; 1 passed, 1 waived, 1 failed, 1 not run\nOK     signature',
  );
  expect(good.text).toContain('OK     evidence');
});

test('with --json the certificate and its checks are one value', () => {
  const out = ran([passed]);
  const signed = JSON.parse(certified(out, { json: true }).text);
  const file = join(out, 'certificate.json');
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(signed);
  const value = JSON.parse(verified(file, { json: true }).text);
  expect(value).toMatchObject({ isGood: true, certificate: signed.certificate });
  expect(value.checks).toHaveLength(3);
});

test('a run without what is required gets no certificate, and the reason is named', () => {
  const out = ran([passed, scenarioRecord('S-02', 'failed')]);
  expect(certified(out)).toEqual({ code: 1, text: 'not certified: \n  S-02 failed: why' });
  expect(existsSync(join(out, 'certificate.json'))).toBe(false);
});

test('evidence that was changed is the reason that there is no certificate', () => {
  const out = ran([passed]);
  writeFileSync(join(out, 'report.html'), '<p>better');
  expect(certified(out)).toEqual({
    code: 1,
    text: 'not certified: report.html is not the report that the run wrote',
  });
});

test('a certificate that anybody signed, or that has ended, is broken', () => {
  const file = join(base, 'ended.json');
  const own = new Evidence(subjectAt('1.0', issuer));
  const signed = issue(addRecords(own, [passed]), key, { issuedMs: 0, validDays: 1 });
  writeFileSync(file, JSON.stringify(signed));
  const stranger = publicKeyOf(readKey(newKey()));
  const { code, text } = verified(file, { issuer: stranger });
  const broken = text.match(/(?<=BROKEN )\w+/g);
  expect([code, broken]).toEqual([1, ['issuer', 'expiry']]);
});

test('a folder of evidence that is not there breaks the certificate, and is not made', () => {
  const out = ran([passed]);
  certified(out);
  const evidence = join(base, 'nowhere');
  const { code, text } = verified(join(out, 'certificate.json'), { evidence });
  expect([code, text]).toEqual([1, expect.stringContaining(`there is no folder ${evidence}`)]);
  expect(existsSync(evidence)).toBe(false);
});

test('whoever verifies names a certificate and the key of its issuer', () => {
  const file = join(base, 'none.json');
  writeFileSync(file, '{"certificate": {}}');
  const verifying = (more: object, files: readonly string[]) => () =>
    verify({ ...asked, ...more, out: '' }, files);
  expect(verifying({}, [])).toThrow(
    new UsageError('verify needs a file, such as certificate.json'),
  );
  expect(verifying({ issuer: undefined }, [file])).toThrow('--issuer KEY is required');
  expect(verifying({}, [file])).toThrow(`${file} is not a certificate of Causeway`);
});

test('no text in a certificate controls the terminal, or looks like a check', () => {
  const hostile = fc.constantFrom('\x1b[8m', '\nOK     issuer', '\u202e', '\x9b2J', '\r', 'x');
  const text = fc.array(hostile, { minLength: 1, maxLength: 5 }).map((parts) => parts.join(''));
  const file = join(base, 'hostile.json');
  const stranger = readKey(newKey());
  const of = new Evidence(subjectAt('1.0', publicKeyOf(stranger)));
  const signed = issue(addRecords(of, [passed]), stranger, { issuedMs: Date.now(), validDays: 1 });
  fc.assert(
    fc.property(text, text, text, (name, software, version) => {
      const forged = structuredClone(signed);
      Object.assign(forged.certificate.identity, { name, software, version });
      writeFileSync(file, JSON.stringify(forged));
      const shown = verified(file);
      expect(shown.code).toBe(1);
      const lines = shown.text.split('\n');
      expect(lines.map((line) => line.slice(0, 16))).toEqual([
        expect.anything(),
        'BROKEN signature',
        'BROKEN issuer  w',
        'OK     expiry  2',
      ]);
      expect(shown.text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    }),
    { numRuns: 30 },
  );
});

test("a counterparty's own words in a reason look like nothing else", () => {
  const reason = 'got 5 Logout: \u202e\x1b[2J\n\nrun/certificate.json: OMS 1.0\nsigned by key 00';
  const [attempt] = scenarioRecord('S-02', 'failed').attempts;
  const attempts = [{ ...attempt, reason }] as ScenarioRecord['attempts'];
  const out = ran([passed, scenarioRecord('S-02', 'failed', { attempts })]);
  expect(certified(out).text.split('\n')).toEqual([
    'not certified: ',
    '  S-02 failed: got 5 Logout: ··[2J··run/certificate.json: OMS 1.0·signed by key 00',
  ]);
  const identity = { ...subjectAt('1.0').identity, software: 'OMS\x1b[8m' };
  const named = ran([passed], { ...subjectAt('1.0'), identity });
  expect(certified(named).text).toContain('OMS·[8m 1.0\n1 passed; valid until');
});

test('a key that is missing is made for a run that begins, so that only its owner can read it', () => {
  expect(deskKey(undefined)).toBeUndefined();
  const file = join(base, 'made.pem');
  const made = deskKey(file);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(made?.equals(deskKey(file)!)).toBe(true);
});

test('a key for a run that was played is not made, and a run is not either', () => {
  const out = ran([passed]);
  const missing = join(base, 'missing');
  expect(() => keyOfRun(missing, keyFile)).toThrow(new UsageError(`there is no run in ${missing}`));
  expect(() => keyOfRun(out, missing)).toThrow(new UsageError(`there is no key ${missing}`));
  expect(existsSync(missing)).toBe(false);
  expect(keyOfRun(out, undefined)).toBeUndefined();
  expect(() => certificate({ ...asked, key: undefined, out })).toThrow('--key FILE is needed');
});

test.each(['', 'direction: acceptor', '-----BEGIN PRIVATE KEY-----\nMC4C'])(
  'a file that holds no key, such as %j, is named',
  (text) => {
    const file = join(base, 'no-key.pem');
    writeFileSync(file, text);
    expect(() => deskKey(file)).toThrow(`${file} is not an Ed25519 key in PEM`);
  },
);
