/** What a client does about a refusal: a sentence for each of the bridge's own, for the venue's what its row says. */

import { sessionStatuses, tradingStatuses } from '../../mapping/fix/answer-message.ts';
import { books, massCancelTypes } from '../../mapping/fix/codes.ts';
import type { VenueRefusal } from '../../venue/refusals.ts';

const ready = `TradingSessionStatus(h) with 340=${sessionStatuses.ready}`;
const open = `SecurityStatus(f) with 326=${tradingStatuses.open}`;
const either = (codes: object) => Object.values(codes).join(' or ');

const byName: Readonly<Record<string, string>> = {
  message_not_offered: 'Use a message of the list above.',
  field_missing: 'Send the field that Text(58) names.',
  mass_cancel_not_offered: `Use 530=${either(massCancelTypes.code)}.`,
  'bridge.not_authorized': 'Ask the operator for the right to do this.',
  'bridge.venue_unreachable': `Wait for ${ready}, then send anew.`,
  'bridge.draining': 'Log on again later; the bridge restarts.',
  gate_closed_by_halt: `Wait for ${ready}; cancels go on.`,
  gate_closed_by_ledger: `Wait for ${ready}; cancels go on.`,
  'bridge.gate_closed': `Wait for ${ready}; cancels go on.`,
  'bridge.market_halted': `Wait for ${open}; cancels go on.`,
  'bridge.account_closing': 'Only cancels and orders that reduce; ask the operator.',
  'bridge.kill_switch': 'Ask the operator, who has stopped trading.',
  'bridge.canceled_unsent': 'Nothing: the order was canceled and never reached the venue.',
  'bridge.set_aside':
    'Do not repeat this message; send another in its place, and ask the operator.',
  'bridge.not_applied':
    'Send it anew with a new ClOrdID; the first order never existed at the venue.',
  'bridge.applied_late':
    'The order lives although its end was reported: its trades are yours; wait for 150=4.',
  'bridge.backpressure': 'Slow down and send anew with a new ClOrdID.',
  'bridge.throttled': 'Slow down to the rate of this document, then send anew.',
  'bridge.unknown_instrument': 'Take a Symbol(55) of SecurityList(y).',
  'bridge.instrument_conflict': 'Name the instrument in one way, or twice the same.',
  'bridge.book_missing': `Say ${either(books.code)} in 9103, or in Symbol(55).`,
  'bridge.book_on_spot': 'Leave 9103 out.',
  'bridge.unknown_account': 'Use an Account(1) of this document.',
  'bridge.duplicate_clordid': 'Take a ClOrdID that was never used.',
  'bridge.unsupported': 'Leave out what Text(58) names.',
  'bridge.conditional_unconfirmed': 'Conditional orders are not confirmed at this venue yet.',
  'bridge.qty_precision': 'Round the quantity to the lot of the instrument.',
  'bridge.qty_must_be_positive': 'Send a quantity above zero.',
  'bridge.price_precision': 'Round the price to the tick of the instrument.',
  'bridge.price_must_be_positive': 'Send a price above zero.',
  'bridge.value_out_of_range': 'Send a value that the field can hold.',
  'bridge.no_reference_price': 'Send a limit order, or wait for a price on the other side.',
  'bridge.invalid_stp_mode': 'Use a value of 9104 from this document.',
  'bridge.limit': 'Stay within the limits of this document, or ask the operator.',
  'bridge.stale': 'Send with the time of now; look at the clock.',
  stale_outside_hours: 'Send within the hours of the session.',
  'bridge.expired': 'Take an expiry that is ahead.',
  'bridge.unknown_order': 'Look for the order with OrderMassStatusRequest(AF).',
  'bridge.too_late': 'Nothing: the order has ended, and its last report says how.',
  'bridge.pending': 'Wait for the answer to the request before.',
  'bridge.modtime': 'Wait for the report that is under way, then decide anew.',
  'bridge.replace_unsupported': 'Cancel, then place anew.',
  'bridge.qty_below_cum': 'Take a quantity above CumQty(14), or cancel.',
  'bridge.nonce_window': 'Wait a second and send anew.',
};

export function remedyOf({ name, decisive, retriable, acts, number }: VenueRefusal): string {
  const own = byName[name];
  if (own !== undefined) return own;
  if (!decisive) return 'Wait: exactly one true report follows. Do not send again.';
  if (number === 103 || number === 104) return `Wait for ${ready}.`;
  if (acts.includes('CR')) return 'Tell the operator: the credential or its rights are at fault.';
  if (acts.includes('IN')) return 'Tell the operator: this is a fault of the bridge.';
  if (acts.includes('MD')) return 'Ask for SecurityList(y) again, mend the field, send anew.';
  if (retriable === 'yes') return 'Slow down and send anew with a new ClOrdID.';
  if (retriable !== 'no') return `Send anew ${retriable}, with a new ClOrdID.`;
  if (acts.some((act) => act.startsWith('N'))) return 'Send anew with a new ClOrdID.';
  if (acts.includes('RC')) return 'Wait for the report of the order.';
  return 'Mend the order as Text(58) says, and send anew.';
}
