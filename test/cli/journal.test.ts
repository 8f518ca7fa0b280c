/** A store as a bridge leaves it, and the same store with a byte changed, looked at from outside. */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AuditChain, auditGenesis } from '../../src/gateway/audit-chain.ts';
import { openSqliteStore } from '../../src/store/sqlite-store.ts';
import type { Write } from '../../src/store/store.ts';
import { Turns } from '../../src/store/turns.ts';
import { message } from '../support/fix-text.ts';
import { causeway } from '../support/program.ts';

const main = join(import.meta.dirname, '../../src/main.ts');
const session = 'FIX.4.4:CAUSEWAY/->ALPHA/';
let directory: string;
let right: string;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'journal-'));
  right = join(directory, 'gateway.db');
  const store = await openSqliteStore({ path: right, durability: 'process' });
  const turns = new Turns(store, (error) => {
    throw error;
  });
  const audit = await AuditChain.open(store, turns);
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
    turns.run(() =>
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

/** A copy in which this was done to it. */
function damaged(name: string, sql: string): string {
  const file = join(directory, name);
  copyFileSync(right, file);
  const database = new DatabaseSync(file);
  database.exec(sql);
  database.close();
  return file;
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

test('what is not there is said, with the way to what is', async () => {
  const { status, stderr } = await causeway('journal', 'inspect', right, '--stream', 'desk/y');
  expect(status).toBe(1);
  expect(stderr).toContain(
    `has nothing of desk/y\nWhat it has: causeway journal inspect ${right}\n`,
  );
  const part = await causeway('journal', 'verify', right, '--from', '2');
  expect([part.status, part.stderr]).toEqual([2, expect.stringContaining('takes no part of it')]);
  expect((await causeway('journal', 'verify', '/nowhere')).stderr).toContain('Name the dataDir');
  expect((await causeway('journal', 'verify', main)).stderr).toContain('is no store');
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
    copyFileSync(right, join(archive, 'gateway.db'));
    chmodSync(join(archive, 'gateway.db'), 0o444);
    chmodSync(archive, 0o555);
    const { status, stderr } = asAuditor('journal', 'verify', archive);
    expect([status, stderr]).toEqual([0, '']);
    const closed = join(directory, 'gateway.db');
    const refused = asAuditor('journal', 'verify', closed);
    if ('uid' in nobody) expect(refused.stderr).toContain('cannot be accessed');
    expect(refused.stderr).not.toContain('there is no');
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
  [
    'a changed record',
    "UPDATE journal SET payload = x'00' WHERE position = 2 AND stream = 'desk/x'",
    'record 2 of stream desk/x',
  ],
  [
    'a record that is gone',
    "DELETE FROM journal WHERE position = 2 AND stream = 'desk/x'",
    'record 2 of stream desk/x: it is missing',
  ],
  ['a changed message', "UPDATE messages SET bytes = x'00'", 'messages from 8'],
  ['changed numbers', 'UPDATE sessions SET next_out = 3', 'the numbers of session'],
  ['a changed cursor', 'UPDATE cursors SET value = 6', 'cursor copies/day'],
])('%s is a fault that names it', async (name, sql, fault) => {
  const { status, stdout } = await causeway('journal', 'verify', damaged(name, sql));
  expect(status).toBe(4);
  expect(stdout).toContain('FAULT ');
  expect(stdout).toContain(fault);
});

/** What a bridge leaves that was killed behind three commits, of which none is in the tables. */
async function killed(name: string): Promise<string> {
  const live = join(directory, `${name}-live`);
  const file = join(directory, name);
  const store = await openSqliteStore({ path: live, durability: 'process' });
  for (const [expected, text] of ['one', 'two', 'three'].entries()) {
    await store.commit([{ kind: 'append', stream: 'a', expected, payload: Buffer.from(text) }]);
  }
  for (const ending of ['', '-wal', '-front-1-0', '-front-1-1']) {
    copyFileSync(live + ending, file + ending);
  }
  await store.close();
  return file;
}

test('what a killed bridge left in front of the tables is said, and is there after the next start', async () => {
  const file = await killed('killed');
  const { status, stdout, stderr } = await causeway('journal', 'inspect', file);
  expect([status, stdout]).toEqual([0, `${file}\nstream   a  3 records, 1 to 3, 11 bytes\n`]);
  expect((await causeway('journal', 'inspect', file, '--stream', 'a')).stdout).toBe(
    '1  one\n2  two\n3  three\n',
  );
  expect(stderr).toBe(
    `Note: 3 groups of commits lie in ${file}-front-* and not in the tables yet; they are told here, too. A bridge that runs carries them over within a second; where none runs, the next start does.\n`,
  );
  expect((await causeway('audit', 'list', file)).stderr).toContain('Note: 3 groups');
  await (await openSqliteStore({ path: file, durability: 'process' })).close();
  const after = await causeway('journal', 'inspect', file);
  expect([after.stdout, after.stderr]).toEqual([expect.stringContaining('a  3 records'), '']);
});

test('what lies in front of the tables is told as the tables will have it', async () => {
  const live = join(directory, 'front-live');
  const file = join(directory, 'front');
  copyFileSync(right, live);
  const store = await openSqliteStore({ path: live, durability: 'process' });
  const report = Buffer.from(message('0', '112=again|'));
  const other = 'FIX.4.4:CAUSEWAY/->BRAVO/';
  const writes: Write[] = [
    { kind: 'append', stream: 'desk/x', expected: 3, payload: Buffer.from('four') },
    { kind: 'append', stream: 'desk/y', expected: 0, payload: Buffer.from('new') },
    { kind: 'snapshot', stream: 'desk/x', position: 4, payload: Buffer.from('state') },
    { kind: 'numbers', session, nextIn: 8, nextOut: 10 },
    { kind: 'messages', session, firstSeq: 9, bytes: report, ends: [report.length] },
    { kind: 'cursor', name: 'copies/day', value: 6 },
    { kind: 'cursor', name: 'copies/hour', value: 7 },
    { kind: 'reset', session: other, nextIn: 3, nextOut: 4 },
    { kind: 'hold', session: other, position: 1, bytes: report },
    { kind: 'hold', session: other, position: 2, bytes: report },
    { kind: 'mark', session: other, name: 'released', value: 1 },
  ];
  for (const write of writes) await store.commit([write]);
  for (const ending of ['', '-wal', ...frontEndings(live)]) {
    copyFileSync(live + ending, file + ending);
  }
  await store.close();
  const told = async (path: string) => ({
    inspected: (await causeway('journal', 'inspect', path)).stdout.replaceAll(path, ''),
    exported: (await causeway('journal', 'export', path)).stdout,
    verified: (await causeway('journal', 'verify', path)).stdout.replaceAll(path, ''),
  });
  const before = await told(file);
  expect(before.exported).toContain('four');
  await (await openSqliteStore({ path: file, durability: 'process' })).close();
  expect(await told(file)).toEqual(before);
});

/** Of the opening that writes now, and of the one before it where it is still there. */
function frontEndings(path: string): string[] {
  const start = `${basename(path)}-front-`;
  return readdirSync(directory)
    .filter((name) => name.startsWith(start))
    .map((name) => name.slice(basename(path).length));
}

test('damage in front of the tables is a fault, as it is for the next start', async () => {
  const file = await killed('torn');
  const front = `${file}-front-1-0`;
  const bytes = readFileSync(front);
  bytes[bytes.indexOf('two')]! ^= 1;
  writeFileSync(front, bytes);
  const { status, stdout, stderr } = await causeway('journal', 'verify', file);
  expect([status, stdout]).toEqual([4, expect.stringContaining(`FAULT ${front}, record 2`)]);
  expect(stderr).toContain('Note: no start can carry');
});

test('audit lists who did what and why', async () => {
  const { stdout } = await causeway('audit', 'list', right);
  expect(stdout).toBe(
    '1970-01-01T00:00:00.001Z  olga  kill  all  fat finger\n1970-01-01T00:00:00.001Z  olga  release  all  over\n',
  );
});

test('an audit chain that was cut off or changed is told by verify', async () => {
  const whole = JSON.parse((await causeway('audit', 'verify', right, '--json')).stdout);
  expect(whole).toMatchObject({ ok: true, auditRecords: 2 });
  const cut = damaged('cut', "DELETE FROM journal WHERE stream = 'audit' AND position = 2");
  expect((await causeway('audit', 'verify', cut)).status).toBe(0);
  const told = await causeway('audit', 'verify', cut, '--head', whole.auditHead);
  expect([told.status, told.stdout]).toEqual([4, expect.stringContaining('the end was cut off')]);
  expect((await causeway('audit', 'verify', right, '--head', auditGenesis)).status).toBe(0);
  const headFile = join(directory, 'head');
  writeFileSync(headFile, `2 ${whole.auditHead}\n`);
  const byFile = async (of: string) => causeway('audit', 'verify', of, '--head-file', headFile);
  expect((await byFile(right)).status).toBe(0);
  expect((await byFile(cut)).stdout).toContain('the end was cut off');
  const begun = damaged('begun', "DELETE FROM journal WHERE stream = 'audit' AND position = 1");
  expect((await causeway('audit', 'verify', begun)).stdout).toContain('does not follow');
});
