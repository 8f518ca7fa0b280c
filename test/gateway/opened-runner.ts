/** The runner of one account with its engine and dispatcher, in manual time, and with nothing around it but what a test gives. */
import { instrumentsOf } from '../../src/domain/instrument.ts';
import type { Order } from '../../src/domain/order.ts';
import type { Report } from '../../src/domain/report.ts';
import type { Qty } from '../../src/domain/units.ts';
import type { Request } from '../../src/engine/engine.ts';
import { AccountRunner, type RunnerParts } from '../../src/gateway/account/account-runner.ts';
import { Hops } from '../../src/gateway/account/hops.ts';
import { nobody } from '../../src/gateway/account/observer.ts';
import { openEngine } from '../../src/gateway/account/open-engine.ts';
import { venueSettings } from '../../src/gateway/config/engine-settings.ts';
import { ManualClock } from '../../src/runtime/clock.ts';
import { fastestBlake3 } from '../../src/signer/blake3.ts';
import { Transactions } from '../../src/store/transactions.ts';
import { Dispatcher, type DispatcherParts } from '../../src/venue/dispatcher.ts';
import { Pacer } from '../../src/venue/pacer.ts';
import { account, fullRules, spot, terms } from '../domain/ladder.ts';
import { MemoryStore } from '../support/memory-store.ts';
import { sandbox } from '../venue/samples.ts';

export const patienceMs = 5_000;
const never = () => new Promise<never>(() => {});

export function ownerOf(key: string, quoteId: string | null = null) {
  return { session: 'S', account, accountName: 'desk', tag: 'T', key, quoteId, slot: key };
}

/** A new order of the instrument that all these tests trade. */
export function entry(key: string): Request {
  const owner = ownerOf(key);
  const clOrdId = key.toLowerCase();
  return {
    kind: 'entry',
    owner,
    clOrdId,
    instrument,
    nowMs: 1_000,
    terms: terms({ qty: 5n as Qty }),
  };
}

const [found] = instrumentsOf(spot);
if (found === undefined) throw new Error('the market has no instrument');
export const instrument = found;

/** `exchange` is the venue's answer to each request; unless given, the venue never answers, nor does it know anything. */
export async function openRunner(
  parts: Pick<RunnerParts, 'signer' | 'authorize'> &
    Partial<Pick<RunnerParts, 'lookUp'>> &
    Partial<DispatcherParts['http']>,
) {
  const { exchange = never, ...given } = parts;
  const clock = new ManualClock();
  const transactions = new Transactions(new MemoryStore(), (error) => {
    throw error;
  });
  const settings = { sessionRules: {}, otherRules: fullRules, ...venueSettings(sandbox, 5_000) };
  const { blake3 } = await fastestBlake3();
  const core = await openEngine({
    ...{ account, blake3, clock, transactions, store: transactions.store },
    ...{ contract: sandbox, configured: () => settings, keptDays: () => 1, snapshotEvery: 100 },
  });
  const reports: Report[] = [];
  const dispatcher = new Dispatcher({
    ...{ profile: sandbox, http: { exchange }, clock, pacer: new Pacer(), patienceMs },
    maxQueued: 10,
  });
  const runner = new AccountRunner({
    ...{ account, ...core, transactions, clock, patienceMs, unknownAfterMs: 30_000 },
    ...{ scheme: 'ecdsa', hops: new Hops(), observer: nobody, dispatcher },
    report: (_, report) => reports.push(report),
    ...{ isOfOtherAccount: () => false, foreign: () => undefined, lookUp: never },
    ...{
      alarm() {},
      answer() {},
      act() {},
      trading() {},
      probe() {},
      currentNonce: async () => ({ floor: 1 }),
    },
    ...given,
  });
  await runner.discover();
  const order = (key: string): Order => {
    const found = runner.orders.get(key);
    if (found === undefined) throw new Error(`there is no order ${key}`);
    return found;
  };
  const apply = (of: Request) => transactions.run(() => runner.apply(of));
  return { apply, clock, dispatcher, runner, order, reports };
}
