/** Faults and acts of an operator that meet: each is tested by itself elsewhere, and none may weaken another. */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ManualClock } from '../../src/runtime/clock.ts';
import type { SigningKey } from '../../src/signer/account-keys.ts';
import { DigestLedger } from '../../src/signer/digest-ledger.ts';
import { localKey } from '../../src/signer/key-holder.ts';
import { addressOfKey } from '../../src/signer/keystore.ts';
import { openLedgerFile } from '../../src/signer/ledger-file.ts';
import type { Policy } from '../../src/signer/policy.ts';
import type { SignRequest } from '../../src/signer/signer.ts';
import type { SignerCore } from '../../src/signer/signer-core.ts';
import { fillDisk, hasRoomAgain } from './full-disk.ts';
import {
  account,
  cancel,
  coreWith,
  ecdsa,
  envelope,
  openPolicy,
  request,
  spot,
} from './signer-samples.ts';

const [oldSecret, newSecret] = [7, 8].map((byte) => () => new Uint8Array(32).fill(byte)) as [
  () => Uint8Array,
  () => Uint8Array,
];
const names = new Map([
  [addressOfKey(oldSecret()), 'old key'],
  [addressOfKey(newSecret()), 'new key'],
]);
let path: string;
let clock: ManualClock;
let paused: string | null;
let alarms: string[];
let texts: string[];
let core: SignerCore;
let ledger: DigestLedger;

beforeEach(async () => {
  path = join(mkdtempSync(join(tmpdir(), 'combined-')), 'signer.ledger');
  clock = new ManualClock();
  paused = null;
  alarms = [];
  texts = [];
  await start(true);
});

afterEach(() => {
  hasRoomAgain();
  ledger.close();
  rmSync(join(path, '..'), { recursive: true });
});

/** The signer on the ledger of this test, with the older key. */
async function start(mayCreate = false): Promise<void> {
  const file = openLedgerFile(path, { durability: 'process', environment: 'local', mayCreate });
  ledger = new DigestLedger(file, { clock, alarm: (_, code) => alarms.push(code) });
  const alarm = (text: string, code: string) => {
    texts.push(text);
    alarms.push(code);
  };
  core = await coreWith({ ledger, clock, alarm, keys: [oldKey()], paused: () => paused });
}

const oldKey = (policy: Policy = openPolicy): SigningKey => ({
  holder: localKey(ecdsa, oldSecret()),
  policy,
});
const rotated = (): SigningKey => ({
  holder: localKey(ecdsa, newSecret()),
  policy: openPolicy,
  older: { holder: localKey(ecdsa, oldSecret()), expiresAtMs: null },
});
const placement = (nonce: number, price = 50n, qty = 10n) =>
  request(envelope(nonce, spot(price, qty)));

/** The key that signed, or why none did. */
async function outcome(asked: SignRequest): Promise<string> {
  const result = await core.sign(asked);
  return result.kind === 'signed' ? (names.get(result.key) ?? result.key) : result.code;
}

test('a rotation while the disk of the ledger is full, and a pause when it has room again, sign no second placement', async () => {
  expect(await outcome(placement(1))).toBe('old key');
  fillDisk(statSync(path).size);
  expect(await outcome(placement(2))).toBe('not_recorded');
  core.replaceKeys([rotated()]);
  expect(await outcome(placement(2))).toBe('unavailable');
  expect(await outcome(request(envelope(2, cancel)))).toBe('new key');
  paused = 'a drill';
  hasRoomAgain();
  clock.advance(1000);
  expect(alarms.slice(0, 2)).toEqual(['ledger_away', 'ledger_back']);
  expect(await outcome(placement(2))).toBe('paused');
  expect(await outcome(placement(2, 49n))).toBe('other_digest');
  expect(await outcome(request(envelope(3, cancel)))).toBe('new key');
  paused = null;
  expect(await outcome(placement(2))).toBe('new key');
  ledger.close();
  await start();
  expect(await outcome(placement(2, 49n))).toBe('other_digest');
  expect(await outcome(placement(2))).toBe('old key');
});

test('a reload to a daily total below what was signed refuses new placements, repeats earlier ones and keeps what was counted', async () => {
  const daily = (most: bigint): Policy => {
    const qty = { Bid: 1000n, Ask: 1000n };
    const total = { qty: { Bid: most, Ask: null }, notional: null };
    const limit = { notional: 1_000_000n, qty, price: { Bid: null, Ask: null }, daily: total };
    return { ...openPolicy, markets: new Map([[1, limit]]) };
  };
  core.replaceKeys([oldKey(daily(100n))]);
  expect(await outcome(placement(1, 50n, 60n))).toBe('old key');
  core.replaceKeys([oldKey(daily(50n))]);
  expect(await outcome(placement(2, 50n, 1n))).toBe('policy');
  expect(await outcome(placement(1, 50n, 60n))).toBe('old key');
  expect(await outcome(request(envelope(2, cancel)))).toBe('old key');
  ledger.close();
  await start();
  core.replaceKeys([oldKey(daily(100n))]);
  expect(await outcome(placement(3, 50n, 41n))).toBe('policy');
  expect(await outcome(placement(3, 50n, 40n))).toBe('old key');
  // A clock that steps over midnight begins a day once, and back again none.
  clock.stepWall(86_400_000);
  expect(await outcome(placement(4, 50n, 100n))).toBe('old key');
  clock.stepWall(-86_400_000);
  expect(await outcome(placement(5, 50n, 1n))).toBe('policy');
});

test('what two bridges recall from journals of different age adds up, and permits neither of them a second digest', async () => {
  const asked = placement(20);
  const first = await core.sign(asked);
  if (first.kind !== 'signed') throw new Error(first.text);
  ledger.close();
  await start();
  const hex = (byte: number) => Buffer.alloc(32, byte).toString('hex');
  // The older bridge states an earlier floor and another digest; the newer one what was signed.
  core.recall(account, 10, new Map([[21, hex(1)]]));
  core.recall(
    account,
    15,
    new Map([
      [20, Buffer.from(first.digest).toString('hex')],
      [21, hex(2)],
    ]),
  );
  core.recall(account, 10, new Map([[20, hex(3)]]));
  expect(await outcome(placement(14))).toBe('nonce_too_old');
  expect(await outcome(placement(21))).toBe('other_digest');
  expect(await outcome(asked)).toBe('old key');
  expect(await outcome(placement(20, 49n))).toBe('other_digest');
  expect(await outcome(placement(22))).toBe('old key');
});

test('bridges that have seen other ledgers raise one alarm a minute, with their number, for all their connections', async () => {
  const shards = ['cd', 'ef'].map((hex) => ({ ...core.anchor, id: hex.repeat(16) }));
  for (let count = 0; count < 3; count += 1) for (const seen of shards) await core.greet(seen);
  expect(alarms).toEqual(['ledger_differs']);
  clock.advance(60_000);
  await core.greet(shards[1] ?? core.anchor);
  expect(alarms).toHaveLength(2);
  expect(texts.at(-1)).toContain('the bridge has used ledger efef');
  expect(texts.at(-1)).toMatch(/; 5 more since the last one$/);
});

test('a bridge that invents anchors cannot flood the log, or hide a ledger that was set back for another bridge', async () => {
  for (let count = 1; count <= 1_000; count += 1) {
    await core.greet({ ...core.anchor, id: count.toString(16).padStart(32, '0') });
    await core.greet(core.anchor);
  }
  expect(alarms).toEqual(['ledger_differs']);
  await core.greet({ ...core.anchor, count: core.anchor.count + 1 });
  expect(texts.at(-1)).toContain('was set back');
  expect(alarms).toHaveLength(2);
});
