/** The order scenarios of docs/CERTIFICATION.md over FIX and over FIXP, the bridge and the venue, on real sockets. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readOrderScenarios } from '../orders/order-script.ts';
import { BothLanes, unsayable } from './lanes.ts';

const scenarios = [
  'orders.fix',
  'changes.fix',
  'rejects.fix',
  'rules.fix',
  'quotes.fix',
  'algos.fix',
].flatMap(readOrderScenarios);

/** How many requests and events the venue sees hangs on who is first, so that the lanes cannot be compared. */
const races = readOrderScenarios('races.fix');

/** Scenarios that speak of what the other lane does by its session layer, or has no field for. */
const ofFixAlone: Readonly<Record<string, string>> = {
  'R-07 Fields of FIX that no order can honour (R87)': 'orders.xml has no such fields',
  'O-20 The link breaks between order and acknowledgement: one order, and its reports wait (R124)':
    'a FIXP client gets what the broken link swallowed, too: recovery.test.ts',
  'R-07 Lists of orders are not offered (O-11)': 'orders.xml has no lists',
  'What a client says of itself and its books comes back in every report of the order, as the last request had it':
    'orders.xml has no fields for it',
  'R123, R124 A report that went out is sent again on request, with its number, 43=Y and 122':
    'a retransmission of FIXP has no words of its own: recovery.test.ts',
  'Requests that come again with 97=Y are answered with the state of their order (C.2)':
    'a cancel or replace of orders.xml has no PossResend',
  'R125 An order that comes again with 43=Y is not sent again':
    'an idempotent flow drops it by its number: recovery.test.ts',
};

/** Two bridges and two venues start; on a busy machine that takes its time. */
const startWithinMs = 60_000;
let lanes: BothLanes;

beforeAll(async () => {
  lanes = await BothLanes.start({ config: { unknownAfterMs: 700 } });
}, startWithinMs);

afterAll(async () => {
  await lanes.stop();
});

const isShared = ({ title }: (typeof scenarios)[number]) => !Object.hasOwn(ofFixAlone, title);
const named = (list: typeof scenarios) =>
  list.map((scenario) => [scenario.title, scenario] as const);

describe('P-21, R129: both lanes tell the same facts and sign the same actions', () => {
  test.each(named(scenarios.filter(isShared)))('%s', async (_, scenario) => {
    await lanes.play(scenario);
  });
});

test('a scenario of quotes or orders is compared by what was signed, too', () => {
  expect(lanes.signed).toBeGreaterThan(150);
});

// At the end, because from here on the two venues have not heard the same.
describe('what only FIX has words for', () => {
  test.each(named(scenarios.filter((one) => !isShared(one))))('%s', async (_, scenario) => {
    await lanes.fix.player.play(scenario);
  });
});

describe('races, on each lane by itself', () => {
  test.each(named(races))('%s', async (_, scenario) => {
    await lanes.fix.player.play(scenario);
    await lanes.fixp.player.play(scenario);
  });
});

test('every scenario that only FIX can say stands in that list', () => {
  const titles = scenarios.map(({ title }) => title);
  for (const title of Object.keys(ofFixAlone)) expect(titles).toContain(title);
  const unsaid = scenarios.filter((one) => unsayable(one) !== undefined);
  for (const { title } of unsaid) expect(Object.keys(ofFixAlone)).toContain(title);
});
