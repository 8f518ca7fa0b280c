/** A reader's requests for past copies: answered completely, or refused with a reason. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { ExecutionReport } from '../../src/domain/report.ts';
import type { ReportCopy } from '../../src/dropcopy/copy.ts';
import { CopyJournal } from '../../src/dropcopy/copy-journal.ts';
import type { CopyMessage } from '../../src/dropcopy/copy-output.ts';
import {
  answerRequest,
  type CopyRequest,
  openOrdersUnasked,
  positionOf,
} from '../../src/dropcopy/copy-request.ts';
import { reqTypes } from '../../src/dropcopy/copy-tags.ts';
import { noTotals } from '../../src/dropcopy/copy-totals.ts';
import type { Reader } from '../../src/dropcopy/reader.ts';
import { Transactions } from '../../src/store/transactions.ts';
import { MemoryStore } from '../support/memory-store.ts';
import { everything, from, reports } from './copies.ts';

const [fresh, ...trades] = reports(5) as [ExecutionReport, ...ExecutionReport[]];
const all = [fresh, ...trades];
const ids = all.map(({ execId }) => execId);
const seqOf = (at: number) => all[at]?.venueSeq ?? 0;
const maxCopies = 10;

let transactions: Transactions;
let journals: Map<string, CopyJournal>;
let accounts: string[];
let acknowledged: number;
let furthest: number;
let open: ReportCopy[];

beforeEach(async () => {
  transactions = new Transactions(new MemoryStore(), (error) => {
    throw error;
  });
  journals = new Map([['desk', await CopyJournal.open(transactions, 'desk', 'k')]]);
  accounts = ['desk'];
  acknowledged = 0;
  furthest = Number.POSITIVE_INFINITY;
  open = [];
  for (const [at, report] of all.entries()) keep(report, 1000 + at);
});

function keep(report: ExecutionReport, nowMs: number, account = 'desk'): void {
  const journal = journals.get(account);
  transactions.run(() =>
    journal?.append({ kind: 'report', report, from }, report.venueSeq ?? 0, nowMs),
  );
}

function parts() {
  const reader = {
    filter: { ...everything, accounts },
    sees: (account: string) => accounts.includes(account),
    acknowledged: () => acknowledged,
    furthest: () => furthest,
    totals: () => noTotals,
    isRepeating: () => false,
  } as unknown as Reader;
  return { reader, journals, openOrders: () => open, maxCopies };
}

const blank: CopyRequest = {
  reqId: 'r1',
  reqType: 0,
  account: null,
  fromExecId: null,
  toExecId: null,
  fromMs: null,
  toMs: null,
  fromSeq: null,
  toSeq: null,
};

async function heard(messages: AsyncIterable<readonly CopyMessage[]>): Promise<CopyMessage[]> {
  const found: CopyMessage[] = [];
  for await (const some of messages) found.push(...some);
  return found;
}

/** `ExecID` for a copy, and the answers as words. */
async function ask(
  reqType: keyof typeof reqTypes | number,
  more: Partial<CopyRequest> = {},
): Promise<string[]> {
  const type = typeof reqType === 'number' ? reqType : reqTypes[reqType];
  const job = answerRequest({ ...blank, reqType: type, ...more }, parts());
  const messages = await heard({ [Symbol.asyncIterator]: () => job });
  return messages.map((message) => {
    if (message.kind === 'report') {
      expect([message.reqId, message.possResend]).toEqual(['r1', true]);
      return message.copy.report.execId;
    }
    if (message.kind !== 'answer') return message.kind;
    const { count, reason, reqId, status, text } = message.answer;
    expect(reqId).toBe('r1');
    return [status, count, reason, text].filter((word) => word !== null).join(' ');
  });
}

const answered = (...execIds: (string | undefined)[]) => [
  'accepted',
  ...execIds,
  `completed ${execIds.length}`,
];

describe('by ExecID', () => {
  test('both ends are included, and without an end it is all of the rest', async () => {
    const range = { fromExecId: ids[1] ?? '', toExecId: ids[3] ?? '' };
    expect(await ask('execIds', range)).toEqual(answered(...ids.slice(1, 4)));
    expect(await ask('execIds', { fromExecId: ids[4] ?? '' })).toEqual(answered(...ids.slice(4)));
    const one = { fromExecId: ids[2] ?? '', toExecId: ids[2] ?? '' };
    expect(await ask('execIds', one)).toEqual(answered(ids[2]));
  });

  test.each<[Partial<CopyRequest>, string]>([
    [{}, 'refused badRange FromExecID(9122) is needed'],
    [{ fromExecId: 'T-77-0' }, 'refused unknownExecId FromExecID(9122)=T-77-0 is not known'],
    [{ fromExecId: 'what' }, 'refused unknownExecId FromExecID(9122)=what is not known'],
    [
      { fromExecId: ids[0] ?? '', toExecId: 'T-77-0' },
      'refused unknownExecId ToExecID(9123)=T-77-0 is not known',
    ],
    [
      { fromExecId: ids[2] ?? '', toExecId: ids[1] ?? '' },
      'refused badRange FromExecID(9122) is later than ToExecID(9123)',
    ],
  ])('%j is refused', async (request, answer) => {
    expect(await ask('execIds', request)).toEqual([answer]);
  });

  test('a copy that is no longer in memory is found by the seq in its ExecID', async () => {
    const many = 4096 * 2;
    transactions.run(() => {
      for (let at = 0; at < many; at++) {
        journals.get('desk')?.append({ kind: 'gap', lines: [] }, 1000, 2000);
      }
    });
    const journal = journals.get('desk') as CopyJournal;
    expect(await positionOf(ids[3] ?? '', journal)).toBe(4);
    expect(await positionOf('T-77-0', journal)).toBeUndefined();
    expect(await positionOf('no-seq', journal)).toBeUndefined();
  });
});

describe('by time', () => {
  test('both ends are included', async () => {
    expect(await ask('times', { fromMs: 1001, toMs: 1003 })).toEqual(answered(...ids.slice(1, 4)));
    expect(await ask('times', { fromMs: 1004 })).toEqual(answered(...ids.slice(4)));
    expect(await ask('times', { fromMs: 9999 })).toEqual(answered());
  });

  test.each<[Partial<CopyRequest>, string]>([
    [{}, 'refused badRange FromTime(9124) is needed'],
    [{ fromMs: 5, toMs: 4 }, 'refused badRange ToTime(9125) is before FromTime(9124)'],
  ])('%j is refused', async (request, answer) => {
    expect(await ask('times', request)).toEqual([answer]);
  });
});

describe("by the venue's seq", () => {
  test('both ends are included, and an end of 0 is none', async () => {
    const range = { fromSeq: seqOf(1), toSeq: seqOf(3) };
    expect(await ask('venueSeqs', range)).toEqual(answered(...ids.slice(1, 4)));
    expect(await ask('venueSeqs', { fromSeq: seqOf(4), toSeq: 0 })).toEqual(
      answered(...ids.slice(4)),
    );
  });

  test.each<[Partial<CopyRequest>, string]>([
    [{}, 'refused badRange FromVenueSeq(9126) is needed, from 1 on'],
    [{ fromSeq: 0 }, 'refused badRange FromVenueSeq(9126) is needed, from 1 on'],
    [{ fromSeq: 3, toSeq: 2 }, 'refused badRange ToVenueSeq(9127) is below FromVenueSeq(9126)'],
  ])('%j is refused', async (request, answer) => {
    expect(await ask('venueSeqs', request)).toEqual([answer]);
  });
});

describe('those not acknowledged', () => {
  test('are those after the acknowledged one, as far as they were sent', async () => {
    [acknowledged, furthest] = [2, 4];
    expect(await ask('unacknowledged')).toEqual(answered(...ids.slice(2, 4)));
    acknowledged = 4;
    expect(await ask('unacknowledged')).toEqual(answered());
  });

  test('are given as far as they are kept, however many were dropped before them', async () => {
    const journal = journals.get('desk') as CopyJournal;
    transactions.run(() => {
      for (let at = 0; at < maxCopies; at++) journal.append({ kind: 'gap', lines: [] }, 1000, 2000);
    });
    await journal.retain({ copies: 2, ms: 1e9 }, 2000);
    furthest = journal.end;
    expect(await ask('unacknowledged')).toEqual([
      `accepted beyondRetention desk: copies below ${journal.first} are not kept`,
      'gap',
      'gap',
      'completed 2',
    ]);
  });
});

describe('the limit', () => {
  test('is reached by as many copies as it names, and exceeded by one more', async () => {
    for (let at = all.length; at < maxCopies; at++) keep(fresh, 2000);
    expect((await ask('times', { fromMs: 0 })).at(-1)).toBe(`completed ${maxCopies}`);
    keep(fresh, 2000);
    expect(await ask('times', { fromMs: 0 })).toEqual([
      `refused tooMany ${maxCopies + 1} copies, at most ${maxCopies} in one request`,
    ]);
  });

  test('is one for all accounts together', async () => {
    journals.set('other', await CopyJournal.open(transactions, 'other', 'o'));
    accounts = ['desk', 'other'];
    for (let at = all.length; at < maxCopies; at++) keep(fresh, 2000, 'other');
    expect((await ask('times', { fromMs: 0 })).at(-1)).toBe(`completed ${maxCopies}`);
    keep(fresh, 2000, 'other');
    expect((await ask('times', { fromMs: 0 }))[0]).toContain('refused tooMany');
  });
});

describe('the accounts', () => {
  test('are those of the session alone', async () => {
    const refusal = 'refused notAuthorized Account(1)=theirs is not of this session';
    for (const type of ['times', 'openOrders', 'totals'] as const) {
      expect(await ask(type, { account: 'theirs', fromMs: 0 })).toEqual([refusal]);
    }
  });

  test('must be named where a range is of one account and the session has several', async () => {
    accounts = ['desk', 'other'];
    const refusal = ['refused badRange Account(1) is needed: the session sees more than one'];
    expect(await ask('execIds', { fromExecId: ids[0] ?? '' })).toEqual(refusal);
    expect(await ask('venueSeqs', { fromSeq: 1 })).toEqual(refusal);
    expect((await ask('venueSeqs', { fromSeq: 1, account: 'desk' }))[0]).toBe('accepted');
  });
});

test('copies that retention has dropped are said to be missing', async () => {
  const journal = journals.get('desk') as CopyJournal;
  await journal.retain({ copies: 4, ms: 1e9 }, 2000);
  expect(await ask('times', { fromMs: 0 })).toEqual([
    'accepted beyondRetention desk: copies below 3 are not kept',
    ...ids.slice(2),
    'completed 4',
  ]);
  expect((await ask('times', { fromMs: 1003 }))[0]).toBe('accepted');
});

test('copies that retention removes while they are read are said to be missing', async () => {
  const journal = journals.get('desk');
  transactions.run(() => {
    for (let at = 0; at < 295; at++) journal?.append({ kind: 'gap', lines: [] }, 1000, 1010);
  });
  const request = { ...blank, reqType: reqTypes.times, fromMs: 0, toMs: 1011 };
  const job = answerRequest(request, { ...parts(), maxCopies: 1000 });
  transactions.run(() => journal?.append({ kind: 'gap', lines: [] }, 1000, 2000));
  const [accepted, first] = [await job.next(), await job.next()];
  expect(accepted.value).toMatchObject([{ answer: { status: 'accepted', reason: null } }]);
  expect(first.value).toHaveLength(128);
  await journal?.retain({ copies: 1, ms: 1e9 }, 3000);
  expect(await heard({ [Symbol.asyncIterator]: () => job })).toMatchObject([
    {
      answer: {
        status: 'completed',
        count: 128,
        reason: 'beyondRetention',
        text: '173 of 301 copies are not kept any more',
      },
    },
  ]);
});

test('of many accounts with missing copies a hundred are named, so that the text fits into a message', async () => {
  const journal = journals.get('desk') as CopyJournal;
  await journal.retain({ copies: 4, ms: 1e9 }, 2000);
  accounts = Array.from({ length: 1000 }, (_, i) => `desk-${i}`);
  journals = new Map(accounts.map((account) => [account, journal]));
  const lost = 'desk: copies below 3 are not kept';
  expect(await ask('times', { fromMs: 0, toMs: 1000 })).toEqual([
    `accepted beyondRetention ${`${lost}; `.repeat(100)}and 900 more`,
    'completed 0',
  ]);
});

test('the end of a day is no copy for a reader, and what the reader may not see is not counted', async () => {
  transactions.run(() =>
    journals.get('desk')?.append({ kind: 'day', day: '20260105' }, 1000, 3000),
  );
  transactions.run(() => {
    const request = {
      kind: 'request',
      from,
      msgType: 'D',
      symbol: null,
      market: null,
      message: '',
    };
    journals.get('desk')?.append(request as never, 1000, 3000);
  });
  expect(await ask('times', { fromMs: 3000 })).toEqual(answered());
});

test('a type of request that is not known is refused by its number', async () => {
  expect(await ask(9)).toEqual(['refused unsupported CopyReqType(9121)=9 is not offered']);
});

describe('the open orders', () => {
  const order: ReportCopy = { kind: 'report', report: fresh, from };

  test('are told one by one and counted', async () => {
    open = Array.from({ length: 300 }, () => order);
    const told = await ask('openOrders');
    expect([told[0], told.length, told.at(-1)]).toEqual(['accepted', 302, 'completed 300']);
  });

  test('end as soon as the reader no longer sees the account', async () => {
    function* orders() {
      yield order;
      accounts = [];
      yield order;
    }
    open = orders() as unknown as ReportCopy[];
    const found = await heard(openOrdersUnasked(parts()));
    expect(found).toEqual([]);
  });
});

test('the totals are those of each account, and a count of the accounts', async () => {
  expect(await ask('totals')).toEqual(['totals', 'completed 1']);
});
