/**
 * What decides nothing ends nothing (contract D.0, D.1, D.5): the venue's door fails in every way, numbers come on the
 * private socket, and the client of the whole bridge hears one true outcome of each request.
 */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Bridge, startBridge } from '../../support/bridge.ts';
import { FixPeer, fieldOf, typeOf } from '../../support/fix-peer.ts';

let bridge: Bridge;
let alpha: FixPeer;
let count = 0;

beforeAll(async () => {
  bridge = await startBridge();
  const session = bridge.user();
  alpha = await FixPeer.connect(bridge.gateway.port, session);
  await alpha.logon();
});

afterEach(async () => {
  await bridge.admin('POST', '/reset');
  for (const { config } of bridge.gateway.accounts) {
    bridge.gateway.operator.reopen({ who: 'test', why: 'the next case' }, config.name);
  }
  await expect.poll(() => bridge.gateway.gate.state, { timeout: 8_000 }).toBe('open');
  alpha.unasked();
});

afterAll(async () => {
  alpha.hangUp();
  await bridge.stop();
});

const order = (id: string) => `D|11=${id}|55=BTC-USDC|54=1|38=0.01|40=2|44=40000|59=1|60=now`;
const cancel = (id: string, of: string) => `F|11=${id}|41=${of}|55=BTC-USDC|54=1|60=now`;

/** ExecTypes of what is said until this report; that an outcome is unknown may be said in between. */
async function toldUntil(id: string, last: string): Promise<string[]> {
  const said: string[] = [];
  for (;;) {
    const message = await alpha.heard();
    // What the venue's readiness has to say meanwhile is no report.
    if (typeOf(message) === 'h') continue;
    const execType = fieldOf(message, '150') ?? `35=${typeOf(message)}`;
    if (execType === 'I' && fieldOf(message, '9101') === '106') continue;
    said.push(execType);
    if (fieldOf(message, '11') === id && execType === last) return said;
  }
}

/** Applied or not, the answer does not tell. */
const undecided: readonly object[] = [
  ...[409, 500, 502, 503, 504].flatMap((status) => [
    { kind: 'fail_before', status },
    { kind: 'fail_after', status },
  ]),
  { kind: 'drop' },
  { kind: 'cut_before' },
  { kind: 'cut_after', atByte: 0 },
  { kind: 'cut_after', atByte: 40 },
];

describe('R118: an answer that decides nothing ends nothing, and one true outcome follows', () => {
  test.each(undecided.map((fault) => [JSON.stringify(fault), fault] as const))(
    '%s',
    async (_, fault) => {
      count += 1;
      const [d, f] = [`d${count}`, `f${count}`];
      const arm = () =>
        bridge.admin('POST', '/faults', { ...fault, path: '/trading/actions', times: 1 });
      await arm();
      alpha.say(order(d));
      expect(await toldUntil(d, '0')).toEqual(['A', '0']);
      await arm();
      alpha.say(cancel(f, d));
      expect(await toldUntil(f, '4')).toEqual(['6', '4']);
    },
  );
});

const numbers = [1, 2, 100, 101, 102, 103, 104, 105, 106, 200, 201, 202, 203, 204, 205, 300, 301];
/** Numbers after which the bridge takes no orders: of the venue until its readiness is good, of the account until a person says so. */
const closing: Readonly<Record<number, 'venue' | 'account'>> = {
  103: 'venue',
  104: 'venue',
  200: 'account',
  301: 'account',
};

describe('R119: a number on the private socket ends no order, and closes what D.5 says', () => {
  test.each(numbers)('%d', async (number) => {
    count += 1;
    const [live, next] = [`live${count}`, `next${count}`];
    alpha.say(order(live));
    expect(await toldUntil(live, '0')).toEqual(['A', '0']);
    const account = bridge.sandbox.info.accounts[0]?.account;
    await bridge.admin('POST', `/streams/${account}`, { number });
    if (closing[number] === 'venue') await isClosedAndOpened();
    if (closing[number] === 'account') await isRefused(next);
    alpha.say(cancel(`c${count}`, live));
    expect(await toldUntil(`c${count}`, '4')).toEqual(['6', '4']);
  });
});

async function isClosedAndOpened(): Promise<void> {
  const states: (string | undefined)[] = [];
  while (states.length < 2) {
    states.push(fieldOf(await alpha.next((message) => typeOf(message) === 'h'), '340'));
  }
  expect(states).toEqual(['1', '2']);
}

async function isRefused(id: string): Promise<void> {
  const [account] = bridge.gateway.accounts;
  const refusal = () =>
    bridge.gateway.gate.refusal(account!.bound.runner.account, 1 as never, false);
  await expect.poll(refusal).not.toBeNull();
  alpha.say(order(id));
  const refused = await alpha.next((message) => fieldOf(message, '11') === id);
  expect(['150', '103', '9102'].map((tag) => fieldOf(refused, tag))).toEqual([
    '8',
    '2',
    'bridge.gate_closed',
  ]);
}
