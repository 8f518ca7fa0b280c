/** A store as a bridge leaves it, and the same store with a byte changed, looked at from outside. */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AuditChain, auditGenesis } from '../../src/store/audit-chain.ts';
import { openLogStore } from '../../src/store/log/log-store.ts';
import type { Write } from '../../src/store/store.ts';
import { Transactions } from '../../src/store/transactions.ts';
import { message } from '../support/fix-text.ts';
import { causeway } from '../support/program.ts';
import { rewriteStore } from '../support/rewritten-store.ts';

const main = join(import.meta.dirname, '../../src/main.ts');
const session = 'FIX.4.4:CAUSEWAY/->ALPHA/';
let directory: string;
let right: string;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'journal-'));
  right = join(directory, 'gateway-log');
  const path = join(directory, 'gateway.db');
  const store = await openLogStore({ path, durability: 'process', reserveBytes: 0 });
  const transactions = new Transactions(store, (error) => {
    throw error;
  });
  const audit = await AuditChain.open(store, transactions);
  for (const [expected, text] of ['{"a":1}', 'plain', '\xff'].entries()) {
    const payload = Buffer.from(text, 'latin1');
    await store.commit([{ kind: 'append', stream: 'desk/x', expected, payload }]);
  }
  const report = Buffer.from(message('0', '112=hello|'));
  await store.commit([
    { kind: 'numbers', session, nextIn: 7, nextOut: 9 },
    { kind: 'messages', session, firstSeq: 8, bytes: report, ends: [report.length] },
    { kind: 'cursor', name: 'copies/day', value: 5 },
  ]);
  for (const why of ['fat finger', 'over']) {
    transactions.run(() =>
      audit.add({
        atMs: 1,
        who: 'olga',
        what: why === 'over' ? 'release' : 'kill',
        subject: 'all',
        why,
        before: null,
        after: null,
      }),
    );
  }
  await new Promise((resolve) => setImmediate(resolve));
  await store.close();
});

afterAll(() => rmSync(directory, { recursive: true }));

/** A copy of the right store, in which each file that holds this has one bit changed there. */
function damaged(content: string): string {
  const folder = join(mkdtempSync(join(directory, 'damaged-')), 'gateway-log');
  cpSync(right, folder, { recursive: true });
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    const bytes = readFileSync(file);
    const at = bytes.indexOf(content);
    if (at >= 0) bytes[at]! ^= 1;
    writeFileSync(file, bytes);
  }
  return folder;
}

test('inspect shows streams, sessions and cursors, by the data directory too', async () => {
  const { status, stdout } = await causeway('journal', 'inspect', directory);
  expect(status).toBe(0);
  expect(stdout).toContain('stream   desk/x  3 records, 1 to 3, 13 bytes');
  expect(stdout).toContain(`session  ${session}  next in 7, next out 9, kept from 1, 0 waiting`);
  expect(stdout).toContain('cursor   copies/day  5');
  expect(JSON.parse((await causeway('journal', 'inspect', right, '--json')).stdout)).toMatchObject({
    streams: [{ stream: 'audit' }, { stream: 'desk/x', records: 3 }],
    sessions: [{ session, nextIn: 7 }],
  });
});

test('inspect gives the size of a stream as an estimate once its first records were forgotten', async () => {
  const path = join(mkdtempSync(join(directory, 'forgotten-')), 'gateway.db');
  const store = await openLogStore({ path, durability: 'process', reserveBytes: 0 });
  for (const [expected, text] of ['one', 'second', '3'].entries()) {
    await store.commit([{ kind: 'append', stream: 'a', expected, payload: Buffer.from(text) }]);
  }
  await store.commit([
    { kind: 'snapshot', stream: 'a', position: 2, payload: Buffer.from('state') },
    { kind: 'forget', stream: 'a', position: 2 },
  ]);
  await store.close();
  const { stdout } = await causeway('journal', 'inspect', join(path, '..'));
  expect(stdout).toMatch(/a {2}1 records, 3 to 3, about \d+ bytes, snapshot at 2/);
});

test('inspect of a session shows its messages with names', async () => {
  const { stdout } = await causeway('journal', 'inspect', right, '--session', session);
  expect(stdout).toMatch(/^8 {2}Heartbeat .*TestReqID\(112\)=hello\n$/);
});

test('export writes all there is, each value in a form that loses nothing', async () => {
  const { stdout } = await causeway('journal', 'export', right, '--stream', 'desk/x');
  expect(
    stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual([
    { stream: 'desk/x', position: 1, json: { a: 1 } },
    { stream: 'desk/x', position: 2, text: 'plain' },
    { stream: 'desk/x', position: 3, base64: '/w==' },
  ]);
  const part = await causeway(
    'journal',
    'export',
    right,
    '--stream',
    'desk/x',
    '--from',
    '2',
    '--to',
    '2',
  );
  expect(part.stdout.trim().split('\n')).toHaveLength(1);
  const whole = (await causeway('journal', 'export', right)).stdout;
  for (const word of ['"olga"', '"nextIn":7', '"seq":8', '"copies/day"'])
    expect(whole).toContain(word);
});

test('a folder with the name of a log and without a segment is no store, for replay either', async () => {
  const foreign = mkdtempSync(join(tmpdir(), 'foreign-'));
  mkdirSync(join(foreign, 'gateway-log'));
  writeFileSync(join(foreign, 'gateway-log', 'readme.txt'), 'nothing');
  for (const words of [['journal', 'verify'], ['journal', 'inspect'], ['replay']]) {
    const { status, stderr } = await causeway(...words, foreign);
    expect([status, stderr]).toEqual([
      1,
      expect.stringContaining(`there is no store in ${foreign}\n`),
    ]);
  }
  rmSync(foreign, { recursive: true });
});

test('a missing record is reported, with how to find the existing ones', async () => {
  const { status, stderr } = await causeway('journal', 'inspect', right, '--stream', 'desk/y');
  expect(status).toBe(1);
  expect(stderr).toContain(
    `has nothing of desk/y\nWhat it has: causeway journal inspect ${right}\n`,
  );
  const part = await causeway('journal', 'verify', right, '--from', '2');
  expect([part.status, part.stderr]).toEqual([2, expect.stringContaining('takes no part of it')]);
  expect((await causeway('journal', 'verify', '/nowhere')).stderr).toContain('Name the dataDir');
  expect((await causeway('journal', 'verify', main)).stderr).toContain('is not a store');
});

/** Who may write anything sees none of this: an account without rights plays the auditor. */
const program = join(import.meta.dirname, '../../src/main.ts');
const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
const asAuditor = (...words: string[]) =>
  spawnSync(process.execPath, [program, ...words], { ...nobody, encoding: 'utf8' });
const canAudit = asAuditor('--version').status === 0;

test.runIf(canAudit)(
  'a copy that can only be read is read, and one that cannot is not called absent',
  () => {
    const archive = mkdtempSync(join(tmpdir(), 'archive-'));
    cpSync(right, join(archive, 'gateway-log'), { recursive: true });
    for (const name of readdirSync(join(archive, 'gateway-log'))) {
      chmodSync(join(archive, 'gateway-log', name), 0o444);
    }
    for (const each of [join(archive, 'gateway-log'), archive]) chmodSync(each, 0o555);
    const { status, stderr } = asAuditor('journal', 'verify', archive);
    expect([status, stderr]).toEqual([0, '']);
    const refused = asAuditor('journal', 'verify', right);
    if ('uid' in nobody) expect(refused.stderr).toContain('cannot be accessed');
    expect(refused.stderr).not.toContain('there is no');
    chmodSync(join(archive, 'gateway-log'), 0o755);
    chmodSync(archive, 0o755);
    rmSync(archive, { recursive: true });
  },
);

test('a right store is right, and its audit chain has a head', async () => {
  const { status, stdout } = await causeway('journal', 'verify', right, '--json');
  expect(status).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    ok: true,
    faults: [],
    records: 5,
    messages: 1,
    auditRecords: 2,
  });
});

test.each([
  ['a changed record', 'plain', 'record 2 of stream desk/x: '],
  ['a changed message', '112=hello', 'messages from 8 of session FIX'],
  ['changed numbers', '"nextOut":9', 'offset '],
  ['a changed cursor', '"copies/day"', 'offset '],
])(
  '%s is a fault that names it, by what it is and by file and offset',
  async (_, content, fault) => {
    const { status, stdout } = await causeway('journal', 'verify', damaged(content));
    expect(status).toBe(4);
    expect(stdout).toMatch(
      /FAULT .*-1\.log, offset \d+: it is damaged and durable records follow it/,
    );
    // The store was opened once: damage before its end is found before anything is looked for in it.
    if (stdout.includes('records, 1 messages')) expect(stdout).toContain(fault);
  },
);

test('in a complete segment, damage is reported with what is lost, and everything else is checked', async () => {
  const folder = join(mkdtempSync(join(directory, 'complete-')), 'gateway-log');
  const path = join(folder, '../gateway.db');
  const tiny = { segmentBytes: 1_000, blockBytes: 300, stateShare: 0 };
  const store = await openLogStore({ path, durability: 'process', reserveBytes: 0, ...tiny });
  const complete = () => readdirSync(folder).filter((name) => name.endsWith('.logz'));
  for (let i = 0; complete().length < 3; i += 1) {
    const payload = Buffer.alloc(100, `record ${i} `);
    await store.commit([{ kind: 'append', stream: 'a', expected: i, payload }]);
    for (let round = 0; round < 50; round += 1)
      await new Promise((resolve) => setImmediate(resolve));
  }
  await store.close();
  expect((await causeway('journal', 'verify', folder)).status).toBe(0);
  const file = join(folder, '2-1.logz');
  const bytes = readFileSync(file);
  // One bit can be harmless: with it, the block may decompress to the same records.
  for (let at = 80; at < 96; at += 1) bytes[at]! ^= 0xff;
  writeFileSync(file, bytes);
  const { status, stdout } = await causeway('journal', 'verify', folder);
  expect(status).toBe(4);
  expect(stdout).toMatch(/FAULT .*2-1\.logz?, offset \d+: /);
  expect(stdout).toMatch(/FAULT record \d+ of stream a: .*2-1\.log/);
  await copyRefused(folder);
});

/** The copy says what `verify` says, and leaves nothing that could be taken for one. */
async function copyRefused(folder: string): Promise<void> {
  const { stdout } = await causeway('journal', 'verify', folder);
  const faults = [...stdout.matchAll(/^FAULT (.*)$/gm)].map(([, fault = '']) => fault);
  expect(faults.length).toBeGreaterThan(0);
  const into = join(folder, '../refused');
  const { status, stderr } = await causeway('journal', 'copy', folder, '--into', into);
  expect(status).toBe(4);
  for (const fault of faults) expect(stderr).toContain(fault);
  expect(stderr).toContain(`${folder}: it is damaged, so there is no copy`);
  expect(readdirSync(into)).toEqual([]);
}

test('beside a bridge that runs all is seen that was committed before', async () => {
  const live = mkdtempSync(join(directory, 'live-'));
  const path = join(live, 'gateway.db');
  const store = await openLogStore({ path, durability: 'process', reserveBytes: 0 });
  for (const [expected, text] of ['one', 'two', 'three'].entries()) {
    await store.commit([{ kind: 'append', stream: 'a', expected, payload: Buffer.from(text) }]);
  }
  const { status, stdout, stderr } = await causeway('journal', 'inspect', live);
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toBe(`${join(live, 'gateway-log')}\nstream   a  3 records, 1 to 3, 11 bytes\n`);
  expect((await causeway('journal', 'inspect', live, '--stream', 'a')).stdout).toBe(
    '1  one\n2  two\n3  three\n',
  );
  const copied = await causeway('journal', 'copy', live, '--into', join(live, 'copy'));
  expect(copied.status).toBe(0);
  await store.close();
  const exported = async (of: string) => (await causeway('journal', 'export', of)).stdout;
  expect(await exported(join(live, 'copy'))).toBe(await exported(live));
  const again = await causeway('journal', 'copy', live, '--into', join(live, 'copy'));
  expect([again.status, again.stderr]).toEqual([1, expect.stringContaining('there is a store in')]);
});

test('export --tables says how many rows it wrote, and leaves an existing file alone', async () => {
  const path = join(directory, 'tables.sqlite');
  const { status, stdout } = await causeway('journal', 'export', right, '--tables', path);
  expect([status, stdout]).toEqual([0, '8 rows\n']);
  expect((await causeway('journal', 'export', right, '--tables', path)).stderr).toContain(
    'there is a file',
  );
});

test('with --json a copy answers how many bytes it has, and tables how many rows', async () => {
  const answered = async (...words: string[]) =>
    JSON.parse((await causeway('journal', ...words, '--json')).stdout);
  const plain = await causeway('journal', 'copy', right, '--into', join(directory, 'plain'));
  const bytes = Number.parseInt(plain.stdout, 10);
  const into = join(directory, 'answered');
  expect(await answered('copy', right, '--into', into)).toEqual({ bytes });
  const path = join(directory, 'answered.sqlite');
  expect(await answered('export', right, '--tables', path)).toEqual({ rows: 8 });
});

test('audit lists who did what and why', async () => {
  const { stdout } = await causeway('audit', 'list', right);
  expect(stdout).toBe(
    '1970-01-01T00:00:00.001Z  olga  kill  all  fat finger\n1970-01-01T00:00:00.001Z  olga  release  all  over\n',
  );
});

test('verify reports an audit chain that was cut off or changed', async () => {
  const whole = JSON.parse((await causeway('audit', 'verify', right, '--json')).stdout);
  expect(whole).toMatchObject({ ok: true, auditRecords: 2 });
  const auditWrites = async (name: string, keep: (write: Write) => Write | undefined) => {
    const into = mkdtempSync(join(directory, `${name}-`));
    await rewriteStore(right, into, keep);
    return into;
  };
  const isAudit = (write: Write) => write.kind === 'append' && write.stream === 'audit';
  const cut = await auditWrites('cut', (write) =>
    isAudit(write) && 'expected' in write && write.expected === 1 ? undefined : write,
  );
  expect((await causeway('audit', 'verify', cut)).status).toBe(0);
  const told = await causeway('audit', 'verify', cut, '--head', whole.auditHead);
  expect([told.status, told.stdout]).toEqual([4, expect.stringContaining('the end was cut off')]);
  expect((await causeway('audit', 'verify', right, '--head', auditGenesis)).status).toBe(0);
  const mistyped = await causeway('audit', 'verify', right, '--head', whole.auditHead.slice(1));
  expect([mistyped.status, mistyped.stderr]).toEqual([2, expect.stringContaining('is not a hash')]);
  const headFile = join(directory, 'head');
  writeFileSync(headFile, `2 ${whole.auditHead}\n`);
  const byFile = async (of: string) => causeway('audit', 'verify', of, '--head-file', headFile);
  expect((await byFile(right)).status).toBe(0);
  expect((await byFile(cut)).stdout).toContain('the end was cut off');
  const begun = await auditWrites('begun', (write) =>
    isAudit(write) && 'expected' in write && write.expected === 0
      ? { ...write, payload: Buffer.from('{"n":1}') }
      : write,
  );
  expect((await causeway('audit', 'verify', begun)).status).toBe(4);
});
