/** Describes inputs and effects of an account's engine in sentences, for people who do not know the records. */
import type { Denial } from '../../domain/denial.ts';
import type { StreamEvent } from '../../domain/event.ts';
import type { Instrument } from '../../domain/instrument.ts';
import type { Report } from '../../domain/report.ts';
import type { Terms } from '../../domain/terms.ts';
import type { OrderInput } from '../../domain/transition.ts';
import { formatAtoms } from '../../domain/units.ts';
import type { EngineEffect, EngineInput } from '../../engine/engine.ts';
import type { OutboxEffect, OutboxInput } from '../../venue/outbox/outbox-types.ts';

export type Input = EngineInput<OutboxInput>;
export type Effect = EngineEffect<OutboxEffect>;

/** Records of versions before 0.2 have no time. */
export function timeText(wallMs: number): string {
  return wallMs === 0 ? '' : new Date(wallMs).toISOString();
}

/** The sentence for each kind of input or effect, or how it is written. */
type Sentences<One extends { readonly kind: string }> = {
  readonly [Kind in One['kind']]:
    | string
    | ((one: Extract<One, { kind: Kind }>, instrument?: Instrument) => string);
};

function sentenceOf<One extends { readonly kind: string }>(
  sentences: Partial<Sentences<One>>,
  one: One,
  instrument?: Instrument,
): string | undefined {
  const sentence: unknown = sentences[one.kind as One['kind']];
  return typeof sentence === 'function' ? sentence(one, instrument) : (sentence as string);
}

/** `instrument` is the order's, for inputs without one. */
export function inputWords(input: Input, instrument?: Instrument): string {
  return sentenceOf(ofInput, input, instrument) ?? input.kind;
}

const ofInput: Sentences<Input> = {
  entry: ({ clOrdId, instrument, owner, terms }) =>
    `${owner.session} enters the order ${clOrdId}: ${termsWords(terms, instrument)}. The gate permitted it.`,
  quotes: ({ flight, intent, session }) =>
    `${session} quotes ${flight.quoteId}, a group of ${intent.legs.length} sides. The gate permitted it.`,
  order: ({ input, key }, instrument) =>
    sentenceOf(ofOrder, input, instrument) ?? `Order ${key}: ${input.kind}.`,
  event: ({ event }, instrument) => eventWords(event, instrument),
  adopt: ({ event }, instrument) => eventWords(event, instrument),
  spent: ({ clOrdId, session }) =>
    `${session} used ClOrdID ${clOrdId} for a request that was refused before it reached an order: "causeway journal inspect DIR --session '${session}'" shows the answer.`,
  mass_cancel: ({ text }) => `The bridge itself cancels many orders: ${text}.`,
  mass_cancel_next: 'The bridge cancels the next orders of a mass cancel.',
  judged: ({ denial }) =>
    denial === null
      ? 'The gate was asked again and permitted it.'
      : `The gate was asked again and refused: ${denialWords(denial)}.`,
  withdraw: ({ denial, session }) =>
    `Orders of ${session ?? 'all sessions'} that have not left the bridge are withdrawn: ${denialWords(denial)}.`,
  withdraw_canceled: 'Orders that were canceled before they left the bridge are withdrawn.',
  started: 'The bridge started. Actions in flight may have reached the venue.',
  resume: 'The execution stream has caught up; actions in flight are resumed.',
  open: 'The venue accepts orders.',
  venue: ({ input }) => sentenceOf(ofOutbox, input) ?? input.kind,
};

const ofOrder: Partial<Sentences<OrderInput>> = {
  cancel: ({ clOrdId }) => `The client asks to cancel it, by ${clOrdId}.`,
  replace: ({ clOrdId, terms }, instrument) =>
    `The client asks to replace it, by ${clOrdId}: ${termsWords(terms, instrument)}. The gate permitted it.`,
  own_cancel: ({ text }) => `The bridge itself cancels it: ${text}.`,
  overdue:
    'The venue has not answered in time; the client gets a report that the outcome is unknown.',
  waited: 'The wait for the event that ended the order is over.',
  bust: ({ execId }) => `An operator busts the trade ${execId}.`,
  correct: ({ execId }) => `An operator corrects the trade ${execId}.`,
  stated: ({ statement }) =>
    `Events are lost; the venue states the status of the order: ${statement.order.status}.`,
  restate: 'The order is restated.',
};

const ofOutbox: Sentences<OutboxInput> = {
  answered: ({ verdict }) => {
    if (verdict.kind === 'accepted') return 'The venue answered: accepted.';
    const why = `${verdict.refusal.name} ${verdict.text}`.trim();
    if (verdict.kind === 'refused') return `The venue answered: refused, ${why}.`;
    return verdict.kind === 'unsent'
      ? `Nothing left the bridge: ${why}.`
      : `The answer does not decide the outcome, which is unknown: ${why}.`;
  },
  found: ({ found }) => {
    switch (found.kind) {
      case 'applied':
        return "The venue's receipt shows that it was applied.";
      case 'refused':
        return `The venue's receipt shows that it was refused: ${found.refusal.name} ${found.text}.`;
      case 'superseded':
        return 'The venue has no receipt of it, but one of another action with its nonce.';
      case 'nothing':
        return 'The venue has no receipt of it.';
      case 'unreadable':
        return `The receipts could not be read: ${found.problem}.`;
    }
  },
  signed: 'The signer signed the order inside the conditional one.',
  unsigned: ({ code, text }) => `The signer did not sign: ${code} ${text}.`,
  time: 'The time to wait has passed.',
  discover: 'The bridge needs to know the nonce floor.',
  unlatch: 'An operator accepted the nonces that went backward.',
  floor: ({ floor }) =>
    floor === null
      ? 'The venue did not state the nonce floor.'
      : `The venue states the nonce floor ${floor}.`,
};

export function effectWords(effect: Effect): string {
  return sentenceOf(ofEffect, effect) ?? effect.kind;
}

const ofEffect: Sentences<Effect> = {
  report: ({ report, session }) =>
    `Report to ${session || 'readers of other channels'}: ${reportWords(report)}`,
  answer: ({ answer: { denial, quoteId, status }, session }) =>
    `Answer to ${session}: quote ${quoteId} is ${status}${denial === null ? '' : `, ${denialWords(denial)}`}.`,
  foreign: 'No session of the bridge sent this order.',
  wait: ({ ms }) => `The bridge waits ${ms} ms for the event that ended the order.`,
  alarm: ({ text }) => `Alarm: ${text}.`,
  judge: 'It has waited and may be sent now, if the gate still permits it.',
  submit: ({ bytes, nonce }) =>
    `Recorded, then signed and sent: action 0x${bytes.hash} with nonce ${nonce}, ${bytes.text}`,
  sign: ({ bytes, nonce }) =>
    `The signer signs the nested order: action 0x${bytes.hash} with nonce ${nonce}, ${bytes.text}`,
  withdraw: 'It is withdrawn if nothing of it has left the bridge.',
  look: ({ hash }) => `The bridge requests the venue's receipt of action 0x${hash}.`,
  wake: 'It will be checked again later.',
  probe: 'The execution stream is asked whether a frame was lost.',
  discover: 'The bridge requests the nonce floor from the venue.',
  act: ({ act, refusal, text }) => `The bridge acts on ${refusal.name} (${act}): ${text}.`,
};

function reportWords(report: Report): string {
  const { instrument } = report.order;
  const { priceScale, qtyScale } = instrument.market;
  if (report.kind === 'cancel_reject') {
    return `the ${report.request} ${report.clOrdId} is rejected, ${denialWords(report.denial)}; the order is ${report.ordStatus}.`;
  }
  const { clOrdId, denial, execId, execType, fill, order, ordStatus } = report;
  const trade =
    fill === null
      ? ''
      : `, ${formatAtoms(fill.qty, qtyScale)} at ${formatAtoms(fill.price, priceScale)}`;
  const why = denial === null ? '' : `, ${denialWords(denial)}`;
  const sums = `filled ${formatAtoms(order.cumQty, qtyScale)}, open ${formatAtoms(order.leavesQty, qtyScale)}`;
  return `${execType}${trade}${why}; ${clOrdId} is ${ordStatus}, ${sums} (ExecID ${execId}).`;
}

function eventWords(event: StreamEvent, instrument: Instrument | undefined): string {
  const { fill, kind, orderId, qty, leavesQty, denial, seq } = event;
  const { priceScale = 0, qtyScale = 0 } = instrument?.market ?? {};
  const amount = (value: bigint) =>
    instrument === undefined ? `${value} atoms` : formatAtoms(value, qtyScale);
  const parts = [
    fill === null
      ? (qty ?? null) && `quantity ${amount(qty as bigint)}`
      : `${amount(fill.qty)} at ${instrument === undefined ? `${fill.price} atoms` : formatAtoms(fill.price, priceScale)}`,
    leavesQty === null ? null : `${amount(leavesQty)} left`,
    denial && denialWords(denial),
  ].filter((part) => part !== null);
  const details = parts.length === 0 ? '' : `, ${parts.join(', ')}`;
  return `Stream event (seq ${seq}): ${kind}${orderId === null ? '' : `, order ${orderId}`}${details}.`;
}

function termsWords(terms: Terms, instrument: Instrument | undefined): string {
  const { lifetime, ordType, price, qty, side } = terms;
  const verb = side === 'Bid' ? 'buy' : 'sell';
  if (instrument === undefined) return `${verb}, ${ordType} ${lifetime}`;
  const { market, symbol } = instrument;
  const limit = price === null ? '' : ` at ${formatAtoms(price, market.priceScale)}`;
  return `${verb} ${formatAtoms(qty, market.qtyScale)} ${symbol}${limit}, ${ordType}, ${lifetime}`;
}

function denialWords({ refusal, text }: Denial): string {
  return [refusal.name, text].filter(Boolean).join(': ');
}
