/** Reports of a scripted order, a relay on a store in memory, and a output that keeps what it is told. */
import { instrumentsOf } from '../../src/domain/instrument.ts';
import type { ExecutionReport } from '../../src/domain/report.ts';
import type { Qty } from '../../src/domain/units.ts';
import type { ReportCopy } from '../../src/dropcopy/copy.ts';
import type { CopyFilter } from '../../src/dropcopy/copy-filter.ts';
import type { CopyMessage, CopyOutput } from '../../src/dropcopy/copy-output.ts';
import { CopyText } from '../../src/dropcopy/copy-text.ts';
import { Relay } from '../../src/dropcopy/relay.ts';
import { ManualClock } from '../../src/runtime/clock.ts';
import { Transactions } from '../../src/store/transactions.ts';
import { Ladder, spot, terms } from '../domain/ladder.ts';
import { defaultTags } from '../support/default-tags.ts';
import { MemoryStore } from '../support/memory-store.ts';

export const from = { session: 'S', compId: 'ALPHA', users: ['trader'] };
export const everything: CopyFilter = {
  accounts: ['desk'],
  symbols: null,
  users: null,
  sessions: null,
  requests: false,
};
export const text = new CopyText({ tags: defaultTags, feeCurrency: 'USDC' });

/** New, then trades of one each. */
export function reports(trades: number): ExecutionReport[] {
  const [instrument] = instrumentsOf(spot);
  const order = new Ladder(terms({ qty: BigInt(trades + 1) as Qty }), {}, null, instrument);
  order.sent();
  order.event('accepted');
  for (let i = 0; i < trades; i += 1) order.fill(1);
  return order.reports.filter(
    (report) => report.kind === 'execution' && report.execType !== 'pending_new',
  ) as ExecutionReport[];
}

export class RecordingOutput implements CopyOutput {
  readonly heard: CopyMessage[] = [];
  isHere = true;
  room = Number.POSITIVE_INFINITY;
  nextSeq = 2;
  asked = 0;

  get hasRoom(): boolean {
    return this.isHere && this.room > 0;
  }

  send(message: CopyMessage): void {
    this.heard.push(message);
    this.room -= 1;
    this.nextSeq += 1;
  }

  askConfirmation(): void {
    this.asked += 1;
  }

  /** Messages since the last look: ExecIDs, `*` behind those that may be known, and other kinds by name. */
  take(): string[] {
    return this.heard.splice(0).map((message) => {
      if (message.kind === 'lost') return `lost ${message.from}-${message.to}`;
      if (message.kind === 'totals') return `totals ${message.totals.count}`;
      if (message.kind !== 'report') return message.kind;
      return `${message.copy.report.execId}${message.possResend ? '*' : ''}`;
    });
  }
}

export interface Bench {
  readonly clock: ManualClock;
  readonly transactions: Transactions;
  run<T>(call: () => T): T;
  readonly relay: Relay;
  readonly alarms: string[];
  /** What the alarms that can be combined are about. */
  readonly about: string[];
  /** Reports as order entry makes them, one transaction each. */
  tell(reports: readonly ExecutionReport[]): void;
  /** Time passes until nothing is left to say. */
  settle(): Promise<void>;
}

export async function bench(
  options: {
    store?: MemoryStore;
    retainCopies?: number;
    openOrders?: () => Iterable<ReportCopy>;
  } = {},
): Promise<Bench> {
  const clock = new ManualClock();
  const alarms: string[] = [];
  const about: string[] = [];
  const transactions = new Transactions(options.store ?? new MemoryStore(), (error) => {
    throw error;
  });
  const relay = new Relay({
    transactions,
    text,
    clock,
    alarm: (alarm, one) => {
      alarms.push(alarm);
      if (one !== undefined) about.push(one);
    },
    openOrders: options.openOrders ?? (() => []),
    retention: { copies: options.retainCopies ?? 1_000_000, ms: 86_400_000 },
    maxCopies: 1000,
  });
  await relay.follow('desk', '0xdesk');
  return {
    clock,
    transactions,
    run: (call) => transactions.run(call),
    relay,
    alarms,
    about,
    tell(all) {
      for (const report of all) {
        transactions.run(() =>
          relay.copy('desk', { kind: 'report', report, from }, report.venueSeq ?? 0),
        );
      }
    },
    async settle() {
      for (let i = 0; i < 20; i += 1) {
        await new Promise<void>((resolve) => setImmediate(resolve));
        clock.advance(25);
      }
    },
  };
}
