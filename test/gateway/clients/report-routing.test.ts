import { beforeEach, expect, test } from 'vitest';
import type { Answer } from '../../../src/domain/answer.ts';
import { otherChannel } from '../../../src/domain/order.ts';
import type { Report } from '../../../src/domain/report.ts';
import { ReportRouting } from '../../../src/gateway/clients/report-routing.ts';
import { defaultProfile } from '../../../src/gateway/config/config.ts';
import type { BoundAccount, Principal } from '../../../src/gateway/gate/principal.ts';
import { reports } from '../../dropcopy/copies.ts';

const [sample] = reports(0);
if (sample === undefined) throw new Error('no report');
const { account } = sample.order.owner;

/** Who was told, in order; the drop copies as `copies`. */
let told: string[];
let clients: {
  principal: Principal;
  report: (report: Report) => void;
  answer: (answer: Answer) => void;
}[];

beforeEach(() => {
  told = [];
  clients = [];
});

function client(session: string, facts: Partial<Principal> = {}, profile = {}): void {
  const principal = {
    session,
    role: 'order-entry',
    accounts: [{ runner: { account } }],
    reach: [],
    known: [],
    markets: null,
    profile: { ...defaultProfile, ...profile },
    ...facts,
  } as unknown as Principal;
  const answer = (said: Answer) => told.push(`${session}: ${said.kind}`);
  clients.push({ principal, report: () => told.push(session), answer });
}

function route(session: string, quoteId: string | null = null): string[] {
  if (sample === undefined) throw new Error('no report');
  const owner = { ...sample.order.owner, session, quoteId };
  routing().report(session, { ...sample, order: { ...sample.order, owner } });
  return told;
}

function routing(): ReportRouting {
  return new ReportRouting({
    clients: Object.assign([...clients], {
      get: (name: string) => clients.find(({ principal }) => principal.session === name),
    }),
    copies: {
      report: () => told.push('copies'),
      lost: (name, lines) => told.push(`copies of ${name}: ${lines.join()}`),
    },
  });
}

const curious = { reportOtherChannels: true };

test('a report goes to the session whose order it is, and is copied', () => {
  client('A', {}, curious);
  client('B', {}, curious);
  expect(route('A')).toEqual(['A', 'copies']);
});

test('a report of a session that is no longer configured is copied alone', () => {
  client('A', {}, curious);
  expect(route('GONE')).toEqual(['copies']);
});

test('orders behind quotes are reported where the profile says so, and copied in any case', () => {
  client('A');
  client('B', {}, { reportQuoteOrders: true });
  expect(route('A', 'q1')).toEqual(['copies']);
  told = [];
  expect(route('B', 'q1')).toEqual(['B', 'copies']);
});

test('O-23: an order of another channel is reported to the sessions of its account and market that subscribe to it', () => {
  const symbol = sample?.order.instrument.market.symbol ?? '';
  client('SILENT');
  client('CURIOUS', {}, curious);
  client('ITS-MARKET', { markets: new Set([symbol]) }, curious);
  client('OTHER-MARKET', { markets: new Set(['NO-SUCH']) }, curious);
  client('OTHER-ACCOUNT', { accounts: [] }, curious);
  client('PRICES', { role: 'market-data' }, curious);
  client('COPIES', { role: 'drop-copy' }, curious);
  expect(route(otherChannel)).toEqual(['CURIOUS', 'ITS-MARKET', 'copies']);
});

test('lost executions are reported to sessions that trade the account or have orders on it, and among its drop copies', () => {
  const bound = { name: 'desk', runner: { account } } as unknown as BoundAccount;
  client('A', { accounts: [], reach: [bound] });
  client('B');
  client('READER', { role: 'drop-copy', accounts: [bound], reach: [bound] });
  routing().lost(bound, ['1 to 3 are lost']);
  expect(told).toEqual(['A: news', 'copies of desk: 1 to 3 are lost']);
});
