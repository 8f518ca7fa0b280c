/**
 * What the contract lets a venue do otherwise than the sandbox does by default: the size of its window and whose nonces they
 * are, ids of legs, pages and seqs of events, the order of trades in receipts. The bridge is told all of it by the profile,
 * except that of receipts, and ids that are none of the documented ones (R10).
 */
import type { EmbeddedVenue } from '../../src/sandbox/embedded-venue.ts';
import type { Dice } from './dice.ts';
import type { FeedRules } from './venue-feed.ts';

const encodings = ['u32le', 'u32be', 'u64le', 'u64be', 'ascii'] as const;
/** With `prevSeq` and without it (R66). */
const countings = ['contiguous', 'global', 'unlinked'] as const;

export type VenueRules = ReturnType<typeof chooseRules>;

export const usualFeed: FeedRules = { isGlobal: false, hasPrevSeq: true, isNewestFirst: false };

/**
 * Two keys of an account share their nonces. A process that was replaced may send once more here, though its store would
 * not confirm that, and of another agent's nonces the stream proves nothing. An order whose ids nobody can derive is found
 * by the leg that its events name, and not in receipts.
 */
export function chooseRules(dice: Dice, habits: ReadonlySet<string>) {
  const isOneAgent = ['keys', 'takeovers', 'space'].some((habit) => habits.has(habit));
  const isByIdAlone = ['dialect', 'forgets'].some((habit) => habits.has(habit));
  const counting = dice.pick(countings);
  const scope = dice.hits(300) && !isOneAgent ? 'agent' : 'account';
  const step = scope === 'account' && dice.hits(300) ? 2 : 1;
  const offset = dice.below(step);
  const [actions, inFlight] = [dice.pick([2, 32]), dice.pick([1, 8])];
  const childIds = () => ({ base: dice.below(2), encoding: dice.pick(encodings) });
  const profile: Readonly<Record<string, object>> = {
    nonce: {
      scope,
      stride: { offset, step },
      window: dice.pick([16, 64, 256]),
      discovery: dice.pick(['hash_route', step > 1 ? 'hash_route' : 'first_reject']),
      nestedTrigger: dice.pick(['consumed_on_store', 'consumed_on_store', 'holds_floor']),
    },
    orderId: { leg: childIds(), algoChild: childIds() },
    types: { expiresAt: dice.pick(['unix_ms', 'unix_s', 'rfc3339']) },
    input: { names: dice.pick(['documented', 'canonical']) },
    gapFill: { use: dice.pick(['fromSeq', 'cursor']), limit: dice.pick([3, 40, 1_000]) },
    quotes: { skipUnchanged: dice.hits(500) },
    signing: { vEncoding: dice.pick(['0/1', '27/28']), goldenVectors: [] },
    variants: { bookOnSpot: dice.pick(['null', 'omit']) },
    resultMode: { mode: dice.pick(['ack', 'durable', 'full']) },
    limits: { batch: { jsonEnabled: true, actions, legs: dice.pick([4, 32]), inFlight } },
    stp: { default: dice.pick(['cancel_maker', 'cancel_taker', 'reject', 'skip_self']) },
    conditional: { maxPerAccount: dice.pick([2, 32]) },
    marketOrder: { acceptPrice: dice.hits(500) },
    amend: { strictPriority: dice.hits(300) },
    stream: { seqModel: counting === 'contiguous' ? 'contiguous' : 'global' },
  };
  const feed: FeedRules = {
    isGlobal: counting !== 'contiguous',
    hasPrevSeq: counting !== 'unlinked',
    isNewestFirst: dice.hits(500),
  };
  return { profile, feed, offset, scope, step, hasOtherIds: dice.hits(200) && !isByIdAlone };
}

/** Figures of the venue, and of the bridge's way to it, that no rule of the contract names. */
export function chooseFigures(dice: Dice): Readonly<Record<string, unknown>> {
  const [firstMs, maxMs] = dice.pick([
    [10, 100],
    [250, 5_000],
    [1_000, 60_000],
  ] as const);
  const [caps, far] = [dice.hits(500), 5_000];
  return {
    localChecks: dice.hits(500),
    http: { timeoutMs: dice.pick([700, 5_000, 20_000]), connections: dice.pick([1, 2, 8]) },
    backoff: { firstMs, maxMs },
    idempotency: { lifetimeMs: dice.pick([2_000, 86_400_000]) },
    gate: { goodPolls: dice.pick([1, 4]), goodPollApartMs: dice.pick([1, 3_000]) },
    marketOrder: { collarBps: dice.pick([20, 500, 5_000]) },
    fees: { takerBps: dice.pick([0, 5, 250]), makerBps: dice.pick([0, -2, 30]) },
    ...(caps && {
      limits: {
        caps: {
          openOrders: dice.pick([8, 40, far]),
          openOrdersPerMarket: dice.pick([4, 30, far]),
          ordersPerLevel: dice.pick([1, 5, far]),
          levelsPerSide: dice.pick([2, 20, far]),
        },
      },
    }),
  };
}

/** The legs of a quote have ids that no profile can express. */
export function giveOtherIds({ state: { ids } }: EmbeddedVenue): void {
  const { legId } = ids;
  Object.assign(ids, { legId: (text: string, index: number) => legId(text, index + 1_000) });
}
