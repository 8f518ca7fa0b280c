/**
 * Who sends which message to what end, and the fields that say something in it (contract C and D). What the
 * dictionary allows beside them may stand in a message and changes nothing.
 */
import type { SessionConfig } from '../../gateway/config.ts';
import { givenBackTags } from '../../mapping/fix/client-fields.ts';

type Role = SessionConfig['role'];
type Action = SessionConfig['actions'][number];

type Tags = readonly number[] | 'all';

export interface MessageUse {
  readonly msgType: string;
  readonly from: 'client' | 'bridge';
  readonly roles: readonly Role[];
  /** One of these must be among the session's actions. */
  readonly actions?: readonly Action[];
  readonly purpose: string;
  /** Tags in the order in which one reads them; all of the dictionary where all say something. */
  readonly tags: Tags;
}

const trading: readonly Role[] = ['order-entry'];
const asking: readonly Role[] = ['order-entry', 'market-data'];
const copying: readonly Role[] = ['drop-copy'];
const quoting: readonly Action[] = ['quote'];
const instrument = [55, 48, 22, 9103] as const;
const terms = [54, 38, 111, 40, 44, 99, 15, 59, 432, 126, 18, 77, 9104, 9114] as const;
const strategy = [847, 848, 9107, 9108, 9109, 9105, 9106] as const;
const venue = [9101, 9102, 9110, 9111, 9112, 9113] as const;

function client(
  msgType: string,
  roles: readonly Role[],
  purpose: string,
  tags: Tags,
  actions?: readonly Action[],
): MessageUse {
  return { msgType, from: 'client', roles, purpose, tags, ...(actions && { actions }) };
}

function bridge(msgType: string, roles: readonly Role[], purpose: string, tags: Tags): MessageUse {
  return { msgType, from: 'bridge', roles, purpose, tags };
}

export const messageUses: readonly MessageUse[] = [
  client('D', trading, 'a new order', [
    11,
    1,
    ...instrument,
    ...terms,
    60,
    ...strategy,
    ...givenBackTags,
  ]),
  client('G', trading, 'change price, quantity or expiry of an order', [
    41,
    37,
    11,
    1,
    ...instrument,
    ...terms,
    60,
    ...givenBackTags,
  ]),
  client('F', trading, 'cancel an order', [41, 37, 11, 1, ...instrument, 54, 60]),
  client('q', trading, 'cancel all orders, or those of one instrument', [
    11,
    530,
    ...instrument,
    54,
    60,
  ]),
  client('H', trading, 'the state of one order', [790, 11, 37, 1, ...instrument, 54]),
  client('AF', trading, 'the state of all open orders', [584, 585, 1, ...instrument]),
  client(
    'i',
    trading,
    'quotes for several instruments, set by set',
    [117, 301, 1, 296, 302, 304, 295, 299, 132, 133, 134, 135],
    quoting,
  ),
  client(
    'S',
    trading,
    'one two-sided quote',
    [117, 301, 1, ...instrument, 132, 133, 134, 135],
    quoting,
  ),
  client('Z', trading, 'withdraw quotes', [117, 298, 301, 1, 295, ...instrument], quoting),
  client('x', asking, 'the list of instruments', [320, 559, ...instrument]),
  client('e', asking, 'whether an instrument trades', [324, 263, ...instrument]),
  client('g', asking, 'whether the venue takes orders', [335, 263]),
  client('V', asking, 'the order book, once or as it changes', [
    262,
    263,
    264,
    265,
    266,
    267,
    269,
    146,
    ...instrument,
  ]),
  client('BE', asking, 'whether a user is logged on, or a new password', [923, 924, 553]),
  client('AD', copying, 'trades again', 'all'),
  client('AR', copying, 'that a trade was taken, or not', [571, 150, 939, 751, 17, 55, 48, 22, 58]),
  client('UR', copying, 'copies again, from a position on', 'all'),
  client('UK', copying, 'what was read, where the reader acknowledges itself', 'all'),
  bridge('8', ['order-entry', 'drop-copy'], 'what became of an order', [
    37,
    198,
    11,
    41,
    17,
    19,
    150,
    39,
    378,
    103,
    1,
    ...instrument,
    54,
    38,
    40,
    44,
    99,
    59,
    18,
    126,
    32,
    31,
    851,
    151,
    14,
    6,
    60,
    136,
    137,
    138,
    139,
    ...givenBackTags,
    ...venue,
  ]),
  bridge(
    '9',
    trading,
    'a cancel or a change was refused',
    [37, 11, 41, 39, 434, 102, 1, 60, 58, 9101, 9102, 9111],
  ),
  bridge('r', trading, 'what became of a mass cancel', [11, 37, 530, 531, 532, 533, 60, 58, 9101]),
  bridge(
    'b',
    trading,
    'what became of a mass quote or a quote cancel',
    [117, 297, 300, 1, 296, 302, 295, 299, 368, 58, 9101, 9102],
  ),
  bridge('AI', trading, 'what became of a quote', [117, 297, ...instrument, 58, 9101, 9102]),
  bridge('y', asking, 'the instruments with tick, lot and currency', [
    320,
    322,
    560,
    393,
    893,
    146,
    ...instrument,
    167,
    541,
    107,
    15,
    561,
    58,
  ]),
  bridge('f', asking, 'whether an instrument trades', [324, 325, 326, ...instrument, 60, 58]),
  bridge('h', asking, 'whether the venue takes orders', [335, 336, 325, 340, 567, 58]),
  bridge('W', asking, 'an order book', [262, ...instrument, 268, 269, 270, 271, 290]),
  bridge('Y', asking, 'a book that is not given', [262, 281, 58, 9101, 9102]),
  bridge('BF', asking, 'about a user', [923, 553, 926, 927]),
  bridge('B', ['order-entry', 'market-data', 'drop-copy'], 'news of the operator', [148, 33, 58]),
  bridge(
    'j',
    ['order-entry', 'market-data', 'drop-copy'],
    'a request that is not served',
    [45, 372, 379, 380, 58, 9101, 9102],
  ),
  bridge('AE', copying, 'a trade', 'all'),
  bridge('AQ', copying, 'the answer to a request for trades', [568, 749, 750, 58]),
  bridge('UA', copying, 'the answer to a request for copies', 'all'),
  bridge('UT', copying, 'the totals of a day', 'all'),
  bridge('UO', copying, 'what a client asked, as it came', 'all'),
];

export function usesOf({ role, actions }: SessionConfig): readonly MessageUse[] {
  return messageUses.filter(
    ({ roles, actions: needs }) =>
      roles.includes(role) && (needs === undefined || needs.some((one) => actions.includes(one))),
  );
}
