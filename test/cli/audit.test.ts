/** The audit of a bridge and of a signer, as an operator reads and verifies it. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { verb } from '../../src/cli/audit.ts';
import { exitCodes, UsageError } from '../../src/cli/verb.ts';
import { auditGenesis, auditStream, linked } from '../../src/store/audit-chain.ts';
import { openLogStore } from '../../src/store/log/log-store.ts';
import type { Write } from '../../src/store/store.ts';

let directory: string;
let lines: string[];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'audit-'));
  lines = [];
  vi.spyOn(console, 'log').mockImplementation((line) => void lines.push(line));
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(directory, { recursive: true });
});

const act = { who: 'olga', what: 'kill', subject: 'desk-a', why: 'drill', before: [], after: [] };

/** The records of a chain; `change` makes one of them another act. */
function chainOf(length: number, change: Partial<typeof act & { readonly atMs: number }> = {}) {
  const records: ReturnType<typeof linked>[] = [];
  for (let position = 1; position <= length; position += 1) {
    const previous = records.at(-1)?.hash ?? auditGenesis;
    records.push(linked({ atMs: position * 1000, ...act, ...change }, position, previous));
  }
  return records;
}

type Chain = ReturnType<typeof chainOf>;

/** A signer's log whose first file begins with this record. */
function writeSigner(records: Chain, from = 1): void {
  const folder = join(directory, 'audit');
  mkdirSync(folder, { recursive: true });
  const text = records.map((record) => `${record.text}\n`).join('');
  writeFileSync(join(folder, `${String(from).padStart(10, '0')}.jsonl`), text);
}

async function writeBridge(records: Chain): Promise<void> {
  const path = join(directory, 'gateway.db');
  const store = await openLogStore({ path, durability: 'process', reserveBytes: 0 });
  const appended = records.map(({ text }, expected): Write => {
    return { kind: 'append', stream: auditStream, expected, payload: Buffer.from(text) };
  });
  if (appended.length > 0) await store.commit(appended);
  await store.close();
}

async function audit(...args: string[]) {
  lines = [];
  const code = await verb.run(args);
  return { code, text: lines.join('\n') };
}

const verify = (...more: string[]) => audit('verify', directory, ...more);
const hashAt = (records: Chain, position: number) => records[position - 1]?.hash ?? auditGenesis;
const usage = expect.objectContaining({ constructor: UsageError });

test.each([
  ['bridge', writeBridge],
  ['signer', writeSigner],
])(
  'the acts of a %s are listed and verified, and any head of its chain is in it',
  async (_, write) => {
    const records = chainOf(3);
    await write(records);
    const listed = await audit('list', directory);
    expect(listed.code).toBe(exitCodes.done);
    expect(listed.text.split('\n')).toEqual(
      [1, 2, 3].map((second) => `1970-01-01T00:00:0${second}.000Z  olga  kill  desk-a  drill`),
    );
    const json = await audit('list', directory, '--json');
    expect(json.text.split('\n').map((line) => JSON.parse(line))).toEqual(
      records.map(({ text }) => JSON.parse(text)),
    );
    const head = hashAt(records, 3);
    const ok = { code: exitCodes.done, text: `3 records, head ${head}` };
    for (const { hash } of [{ hash: auditGenesis }, ...records]) {
      expect(await verify('--head', hash)).toEqual(ok);
    }
    expect(JSON.parse((await verify('--json')).text)).toMatchObject({
      ...{ ok: true, fault: '', auditRecords: 3, auditHead: head },
    });
  },
);

test('a bridge without acts has the head of no record', async () => {
  await writeBridge([]);
  const ok = { code: exitCodes.done, text: `0 records, head ${auditGenesis}` };
  expect(await verify('--head', auditGenesis)).toEqual(ok);
  const head = hashAt(chainOf(1), 1);
  expect(await verify('--head', head)).toMatchObject({ code: exitCodes.damaged });
});

test('a head that the chain no longer has says that its end was cut off', async () => {
  const records = chainOf(3);
  writeSigner(records.slice(0, 2));
  const fault = `no record has the hash ${hashAt(records, 3)}: the end was cut off`;
  const found = await verify('--head', hashAt(records, 3));
  expect(found).toEqual({ code: exitCodes.damaged, text: `FAULT ${fault}` });
  const json = await verify('--head', hashAt(records, 3), '--json');
  expect(json.code).toBe(exitCodes.damaged);
  const rest = { auditRecords: 2, auditHead: hashAt(records, 2) };
  expect(JSON.parse(json.text)).toMatchObject({ ok: false, fault, ...rest });
});

test('a head that was published before the oldest file is not taken for an end that was cut off', async () => {
  const records = chainOf(5);
  writeSigner(records.slice(2), 3);
  expect(await verify()).toEqual({
    code: exitCodes.done,
    text: `3 records from number 3 on, head ${hashAt(records, 5)}`,
  });
  expect(JSON.parse((await verify('--json')).text)).toMatchObject({ firstRecord: 3 });
  expect(await verify('--head', hashAt(records, 2))).toMatchObject({ code: exitCodes.done });
  const { code, text } = await verify('--head', hashAt(records, 1));
  expect(code).toBe(exitCodes.damaged);
  expect(text).toContain('the end was cut off, or the record is before number 3');
});

test('a record that was changed, removed, repeated or moved is a fault, and the head is of the last one before it', async () => {
  const records = chainOf(4);
  const changed = ({ hash, text }: Chain[number]) => {
    return { hash, text: text.replace('olga', 'ivan') };
  };
  const broken = records.flatMap((record, at) => [
    records.with(at, changed(record)),
    records.toSpliced(at, 0, record),
    ...records
      .slice(at + 1)
      .flatMap((later) => [
        records.toSpliced(at, 1),
        records.with(at, later).with(records.indexOf(later), record),
      ]),
  ]);
  for (const chain of broken) {
    writeSigner(chain);
    const whole = chain.findIndex((record, at) => record !== records[at]);
    const { code, text } = await verify('--json');
    expect(code).toBe(exitCodes.damaged);
    const rest = { auditRecords: whole, auditHead: hashAt(records, whole) };
    expect(JSON.parse(text)).toMatchObject({ ok: false, ...rest });
  }
});

test('a list goes up to the record that is broken, and then fails', async () => {
  writeSigner(chainOf(3).toSpliced(1, 1));
  await expect(audit('list', directory)).rejects.toThrow('audit record 2');
  expect(lines).toHaveLength(1);
});

test('a record with a consistent hash and a time that no date has is broken', async () => {
  writeSigner(chainOf(1, { atMs: 8.64e15 + 1 }));
  await expect(audit('list', directory)).rejects.toThrow('audit record 1 is not an audit record');
});

test('a line of the list cannot control a terminal, and stays one line', async () => {
  await writeBridge(chainOf(1, { who: 'eve\u001b[2J', why: 'one\ntwo\u202e' }));
  const { text } = await audit('list', directory);
  expect(text).toBe('1970-01-01T00:00:01.000Z  eve·[2J  kill  desk-a  one·two·');
});

test('the head is also taken from its file', async () => {
  const records = chainOf(2);
  writeSigner(records);
  const file = join(directory, 'head');
  writeFileSync(file, `2 ${hashAt(records, 2)}\n`);
  expect(await verify('--head-file', file)).toMatchObject({ code: exitCodes.done });
  writeFileSync(file, `3 ${hashAt(chainOf(3), 3)}\n`);
  expect(await verify('--head-file', file)).toMatchObject({ code: exitCodes.damaged });
  writeFileSync(file, 'nothing\n');
  await expect(verify('--head-file', file)).rejects.toThrow('is not the head of an audit chain');
  await expect(verify('--head-file', `${file}.gone`)).rejects.toThrow(`no file ${file}.gone`);
});

test('a folder of this name without records does not stand for those of the bridge', async () => {
  const records = chainOf(2);
  await writeBridge(records);
  mkdirSync(join(directory, 'audit'));
  writeFileSync(join(directory, 'audit', 'notes.txt'), 'of the auditor');
  expect((await verify()).text).toBe(`2 records, head ${hashAt(records, 2)}`);
  for (const name of ['gateway.db', 'gateway-log'])
    rmSync(join(directory, name), { recursive: true });
  await expect(verify()).rejects.toThrow('there is no store');
});

test('where a bridge and a signer share a directory, the log of the bridge is named by itself', async () => {
  await writeBridge(chainOf(1));
  writeSigner(chainOf(2));
  expect((await verify()).text).toMatch(/^2 records/);
  expect((await audit('verify', join(directory, 'gateway-log'))).text).toMatch(/^1 records/);
});

test.each([
  [['verify']],
  [['list']],
  [['verify', 'DIR', '--head', 'abc']],
  [['verify', 'DIR', '--head', 'A'.repeat(64)]],
  [['verify', 'DIR', '--head', auditGenesis, '--head-file', 'head']],
  [['list', 'DIR', '--head', auditGenesis]],
  [['list', 'DIR', '--head-file', 'head']],
])('%j is refused instead of leaving a part of it out', async (args) => {
  writeSigner(chainOf(1));
  writeFileSync(join(directory, 'head'), `0 ${auditGenesis}\n`);
  const words = args.map((word) =>
    word === 'DIR' ? directory : word === 'head' ? join(directory, word) : word,
  );
  await expect(audit(...words)).rejects.toEqual(usage);
  expect(lines).toEqual([]);
});
