/**
 * One order's whole story from the trail: what the client sent, what the desk recorded, what was signed and asked, what
 * the venue answered and its stream said, and what the client was told; each step with its time.
 */
import { link } from './message-fields.ts';
import { fieldRows, type MessageRow, messageRow } from './message-view.ts';
import type { TrailRow } from './trail-segment.ts';

export interface StoryStep {
  readonly atUs: number;
  readonly kind: 'heard' | 'recorded' | 'signed' | 'asked' | 'answered' | 'event' | 'told';
  readonly title: string;
  readonly facts: readonly (readonly [name: string, value: string])[];
  /** Canonical bytes, a body, or a message, to be read as it is. */
  readonly text: string;
  readonly message: MessageRow | null;
}

/** Where the records of one order are looked up. */
export interface StorySource {
  linked(links: readonly string[]): Promise<readonly TrailRow[]>;
}

interface Action {
  readonly key: string;
  readonly nonce: unknown;
  readonly actionHash: string;
  readonly orderId: string | null;
  readonly canonical: string;
}

interface DeskRecord {
  readonly inputs: readonly Record<string, unknown>[];
  readonly actions: readonly Action[];
}

const mostSteps = 1_000;

export async function orderStory(
  source: StorySource,
  order: { readonly key: string; readonly session: string; readonly account: string },
): Promise<readonly StoryStep[]> {
  const own = await source.linked([link.key(order.key)]);
  const known = namesOf(own, order.key);
  const links = [
    ...[...known.clOrdIds].map((name) => link.name(order.session, name)),
    ...[...known.ids].map((id) => link.order(id)),
    ...[...known.hashes].map((hash) => link.hash(hash)),
    ...[...known.nonces].map((nonce) => link.nonce(order.account, nonce)),
  ];
  const rows = new Map(own.map((row) => [row.id, row]));
  for (const row of await source.linked(links)) rows.set(row.id, row);
  return [...rows.values()]
    .sort((a, b) => a.atUs - b.atUs || a.id - b.id)
    .flatMap((row) => stepsOf(row, known))
    .slice(0, mostSteps);
}

/** By what names the order goes. */
interface Names {
  readonly key: string;
  readonly clOrdIds: Set<string>;
  readonly ids: Set<string>;
  readonly hashes: Set<string>;
  readonly nonces: Set<string>;
}

function namesOf(rows: readonly TrailRow[], key: string): Names {
  const names: Names = {
    key,
    clOrdIds: new Set(),
    ids: new Set(),
    hashes: new Set(),
    nonces: new Set(),
  };
  for (const row of rows) {
    const record = recordOf(row);
    for (const input of record.inputs) if (isAbout(input, names)) takeNames(input, names);
    for (const action of record.actions) {
      if (action.key !== key) continue;
      names.hashes.add(action.actionHash);
      names.nonces.add(plain(action.nonce));
      if (action.orderId !== null) names.ids.add(action.orderId);
    }
  }
  return names;
}

function takeNames(value: unknown, names: Names): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, held] of Object.entries(value)) {
    if (typeof held !== 'string') takeNames(held, names);
    else if (name === 'clOrdId') names.clOrdIds.add(held);
    else if (name === 'actionHash') names.hashes.add(held);
    else if (name === 'orderId' || name === 'firedOrderId') names.ids.add(held);
  }
}

function isAbout(input: Record<string, unknown>, { hashes, ids, key }: Names): boolean {
  const text = JSON.stringify(input);
  return [key, ...ids, ...hashes].some((name) => text.includes(JSON.stringify(name)));
}

function stepsOf(row: TrailRow, names: Names): StoryStep[] {
  switch (row.kind) {
    case 'in':
    case 'out':
      return [messageStep(row)];
    case 'journal':
      return deskSteps(row, names);
    case 'request':
      return requestSteps(row, names);
    case 'answer':
      return [answerStep(row)];
  }
}

function messageStep(row: TrailRow): StoryStep {
  const message = messageRow(row);
  const fields = fieldRows(row.bytes).filter(
    ({ name, tag }) => shownTags.has(tag) || (tag === 0 && !sbeHeads.has(name)),
  );
  return {
    atUs: row.atUs,
    kind: row.kind === 'in' ? 'heard' : 'told',
    title: message.typeName || row.type,
    facts: fields.map(({ tag, name, value, meaning }) => [
      tag === 0 ? name : `${name}(${tag})`,
      meaning === '' ? value : `${value} ${meaning}`,
    ]),
    text: message.text,
    message,
  };
}

/** What one wants to see of a message at a glance. */
const shownTags: ReadonlySet<number> = new Set([
  11, 41, 37, 55, 54, 38, 44, 40, 59, 150, 39, 17, 32, 31, 14, 151, 58, 102, 103, 9101, 9102,
]);

/** Of every message of the second lane, and never what one looks for. */
const sbeHeads: ReadonlySet<string> = new Set(['blockLength', 'templateId', 'schemaId', 'version']);

function deskSteps(row: TrailRow, names: Names): StoryStep[] {
  const { actions, inputs } = recordOf(row);
  const steps = inputs
    .filter((input) => isAbout(input, names))
    .map((input) => inputStep(row.atUs, input));
  for (const { actionHash, canonical, key, nonce, orderId } of actions) {
    if (key !== names.key) continue;
    steps.push({
      atUs: row.atUs,
      kind: 'recorded',
      title: 'Action recorded before it is signed (J1)',
      facts: [
        ['nonce', plain(nonce)],
        ['digest', actionHash],
        ['derived order id', orderId ?? 'none'],
      ],
      text: canonical,
      message: null,
    });
  }
  return steps;
}

function inputStep(atUs: number, input: Record<string, unknown>): StoryStep {
  const { event, input: step, kind: outer } = input as StepInput & { readonly input?: StepInput };
  const inner: StepInput = step ?? event ?? input;
  const told = inner.event ?? inner;
  const isEvent = event !== undefined || inner.kind === 'event';
  const kind = String(told.kind ?? outer);
  return {
    atUs,
    kind: isEvent ? 'event' : 'recorded',
    title: isEvent ? `Stream event ${kind}` : (inputTitles[kind] ?? `Input ${kind}`),
    facts: factsOf(told),
    text: '',
    message: null,
  };
}

interface StepInput {
  readonly kind?: unknown;
  readonly event?: StepInput;
}

/** What is nested stands beside the rest; what is empty says nothing. */
function factsOf(value: object): (readonly [string, string])[] {
  return Object.entries(value).flatMap(([name, held]) => {
    if (held === null || hiddenFacts.has(name)) return [];
    const isAmount = typeof held === 'object' && '$' in held;
    return typeof held === 'object' && !isAmount && !Array.isArray(held)
      ? factsOf(held)
      : [[name, plain(held)] as const];
  });
}

const hiddenFacts: ReadonlySet<string> = new Set(['kind', 'instrument', 'owner', 'nowMs']);
const inputTitles: Readonly<Record<string, string>> = {
  entry: 'Command accepted: new order',
  quotes: 'Command accepted: quotes',
  cancel: 'Command accepted: cancel',
  replace: 'Command accepted: replace',
  own_cancel: 'The bridge itself cancels',
  sent: 'Action made ready for the venue',
  answered: "The venue's answer is taken in",
  overdue: 'No answer in time: the outcome is unknown',
  waited: 'Waited for the event that ended the order',
};

function requestSteps(row: TrailRow, { nonces }: Names): StoryStep[] {
  const text = Buffer.from(row.bytes).toString();
  const split = text.indexOf('}') + 1;
  const head = parsed(text.slice(0, split)) as { target?: string; key?: string } | undefined;
  const body = parsed(text.slice(split)) as SignedBody | undefined;
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
  const exchange = parsed(Buffer.from(row.bytes).toString()) as
    | { readonly kind?: string; readonly status?: number; body?: string; problem?: string }
    | undefined;
  const status = exchange?.status;
  return {
    atUs: row.atUs,
    kind: 'answered',
    title: status === undefined ? `No answer: ${exchange?.problem ?? ''}` : `HTTP ${status}`,
    facts: [],
    text: exchange?.body ?? '',
    message: null,
  };
}

function recordOf({ bytes, kind }: TrailRow): DeskRecord {
  const nothing = { inputs: [], actions: [] };
  if (kind !== 'journal') return nothing;
  return { ...nothing, ...(parsed(Buffer.from(bytes).toString()) as Partial<DeskRecord>) };
}

/** The trail may hold half of something; that is no reason to show nothing. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A value of a desk record as text: amounts stand in it as `{"$":"123"}`. */
function plain(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return String(value ?? '');
  if ('$' in value) return String(value.$);
  return JSON.stringify(value).replaceAll(/\{"\$":"(-?\d+)"\}/g, '$1');
}
