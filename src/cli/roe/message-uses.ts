/**
 * The sender and purpose of each message, and the fields that have an effect in it (contract C and D). Other fields of
 * the dictionary are allowed without effect.
 */
import type { SessionConfig } from '../../gateway/config/config.ts';
import { givenBackTags } from '../../mapping/fix/client-fields.ts';

type Role = SessionConfig['role'];
type Action = SessionConfig['actions'][number];

/** The sessions that use a message. */
interface Peers {
  readonly roles: readonly Role[];
  /** The session must have one of these actions. */
  readonly actions?: readonly Action[];
}

export interface MessageUse extends Peers {
  readonly msgType: string;
  readonly from: 'client' | 'bridge';
  readonly purpose: string;
  /** Tags in reading order; `all` if every field of the dictionary has a meaning. */
  readonly tags: readonly number[] | 'all';
}

const lists: Readonly<Record<string, readonly number[]>> = {
  instrument: [55, 48, 22, 9103],
  terms: [54, 38, 111, 40, 44, 99, 15, 59, 432, 126, 18, 77, 9104, 9114],
  strategy: [847, 848, 9107, 9108, 9109, 9105, 9106],
  twoSides: [132, 133, 134, 135],
  orderState: [54, 38, 40, 44, 99, 59, 18, 126, 32, 31, 851, 151, 14, 6, 60, 136, 137, 138, 139],
  report: [37, 198, 11, 41, 17, 19, 150, 39, 378, 103, 1],
  venue: [9101, 9102, 9110, 9111, 9112, 9113],
  refusal: [58, 9101, 9102],
  given: givenBackTags,
};

/** `tags` are numbers and names of the lists above, or `all`. */
type Row = readonly [msgType: string, purpose: string, tags: string];

function uses(from: MessageUse['from'], peers: Peers, rows: readonly Row[]): MessageUse[] {
  return rows.map(([msgType, purpose, tags]) => {
    return { msgType, from, ...peers, purpose, tags: tagsOf(tags) };
  });
}

function tagsOf(text: string): MessageUse['tags'] {
  return text === 'all' ? text : text.split(' ').flatMap((word) => lists[word] ?? Number(word));
}

const trading: Peers = { roles: ['order-entry'] };
const quoting: Peers = { ...trading, actions: ['quote'] };
const asking: Peers = { roles: ['order-entry', 'market-data'] };
const copying: Peers = { roles: ['drop-copy'] };
const reporting: Peers = { roles: ['order-entry', 'drop-copy'] };
const everybody: Peers = { roles: ['order-entry', 'market-data', 'drop-copy'] };

export const messageUses: readonly MessageUse[] = [
  ...uses('client', trading, [
    ['D', 'a new order', '11 1 instrument terms 60 strategy given'],
    ['G', 'change price, quantity or expiry of an order', '41 37 11 1 instrument terms 60 given'],
    ['F', 'cancel an order', '41 37 11 1 instrument 54 60'],
    ['q', 'cancel all orders, or those of one instrument', '11 530 instrument 54 60'],
    ['H', 'the state of one order', '790 11 37 1 instrument 54'],
    ['AF', 'the state of all open orders', '584 585 1 instrument'],
  ]),
  ...uses('client', quoting, [
    [
      'i',
      'quotes for several instruments, set by set',
      '117 301 1 293 294 296 302 304 295 299 instrument twoSides',
    ],
    ['S', 'one two-sided quote', '117 301 1 instrument twoSides'],
    ['Z', 'withdraw quotes', '117 298 301 1 295 instrument'],
  ]),
  ...uses('client', asking, [
    ['x', 'the list of instruments', '320 559 instrument'],
    ['e', 'whether an instrument trades', '324 263 instrument'],
    ['g', 'whether the venue takes orders', '335 263'],
    ['V', 'the order book, once or as it changes', '262 263 264 265 266 267 269 146 instrument'],
    ['BE', 'whether a user is logged on', '923 924 553'],
  ]),
  ...uses('client', copying, [
    ['AD', 'trades again', 'all'],
    ['AR', 'whether the reader has taken a trade', '571 150 939 751 17 55 48 22 58'],
    ['UR', 'earlier copies again', 'all'],
    ['UK', 'the reader has read the copies up to here', 'all'],
  ]),
  ...uses('bridge', reporting, [
    ['8', 'the state of an order, or a trade', 'report instrument orderState given venue'],
  ]),
  ...uses('bridge', trading, [
    ['9', 'a cancel or a change was refused', '37 11 41 39 434 102 1 60 refusal 9111'],
    ['r', 'the result of a mass cancel', '11 37 530 531 532 533 60 58 9101'],
    [
      'b',
      'the result of a mass quote or a quote cancel',
      '117 297 300 1 296 302 295 299 368 refusal',
    ],
    ['AI', 'the state of a quote', '117 297 instrument refusal'],
  ]),
  ...uses('bridge', asking, [
    [
      'y',
      'the instruments with tick, lot and currency',
      '320 322 560 393 893 146 instrument 167 541 107 15 561 58',
    ],
    ['f', 'whether an instrument trades', '324 325 326 instrument 60 58'],
    ['h', 'whether the venue takes orders', '335 336 325 340 567 58'],
    ['W', 'an order book, at most 7,500 levels of a side', '262 instrument 268 269 270 271 290'],
    ['Y', 'a market data request was refused', '262 281 58'],
    ['BF', 'the status of a user', '923 553 926 927'],
  ]),
  ...uses('bridge', everybody, [
    ['B', 'news of the operator', '148 33 58'],
    ['j', 'a request that is not served', '45 372 379 380 refusal'],
  ]),
  ...uses('bridge', copying, [
    ['AE', 'a trade', 'all'],
    ['AQ', 'the answer to a request for trades', '568 749 750 58'],
    ['UA', 'the answer to a request for copies', 'all'],
    ['UT', 'the totals of a day', 'all'],
    ['UO', "a client's request, unchanged", 'all'],
  ]),
];

export function usesOf({ role, actions }: SessionConfig): readonly MessageUse[] {
  return messageUses.filter(
    ({ roles, actions: needs }) =>
      roles.includes(role) && (needs === undefined || needs.some((one) => actions.includes(one))),
  );
}
