/** Describes inputs and effects of an account's engine in sentences, for people who do not know the records. */
import type { Denial } from '../../domain/denial.ts';
import type { StreamEvent } from '../../domain/event.ts';
import type { Instrument } from '../../domain/instrument.ts';
import type { GroupAnswer } from '../../domain/quote-group.ts';
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

/** `instrument` is the order's, for inputs without one. */
export function inputWords(input: Input, instrument?: Instrument): string {
  switch (input.kind) {
    case 'entry':
      return `${input.owner.session} enters the order ${input.clOrdId}: ${termsWords(input.terms, input.instrument)}. The gate permitted it.`;
    case 'quotes':
      return `${input.session} quotes ${input.flight.quoteId}, a group of ${input.intent.legs.length} sides. The gate permitted it.`;
    case 'order':
      return orderWords(input.key, input.input, instrument);
    case 'event':
    case 'adopt':
      return eventWords(input.event, instrument);
    case 'spent':
      return `${input.session} used ClOrdID ${input.clOrdId} for a request that was refused before it reached an order: "causeway journal inspect DIR --session '${input.session}'" shows the answer.`;
    case 'mass_cancel':
      return `The bridge itself cancels many orders: ${input.text}.`;
    case 'mass_cancel_next':
      return 'The bridge cancels the next orders of a mass cancel.';
    case 'judged':
      return input.denial === null
        ? 'The gate was asked again and permitted it.'
        : `The gate was asked again and refused: ${denialWords(input.denial)}.`;
    case 'withdraw':
      return `Orders of ${input.session ?? 'all sessions'} that have not left the bridge are withdrawn: ${denialWords(input.denial)}.`;
    case 'withdraw_canceled':
      return 'Orders that were canceled before they left the bridge are withdrawn.';
    case 'started':
      return 'The bridge started. Actions in flight may have reached the venue.';
    case 'resume':
      return 'The execution stream has caught up; actions in flight are resumed.';
    case 'open':
      return 'The venue accepts orders.';
    case 'venue':
      return venueWords(input.input);
  }
}

function orderWords(key: string, input: OrderInput, instrument: Instrument | undefined): string {
  switch (input.kind) {
    case 'cancel':
      return `The client asks to cancel it, by ${input.clOrdId}.`;
    case 'replace':
      return `The client asks to replace it, by ${input.clOrdId}: ${termsWords(input.terms, instrument)}. The gate permitted it.`;
    case 'own_cancel':
      return `The bridge itself cancels it: ${input.text}.`;
    case 'overdue':
      return 'The venue has not answered in time; the client gets a report that the outcome is unknown.';
    case 'waited':
      return 'The wait for the event that ended the order is over.';
    case 'bust':
      return `An operator busts the trade ${input.execId}.`;
    case 'correct':
      return `An operator corrects the trade ${input.execId}.`;
    case 'stated':
      return `Events are lost; the venue states the status of the order: ${input.statement.order.status}.`;
    case 'restate':
      return 'The order is restated.';
    default:
      return `Order ${key}: ${input.kind}.`;
  }
}

function venueWords(input: OutboxInput): string {
  switch (input.kind) {
    case 'answered': {
      const { verdict } = input;
      if (verdict.kind === 'accepted') return 'The venue answered: accepted.';
      const why = `${verdict.refusal.name} ${verdict.text}`.trim();
      if (verdict.kind === 'refused') return `The venue answered: refused, ${why}.`;
      return verdict.kind === 'unsent'
        ? `Nothing left the bridge: ${why}.`
        : `The answer does not decide the outcome, which is unknown: ${why}.`;
    }
    case 'found': {
      const { found } = input;
      if (found.kind === 'applied') return "The venue's receipt shows that it was applied.";
      if (found.kind === 'refused')
        return `The venue's receipt shows that it was refused: ${found.refusal.name} ${found.text}.`;
      return found.kind === 'nothing'
        ? 'The venue has no receipt of it.'
        : `The receipts could not be read: ${found.problem}.`;
    }
    case 'signed':
      return 'The signer signed the order inside the conditional one.';
    case 'unsigned':
      return `The signer did not sign: ${input.code} ${input.text}.`;
    case 'time':
      return 'The time to wait has passed.';
    case 'discover':
      return 'The bridge needs to know the nonce floor.';
    case 'unlatch':
      return 'An operator accepted the nonces that went backward.';
    case 'floor':
      return input.floor === null
        ? 'The venue did not state the nonce floor.'
        : `The venue states the nonce floor ${input.floor}.`;
  }
}

export function effectWords(effect: Effect): string {
  switch (effect.kind) {
    case 'report':
      return `Report to ${effect.session || 'readers of other channels'}: ${reportWords(effect.report)}`;
    case 'answer':
      return `Answer to ${effect.session}: ${answerWords(effect.answer)}`;
    case 'foreign':
      return 'No session of the bridge sent this order.';
    case 'wait':
      return `The bridge waits ${effect.ms} ms for the event that ended the order.`;
    case 'alarm':
      return `Alarm: ${effect.text}.`;
    case 'judge':
      return 'It has waited and may be sent now, if the gate still permits it.';
    case 'submit':
      return `Recorded, then signed and sent: action 0x${effect.bytes.hash} with nonce ${effect.nonce}, ${effect.bytes.text}`;
    case 'sign':
      return `The signer signs the nested order: action 0x${effect.bytes.hash} with nonce ${effect.nonce}, ${effect.bytes.text}`;
    case 'withdraw':
      return 'It is withdrawn if nothing of it has left the bridge.';
    case 'look':
      return `The bridge requests the venue's receipt of action 0x${effect.hash}.`;
    case 'wake':
      return 'It will be checked again later.';
    case 'probe':
      return 'The execution stream is asked whether a frame was lost.';
    case 'discover':
      return 'The bridge requests the nonce floor from the venue.';
    case 'act':
      return `The bridge acts on ${effect.refusal.name} (${effect.act}): ${effect.text}.`;
  }
}

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

function answerWords({ denial, quoteId, status }: GroupAnswer): string {
  return `quote ${quoteId} is ${status}${denial === null ? '' : `, ${denialWords(denial)}`}.`;
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
