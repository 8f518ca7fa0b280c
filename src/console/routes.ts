/** The queries of the pages: each route by path; its parameters are checked before anything is looked up. */
import { unescape as unescaped } from 'node:querystring';
import { z } from 'zod';
import type { ConsoleView, SessionRow } from '../gateway/console-view.ts';
import type { ClusterLink } from '../gateway/operator/cluster-link.ts';
import { isPlace, orderSorts } from '../gateway/view/latest-orders.ts';
import { orderStates } from '../gateway/view/order-search.ts';
import type { Clock } from '../runtime/clock.ts';
import { latencyBoundsUs } from '../runtime/latency.ts';
import { type LineEvent, runbookOf } from '../runtime/operator-line.ts';
import type { AlarmFile } from './alarm-file.ts';
import type { AlarmList } from './alarm-list.ts';
import type { Approvals } from './approvals.ts';
import type { CertificationRunner } from './certification-runner.ts';
import { type Range, ranges } from './history.ts';
import { fieldRows, messageRow } from './message-view.ts';
import type { Samples } from './samples.ts';
import { orderStory } from './story.ts';
import type { Trail } from './trail.ts';
import type { Watch } from './watch.ts';

export interface RouteParts {
  readonly view: ConsoleView;
  readonly clock: Clock;
  readonly trail: Trail;
  readonly alarms: AlarmList;
  readonly alarmFile: Pick<AlarmFile, 'flush'>;
  readonly samples: Samples;
  readonly watch: Watch;
  readonly approvals: Approvals;
  /** Undefined if no folder is configured for it. */
  readonly certification: CertificationRunner | undefined;
  /** Undefined if the bridge is not a shard of a cluster. */
  readonly cluster: ClusterLink | undefined;
}

/** Text in a query; an empty form field means no filter. */
const text = z
  .string()
  .max(200)
  .optional()
  .transform((value) => (value === '' ? undefined : value));
const time = z.coerce.number().int().min(0).max(8.64e15).optional();
const limit = z.coerce.number().int().min(1).max(500).default(100);

/** The end of a page of orders: `value:key` of its last order, with the value as in a URL. */
const place = z
  .string()
  .max(2_000)
  .regex(/^(?:[^:%]|%[0-9A-F]{2})*:./, 'must be a value and a key')
  .transform((text) => {
    const split = text.indexOf(':');
    return { value: unescaped(text.slice(0, split)), key: text.slice(split + 1) };
  })
  .optional();

const orderQuery = z
  .strictObject({
    text,
    account: text,
    session: text,
    symbol: text,
    state: z.enum(orderStates).optional(),
    fromMs: time,
    toMs: time,
    sort: z.enum(orderSorts).default('changed'),
    isRising: z.literal('1').optional(),
    before: place,
    limit,
  })
  .refine(({ before, sort }) => before === undefined || isPlace(before.value, sort), {
    path: ['before'],
    message: 'is not a position in this order',
  })
  .transform(({ isRising, ...query }) => ({ ...query, isRising: isRising === '1' }));
const messageQuery = z
  .strictObject({
    session: text,
    direction: z.enum(['in', 'out']).optional(),
    type: text,
    tag: z.coerce.number().int().min(1).max(9999).optional(),
    value: text,
    text,
    fromMs: time,
    toMs: time,
    beforeId: z.coerce.number().int().min(1).optional(),
    limit,
  })
  .refine(({ tag, text, value }) => text === undefined || (tag ?? value) === undefined, {
    path: ['text'],
    message: 'is a search without tag and value',
  });
const sessionQuery = z.strictObject({ text, after: text, limit });
const nameQuery = z.strictObject({ name: z.string().min(1).max(300) });
const keyQuery = z.strictObject({ key: z.string().min(1).max(300) });
const idQuery = z.strictObject({ id: z.coerce.number().int().min(1) });
const auditQuery = z.strictObject({
  upTo: z.coerce.number().int().min(1).default(Number.MAX_SAFE_INTEGER),
  limit,
});
const alarmQuery = z.strictObject({ level: z.enum(['alarm', 'notice']).optional() });
const range = z.enum(Object.keys(ranges) as [Range, ...Range[]]).default('1h');
const rangeQuery = z.strictObject({ range });
const sessionRangeQuery = z.strictObject({ range, name: z.string().min(1).max(300) });
const nothing = z.strictObject({});

function route<S extends z.ZodType, Answer>(
  query: S,
  read: (query: z.output<S>, parts: RouteParts) => Answer,
) {
  return { query, read: (given: unknown, parts: RouteParts) => read(given as z.output<S>, parts) };
}

export const routes = {
  '/api/overview': route(nothing, (_, parts) => overview(parts)),
  '/api/changes': route(nothing, (_, parts) => changes(parts)),
  '/api/lost': route(nothing, (_, { view, watch }) => watch.lost(view)),
  '/api/flow': route(rangeQuery, ({ range }, { samples }) => samples.history.flow(range)),
  '/api/sessions': route(sessionQuery, (query, parts) => {
    const found = parts.view.findSessions(query);
    return { ...found, rows: found.rows.map((row) => watched(row, parts)) };
  }),
  '/api/session': route(nameQuery, ({ name }, parts) => {
    const row = parts.view.session(name);
    return row && watched(row, parts);
  }),
  '/api/session-flow': route(sessionRangeQuery, ({ name, range }, { samples }) => ({
    boundsUs: latencyBoundsUs,
    // Null if nothing was counted, because undefined means that there is no such session.
    series: samples.sessions.series(name, range) ?? null,
  })),
  '/api/session-names': route(nothing, (_, { view }) => view.statuses().map(({ name }) => name)),
  '/api/orders': route(orderQuery, (query, { view }) => view.orders(query)),
  '/api/order': route(keyQuery, async ({ key }, { trail, view }) => {
    const found = view.order(key);
    if (found === undefined) return undefined;
    await trail.flush();
    const { order } = found;
    return { ...found, steps: await orderStory(trail, order, view.accountOf(order.account)) };
  }),
  '/api/messages': route(messageQuery, async (query, { trail }) => {
    const { beforeId, direction, limit, session, type } = query;
    const rows = await trail.search({
      beforeId,
      direction,
      limit,
      session,
      type,
      contains: soughtBytes(query),
      fromUs: query.fromMs && query.fromMs * 1_000,
      toUs: query.toMs && query.toMs * 1_000,
    });
    return { rows: rows.map(messageRow), kept: trail.count, dropped: trail.dropped };
  }),
  '/api/message': route(idQuery, async ({ id }, { trail }) => {
    const row = await trail.get(id);
    if (row === undefined || (row.kind !== 'in' && row.kind !== 'out')) return undefined;
    return { message: messageRow(row), fields: fieldRows(row.bytes) };
  }),
  '/api/venue': route(nothing, (_, { view }) => view.venue()),
  '/api/latency': route(rangeQuery, ({ range }, { samples: { history } }) => ({
    ...history.span(range),
    boundsUs: latencyBoundsUs,
    hops: history.latency(range),
  })),
  '/api/risk': route(nothing, (_, { view }) => ({
    kills: view.kills,
    accounts: view.venue().accounts,
    sessions: view.sessions(),
    rejects: [...view.rejects].map(([code, count]) => ({ code, count })),
    refusals: view.refusals,
  })),
  '/api/makers': route(nothing, (_, { samples, view }) => ({
    accounts: view.makers(),
    tiers: view.tiers,
    presences: samples.presences,
  })),
  '/api/copies': route(nothing, (_, { view }) => view.readers()),
  '/api/certification': route(nothing, (_, { certification }) => {
    if (certification === undefined) return { directory: null, folders: [], states: [], runs: [] };
    const { directory, folders, runs, states } = certification;
    return { directory, folders, states, runs };
  }),
  '/api/alarms': route(alarmQuery, ({ level }, { alarms }) =>
    alarms.list(level).map((row) => ({ ...row, runbook: runbookOf(row.event) ?? null })),
  ),
  '/api/approvals': route(nothing, (_, { approvals }) => approvals.rows),
  '/api/audit': route(auditQuery, async ({ limit, upTo }, { view }) => ({
    ...view.audit,
    records: await view.auditRecords(upTo, limit),
  })),
  '/api/cluster': route(nothing, (_, { cluster }) => cluster?.view()),
  '/api/config': route(nothing, (_, { view }) => view.config),
};

/** The response of each route; undefined becomes 404. */
export type Answers = {
  readonly [Path in keyof typeof routes]: NonNullable<
    Awaited<ReturnType<(typeof routes)[Path]['read']>>
  >;
};

/** A session with the time and the reason of its state, and its latest replies. */
function watched(row: SessionRow, { samples, watch }: RouteParts) {
  const { sinceMs, why } = watch.since(row.name);
  return { ...row, sinceMs, why, latest: samples.sessions.latest(row.name) };
}

/** The data in the header of every page. */
function overview({ alarms, approvals, cluster, view, watch }: RouteParts) {
  const { reason, state } = view.gate;
  return {
    environment: view.config.environment,
    isShard: cluster !== undefined,
    venue: state,
    reason,
    notReady: view.notReady,
    sinceMs: watch.sinceMs,
    startedMs: watch.startedMs,
    kills: view.kills,
    alarms: alarms.unacknowledged,
    approvals: approvals.rows.length,
    sessions: watch.statuses.length,
    loggedOn: watch.loggedOn,
  };
}

/** Log events that are not changes of state; strangers cause most of them. */
const noChange: ReadonlySet<LineEvent> = new Set([
  'audit_head',
  'connected',
  'connection_refused',
  'address_blocked',
  'console',
]);
const maxChanges = 30;

/** Events of the bridge and actions of operators, latest first. */
async function changes({ alarms, view }: RouteParts) {
  const lines = alarms.list().filter(({ event }) => !noChange.has(event));
  const records = await view.auditRecords(Number.MAX_SAFE_INTEGER, maxChanges);
  const acts = records.map(({ atMs, subject, what, who, why }) => {
    const text = `${what.replaceAll('_', ' ')}: ${subject} (${why})`;
    return { atMs, who, what: text, level: 'action' as const };
  });
  const rows = lines.slice(0, maxChanges).map(({ atMs, level, text, times }) => {
    return { atMs, who: null, what: times > 1 ? `${text} (${times} times)` : text, level };
  });
  return [...acts, ...rows].sort((a, b) => b.atMs - a.atMs).slice(0, maxChanges);
}

/** The topics of `live.ts`. */
export type Topic = keyof ReturnType<typeof marks>;

export function marks(parts: RouteParts) {
  const { alarms, approvals, certification, trail, view } = parts;
  return {
    orders: view.orderMark,
    sessions: view
      .statuses()
      .map(({ isSlow, isStopped, lastReceivedMs, nextIn, nextOut, phase }) =>
        [phase, nextIn, nextOut, lastReceivedMs, isSlow, isStopped].join(),
      )
      .join(';'),
    venue: JSON.stringify(overview(parts)),
    messages: trail.count,
    alarms: alarms.mark,
    approvals: approvals.mark,
    audit: view.audit.length,
    certification: certification?.mark ?? 0,
  };
}

/** The bytes of a field by tag and value, or of any text in the message. */
function soughtBytes({ tag, text, value }: z.output<typeof messageQuery>): string | undefined {
  if (tag === undefined) return text ?? value;
  return value === undefined ? `\x01${tag}=` : `\x01${tag}=${value}`;
}
