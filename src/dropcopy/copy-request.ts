/**
 * A reader's requests for past copies: by ExecID, by time, by the venue's seq, or those not acknowledged; for the open
 * orders; and for the totals (docs/DROPCOPY.md, "Requests"). Each is bounded, and answered completely or refused with a
 * reason.
 */
import type { Copy, ReportCopy } from './copy.ts';
import { type CopyFilter, passes } from './copy-filter.ts';
import type { CopyJournal } from './copy-journal.ts';
import type { CopyMessage, MessageOf, RequestAnswer } from './copy-output.ts';
import { reqTypes } from './copy-tags.ts';
import { type Bounds, boundsOf, notKept, pastCopies, type Range } from './past-copies.ts';
import type { Reader } from './reader.ts';

export interface CopyRequest {
  readonly reqId: string;
  readonly reqType: number;
  /** Null if the request contains no account. */
  readonly account: string | null;
  readonly fromExecId: string | null;
  readonly toExecId: string | null;
  readonly fromMs: number | null;
  readonly toMs: number | null;
  readonly fromSeq: number | null;
  readonly toSeq: number | null;
}

export interface RequestParts {
  readonly reader: Reader;
  readonly journals: ReadonlyMap<string, CopyJournal>;
  /** The current state of every open order of an account. */
  readonly openOrders: (account: string) => Iterable<ReportCopy>;
  /** The maximum number of positions that one request may cover. */
  readonly maxCopies: number;
}

/** A request with the journals of its accounts. */
interface Asked extends RequestParts {
  readonly request: CopyRequest;
  readonly asked: readonly CopyJournal[];
}

type Answers = AsyncGenerator<readonly CopyMessage[]>;
type Refusal = Pick<RequestAnswer, 'reason' | 'text'>;

const atOnce = 128;

export async function* answerRequest(request: CopyRequest, parts: RequestParts): Answers {
  const journals = journalsOf(request, parts);
  if ('reason' in journals) {
    yield [refused(request, journals)];
    return;
  }
  const asked = { ...parts, request, asked: journals };
  switch (request.reqType) {
    case reqTypes.openOrders:
      yield* openOrders(asked);
      return;
    case reqTypes.totals:
      yield* totals(asked);
      return;
    default:
      yield* replay(asked);
  }
}

/** The current state of the open orders, for a reader that logs on for the first time. */
export async function* openOrdersUnasked(parts: RequestParts): Answers {
  for (const account of parts.reader.filter.accounts) {
    yield* statesOf(account, null, parts);
  }
}

async function* replay({ request, asked, maxCopies, reader }: Asked): Answers {
  const unsupported = {
    reason: 'unsupported',
    text: `CopyReqType(9121)=${request.reqType} is not offered`,
  } as const;
  const covered: Range[] = [];
  for (const journal of asked) {
    const range = (await ranges[request.reqType]?.(request, journal, reader)) ?? unsupported;
    if ('reason' in range) {
      yield [refused(request, range)];
      return;
    }
    covered.push({ journal, ...range });
  }
  const size = covered.reduce(
    (sum, { from, journal, to }) => sum + Math.max(0, to - Math.max(from, journal.first) + 1),
    0,
  );
  if (size > maxCopies) {
    const text = `${size} copies, at most ${maxCopies} in one request`;
    yield [refused(request, { reason: 'tooMany', text })];
    return;
  }
  yield [answerOf(request, 'accepted', beyondRetention(notKept(covered)))];
  let count = 0;
  let missing = size;
  for (const { journal, from, to } of covered) {
    for await (const copies of pastCopies(reader, journal, from, to)) {
      const found = copies.flatMap((copy) => again(copy, journal, request.reqId, reader.filter));
      count += found.length;
      missing -= copies.length;
      yield found;
    }
    // The range of an account that the reader has lost ends early for that reason.
    if (!reader.sees(journal.account)) missing = 0;
  }
  const text = missing > 0 ? `${missing} of ${size} copies are not kept any more` : null;
  yield [answerOf(request, 'completed', { count, ...beyondRetention(text) })];
}

function beyondRetention(text: string | null) {
  return text === null ? {} : ({ reason: 'beyondRetention', text } as const);
}

function again(
  copy: Copy,
  { account }: CopyJournal,
  reqId: string,
  filter: CopyFilter,
): readonly CopyMessage[] {
  if (!passes(filter, copy)) return [];
  const possResend = true;
  switch (copy.kind) {
    case 'report':
      return [{ kind: 'report', copy, possResend, reqId }];
    case 'request':
      return [{ kind: 'request', copy, account, possResend, reqId }];
    case 'gap':
      return [{ kind: 'gap', copy, account, possResend }];
    case 'day':
      return [];
  }
}

/** The accounts of the request: the one that it contains, or all that the reader sees. */
function journalsOf(
  { account, reqType }: CopyRequest,
  { reader, journals }: RequestParts,
): readonly CopyJournal[] | Refusal {
  const { accounts } = reader.filter;
  if (account !== null && !accounts.includes(account)) {
    return { reason: 'notAuthorized', text: `Account(1)=${account} is not of this session` };
  }
  const needsOne = reqType === reqTypes.execIds || reqType === reqTypes.venueSeqs;
  if (account === null && accounts.length > 1 && needsOne) {
    return badRange('Account(1) is needed: the session sees more than one');
  }
  return (account === null ? accounts : [account]).flatMap((name) => journals.get(name) ?? []);
}

type RangeOf = (
  request: CopyRequest,
  journal: CopyJournal,
  reader: Reader,
) => Promise<Bounds | Refusal>;

const badRange = (text: string): Refusal => ({ reason: 'badRange', text });

/** By CopyReqType(9121): the copies of an account that a request covers. */
const ranges: Readonly<Record<number, RangeOf>> = {
  async [reqTypes.execIds]({ fromExecId, toExecId }, journal) {
    if (fromExecId === null) return badRange('FromExecID(9122) is needed');
    const from = await positionOf(fromExecId, journal);
    const to = toExecId === null ? journal.end : await positionOf(toExecId, journal);
    if (from === undefined || to === undefined) {
      const text =
        from === undefined ? `FromExecID(9122)=${fromExecId}` : `ToExecID(9123)=${toExecId}`;
      return { reason: 'unknownExecId', text: `${text} is not known` };
    }
    return from <= to ? { from, to } : badRange('FromExecID(9122) is later than ToExecID(9123)');
  },

  async [reqTypes.times]({ fromMs, toMs }, journal) {
    if (fromMs === null) return badRange('FromTime(9124) is needed');
    if (toMs !== null && toMs < fromMs) return badRange('ToTime(9125) is before FromTime(9124)');
    return boundsOf(journal, ({ atMs }) => atMs, fromMs, toMs ?? unbounded);
  },

  async [reqTypes.venueSeqs]({ fromSeq, toSeq }, journal) {
    if (fromSeq === null || fromSeq < 1) return badRange('FromVenueSeq(9126) is needed, from 1 on');
    const end = toSeq === null || toSeq === 0 ? unbounded : toSeq;
    if (end < fromSeq) return badRange('ToVenueSeq(9127) is below FromVenueSeq(9126)');
    return boundsOf(journal, ({ seq }) => seq, fromSeq, end);
  },

  async [reqTypes.unacknowledged](_, { account }, reader) {
    return { from: reader.acknowledged(account) + 1, to: reader.furthest(account) };
  },
};

const unbounded = Number.POSITIVE_INFINITY;

/**
 * Finds the position of the copy with this ExecID(17). A report of the venue's stream is found by the seq in its
 * ExecID; the bridge's own reports (150=A, 6, E) are searched among the newest.
 */
export async function positionOf(
  execId: string,
  journal: CopyJournal,
): Promise<number | undefined> {
  const isIt = (copy: Copy) => copy.kind === 'report' && copy.report.execId === execId;
  const recent = journal.recent(Math.max(0, journal.end - newest), newest)?.find(isIt);
  if (recent !== undefined) return recent.position;
  const digits = /-(\d{1,15})-\d{1,15}$/.exec(execId)?.[1];
  if (digits === undefined) return undefined;
  const wanted = Number(digits);
  for (let after = (await journal.search(({ seq }) => seq >= wanted)) - 1; ; ) {
    const copies = await journal.read(after, atOnce);
    const last = copies.at(-1);
    const found = copies.find(isIt);
    if (found !== undefined || last === undefined || last.seq > wanted) return found?.position;
    after = last.position;
  }
}

const newest = 4096;

async function* openOrders({ request, asked, ...parts }: Asked): Answers {
  yield [answerOf(request, 'accepted')];
  let count = 0;
  for (const { account } of asked) {
    for await (const states of statesOf(account, request.reqId, parts)) {
      count += states.length;
      yield states;
    }
  }
  yield [answerOf(request, 'completed', { count })];
}

async function* statesOf(
  account: string,
  reqId: string | null,
  { openOrders, reader }: RequestParts,
): Answers {
  let states: CopyMessage[] = [];
  // The states are read piece by piece, because copies of later events may be sent between two pieces.
  for (const order of openOrders(account)) {
    if (!reader.sees(account)) return;
    if (!passes(reader.filter, order)) continue;
    states.push({ kind: 'state', order, reqId });
    if (states.length < atOnce) continue;
    yield states;
    states = [];
  }
  yield states;
}

async function* totals({ request, asked, reader }: Asked): Answers {
  while (asked.some(({ account }) => reader.isRepeating(account))) yield [];
  const seen = asked.filter(({ account }) => reader.sees(account));
  const ofRequest = { kind: 'totals', day: null, possResend: false, reqId: request.reqId } as const;
  yield [
    ...seen.map(({ account }) => ({ ...ofRequest, account, totals: reader.totals(account) })),
    answerOf(request, 'completed', { count: seen.length }),
  ];
}

function answerOf(
  { reqId, reqType }: CopyRequest,
  status: RequestAnswer['status'],
  more: Partial<RequestAnswer> = {},
): MessageOf<'answer'> {
  const blank = { count: null, reason: null, text: null };
  return { kind: 'answer', answer: { reqId, reqType, status, ...blank, ...more } };
}

export function refused(request: CopyRequest, refusal: Refusal): CopyMessage {
  return answerOf(request, 'refused', refusal);
}
