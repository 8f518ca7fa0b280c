/**
 * Orders that are recorded and wait for room at the venue when they are stopped, over real sockets (decision 0210): they
 * are refused at once and never sent. What is under way is canceled behind its acceptance.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { nobody } from '../../src/gateway/account/observer.ts';
import type { KillScope } from '../../src/gateway/gate/kill-switch.ts';
import { realOutside } from '../../src/gateway/outside.ts';
import { type Bridge, startBridge } from '../support/bridge.ts';
import { FixPeer, fieldOf } from '../support/fix-peer.ts';
import { quickProfile } from '../support/quick-files.ts';

const alphaSession = 'FIX.4.4:CAUSEWAY/->ALPHA/';
/** As many as the venue takes at once. */
const room = 8;
const patienceMs = 60_000;
const folder = mkdtempSync(join(tmpdir(), 'causeway-taken-back-'));
const by = { who: 'test', why: 'runaway' };

let bridge: Bridge;
let alpha: FixPeer;
/** The ClOrdIDs of all placements in requests to the venue. */
let sent: string[] = [];
/** How many requests there were with several legs: quotes, and replaces that place anew. */
let groups = 0;
let count = 0;
/** How many signatures were asked for, and what each of them waits for. */
let signed = 0;
let released: (nth: number) => Promise<void> | undefined = () => undefined;

beforeAll(async () => {
  bridge = await startBridge({
    profileFile: patientProfile(),
    config: { patienceMs },
    session: { cancelOnDisconnect: { when: 'always', graceMs: 0 } },
    outside: {
      openSigner: async (...all) => {
        const signer = await realOutside.openSigner(...all);
        const sign: typeof signer.sign = async (request) => {
          signed += 1;
          await released(signed);
          return signer.sign(request);
        };
        return { ...signer, keys: signer.keys, sign };
      },
    },
    observer: {
      ...nobody,
      requested: (_, { body }) => {
        for (const [, id = ''] of String(body).matchAll(/"client_order_id":"(?:[^"]*?)(o\d+)"/g))
          sent.push(id);
        if (String(body).includes('"legs"')) groups += 1;
      },
    },
  });
});

afterAll(async () => {
  await bridge.stop();
  rmSync(folder, { recursive: true });
});

/** However slow the machine is, no answer that the venue holds back counts as lost. */
function patientProfile(): string {
  const file = quickProfile(folder);
  const text = readFileSync(file, 'utf8');
  expect(text).toContain('timeoutMs: 5000');
  writeFileSync(file, text.replace('timeoutMs: 5000', `timeoutMs: ${patienceMs}`));
  return file;
}

beforeEach(async () => {
  alpha = await client();
});

/** Whoever hangs up has all orders canceled. */
afterEach(async () => {
  await answered();
  alpha.hangUp();
  await expect.poll(isQuiet).toBe(true);
});

function isQuiet(): boolean {
  return bridge.gateway.accounts.every(({ bound, dispatcher }) => {
    const { inFlight, queued } = dispatcher;
    return (
      inFlight + queued === 0 && !bound.runner.isBusy && bound.runner.orders.open().next().done
    );
  });
}

async function client(): Promise<FixPeer> {
  const session = bridge.user();
  const peer = await FixPeer.connect(bridge.gateway.port, session);
  await peer.logon();
  return peer;
}

/** The switch is released also after a test that fails, because it would fail all others. */
function kill(scope: KillScope): void {
  bridge.gateway.operator.kill(by, scope);
  onTestFinished(() => {
    bridge.gateway.operator.release(by, scope);
  });
}

/** The venue sends the answers that it holds back, also those to requests that it has yet to read. */
async function answered(): Promise<void> {
  await bridge.admin('DELETE', '/faults');
  await bridge.admin('POST', '/faults/release');
}

/** Everything that the client has sent has arrived. */
async function arrived(id: string): Promise<void> {
  alpha.say(`1|112=${id}`);
  await alpha.next((message) => fieldOf(message, '112') === id);
}

/** Orders of which the venue holds back the first eight answers, so that the rest wait for room. */
async function crowd(): Promise<{
  readonly underWay: readonly string[];
  readonly queued: readonly string[];
}> {
  await expect.poll(() => bridge.gateway.gate.state).toBe('open');
  sent = [];
  groups = 0;
  const path = '/trading/actions';
  await bridge.admin('POST', '/faults', { kind: 'slow', delayMs: null, path, times: room });
  const ids = Array.from({ length: room + 4 }, () => {
    count += 1;
    alpha.say(`D|11=o${count}|55=BTC-USDC|54=1|38=0.1|40=2|44=40000|59=1|60=now`);
    return `o${count}`;
  });
  await expect.poll(() => sent.length).toBe(room);
  await arrived(`in${count}`);
  return { underWay: ids.slice(0, room), queued: ids.slice(room) };
}

/** How each of these orders ended, in whatever order they do: 8 refused, 4 canceled; and in the bridge's words, why. */
async function ends(...ids: string[]): Promise<string[]> {
  const found = new Map<string, string>();
  const nameIn = (message: string) =>
    ['4', '8'].includes(fieldOf(message, '150') ?? '')
      ? [fieldOf(message, '41'), fieldOf(message, '11')].find((id) => ids.includes(id ?? ''))
      : undefined;
  while (found.size < ids.length) {
    const told = await alpha.next((message) => nameIn(message) !== undefined);
    const text = `${fieldOf(told, '150')} ${fieldOf(told, '9102') ?? ''}`.trim();
    found.set(nameIn(told) ?? '', text);
  }
  return ids.map((id) => found.get(id) ?? '');
}

test('R-15: the kill switch refuses what waits for room at the venue, and cancels what is under way', async () => {
  const { queued, underWay } = await crowd();
  kill({ kind: 'session', name: alphaSession });
  expect(await ends(...queued)).toEqual(queued.map(() => '8 bridge.kill_switch'));
  await answered();
  expect(await ends(...underWay)).toEqual(underWay.map(() => '4'));
  expect(sent).toEqual(underWay);
});

test('R-15: the kill switch refuses what the venue refused for now, also while it is signed to be sent again', async () => {
  await expect.poll(() => bridge.gateway.gate.state).toBe('open');
  [sent, signed] = [[], 0];
  const hold = Promise.withResolvers<void>();
  released = (nth) => (nth === 2 ? hold.promise : undefined);
  const path = '/trading/actions';
  await bridge.admin('POST', '/faults', { kind: 'fail_before', status: 429, path, times: 1 });
  count += 1;
  const clOrdId = `o${count}`;
  alpha.say(`D|11=${clOrdId}|55=BTC-USDC|54=1|38=0.1|40=2|44=40000|59=1|60=now`);
  await expect.poll(() => signed).toBe(2);
  kill({ kind: 'session', name: alphaSession });
  hold.resolve();
  expect(await ends(clOrdId)).toEqual(['8 bridge.kill_switch']);
  expect(sent).toEqual([clOrdId]);
});

test('R100: what its own client cancels goes out first, and is canceled behind its acceptance', async () => {
  const { queued, underWay } = await crowd();
  const [own = ''] = queued;
  const all = new Set([...underWay, ...queued]);
  alpha.say(`F|11=c${own}|41=${own}|55=BTC-USDC|54=1|60=now`);
  await arrived(`c${own} is in`);
  await answered();
  await expect.poll(() => new Set(sent)).toEqual(all);
  expect(await ends(own)).toEqual(['4']);
});

test('a quote that waits for room is refused by the kill switch', async () => {
  await crowd();
  alpha.say('i|117=q1|301=2|296=1|302=s|304=1|295=1|299=e|55=ETH-USDC|132=2000|134=0.1');
  await arrived('quoted');
  kill({ kind: 'account', name: 'desk-a' });
  const answer = await alpha.next((message) => fieldOf(message, '117') === 'q1');
  expect(['35', '297'].map((tag) => fieldOf(answer, tag))).toEqual(['b', '5']);
  expect(groups).toBe(0);
});

test('the leg of a replace that waits for room is withdrawn by the kill switch, too', async () => {
  alpha.say('D|11=base|55=BTC-USDC|54=1|38=0.1|40=2|44=40000|59=1|60=now');
  await alpha.next((message) => fieldOf(message, '150') === '0');
  await crowd();
  alpha.say('G|11=dearer|41=base|55=BTC-USDC|54=1|38=0.1|40=2|44=41000|59=1|60=now');
  await arrived('replaced');
  bridge.gateway.operator.kill(by, { kind: 'all' });
  bridge.gateway.operator.release(by, { kind: 'all' });
  const refused = await alpha.next((message) => fieldOf(message, '35') === '9');
  expect(['11', '434', '9102'].map((tag) => fieldOf(refused, tag))).toEqual([
    'dearer',
    '2',
    'bridge.kill_switch',
  ]);
  await answered();
  expect(await ends('base')).toEqual(['4']);
  expect(groups).toBe(0);
});

test('V-07: cancel on disconnect takes back what waits for room', async () => {
  const { queued, underWay } = await crowd();
  alpha.hangUp();
  alpha = await client();
  expect(await ends(...queued)).toEqual(queued.map(() => '8 bridge.canceled_unsent'));
  await answered();
  expect(await ends(...underWay)).toEqual(underWay.map(() => '4'));
  expect(sent).toEqual(underWay);
});
