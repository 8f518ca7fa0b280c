/**
 * Quote groups in flight and their acknowledgements: a group is acknowledged after its result on the stream or its
 * refusal, never because of an HTTP answer (contract C.7). It processes every report of a quote's order and is plain
 * data, so that the journal can keep it.
 */
import type { QuoteAnswer, QuoteEntryAnswer, QuoteStatusAnswer } from './answer.ts';
import type { QuoteResponse } from './command.ts';
import type { Denial } from './denial.ts';
import type { Instrument } from './instrument.ts';
import { hasEnded } from './order.ts';
import type { ExecType, Report } from './report.ts';

export interface GroupInFlight {
  readonly key: string;
  readonly quoteId: string;
  readonly accountName: string;
  readonly response: QuoteResponse;
  /** Set for a single Quote(S), whose answer is a different message. */
  readonly single: Instrument | null;
  readonly setId: string;
  readonly entries: readonly QuoteEntryAnswer[];
  /** The keys of the orders to place, and of the orders that only end. */
  readonly places: readonly string[];
  readonly cancels: readonly string[];
  /** The keys of the previous orders in its slots; absent in journals of earlier versions. */
  readonly olds?: readonly string[];
}

export type GroupAnswer = QuoteAnswer | QuoteStatusAnswer;

export interface GroupsStep {
  readonly groups: readonly GroupInFlight[];
  readonly answers: readonly GroupAnswer[];
}

/** Whether an order is live and is not being canceled; null while it may end or appear at any moment. */
export type Stands = (key: string) => boolean | null;

export function applyReport(
  groups: readonly GroupInFlight[],
  report: Report,
  stands: Stands,
): GroupsStep {
  if (report.kind !== 'execution') return { groups, answers: [] };
  const { key } = report.order.owner;
  const left: GroupInFlight[] = [];
  const answers: GroupAnswer[] = [];
  for (const group of groups) {
    const isPlaced = group.places.includes(key);
    if (isPlaced && report.execType === 'rejected') {
      answers.push(...answerOf(group, report.denial, stands));
      continue;
    }
    const next = isPlaced && isShown(report) ? without(group, 'places', key) : ended(group, report);
    if (next === group || next.places.length + next.cancels.length > 0) left.push(next);
    else answers.push(...answerOf(group, null, stands));
  }
  return { groups: left, answers };
}

/** Returns the answer to a group, if its sender wants one; response level 1 gets refusals only. */
export function answerOf(
  group: Omit<GroupInFlight, 'key' | 'places' | 'cancels'>,
  denial: Denial | null,
  stands: Stands,
): readonly GroupAnswer[] {
  const { quoteId, accountName, response, setId, entries, single } = group;
  if (response === 'none' || (response === 'refusals' && denial === null)) return [];
  const status = denial === null ? 'accepted' : 'rejected';
  const oldQuotesStand = denial === null ? null : allStand(group.olds ?? [], stands);
  const facts = { quoteId, status, accountName, denial, oldQuotesStand } as const;
  if (single !== null) return [{ kind: 'quote_status', instrument: single, ...facts }];
  const answered = entries.map((entry) => ({ ...entry, denial: entry.denial ?? denial }));
  return [{ kind: 'quote', ...facts, sets: [{ setId, entries: answered }] }];
}

/** Null unless it is the same for all of them. */
function allStand([first, ...others]: readonly string[], stands: Stands): boolean | null {
  const all = first === undefined ? null : stands(first);
  return others.every((key) => stands(key) === all) ? all : null;
}

/**
 * A client gets the trades of its quotes and the answers to its cancels and replaces of their orders, which all have an
 * OrigClOrdID(41), and is told that an outcome is unknown; it gets other reports on these orders only if it requested
 * them.
 */
export function isQuoteReportWanted(report: Report, reportOrders: boolean): boolean {
  if (report.order.owner.quoteId === null || reportOrders) return true;
  if (report.kind === 'cancel_reject' || report.origClOrdId !== null) return true;
  const { denial, execType, restatement } = report;
  // A refused quote is live after all, or the excess is gone that a replace left open because it crossed with fills.
  if (execType === 'restated') return denial !== null || restatement === 'partial_decline';
  return alwaysTold.has(execType);
}

const alwaysTold = new Set<ExecType>(['trade', 'trade_correct', 'trade_cancel', 'order_status']);

/** Whether the stream has confirmed the order. */
function isShown({ order }: Report): boolean {
  return order.phase !== 'created' && order.phase !== 'pending_new';
}

function without(group: GroupInFlight, list: 'places' | 'cancels', key: string): GroupInFlight {
  return { ...group, [list]: group[list].filter((other) => other !== key) };
}

function ended(group: GroupInFlight, { order }: Report): GroupInFlight {
  const { key } = order.owner;
  return hasEnded(order) && group.cancels.includes(key) ? without(group, 'cancels', key) : group;
}
