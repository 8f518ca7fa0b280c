/** TradeCaptureReportRequest(AD): which trades of the past are told, and that the last one is marked. */
import { beforeEach, expect, test } from 'vitest';
import type { ExecutionReport } from '../../src/domain/report.ts';
import { CopyJournal } from '../../src/dropcopy/copy-journal.ts';
import type { Reader } from '../../src/dropcopy/reader.ts';
import type { TradeCriteria } from '../../src/dropcopy/reader-state.ts';
import { answerTrades, type TradeRequest, tradeAnswer } from '../../src/dropcopy/trade-request.ts';
import { Transactions } from '../../src/store/transactions.ts';
import { MemoryStore } from '../support/memory-store.ts';
import { everything, from, reports } from './copies.ts';

const [fresh, ...trades] = reports(4) as [ExecutionReport, ...ExecutionReport[]];
const ids = trades.map(({ execId }) => execId);
const anything: TradeCriteria = {
  symbol: null,
  side: null,
  orderId: null,
  clOrdId: null,
  execId: null,
  fromMs: null,
  toMs: null,
};
let journals: Map<string, CopyJournal>;
let transactions: Transactions;
let accounts: string[];
let furthest: number;

beforeEach(async () => {
  transactions = new Transactions(new MemoryStore(), (error) => {
    throw error;
  });
  journals = new Map([['desk', await CopyJournal.open(transactions, 'desk', 'd')]]);
  accounts = ['desk'];
  furthest = 100;
  for (const report of [fresh, ...trades]) keep(report);
});

function keep(report: ExecutionReport, account = 'desk', nowMs = 10_000): void {
  transactions.run(() => journals.get(account)?.append({ kind: 'report', report, from }, 1, nowMs));
}

/** ExecIDs, with `!` behind the one that is marked as the last. */
async function ask(
  criteria: Partial<TradeCriteria> = {},
  subscription: TradeRequest['subscription'] = 'snapshot',
  filter = everything,
): Promise<string[]> {
  const reader = {
    filter: { ...filter, accounts },
    sees: (account: string) => accounts.includes(account),
    furthest: () => furthest,
  } as unknown as Reader;
  const wanted = { ...anything, ...criteria };
  const request = { tradeRequestId: 't1', requestType: 1, subscription, criteria: wanted };
  const job = answerTrades(request, reader, journals);
  const heard: string[] = [];
  for await (const messages of { [Symbol.asyncIterator]: () => job }) {
    for (const message of messages) {
      if (message.kind === 'trade_answer') {
        const { status, text, total, tradeRequestId, result } = message.answer;
        expect([tradeRequestId, result]).toEqual(['t1', 0]);
        heard.push([status, total, text].filter((part) => part !== null).join(' '));
      } else if (message.kind === 'trade') {
        expect([message.possResend, message.tradeRequestId]).toEqual([true, 't1']);
        heard.push(`${message.copy.report.execId}${message.isLast === true ? '!' : ''}`);
      }
    }
  }
  return heard;
}

const marked = (execIds: string[]) => [...execIds.slice(0, -1), `${execIds.at(-1)}!`];

test('all trades are told in their order, the last one is marked, and the completion counts them', async () => {
  expect(await ask()).toEqual(['accepted', ...marked(ids), 'completed 4']);
});

test('without a trade there is an acceptance and a completion of 0', async () => {
  expect(await ask({ symbol: 'ETH-USDC' })).toEqual(['accepted', 'completed 0']);
});

test('one mark is given over all accounts together', async () => {
  journals.set('other', await CopyJournal.open(transactions, 'other', 'o'));
  accounts = ['desk', 'other', 'without a journal'];
  const [first] = trades as [ExecutionReport];
  keep(first, 'other');
  expect(await ask()).toEqual(['accepted', ...ids, `${ids[0]}!`, 'completed 5']);
  journals.set('third', await CopyJournal.open(transactions, 'third', 't'));
  accounts = ['desk', 'third'];
  keep(fresh, 'third');
  expect(await ask()).toEqual(['accepted', ...marked(ids), 'completed 4']);
});

test('a reader gets only what its filter lets through', async () => {
  const filter = { ...everything, sessions: new Set(['BETA']) };
  expect(await ask({}, 'snapshot', filter)).toEqual(['accepted', 'completed 0']);
});

test('a subscription leaves to itself what was not sent when it began', async () => {
  furthest = 3;
  expect(await ask({}, 'subscribe')).toEqual([
    'accepted',
    ...marked(ids.slice(0, 2)),
    'completed 2',
  ]);
});

test('a trade is found by its own time, even if it was recorded up to a minute before that', async () => {
  const [first] = trades as [ExecutionReport];
  const at = 500_000;
  const late = { ...first, transactTimeMs: at };
  keep({ ...late, execId: 'early' }, 'desk', at - 60_001);
  keep({ ...late, execId: 'just' }, 'desk', at - 60_000);
  expect(await ask({ fromMs: at })).toEqual(['accepted', 'just!', 'completed 1']);
});

test('trades that retention has removed are missing with a notice, if they may be among those requested', async () => {
  const [first] = trades as [ExecutionReport];
  keep({ ...first, execId: 'late', transactTimeMs: 500_000 }, 'desk', 500_000);
  await journals.get('desk')?.retain({ copies: 2, ms: 1_000_000 }, 500_000);
  const notice = 'desk: copies below 5 are not kept';
  const kept = [ids[3], 'late!'];
  expect(await ask()).toEqual([`accepted ${notice}`, ...kept, `completed 2 ${notice}`]);
  expect(await ask({ fromMs: 0 })).toEqual([
    `accepted ${notice}`,
    ...kept,
    `completed 2 ${notice}`,
  ]);
  expect(await ask({ fromMs: 400_000 })).toEqual(['accepted', 'late!', 'completed 1']);
  furthest = 0;
  expect(await ask({}, 'subscribe')).toEqual(['accepted', 'completed 0']);
});

test('an answer names the symbol of its request', () => {
  const criteria = { ...anything, symbol: 'X' };
  const request = {
    tradeRequestId: 't',
    requestType: 1,
    subscription: 'snapshot',
    criteria,
  } as const;
  expect(tradeAnswer(request, 'rejected', { result: 8, text: 'no' })).toEqual({
    kind: 'trade_answer',
    answer: {
      tradeRequestId: 't',
      requestType: 1,
      symbol: 'X',
      total: null,
      text: 'no',
      status: 'rejected',
      result: 8,
    },
  });
});
