/**
 * What the bridge makes of a field where the standard leaves it open. Every list of codes here is written from the table
 * by which the bridge reads or writes the field, so a counterparty can never be given another meaning.
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

/** Codes with their meaning, `1 buy, 2 sell`; a meaning is the code's own word unless a better one is given. */
function listed<Word extends string>(
  code: Readonly<Record<Word, string | number>>,
  wording: Wording<Word> = {},
): string {
  return (Object.keys(code) as Word[])
    .map((word) => `${code[word]} ${wording[word] ?? word.replaceAll('_', ' ')}`)
    .join(', ');
}

/** As above, for a field that a client sends. */
function taken<Word extends string>(
  { code }: { readonly code: Readonly<Record<Word, string>> },
  wording: Wording<Word> = {},
): string {
  return `${listed(code, wording)}; any other value is refused`;
}

/** For a field whose values are words. */
const oneOf = ({ code }: { readonly code: object }) => Object.values(code).join(', ');

const scope = { instrument: 'orders of one instrument', all: 'all orders of the session' };

export const fieldNotes: Readonly<Record<number, string>> = {
  1: 'alias of the account; may be left out where the session has one account',
  6: 'average price over all fills, exact',
  11: 'at most 64 characters, new for each request of the session',
  17: 'made from the account and the sequence of the venue: a repeat has the same one',
  18: taken(execInsts, { not_held: 'no effect', held: 'no effect' }),
  22: '8 with 48',
  37: 'the id that the venue derives from the signed action',
  38: 'exact decimal; a digit beyond the scale of the instrument is refused, never rounded',
  39: listed(ordStatuses.code),
  40: taken(ordTypes, { market: 'market: an IOC limit at the best opposite price and a collar' }),
  41: 'any ClOrdID of the chain of replaces',
  44: 'exact decimal on the tick; off the tick is refused',
  48: 'with 22=8: the id of the venue, outranks 55',
  54: taken(sides, { Bid: 'buy', Ask: 'sell' }),
  55: 'as in SecurityList(y), such as BTC-USDC',
  58: 'begins with the code that 9102 has',
  59: taken(lifetimes, {
    day: 'day, which an absent 59 means too: by the setting dayOrders of the session',
    gtc: 'good till canceled',
    ioc: 'immediate or cancel',
    fok: 'fill or kill',
    gtd: 'good till date',
  }),
  60: 'an order older than maxOrderAgeMs is refused',
  77: taken(positionEffects, { open: 'no effect' }),
  97: 'a request that may be a repeat is answered from what is known of its ClOrdID',
  99: 'the price at which conditional orders fire',
  111: 'below 38: an iceberg',
  126: `with 59=${lifetimes.code.gtd}; whole seconds`,
  150: `${listed(execTypes.code)}; order status with 9101=106: the outcome is not known yet, exactly one true report follows`,
  263: taken(subscriptions),
  297: listed(quoteStatuses),
  298: taken(quoteCancelTypes, {
    instruments: 'quotes of the instruments listed',
    all: 'all quotes of the session',
  }),
  299: 'with the instrument it names one slot a side; reports call its orders <117>.<302>.<299>.B or .S, with a number from 2 on where that ClOrdID(11) is used already',
  301: taken(quoteResponses, { none: 'no answer', refusals: 'refusals only', all: 'every answer' }),
  326: listed(tradingStatuses),
  340: listed(sessionStatuses),
  378: `why an order changed that nobody asked to change: ${listed(restatements.code)}`,
  432: `with 59=${lifetimes.code.gtd}: end of that day, UTC`,
  530: taken(massCancelTypes, scope),
  559: taken(securityListTypes, { instrument: 'one instrument', all: 'all instruments' }),
  585: taken(massStatusTypes, scope),
  847: taken(targetStrategies, { twap: 'TWAP', vwap: 'VWAP' }),
  848: 'slice_qty=…;interval_ms=…, the same as 9108 and 9109',
  924: taken(userRequests),
  9101: 'number of the venue, from the table of rejects',
  9102: 'code of the venue or of the bridge, from the table of rejects',
  9103: `${oneOf(books)}, of event markets`,
  9104: `self-trade prevention: ${oneOf(stpModes)}; absent: the mode of the session`,
  9105: `overrules the direction that 40 and 54 give: ${oneOf(triggerDirections)}`,
  9106: `overrules the kind that 40 and 54 give: ${oneOf(conditionalKinds)}`,
  9107: oneOf(algoKinds),
  9108: 'size of a slice',
  9109: 'milliseconds between slices',
  9110: 'sequence of the venue that this report is made from',
  9111: 'whether the signed action used up its nonce',
  9112: 'the order that this one replaced, or the algo that it is a slice of',
  9113: 'which leg of a batch',
  9114: 'Y reduces only',
};
