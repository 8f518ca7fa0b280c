/**
 * How the bridge uses fields for which the standard leaves choices. Every list of codes is generated from the table
 * with which the bridge parses or writes the field, so the documents for counterparties always match the code.
 */
import {
  quoteStatuses,
  sessionStatuses,
  tradingStatuses,
} from '../../mapping/fix/answer-message.ts';
import {
  algoKinds,
  books,
  conditionalKinds,
  execInsts,
  execTypes,
  lifetimes,
  massCancelTypes,
  massStatusTypes,
  ordStatuses,
  ordTypes,
  positionEffects,
  quoteCancelTypes,
  quoteResponses,
  restatements,
  securityListTypes,
  sides,
  stpModes,
  subscriptions,
  targetStrategies,
  triggerDirections,
  userRequests,
} from '../../mapping/fix/codes.ts';

type Wording<Word extends string> = { readonly [word in Word]?: string };

/** Codes with their meanings, `1 buy, 2 sell`; the meaning is the code's own name unless a better one is given. */
function listed<Word extends string>(
  code: Readonly<Record<Word, string | number>>,
  wording: Wording<Word> = {},
): string {
  return (Object.keys(code) as Word[])
    .map((word) => `${code[word]} ${wording[word] ?? word.replaceAll('_', ' ')}`)
    .join(', ');
}

/** The same for a field that a client sends. */
function taken<Word extends string>(
  { code }: { readonly code: Readonly<Record<Word, string>> },
  wording: Wording<Word> = {},
): string {
  return `${listed(code, wording)}; any other value is rejected`;
}

/** For a field whose values are names. */
const oneOf = ({ code }: { readonly code: object }) => Object.values(code).join(', ');

const scope = { instrument: 'orders of one instrument', all: 'all orders of the session' };

export const fieldNotes: Readonly<Record<number, string>> = {
  1: 'alias of the account; optional if the session has only one account',
  6: 'average price over all fills, exact',
  11: 'at most 64 characters, new for each request of the session, also after a reject',
  15: 'the currency of the price; an order in another one is rejected',
  17: 'derived from the account and the venue sequence number, so a repeated report has the same id',
  18: taken(execInsts, { not_held: 'no effect', held: 'no effect' }),
  19: 'the ExecID that the busted or corrected trade had last: its own, or that of its last correction',
  22: '8 with 48',
  37: "the venue's id, derived from the signed action",
  38: "exact decimal; digits beyond the instrument's scale are rejected, never rounded",
  39: listed(ordStatuses.code),
  40: taken(ordTypes, { market: 'market: an IOC limit at the best opposite price and a collar' }),
  41: 'any ClOrdID of the chain of replaces',
  44: 'exact decimal on the tick; a price off the tick is rejected',
  48: "with 22=8: the venue's id, takes precedence over 55",
  54: taken(sides, { Bid: 'buy', Ask: 'sell' }),
  55: 'as in SecurityList(y), such as BTC-USDC',
  58: 'begins with the code in 9102',
  59: taken(lifetimes, {
    day: 'day, also if 59 is absent; see "Day orders" in the settings',
    gtc: 'good till canceled',
    ioc: 'immediate or cancel',
    fok: 'fill or kill',
    gtd: 'good till date',
  }),
  60: 'an order, replace or quote older than "Max order age" in the settings is rejected',
  77: taken(positionEffects, { open: 'no effect' }),
  97: 'a possible repeat is answered with the current state of its ClOrdID',
  99: 'the trigger price of a conditional order',
  111: 'below 38: an iceberg',
  117: 'at most 64 characters; new for each i and S of the session, also after a reject',
  126: `with 59=${lifetimes.code.gtd}; whole seconds`,
  150: `${listed(execTypes.code)}; order status with 9101=106: the outcome is not known yet; one final report follows`,
  263: taken(subscriptions),
  297: listed(quoteStatuses),
  298: taken(quoteCancelTypes, {
    instruments: 'quotes of the instruments listed',
    all: 'all quotes of the session',
  }),
  299: 'together with the instrument, identifies one slot per side; ClOrdID(11) of its orders is <117>.<302>.<299>.B or .S, with a number from 2 on appended if it is already in use',
  301: taken(quoteResponses, {
    none: 'no response',
    refusals: 'rejects only',
    all: 'all responses',
  }),
  326: listed(tradingStatuses),
  340: listed(sessionStatuses),
  378: `reason of an unsolicited change: ${listed(restatements.code)}`,
  432: `with 59=${lifetimes.code.gtd}: end of that day, UTC`,
  530: taken(massCancelTypes, scope),
  559: taken(securityListTypes, { instrument: 'one instrument', all: 'all instruments' }),
  585: taken(massStatusTypes, scope),
  847: taken(targetStrategies, { twap: 'TWAP', vwap: 'VWAP' }),
  848: 'slice_qty=…;interval_ms=…, the same as 9108 and 9109',
  924: taken(userRequests),
  9101: 'venue reject number, from the table of rejects',
  9102: 'code of the venue or the bridge, from the table of rejects',
  9103: `${oneOf(books)}, for event markets`,
  9104: `self-trade prevention: ${oneOf(stpModes)}; if absent, the session's mode applies`,
  9105: `overrides the direction implied by 40 and 54: ${oneOf(triggerDirections)}`,
  9106: `overrides the kind implied by 40 and 54: ${oneOf(conditionalKinds)}`,
  9107: oneOf(algoKinds),
  9108: 'size of a slice',
  9109: 'milliseconds between slices',
  9110: 'venue sequence number of the event behind this report',
  9111: 'whether the signed action consumed its nonce',
  9112: 'the order that this one replaced, or the parent algo of this slice',
  9113: 'which leg of a batch',
  9114: 'Y: reduce-only',
};
