/** What a reader over FIXP received is verified as it came: a running bridge, trades, a replay, breaks, a new session id. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { verb } from '../../src/cli/dropcopy.ts';
import { exitCodes } from '../../src/cli/verb.ts';
import { listOf, startFixpBridge } from '../acceptance/parity/lanes.ts';
import type { Bridge } from '../support/bridge.ts';
import { fieldOf } from '../support/fix-peer.ts';
import { FixpPeer } from '../support/fixp-peer.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let bridge: Bridge;
let directory: string;
/** What came on each connection. */
const connections: Buffer[][] = [];
const peers: FixpPeer[] = [];

async function client(name: string, before?: FixpPeer): Promise<FixpPeer> {
  const session = bridge.user(name);
  const { gateway } = bridge;
  const peer = await FixpPeer.connect(gateway.fixpPort, session, listOf(gateway), before);
  peers.push(peer);
  return peer;
}

const isTrade = (line: string) => fieldOf(line, '150') === 'F';
const isDone = (line: string) => fieldOf(line, '9128') === '1';

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'fixp-log-'));
  bridge = await startFixpBridge({ session: { copy: { acknowledge: 'reader' } } });
  const reader = async (before?: FixpPeer, isNew = false) => {
    const peer = await client('DROP', before);
    const received: Buffer[] = [];
    connections.push(received);
    peer.onBytes = (bytes) => received.push(Buffer.from(bytes));
    await peer.logon(before === undefined || isNew ? undefined : '');
    return peer;
  };
  const [alpha, bravo] = [await client('ALPHA'), await client('BRAVO')];
  for (const peer of [alpha, bravo]) await peer.logon();
  let count = 0;
  const trade = () => {
    count += 1;
    bravo.say(`D|11=s${count}|55=ETH-USDC|54=2|38=0.25|40=2|44=2000.5|59=1|60=now`);
    alpha.say(`D|11=b${count}|55=ETH-USDC|54=1|38=0.25|40=2|44=2000.5|59=1|60=now`);
  };
  const bothTold = async (peer: FixpPeer) => {
    await peer.next(isTrade);
    await peer.next(isTrade);
  };
  const first = await reader();
  trade();
  await bothTold(first);
  first.say('UR|9120=again|9121=2|9124=now-3600s');
  await first.next(isDone);
  first.hangUp();
  trade();
  const second = await reader(first);
  await bothTold(second);
  second.hangUp();
  const third = await reader(second, true);
  await bothTold(third);
  await bothTold(third);
  trade();
  await bothTold(third);
  third.say('UR|9120=sum|9121=6');
  await third.next(isDone);
});

afterAll(async () => {
  for (const peer of peers) peer.hangUp();
  await bridge.stop();
  rmSync(directory, { recursive: true });
});

async function verified(logs: readonly Buffer[], markets: object[] = listed()) {
  const list = join(directory, 'markets.json');
  const files = logs.map((bytes, index) => {
    const file = join(directory, `${index}.fixp`);
    writeFileSync(file, bytes);
    return file;
  });
  writeFileSync(list, JSON.stringify({ markets }));
  const told = vi.spyOn(console, 'log').mockImplementation(() => {});
  try {
    const code = await verb.run(['verify', ...files, '--markets', list, '--json']);
    return { code, ...JSON.parse(told.mock.calls.join('\n')) };
  } finally {
    told.mockRestore();
  }
}

const logs = () => connections.map((received) => Buffer.concat(received));

const listed = () =>
  listOf(bridge.gateway).map(({ marketId, symbol }) => ({
    marketId,
    symbol: symbol.split(':')[0],
  }));

test('the totals are worked out again from the octets, over a replay, a break and a new session id', async () => {
  const { checked, code, copies, doubled, repeated } = await verified(logs());
  expect(checked.map(({ faults }: { faults: string[] }) => faults)).toEqual([[], []]);
  expect([code, doubled]).toEqual([exitCodes.done, []]);
  expect(copies).toBeGreaterThanOrEqual(18);
  expect(repeated).toBeGreaterThan(0);
});

test('a connection that ended within a message says nothing of the next', async () => {
  const [first = Buffer.alloc(0), ...others] = logs();
  const cut = Buffer.concat([first, first.subarray(0, 20)]);
  expect((await verified([cut, ...others])).code).toBe(exitCodes.done);
});

test('one octet of a name that is another is found', async () => {
  const [first = Buffer.alloc(0), second = first, third = first] = logs();
  third[third.lastIndexOf('s3') + 1] = '4'.charCodeAt(0);
  expect((await verified([first, second, third])).code).toBe(exitCodes.failed);
});

test('a market that is not listed, or a file that is no FIXP, is reported', async () => {
  await expect(verified(logs(), [])).rejects.toThrow(/markets\.json has no market 2/);
  await expect(verified([Buffer.from('8=FIX.4.4|9=5|35=0|')])).rejects.toThrow(
    /not the traffic of a FIXP session/,
  );
});
