/** The advice to a client for each refusal: by name for the bridge's, by properties of the row for the venue's. */

import { sessionStatuses, tradingStatuses } from '../../mapping/fix/answer-message.ts';
import { books, massCancelTypes } from '../../mapping/fix/codes.ts';
import type { VenueRefusal } from '../../venue/refusals.ts';

const ready = `TradingSessionStatus(h) with 340=${sessionStatuses.ready}`;
const resumed = `SecurityStatus(f) with 326=${tradingStatuses.resumed}`;
const either = (codes: object) => Object.values(codes).join(' or ');
const slowDown = 'Slow down and send it again with a new ClOrdID.';

const byName: Readonly<Record<string, string>> = {
  message_not_offered: 'Use one of the messages listed above.',
  field_missing: 'Send the field that Text(58) names.',
  mass_cancel_not_offered: `Use 530=${either(massCancelTypes.code)}.`,
  'bridge.not_authorized': 'Ask the operator for permission.',
  'bridge.venue_unreachable': `Wait for ${ready}, then send it again with a new ClOrdID.`,
  'bridge.draining': 'Log on again later; the bridge is shutting down.',
  gate_closed_by_halt: `Wait for ${ready}; cancels still work.`,
  gate_closed_by_ledger: `Wait for ${ready}; cancels still work.`,
  'bridge.gate_closed': `Wait for ${ready}; cancels still work.`,
  'bridge.market_halted': `Wait for ${resumed}; cancels still work.`,
  'bridge.account_closing':
    'Send only cancels and orders that reduce the position, and ask the operator.',
  'bridge.kill_switch': 'Contact the operator, who has stopped trading.',
  'bridge.canceled_unsent': 'None needed: the order was canceled and never reached the venue.',
  'bridge.set_aside': 'Do not repeat this message; send a different one, and ask the operator.',
  'bridge.not_applied':
    'Send it again with a new ClOrdID; the first order never existed at the venue.',
  'bridge.applied_late':
    'The order is live although it was reported as ended, and its trades are yours. Wait for 150=4.',
  'bridge.backpressure': slowDown,
  'bridge.throttled':
    'Slow down to the rate in this document, then send it again with a new ClOrdID.',
  'bridge.unknown_instrument': 'Use a Symbol(55) from SecurityList(y).',
  'bridge.instrument_conflict':
    'Identify the instrument in one way only, or consistently; by SecurityID(48) if several markets have its symbol.',
  'bridge.book_missing': `Send ${either(books.code)} in 9103 or in Symbol(55).`,
  'bridge.book_on_spot': 'Leave 9103 out.',
  'bridge.unknown_account': 'Use an Account(1) from this document.',
  'bridge.duplicate_clordid':
    'If you may have sent this order before, ask what became of it; otherwise use a new ClOrdID or QuoteID.',
  'bridge.unsupported': 'Do not use the feature that Text(58) names.',
  'bridge.conditional_unconfirmed': 'Conditional orders are not confirmed at this venue yet.',
  'bridge.qty_precision': 'Round the quantity to the lot of the instrument.',
  'bridge.qty_must_be_positive': 'Send a quantity above zero.',
  'bridge.price_precision': 'Round the price to the tick of the instrument.',
  'bridge.price_must_be_positive': 'Send a price above zero.',
  'bridge.value_out_of_range': 'Send a value within the range of the field.',
  'bridge.no_reference_price': 'Send a limit order, or wait for a price on the other side.',
  'bridge.invalid_stp_mode': 'Use a value for 9104 from this document.',
  'bridge.limit': 'Stay within the limits of this document, or ask the operator.',
  'bridge.stale': 'Check your clock, then send it again with a new ClOrdID and the current time.',
  stale_outside_hours: 'Send it within the session hours.',
  'bridge.expired': 'Use an expiry in the future.',
  'bridge.unknown_order': 'Find the order with OrderMassStatusRequest(AF).',
  'bridge.too_late': 'None needed: the order has ended; see its last report.',
  'bridge.pending': 'Wait for the response to the previous request.',
  'bridge.modtime': 'Wait for the report in transit, then decide again.',
  'bridge.replace_unsupported': 'Cancel the order and place a new one.',
  'bridge.qty_below_cum': 'Use a quantity above CumQty(14), or cancel the order.',
  'bridge.nonce_window': 'Wait a second, then send it again with a new ClOrdID.',
};

/** The advice for each condition after which the contract allows another attempt (A.18.3). */
const byCondition: Readonly<Record<string, string>> = {
  yes: slowDown,
  'after the floor': 'Wait a second, then send it again with a new ClOrdID.',
  'after resync': 'Wait a second, then send it again with a new ClOrdID.',
  'after operator': 'Ask the operator, then send it again with a new ClOrdID.',
  'after exposure': 'Reduce the exposure, then send it again with a new ClOrdID.',
  'after state/policy': 'Ask the operator, then send it again with a new ClOrdID.',
  'after readiness': `Wait for ${ready}, then send it again with a new ClOrdID.`,
  'after cancel': 'Cancel another order, then send it again with a new ClOrdID.',
  'after book': 'Wait until the book changes, or use another price, with a new ClOrdID.',
};

export function remedyOf({ name, decisive, retriable, acts, number }: VenueRefusal): string {
  const own = byName[name];
  if (own !== undefined) return own;
  if (!decisive) return 'Wait: one final report follows. Do not send it again.';
  if (number === 103 || number === 104) return `Wait for ${ready}.`;
  if (acts.includes('CR'))
    return 'Contact the operator: the credential or its permissions are wrong.';
  if (acts.includes('IN')) return 'Contact the operator: this is an error in the bridge.';
  if (acts.includes('MD'))
    return 'Request SecurityList(y), correct the field and send it again with a new ClOrdID.';
  if (retriable !== 'no') return byCondition[retriable] ?? retriable;
  if (acts.includes('GM')) return `Wait for ${resumed}, or ask the operator; cancels still work.`;
  if (acts.includes('BK')) return slowDown;
  if (acts.some((act) => act.startsWith('N'))) return 'Send it again with a new ClOrdID.';
  if (acts.includes('RC')) return 'Wait for the report of the order.';
  return 'Correct the order according to Text(58), and send it again with a new ClOrdID.';
}
