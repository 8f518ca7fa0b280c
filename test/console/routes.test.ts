/** The queries of the pages, without a server: what they accept, and what they answer from the parts of the bridge. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assert, constantFrom, dictionary, oneof, property, string } from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { AlarmList } from '../../src/console/alarm-list.ts';
import { Approvals } from '../../src/console/approvals.ts';
import { lookMs } from '../../src/console/history.ts';
import { marks, type RouteParts, routes } from '../../src/console/routes.ts';
import { Samples } from '../../src/console/samples.ts';
import { TrailBatch, type TrailKind } from '../../src/console/trail-batch.ts';
import { TrailRing } from '../../src/console/trail-ring.ts';
import { Watch } from '../../src/console/watch.ts';
import { Hops } from '../../src/gateway/account/hops.ts';
import { orderSorts } from '../../src/gateway/view/latest-orders.ts';
import { ManualClock } from '../../src/runtime/clock.ts';
import { Latency } from '../../src/runtime/latency.ts';
import type { AuditRecord } from '../../src/store/audit-chain.ts';
import { framed } from '../support/fix-text.ts';

type Path = keyof typeof routes;
const session = 'FIX.4.4:US/->ALPHA/';
let directory: string;
let ring: TrailRing;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'causeway-routes-'));
  ring = new TrailRing({ directory, maxRecords: 1_000 });
});

afterEach(() => {
  ring.close();
  rmSync(directory, { recursive: true });
});

/** As much of the bridge as these routes read, set by hand; the parts of the console are real. */
function setup() {
  const clock = new ManualClock();
  const status = {
    ...{ name: session, phase: 'active', nextIn: 2, nextOut: 3, lastReceivedMs: 1 },
    ...{ isSlow: false, isStopped: false },
  };
  const seen = {
    status,
    gate: { state: 'open', reason: '' },
    notReady: [] as string[],
    orderMark: 1,
    audit: [] as AuditRecord[],
    asked: [] as unknown[],
  };
  const view = {
    config: { environment: 'local' },
    kills: [],
    get gate() {
      return seen.gate;
    },
    get notReady() {
      return seen.notReady;
    },
    get orderMark() {
      return seen.orderMark;
    },
    get audit() {
      return { head: 'h', length: seen.audit.length };
    },
    statuses: () => [{ ...seen.status }],
    latenciesOf: () => ({ reply: new Latency() }),
    latencies: { hops: new Hops(), commits: new Latency() },
    rejects: new Map([['bridge.kill', 2]]),
    refusals: [],
    quotes: async () => [],
    session: (name: string) => (name === session ? { name } : undefined),
    findSessions: (query: object) => ({ count: 1, earlier: 0, rows: [{ name: session }], query }),
    auditRecords: async (upTo: number, limit: number) => {
      seen.asked.push([upTo, limit]);
      return seen.audit.slice(0, limit);
    },
    orders: (query: object) => query,
    order: (key: string) =>
      key === 'desk-a#1'
        ? { order: { key, session, clOrdId: 'a1', account: 'desk-a' }, trades: [] }
        : undefined,
    accountOf: () => `0x${'1'.repeat(40)}`,
    venue: () => ({ accounts: ['desk-a'] }),
    sessions: () => [session],
    hoursOf: () => ({ isOpen: true }),
  };
  const flushed: string[] = [];
  const trail = {
    search: async (search: never) => ring.search(search),
    get: async (id: number) => ring.get(id),
    linked: async (links: readonly string[]) => {
      flushed.push('read');
      return ring.linked(links);
    },
    flush: async () => flushed.push('flush'),
    get count() {
      return ring.count();
    },
    dropped: 3,
  };
  const watch = new Watch(clock);
  const alarms = new AlarmList(clock);
  const samples = new Samples(view as never, clock, watch);
  const operator = {
    amendable: () => undefined,
    kills: () => [],
    numbersOf: () => [],
    stopOf: () => null,
    recordExternalAct() {},
  };
  const approvals = new Approvals(['reopen'], clock, operator as never);
  const parts = {
    ...{ view, clock, trail, alarms, samples, watch, approvals },
    ...{ certification: undefined, cluster: undefined },
  } as never as RouteParts;
  const read = <P extends Path>(path: P, query: Record<string, string> = {}) =>
    routes[path].read(routes[path].query.parse(query), parts) as ReturnType<
      (typeof routes)[P]['read']
    >;
  return { alarms, approvals, clock, flushed, parts, read, samples, seen, watch };
}

function heard(...entries: readonly [kind: TrailKind, content: Uint8Array | string][]): void {
  const batch = new TrailBatch(10_000);
  for (const [kind, content] of entries) batch.add(kind, 1_500, session, content);
  ring.take(batch.buffer, batch.length);
}

const message = (fields: string) => framed(`35=D|34=2|${fields}`);
const ordersQuery = routes['/api/orders'].query;

test('the place after which a page starts comes back as the page wrote it, in any language', () => {
  const texts = string({ unit: 'grapheme', maxLength: 40 });
  assert(
    property(texts, string({ unit: 'grapheme', minLength: 1 }), (value, rest) => {
      const key = `k${rest}`;
      const before = `${encodeURIComponent(value)}:${key}`;
      expect(ordersQuery.parse({ before, sort: 'clOrdId' }).before).toEqual({ value, key });
    }),
  );
  const long = '語'.repeat(200);
  const before = `${encodeURIComponent(long)}:k`;
  expect(ordersQuery.parse({ before, sort: 'symbol' }).before?.value).toBe(long);
});

test('whatever a query has, it is accepted or refused with the name of what is wrong', () => {
  const names = constantFrom(
    ...['text', 'sort', 'before', 'limit', 'fromMs', 'tag', 'value', 'id', 'key', 'name', 'range'],
    ...['upTo', 'isRising', 'state', '__proto__', 'constructor'],
  );
  const values = oneof(
    string({ unit: constantFrom('%', 'ff', ':', 'k', '1', '-', 'e', '\0', ' '), maxLength: 8 }),
    constantFrom('', ...orderSorts, '1e400', '9007199254740993', 'NaN', '-1', '0x10', '1.5'),
  );
  assert(
    property(
      dictionary(names, values, { maxKeys: 4 }),
      constantFrom(...Object.keys(routes)),
      (query, path) => {
        const schema: z.ZodType = routes[path as Path].query;
        const { error } = schema.safeParse(query);
        expect(error === undefined || error instanceof z.ZodError).toBe(true);
      },
    ),
    { numRuns: 300 },
  );
});

test.each([
  ['/api/orders', { before: '%zz:k', sort: 'clOrdId' }, 'before'],
  ['/api/orders', { before: ':', sort: 'clOrdId' }, 'before'],
  ['/api/orders', { before: 'x:k', sort: 'price' }, 'before'],
  ['/api/orders', { before: '%C3:k' }, 'before'],
  ['/api/orders', { limit: '501' }, 'limit'],
  ['/api/orders', { sort: 'constructor' }, 'sort'],
  ['/api/orders', { isRising: 'yes' }, 'isRising'],
  ['/api/orders', { fromMs: '-1' }, 'fromMs'],
  ['/api/orders', { toMs: '1e99' }, 'toMs'],
  ['/api/messages', { tag: '10000' }, 'tag'],
  ['/api/messages', { tag: '55', text: 'x' }, 'text'],
  ['/api/messages', { value: 'x', text: 'x' }, 'text'],
  ['/api/messages', { direction: 'up' }, 'direction'],
  ['/api/message', {}, 'id'],
  ['/api/order', { key: '' }, 'key'],
  ['/api/flow', { range: 'toString' }, 'range'],
  ['/api/venue', { anything: '' }, ''],
] as const)('%s refuses %j', (path, query, name) => {
  const { error } = routes[path].query.safeParse(query);
  expect(error?.issues[0]?.path.join('.')).toBe(name);
});

test('an empty field of a form is no filter, and a page has its usual length and order', () => {
  const empty = { text: '', account: '', session: '', symbol: '' };
  expect(ordersQuery.parse(empty)).toEqual({ sort: 'changed', limit: 100, isRising: false });
  expect(ordersQuery.parse({ isRising: '1', limit: '7' })).toMatchObject({
    isRising: true,
    limit: 7,
  });
});

test.each([
  [{ tag: '58', value: 'hello' }, [1]],
  [{ tag: '58' }, [1, 2]],
  [{ tag: '55', value: 'hello' }, []],
  [{ text: 'hello' }, [1, 3]],
  [{ value: 'hello' }, [1, 3]],
  [{ text: '%' }, []],
  [{ direction: 'out' }, [3]],
  [{ type: 'D', session: 'other' }, []],
  [{ beforeId: '2' }, [1]],
  [{ fromMs: '1', toMs: '2' }, [1, 2, 3]],
  [{ fromMs: '2' }, []],
  [{ toMs: '1' }, []],
])('a search of messages by %j finds the records %j, latest first', async (query, ids) => {
  heard(
    ['in', message('58=hello|')],
    ['in', message('58=help|')],
    ['out', message('11=hello|')],
    ['journal', '{"inputs":[{"kind":"hello"}]}'],
  );
  const { rows, kept, dropped } = await setup().read('/api/messages', query as never);
  expect(rows.map(({ id }) => id)).toEqual(ids.toReversed());
  expect([kept, dropped]).toEqual([4, 3]);
});

test('a message is shown field by field, and a record that is no message is not found', async () => {
  heard(['in', message('58=hello|')], ['journal', '{"inputs":[]}'], ['request', '{}']);
  const { read } = setup();
  const found = await read('/api/message', { id: '1' });
  expect(found?.message).toMatchObject({ id: 1, direction: 'in', type: 'D' });
  expect(found?.fields).toContainEqual({ tag: 58, name: 'Text', value: 'hello', meaning: '' });
  for (const id of ['2', '3', '4']) expect(await read('/api/message', { id })).toBeUndefined();
});

test('an order has its story from all that was recorded until then', async () => {
  heard(['in', message('11=a1|')]);
  const { flushed, read } = setup();
  const found = await read('/api/order', { key: 'desk-a#1' });
  expect(found?.steps.map(({ title }) => title)).toEqual(['NewOrderSingle']);
  expect(flushed[0]).toBe('flush');
  expect(await read('/api/order', { key: 'unknown' })).toBeUndefined();
});

test('a session has since when and why it is in its state; one that nobody knows is not found', () => {
  const { clock, read, watch } = setup();
  const atMs = clock.now().wallMs;
  watch.reported(`${session}: logged on`, { event: 'logged_on', session });
  const row = { name: session, sinceMs: atMs, why: 'logged on' };
  expect(read('/api/session', { name: session })).toMatchObject(row);
  expect(read('/api/session', { name: 'nobody' })).toBeUndefined();
  const found = read('/api/sessions', { text: '', after: 'A' });
  expect(found).toMatchObject({ count: 1, rows: [row], query: { after: 'A', limit: 100 } });
  expect(read('/api/session-names')).toEqual([session]);
  expect(read('/api/session-flow', { name: 'nobody' })).toMatchObject({ series: null });
});

test('what is not configured is empty, and a bridge without a cluster has none', () => {
  const { read } = setup();
  expect(read('/api/certification')).toMatchObject({ directory: null, runs: [] });
  expect(read('/api/cluster')).toBeUndefined();
  expect(read('/api/approvals')).toEqual([]);
  expect(read('/api/risk')).toMatchObject({ rejects: [{ code: 'bridge.kill', count: 2 }] });
});

test('an alarm has its section of the runbook, and a level selects', () => {
  const { alarms, read } = setup();
  alarms.add('alarm', 'gone', { event: 'expiry', code: 'within_week' });
  alarms.add('notice', 'here', { event: 'connected' });
  const rows = read('/api/alarms');
  expect(rows.map(({ runbook, text }) => [text, runbook])).toEqual([
    ['here', null],
    ['gone', expect.stringMatching(/^docs\/OPERATING.md#/)],
  ]);
  expect(read('/api/alarms', { level: 'alarm' })).toHaveLength(1);
});

const act = (atMs: number): AuditRecord =>
  ({ atMs, who: 'ann', what: 'set_numbers', subject: 'session A', why: 'agreed' }) as AuditRecord;

test('changes are acts and events together, latest first, without what strangers cause', async () => {
  const { alarms, clock, read, seen } = setup();
  const startMs = clock.now().wallMs;
  alarms.add('alarm', 'the stream is down', { event: 'stream_down' as never });
  clock.advance(1_000);
  seen.audit.push(act(startMs + 500));
  for (let time = 0; time < 2; time += 1) alarms.add('notice', 'closed', { event: 'venue_closed' });
  for (const event of ['connected', 'connection_refused', 'address_blocked', 'console'] as const) {
    alarms.add('notice', event, { event });
  }
  expect(await read('/api/changes')).toEqual([
    { atMs: startMs + 1_000, who: null, what: 'closed (2 times)', level: 'notice' },
    { atMs: startMs + 500, who: 'ann', what: 'set numbers: session A (agreed)', level: 'action' },
    { atMs: startMs, who: null, what: 'the stream is down', level: 'alarm' },
  ]);
  seen.audit.push(...Array.from({ length: 50 }, () => act(startMs + 2_000)));
  expect(await read('/api/changes')).toHaveLength(30);
});

test('the audit chain is read from its end, or from where a page ended', async () => {
  const { read, seen } = setup();
  seen.audit.push(act(1));
  expect(await read('/api/audit')).toEqual({ head: 'h', length: 1, records: [act(1)] });
  await read('/api/audit', { upTo: '7', limit: '5' });
  expect(seen.asked).toEqual([
    [Number.MAX_SAFE_INTEGER, 100],
    [7, 5],
  ]);
});

test('the header of every page has the state of the bridge and what waits for an operator', () => {
  const { alarms, approvals, clock, read, samples, seen } = setup();
  seen.notReady = ['the venue is closed'];
  seen.gate = { state: 'closed', reason: 'maintenance' };
  samples.start();
  clock.advance(lookMs);
  samples.stop();
  alarms.add('alarm', 'a', { event: 'expiry' });
  alarms.add('notice', 'b', { event: 'connected' });
  approvals.request('ann', { act: 'reopen', account: 'desk-a', why: 'now' } as never);
  expect(read('/api/overview')).toMatchObject({
    ...{ environment: 'local', isShard: false, venue: 'closed', reason: 'maintenance' },
    ...{ notReady: ['the venue is closed'], alarms: 1, approvals: 1, sessions: 1, loggedOn: 1 },
  });
});

test('the mark of a topic changes with what its pages show, and no other', () => {
  const { alarms, approvals, parts, seen } = setup();
  const changed = (change: () => void) => {
    const before = marks(parts);
    change();
    const after = marks(parts);
    return (Object.keys(after) as (keyof typeof after)[]).filter((of) => before[of] !== after[of]);
  };
  const states = [{ phase: 'down' }, { nextIn: 9 }, { nextOut: 9 }, { lastReceivedMs: 9 }];
  for (const change of [...states, { isSlow: true }, { isStopped: true }]) {
    expect(changed(() => Object.assign(seen.status, change))).toEqual(['sessions']);
  }
  expect(changed(() => {})).toEqual([]);
  expect(changed(() => (seen.orderMark += 1))).toEqual(['orders']);
  expect(changed(() => heard(['in', message('11=a|')]))).toEqual(['messages']);
  expect(changed(() => seen.audit.push(act(1)))).toEqual(['audit']);
  expect(changed(() => (seen.gate = { state: 'closed', reason: '' }))).toEqual(['venue']);
  expect(changed(() => alarms.add('notice', 'x', { event: 'connected' }))).toEqual(['alarms']);
  expect(changed(() => alarms.add('alarm', 'x', { event: 'expiry' }))).toEqual(['venue', 'alarms']);
  const reopen = { act: 'reopen', account: 'desk-a', why: 'now' } as never;
  expect(changed(() => approvals.request('ann', reopen))).toEqual(['venue', 'approvals']);
});
