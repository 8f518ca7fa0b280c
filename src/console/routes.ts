/** What a page may ask to see: each route by its path, its query checked before anything is looked up. */
import { z } from 'zod';
import type { ConsoleView, SessionRow } from '../gateway/console-view.ts';
import { latencyBoundsUs } from '../runtime/latency.ts';
import type { AlarmList } from './alarm-list.ts';
import type { CertificationDesk } from './certification-desk.ts';
import { fieldRows, messageRow } from './message-view.ts';
import type { Samples } from './samples.ts';
import { orderStory } from './story.ts';
import type { Trail } from './trail.ts';

export interface RouteParts {
  readonly view: ConsoleView;
  readonly trail: Trail;
  readonly alarms: AlarmList;
  readonly samples: Samples;
  /** Undefined where no folder is configured for it. */
  readonly certification: CertificationDesk | undefined;
}

/** Text of a query; an empty field of a form means no filter. */
const text = z
  .string()
  .max(200)
  .optional()
  .transform((value) => (value === '' ? undefined : value));
const time = z.coerce.number().int().min(0).max(8.64e15).optional();
const limit = z.coerce.number().int().min(1).max(500).default(100);

/** Where a page of orders ended: the time of its last one, and its key. */
const place = z
  .string()
  .max(320)
  .regex(/^\d{1,16}:./, 'must be a time and a key')
  .transform((text) => {
    const split = text.indexOf(':');
    return { changedMs: Number(text.slice(0, split)), key: text.slice(split + 1) };
  })
  .optional();

const orderQuery = z.strictObject({
  text,
  account: text,
  session: text,
  symbol: text,
  state: z.enum(['open', 'ended']).optional(),
  fromMs: time,
  toMs: time,
  before: place,
  limit,
});
const messageQuery = z.strictObject({
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
const nothing = z.strictObject({});

function route<S extends z.ZodType, Answer>(
  query: S,
  read: (query: z.output<S>, parts: RouteParts) => Answer,
) {
  return { query, read: (given: unknown, parts: RouteParts) => read(given as z.output<S>, parts) };
}

export const routes = {
  '/api/sessions': route(sessionQuery, (query, { samples, view }) => {
    const found = view.findSessions(query);
    return { ...found, rows: found.rows.map((row) => withLatency(row, samples)) };
  }),
  '/api/session': route(nameQuery, ({ name }, { samples, view }) => {
    const row = view.session(name);
    return row && withLatency(row, samples);
  }),
  '/api/session-names': route(nothing, (_, { view }) => view.statuses().map(({ name }) => name)),
  '/api/orders': route(orderQuery, (query, { view }) => view.orders(query)),
  '/api/order': route(keyQuery, async ({ key }, { trail, view }) => {
    const order = view.order(key);
    if (order === undefined) return undefined;
    await trail.flush();
    const { key: own, session } = order;
    const account = view.accountOf(order.account);
    return { order, steps: await orderStory(trail, { key: own, session, account }) };
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
  '/api/latency': route(nothing, (_, { view }) => ({
    boundsUs: latencyBoundsUs,
    hops: view.latency(),
  })),
  '/api/risk': route(nothing, (_, { view }) => ({
    kills: view.kills,
    accounts: view.venue().accounts,
    sessions: view.sessions(),
    rejects: [...view.rejects].map(([code, count]) => ({ code, count })),
  })),
  '/api/makers': route(nothing, (_, { samples, view }) => ({
    accounts: view.makers(),
    tiers: view.tiers,
    presences: samples.presences,
  })),
  '/api/copies': route(nothing, (_, { view }) => view.readers()),
  '/api/certification': route(nothing, (_, { certification }) => ({
    directory: certification?.directory ?? null,
    folders: certification?.folders ?? [],
    states: certification?.states ?? [],
    runs: certification?.runs ?? [],
  })),
  '/api/alarms': route(alarmQuery, ({ level }, { alarms }) => alarms.list(level)),
  '/api/audit': route(auditQuery, async ({ limit, upTo }, { view }) => ({
    ...view.audit,
    records: await view.auditRecords(upTo, limit),
  })),
  '/api/config': route(nothing, (_, { view }) => view.config),
  '/api/overview': route(nothing, (_, parts) => overview(parts)),
};

/** What a page gets from each route; nothing is answered with 404. */
export type Answers = {
  readonly [Path in keyof typeof routes]: NonNullable<
    Awaited<ReturnType<(typeof routes)[Path]['read']>>
  >;
};

/** With the latest mean times to an answer. */
function withLatency(row: SessionRow, samples: Samples) {
  return { ...row, latencyUs: samples.latencyOf(row.name) };
}

/** Of FIX and of FIXP. */
const loggedOnPhases: ReadonlySet<string> = new Set(['active', 'established']);

/** What the head of every page shows. */
function overview({ alarms, view }: Pick<RouteParts, 'alarms' | 'view'>) {
  const sessions = view.statuses();
  const { reason, state } = view.gate;
  return {
    environment: view.config.environment,
    venue: state,
    reason,
    notReady: view.notReady,
    kills: view.kills.length,
    alarms: alarms.alarms,
    sessions: sessions.length,
    loggedOn: sessions.filter(({ phase }) => loggedOnPhases.has(phase)).length,
  };
}

/** Which topics of a page have changed: see `live.ts`. */
export type Topic = keyof ReturnType<typeof marks>;

export function marks({ alarms, certification, trail, view }: RouteParts) {
  return {
    orders: view.orderMark,
    sessions: view
      .statuses()
      .map(({ isSlow, isStopped, lastHeardMs, nextIn, nextOut, phase }) =>
        [phase, nextIn, nextOut, lastHeardMs, isSlow, isStopped].join(),
      )
      .join(';'),
    venue: JSON.stringify(overview({ alarms, view })),
    messages: trail.count,
    alarms: alarms.count,
    audit: view.audit.length,
    certification: certification?.mark ?? 0,
  };
}

/** A field by tag and value, or any text in the message. */
function soughtBytes({ tag, text, value }: z.output<typeof messageQuery>): string | undefined {
  if (tag === undefined) return text ?? value;
  return value === undefined ? `\x01${tag}=` : `\x01${tag}=${value}`;
}
