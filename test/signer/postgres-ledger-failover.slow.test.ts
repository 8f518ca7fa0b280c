/** What happens to signers when servers of their database stop, hang, fail over or come back older. */
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest';
import { ManualClock } from '../../src/runtime/clock.ts';
import { noAnchor } from '../../src/signer/ledger-file.ts';
import { PostgresLedger, type PostgresLedgerOptions } from '../../src/signer/postgres-ledger.ts';
import type { SignerCore } from '../../src/signer/signer-core.ts';
import { type Connection, connectToPrimary } from '../../src/store/postgres/connection.ts';
import { PostgresServer } from '../support/postgres.ts';
import { coreWith, envelope, request, spot } from './signer-samples.ts';

let primary: PostgresServer;
let standby: PostgresServer;
let admin: Connection;
let place: PostgresLedgerOptions['place'];
const open: PostgresLedger[] = [];
const alarms: string[] = [];

beforeAll(async () => {
  primary = await PostgresServer.start();
  place = await primary.ledger();
  standby = await primary.standby();
  admin = await primary.admin(place.database);
  await admin.run('set client_min_messages = error');
});

afterEach(async () => {
  standby.resume();
  for (const ledger of open.splice(0)) await ledger.close();
  alarms.length = 0;
});

afterAll(async () => {
  admin.destroy();
  for (const server of [primary, standby]) await server.stop();
});

async function replicateTo(names: string): Promise<void> {
  await admin.run(`alter system set synchronous_standby_names = '${names}'`);
  await admin.run('select pg_reload_conf()');
  const text = `select current_setting('synchronous_standby_names') as names`;
  const seen = async () => (await admin.query<{ names: string }>({ text }))[0]?.names;
  await expect.poll(seen).toBe(names);
}

async function coreOf(more: Partial<PostgresLedgerOptions> = {}): Promise<SignerCore> {
  const ledger = await PostgresLedger.open({
    ...{ place, durability: 'replicated', environment: 'mainnet', mayCreate: true },
    alarm: (text) => alarms.push(text),
    answerMs: 1000,
    ...more,
  });
  open.push(ledger);
  const alarm = (text: string) => alarms.push(text);
  return coreWith({ ledger, alarm, clock: new ManualClock(Date.now()) });
}

const kindOf = async (core: SignerCore, nonce: number, price = 50n) => {
  const result = await core.sign(request(envelope(nonce, spot(price))));
  return result.kind === 'signed' ? 'signed' : result.code;
};

const waitingForStandby = async () => {
  const text = `select pid from pg_stat_activity where wait_event = 'SyncRep'`;
  return (await admin.query({ text })).length;
};

test('for real money a signer needs a standby that commits wait for, at the start and for each signature', async () => {
  await expect(coreOf()).rejects.toThrow('no synchronous standby is configured');
  await replicateTo('*');
  const core = await coreOf();
  expect(await kindOf(core, 1)).toBe('signed');
  await replicateTo('');
  expect(await kindOf(core, 2)).toBe('not_recorded');
  expect(await kindOf(core, 3)).toBe('unavailable');
  expect(core.notReady).toEqual([expect.stringContaining('commits wait for no standby')]);
  await expect(core.greet(noAnchor)).rejects.toThrow('commits wait for no standby');
  await replicateTo('*');
  await expect.poll(() => core.notReady).toEqual([]);
  expect(await kindOf(core, 3)).toBe('signed');
});

test('nothing is signed before the standby has the record, also when its wait is canceled', async () => {
  const core = await coreOf();
  expect(await kindOf(core, 10)).toBe('signed');
  standby.pause();
  expect(await kindOf(core, 11)).toBe('unanswered');
  expect(await kindOf(core, 12)).toBe('unavailable');
  await expect.poll(waitingForStandby).toBeGreaterThan(0);
  const canceled = `select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`;
  await admin.run(canceled);
  expect(await kindOf(core, 11)).toBe('unavailable');
  standby.resume();
  await expect.poll(() => kindOf(core, 12)).toBe('signed');
  expect(await kindOf(core, 11)).toBe('signed');
  expect(await kindOf(core, 11, 51n)).toBe('other_digest');
});

test('a wait that is canceled under a request is a lost reply, and the standby has the record before the signature', async () => {
  const core = await coreOf({ answerMs: 5000 });
  standby.pause();
  const asked = kindOf(core, 20);
  await expect.poll(waitingForStandby).toBe(1);
  await admin.run(
    `select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`,
  );
  const outcome: string[] = [];
  void asked.then((kind) => outcome.push(kind));
  await expect.poll(waitingForStandby).toBe(1);
  expect(outcome).toEqual([]);
  standby.resume();
  expect(await asked).toBe('signed');
});

test('when the primary stops, signers go on with the promoted standby, and no nonce has two digests', async () => {
  const hosts = [...primary.place.hosts, ...standby.place.hosts];
  await admin.run(`update causeway_signer.ledger set environment = 'local'`);
  const options = { place: { ...place, hosts }, environment: 'local' } as const;
  const cores = [await coreOf(options), await coreOf(options)];
  const signed = new Map<number, Set<bigint>>();
  let signatures = 0;
  let isOver = false;
  onTestFinished(() => {
    isOver = true;
  });
  const asking = [0, 1, 2, 3].map(async (lane) => {
    for (let nonce = 1000 + lane; !isOver; nonce += 1) {
      // Both lanes of a nonce want another price.
      const price = BigInt(50 + lane);
      if ((await kindOf(cores[lane % 2] as SignerCore, nonce, price)) !== 'signed') {
        await new Promise((resolve) => setTimeout(resolve, 2));
        continue;
      }
      signatures += 1;
      signed.set(nonce, (signed.get(nonce) ?? new Set()).add(price));
    }
  });
  await expect.poll(() => signatures).toBeGreaterThan(50);
  primary.pause();
  standby.promote();
  const before = signatures;
  await expect.poll(() => signatures).toBeGreaterThan(before + 50);
  expect(alarms).toContainEqual(expect.stringContaining('commits wait for no standby'));
  primary.resume();
  const resumed = signatures;
  await expect.poll(() => signatures).toBeGreaterThan(resumed + 50);
  isOver = true;
  await Promise.all(asking);
  for (const [nonce, prices] of signed) expect([nonce, prices.size]).toEqual([nonce, 1]);
  const promoted = await connectToPrimary({ ...place, hosts: standby.place.hosts }, 'power');
  const rows = await promoted.query<{ nonce: number }>({
    text: 'select nonce from causeway_signer.nonces',
  });
  await promoted.close();
  const recorded = new Set(rows.map(({ nonce }) => nonce));
  // RPO 0: all that was signed is at the promoted one.
  expect([...signed.keys()].filter((nonce) => !recorded.has(nonce))).toEqual([]);
}, 120_000);

test('a backup that is restored under a running signer gets no signature any more', async () => {
  const alone = { ...place, hosts: standby.place.hosts };
  const options = { place: alone, durability: 'power', environment: 'local' } as const;
  const before = await coreOf(options);
  expect(await kindOf(before, 5000)).toBe('signed');
  for (const ledger of open.splice(0)) await ledger.close();
  await standby.kill();
  standby.backUp();
  await standby.run();
  const core = await coreOf(options);
  expect(await kindOf(core, 5001)).toBe('signed');
  const seen = core.anchor;
  await standby.kill();
  standby.restore();
  await standby.run();
  await expect.poll(() => core.notReady.join()).toContain('set back or changed');
  expect(await kindOf(core, 5001, 51n)).toBe('unavailable');
  // A signer that starts now knows nothing of that, and its bridge does.
  const next = await coreOf(options);
  await next.greet(seen);
  expect(alarms.at(-1)).toContain("the signer's ledger was set back");
});
