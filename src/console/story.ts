/**
 * The complete story of one order from the trail: what the client sent, what the account recorded, what was sent to the
 * venue, what the venue answered and its stream reported, and what was reported to the client; each step with its time.
 */
import { formatAtoms } from '../domain/units.ts';
import { parsedJson } from '../runtime/parsed-json.ts';
import { endsOf, inPieces } from './long-list.ts';
import { isFix, link } from './message-fields.ts';
import { fieldRows, type MessageRow, messageRow, sbeFields } from './message-view.ts';
import { summaryOf } from './sbe-message.ts';
import {
  type Action,
  isAbout,
  isOwn,
  legOf,
  type Names,
  namesOf,
  type OrdersInput,
  plain,
  recordOf,
} from './story-names.ts';
import type { Trail } from './trail.ts';
import type { TrailRow } from './trail-segment.ts';

export interface StoryStep {
  readonly atUs: number;
  readonly kind: 'received' | 'recorded' | 'asked' | 'answered' | 'event' | 'reported';
  readonly title: string;
  readonly facts: readonly (readonly [name: string, value: string])[];
  /** Canonical bytes, a body, or a message, unchanged. */
  readonly text: string;
  readonly message: MessageRow | null;
}

/** Records by the order's own key from which its other names are taken, and records whose steps are displayed. */
const maxOwn = 400;
const maxRows = 1_000;

export async function orderStory(
  source: Pick<Trail, 'linked'>,
  order: { readonly key: string; readonly session: string; readonly clOrdId: string },
  account: string,
): Promise<readonly StoryStep[]> {
  const own = endsOf(await source.linked([link.key(order.key)]), maxOwn);
  const rows = new Map(own.kept.map((row) => [row.id, row]));
  let known = await namesOf(own.kept, order.key);
  if (known.groups.size > 0) {
    const quotes = [...known.groups].map((group) => link.key(group));
    for (const row of await source.linked(quotes)) rows.set(row.id, row);
    known = await namesOf(endsOf([...rows.values()].sort(byTime), maxOwn).kept, order.key);
  }
  // An order that the bridge refused has no records; its messages have its ClOrdID(11).
  known.clOrdIds.add(order.clOrdId);
  const links = [
    ...[...known.clOrdIds].map((name) => link.name(order.session, name)),
    ...[...known.ids].map((id) => link.order(id)),
    ...[...known.hashes].map((hash) => link.hash(hash)),
    ...[...known.nonces].map((nonce) => link.nonce(account, nonce)),
  ];
  for (const row of await source.linked(links)) rows.set(row.id, row);
  const all = endsOf([...rows.values()].sort(byTime), maxRows);
  let gap = all.omitted ?? own.omitted;
  const steps: StoryStep[] = [];
  for await (const row of inPieces(all.kept)) {
    if (gap !== undefined && byTime(row, gap) > 0) {
      steps.push(gapStep(gap.atUs));
      gap = undefined;
    }
    steps.push(...stepsOf(row, known));
  }
  return steps;
}

function gapStep(atUs: number): StoryStep {
  const title = 'The steps in between are not shown: there are too many';
  return { atUs, kind: 'recorded', title, facts: [], text: '', message: null };
}

function byTime(a: TrailRow, b: TrailRow): number {
  return a.atUs - b.atUs || a.id - b.id;
}

function stepsOf(row: TrailRow, names: Names): StoryStep[] {
  switch (row.kind) {
    case 'in':
    case 'out':
      return [messageStep(row)];
    case 'journal':
      return accountSteps(row, names);
    case 'request':
      return requestSteps(row, names);
    case 'answer':
      return [answerStep(row)];
  }
}

function messageStep(row: TrailRow): StoryStep {
  const message = messageRow(row);
  return {
    atUs: row.atUs,
    kind: row.kind === 'in' ? 'received' : 'reported',
    title: message.typeName || row.type,
    facts: messageFacts(row.bytes),
    text: message.text,
    message,
  };
}

function messageFacts(bytes: Uint8Array): StoryStep['facts'] {
  if (!isFix(bytes)) return summaryOf(sbeFields(bytes));
  return fieldRows(bytes)
    .filter(({ tag }) => shownTags.has(tag))
    .map(({ tag, name, value, meaning }) => [
      `${name}(${tag})`,
      meaning === '' ? value : `${value} ${meaning}`,
    ]);
}

/** The fields that are displayed without opening the message. */
const shownTags: ReadonlySet<number> = new Set([
  11, 41, 37, 55, 54, 38, 44, 40, 59, 150, 39, 17, 32, 31, 14, 151, 58, 102, 103, 9101, 9102,
]);

function accountSteps(row: TrailRow, names: Names): StoryStep[] {
  const { actions, inputs } = recordOf(row);
  return [
    ...inputs
      .filter((input) => isAbout(input, names))
      .map((input) => inputStep(row.atUs, input, names)),
    ...actions
      .filter(({ key }) => isOwn(key, names))
      .map((action) => actionStep(row.atUs, action, names)),
  ];
}

function actionStep(
  atUs: number,
  { actionHash, canonical, nonce, placed }: Action,
  { ids }: Names,
): StoryStep {
  const orderId = placed.orderId ?? placed.legIds?.find((id) => id !== null && ids.has(id));
  const facts = [
    ['nonce', plain(nonce)],
    ['digest', actionHash],
    ['derived order id', orderId ?? 'none'],
  ] as const;
  const title = 'Action recorded before it is signed (J1)';
  return { atUs, kind: 'recorded', title, facts, text: canonical, message: null };
}

function inputStep(atUs: number, input: OrdersInput, names: Names): StoryStep {
  const { event, input: step, kind: outer } = input as StepInput & { readonly input?: StepInput };
  const inner: StepInput = step ?? event ?? input;
  const content = inner.event ?? inner;
  const isEvent = event !== undefined || inner.kind === 'event';
  const kind = String(content.kind ?? outer);
  const facts = factsOf(legOf(input, names.key)?.terms ?? content, names);
  const title = isEvent ? `Stream event ${kind}` : (inputTitles[kind] ?? `Input ${kind}`);
  return { atUs, kind: isEvent ? 'event' : 'recorded', title, facts, text: '', message: null };
}

interface StepInput {
  readonly kind?: unknown;
  readonly event?: StepInput;
}

/** Nested members are listed with the others; null is omitted. */
function factsOf(value: object, names: Names): (readonly [string, string])[] {
  return Object.entries(value).flatMap(([name, held]) => {
    if (held === null || hiddenFacts.has(name)) return [];
    const isAmount = typeof held === 'object' && '$' in held;
    return typeof held === 'object' && !isAmount && !Array.isArray(held)
      ? factsOf(held, names)
      : [[name, amountOf(name, plain(held), names)] as const];
  });
}

/** Prices and quantities in a record are in the smallest units of the market. */
function amountOf(name: string, text: string, { priceScale, qtyScale }: Names): string {
  if (!/^-?\d{1,40}$/.test(text)) return text;
  if (/price$/i.test(name)) return formatAtoms(BigInt(text), priceScale);
  return /qty$/i.test(name) ? formatAtoms(BigInt(text), qtyScale) : text;
}

const hiddenFacts: ReadonlySet<string> = new Set([
  'kind',
  'instrument',
  'owner',
  'nowMs',
  'engineTsMs',
  'serverTsMs',
]);
const inputTitles: Readonly<Record<string, string>> = {
  entry: 'Command accepted: new order',
  quotes: 'Command accepted: quotes',
  cancel: 'Command accepted: cancel',
  replace: 'Command accepted: replace',
  own_cancel: 'The bridge itself cancels',
  bust: 'An operator busts a trade',
  correct: 'An operator corrects a trade',
  sent: 'Action made ready for the venue',
  answered: "The venue's answer is taken in",
  overdue: 'No answer in time: the outcome is unknown',
  waited: 'Waited for the event that ended the order',
};

function requestSteps(row: TrailRow, { nonces }: Names): StoryStep[] {
  const text = Buffer.from(row.bytes).toString();
  const split = text.indexOf('}') + 1;
  const head = parsedJson(text.slice(0, split)) as { target?: string; key?: string } | undefined;
  const body = parsedJson(text.slice(split)) as SignedBody | undefined;
  const actions = (body?.actions ?? [body]).filter(
    (action) => action?.payload !== undefined && nonces.has(plain(action.payload.nonce)),
  );
  return actions.map((action) => ({
    atUs: row.atUs,
    kind: 'asked' as const,
    title: `POST ${head?.target ?? ''}`,
    facts: [
      ['nonce', plain(action?.payload?.nonce)],
      ['signature scheme', plain(action?.signature?.scheme)],
      ['signature', Buffer.from(action?.signature?.bytes ?? []).toString('hex')],
      ['idempotency key', head?.key ?? ''],
    ],
    text: JSON.stringify(action?.payload),
    message: null,
  }));
}

interface SignedBody {
  readonly payload?: { readonly nonce?: unknown };
  readonly signature?: { readonly scheme?: unknown; readonly bytes?: readonly number[] };
  readonly actions?: readonly SignedBody[];
}

function answerStep(row: TrailRow): StoryStep {
  const exchange = parsedJson(Buffer.from(row.bytes).toString()) as
    | { readonly kind?: string; readonly status?: number; body?: string; problem?: string }
    | undefined;
  const { body = '', problem = '', status } = exchange ?? {};
  const title = status === undefined ? `No answer: ${problem}` : `HTTP ${status}`;
  return { atUs: row.atUs, kind: 'answered', title, facts: [], text: body, message: null };
}
