import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type AllocatorOptions,
  journaledDigests,
  NonceAllocator,
  type NonceAnswer,
} from '../../src/signer/nonce-allocator.ts';
import { defaultNonceRules } from '../../src/signer/nonce-window.ts';
import { MemoryStore } from '../../src/store/memory-store.ts';
import { ModelWindow } from './model-window.ts';

const account = `0x${'1'.repeat(40)}`;
const open = (store: MemoryStore, options?: AllocatorOptions) =>
  NonceAllocator.open(store, account, options);

async function opened(options?: AllocatorOptions): Promise<NonceAllocator> {
  const allocator = await open(new MemoryStore(), options);
  allocator.discovered(0, 256);
  return allocator;
}

function take(allocator: NonceAllocator, purpose: 'place' | 'cancel' = 'place') {
  const reservation = allocator.reserve(purpose);
  if (reservation === undefined) throw new Error('no nonce is open');
  return reservation;
}

const refused = (code: string, more: Partial<NonceAnswer> = {}): NonceAnswer => ({
  outcome: 'refused',
  code,
  isResend: false,
  nonceConsumed: null,
  nextUsableNonce: null,
  nonceFloor: null,
  nonceWindow: null,
  ...more,
});
const accepted: NonceAnswer = { ...refused(''), outcome: 'accepted', code: null };

test('R24: a nonce that was durable before a crash is not given out again', async () => {
  const store = new MemoryStore();
  const first = await open(store);
  first.discovered(5);
  const taken = [take(first).nonce, take(first).nonce];
  await first.flush();
  const second = await open(store);
  expect(taken).toEqual([5, 6]);
  expect(take(second).nonce).toBe(7);
  expect(second.state(5)).toBe('unknown');
});

test('a nonce that the signer holds for another action goes to a filler, the action to a fresh one', async () => {
  const allocator = await opened();
  const { nonce } = take(allocator);
  const digest = 'ab'.repeat(32);
  allocator.signedForAnother(nonce, digest);
  allocator.neverSent(nonce);
  expect(take(allocator).nonce).toBe(nonce + 1);
  expect(allocator.reserveHole(nonce).supersedes).toEqual({ digest, proof: 'refused' });
});

test('after a start what nobody will hear of again is given to fillers', async () => {
  const store = new MemoryStore();
  const first = await open(store);
  first.discovered(0);
  const underWay = take(first).nonce;
  const forgotten = take(first).nonce;
  const pair = first.reservePair();
  if (pair === undefined || pair === 'refused') throw new Error('no pair');
  await first.flush();
  const second = await open(store);
  second.restored(new Set([underWay, pair.outer.nonce]));
  second.applied(underWay);
  second.applied(pair.outer.nonce);
  expect(second.floor).toBe(forgotten);
  expect(second.reserveHole(forgotten).nonce).toBe(forgotten);
  second.consumed(forgotten);
  expect(second.floor).toBe(pair.outer.nonce + 1);
});

test('two owners of one journal: the second append fails', async () => {
  const store = new MemoryStore();
  const [one, two] = [await open(store), await open(store)];
  one.discovered(5);
  two.discovered(5);
  await one.flush();
  await expect(two.flush()).rejects.toThrow('another owner appended');
});

test('a start from a snapshot knows what a start from the whole journal knows', async () => {
  const store = new MemoryStore();
  const first = await open(store);
  first.discovered(0);
  for (let round = 0; round < 2000; round += 1) {
    const { nonce } = take(first);
    first.sent(nonce);
    first.consumed(nonce);
    await first.flush();
  }
  take(first);
  await first.flush();
  expect(await store.snapshot(`nonces/${account}`)).toBeDefined();
  const second = await open(store);
  expect(second.floor).toBe(2000);
  expect(second.state(2000)).toBe('unknown');
});

test('the journal does not grow with the orders: what two snapshots cover is dropped, over a restart too', async () => {
  const store = new MemoryStore();
  let allocator = await open(store);
  allocator.discovered(0);
  const kept = async () => (await store.read(`nonces/${account}`, 0, 1e6)).length;
  const most: number[] = [];
  for (let round = 0; round < 12_000; round += 1) {
    const { nonce } = take(allocator);
    allocator.sent(nonce);
    allocator.consumed(nonce);
    await allocator.flush();
    if (round % 3000 !== 2999) continue;
    most.push(await kept());
    allocator = await open(store);
    allocator.restored(new Set());
  }
  expect(Math.max(...most)).toBeLessThan(4_000);
  expect(allocator.floor).toBe(12_000);
});

test('a journal that cannot be read refuses to start and names the record', async () => {
  const store = new MemoryStore();
  const payload = Buffer.from('[{"kind":"sent","nonce":-1}]');
  await store.commit([{ kind: 'append', stream: `nonces/${account}`, expected: 0, payload }]);
  await expect(open(store)).rejects.toThrow(`nonces/${account}, record 1`);
});

test.each(['nonce_below_floor', 'nonce_mismatch'])(
  'R26: after %s the allocator goes on from the floor of the answer',
  async (code) => {
    const allocator = await opened();
    const { nonce } = take(allocator);
    const word = { nonceFloor: 40, nonceWindow: 256, nextUsableNonce: 40 };
    allocator.answered(nonce, refused(code, word));
    expect(take(allocator).nonce).toBe(40);
  },
);

test.each(['nonce_below_floor', 'nonce_replayed'])(
  'R27: after %s on a first send the same nonce is not given out again',
  async (code) => {
    const allocator = await opened();
    const { nonce } = take(allocator);
    allocator.answered(nonce, refused(code, { nonceFloor: 0, nonceWindow: 256 }));
    for (let more = 0; more < 100; more += 1) expect(take(allocator).nonce).not.toBe(nonce);
  },
);

test('R28: a refusal of a resend leaves the nonce unknown, because the first send may be applied', async () => {
  const allocator = await opened();
  const { nonce } = take(allocator);
  allocator.sent(nonce);
  allocator.answered(nonce, { ...refused(''), outcome: 'unknown', code: null });
  allocator.answered(nonce, refused('nonce_replayed', { isResend: true }));
  expect(allocator.state(nonce)).toBe('unknown');
  expect(allocator.demands()).toEqual([]);
  allocator.consumed(nonce);
  expect(allocator.floor).toBe(nonce + 1);
});

test('R29: with 256 nonces in flight the 257th action waits until the floor moves', async () => {
  const rules = { ...defaultNonceRules, cancelReserve: 0 };
  const allocator = await opened({ rules });
  for (let taken = 0; taken < 256; taken += 1) allocator.sent(take(allocator).nonce);
  expect(allocator.reserve('cancel')).toBeUndefined();
  allocator.consumed(0);
  expect(take(allocator).nonce).toBe(256);
});

test('R31: nonceConsumed null is not read as reusable, false is', async () => {
  const allocator = await opened();
  const silent = take(allocator).nonce;
  allocator.answered(silent, refused('insufficient_balance'));
  expect(allocator.state(silent)).toBe('unknown');
  const told = take(allocator).nonce;
  allocator.signed(told, 'cd'.repeat(32));
  allocator.answered(told, refused('rate_limited', { nonceConsumed: false }));
  expect(take(allocator)).toEqual({
    nonce: told,
    supersedes: { digest: 'cd'.repeat(32), proof: 'not_consumed' },
  });
});

test('R31: an acceptance does not move the floor, the word of consumption does', async () => {
  const allocator = await opened();
  const { nonce } = take(allocator);
  allocator.sent(nonce);
  allocator.answered(nonce, accepted);
  expect(allocator.floor).toBe(0);
  allocator.answered(nonce, { ...accepted, nonceConsumed: true });
  expect(allocator.floor).toBe(1);
});

test('what is known already is not recorded again, whether event or answer came first', async () => {
  const allocator = await opened();
  for (const isEventFirst of [true, false]) {
    const { nonce } = take(allocator);
    const answer = () => allocator.answered(nonce, { ...accepted, nonceConsumed: true });
    const event = () => allocator.applied(nonce);
    allocator.sent(nonce);
    for (const word of isEventFirst ? [event, answer] : [answer, event]) {
      allocator.writes();
      word();
    }
    expect(allocator.writes()).toEqual([]);
    expect(allocator.floor).toBe(nonce + 1);
  }
});

test('R33: a foreign writer is survived: alarm, and the next nonce is a fresh one', async () => {
  const allocator = await opened();
  const { nonce } = take(allocator);
  allocator.answered(nonce, refused('nonce_replayed', { nonceFloor: 0, nonceWindow: 256 }));
  expect(allocator.demands()).toContainEqual({ kind: 'alarm', alarm: 'foreign_writer', nonce });
  expect(take(allocator).nonce).toBe(nonce + 1);
});

test('R34: a stored conditional does not jam the window: 300 later actions pass', async () => {
  const allocator = await opened();
  const pair = allocator.reservePair();
  if (pair === undefined || pair === 'refused') throw new Error('no pair');
  expect(pair.nested.nonce).toBe(pair.outer.nonce - 1);
  allocator.sent(pair.outer.nonce);
  allocator.applied(pair.outer.nonce);
  for (let later = 0; later < 300; later += 1) allocator.consumed(take(allocator).nonce);
  expect(allocator.floor).toBe(302);
});

test('G20: where a nested order would hold the floor, conditionals are refused', async () => {
  const allocator = await opened({ nestedTrigger: 'holds_floor' });
  expect(allocator.reservePair()).toBe('refused');
});

test('a conditional that the engine refused gives its nested nonce back', async () => {
  const allocator = await opened();
  const pair = allocator.reservePair();
  if (pair === undefined || pair === 'refused') throw new Error('no pair');
  allocator.signed(pair.nested.nonce, 'cd'.repeat(32));
  allocator.consumed(pair.outer.nonce);
  expect(take(allocator)).toEqual({
    nonce: pair.nested.nonce,
    supersedes: { digest: 'cd'.repeat(32), proof: 'not_consumed' },
  });
});

test('a refused conditional gives both nonces back', async () => {
  const allocator = await opened();
  const pair = allocator.reservePair();
  if (pair === undefined || pair === 'refused') throw new Error('no pair');
  allocator.answered(pair.outer.nonce, refused('rate_limited', { nonceConsumed: false }));
  expect([take(allocator).nonce, take(allocator).nonce]).toEqual([0, 1]);
});

test('R25: without discovery the start guesses 1, and 0 is used once the venue has stated it', async () => {
  const allocator = await open(new MemoryStore(), { discovery: 'first_reject' });
  const { nonce } = take(allocator);
  expect(nonce).toBe(1);
  allocator.answered(nonce, { ...accepted, nonceFloor: 0, nonceWindow: 256 });
  expect(take(allocator).nonce).toBe(0);
});

/** One action on its way: reserved, then sent with one of the fates that the venue or the net may give it. */
const fate = fc.record({
  purpose: fc.constantFrom('place' as const, 'cancel' as const),
  end: fc.constantFrom(
    ...(['applied', 'lost_before', 'lost_after', 'never_sent', 'turned_away', 'mute'] as const),
  ),
  foreign: fc.integer({ min: 0, max: 19 }).map((dice) => dice === 0),
  crash: fc.integer({ min: 0, max: 29 }).map((dice) => dice === 0),
});

test('R22 R24 R29 R30: against any fate of actions no nonce is used twice and the account never jams', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fate, { minLength: 60, maxLength: 400, size: 'max' }),
      async (fates) => {
        const rules = { ...defaultNonceRules, window: 32, cancelReserve: 4, fillAbove: 20 };
        const venue = new ModelWindow(32);
        const store = new MemoryStore();
        let allocator = await open(store, { rules });
        allocator.discovered(venue.floor, 32);
        const lost = new Map<number, string>();
        for (const [index, { purpose, end, foreign, crash }] of fates.entries()) {
          if (foreign) venue.consumeLowest();
          const reservation = allocator.reserve(purpose) ?? settle(allocator, venue, lost, purpose);
          await allocator.flush();
          allocator.sent(reservation.nonce);
          const name = `action ${index}`;
          play(allocator, venue, reservation.nonce, name, end, lost);
          if (crash) {
            allocator = await open(store, { rules });
            allocator.discovered(venue.floor, 32);
            lost.set(reservation.nonce, name);
          }
        }
        expect(venue.faults).toEqual([]);
      },
    ),
    { numRuns: 50 },
  );
});

function play(
  allocator: NonceAllocator,
  venue: ModelWindow,
  nonce: number,
  name: string,
  end: string,
  lost: Map<number, string>,
): void {
  const unknown: NonceAnswer = { ...refused(''), outcome: 'unknown', code: null };
  switch (end) {
    case 'never_sent':
      allocator.neverSent(nonce);
      return;
    case 'lost_after':
      venue.submit(nonce, name);
      allocator.answered(nonce, unknown);
      lost.set(nonce, name);
      return;
    case 'lost_before':
      allocator.answered(nonce, unknown);
      lost.set(nonce, name);
      return;
    case 'turned_away':
      allocator.answered(nonce, refused('rate_limited', { nonceConsumed: false }));
      return;
    case 'mute':
      allocator.answered(nonce, refused('insufficient_balance'));
      return;
    default:
      answer(allocator, venue, nonce, name);
  }
}

function answer(allocator: NonceAllocator, venue: ModelWindow, nonce: number, name: string): void {
  const code = venue.submit(nonce, name);
  if (code === null) {
    allocator.answered(nonce, accepted);
    allocator.consumed(nonce);
    return;
  }
  const word = { nonceFloor: venue.floor, nonceWindow: 32, nonceConsumed: false as const };
  allocator.answered(nonce, refused(code, word));
}

/** No nonce is open: what the owner does on its turns, until there is one again. */
function settle(
  allocator: NonceAllocator,
  venue: ModelWindow,
  lost: Map<number, string>,
  purpose: 'place' | 'cancel',
) {
  for (let turn = 0; turn < 50; turn += 1) {
    for (const demand of allocator.demands()) {
      if (demand.kind === 'discover') allocator.discovered(venue.floor, 32);
      if (demand.kind === 'reconcile') {
        const name = lost.get(demand.nonce);
        if (name !== undefined && venue.isApplied(name)) allocator.consumed(demand.nonce);
        else allocator.dead(demand.nonce);
      }
      if (demand.kind === 'fill') {
        const { nonce } = allocator.reserveHole(demand.nonce);
        allocator.sent(nonce);
        answer(allocator, venue, nonce, `filler ${nonce} ${turn}`);
      }
    }
    const reservation = allocator.reserve(purpose);
    if (reservation !== undefined) return reservation;
  }
  throw new Error(`jammed at floor ${allocator.floor}, the venue's is ${venue.floor}`);
}

test('the journal tells the last digest of each nonce, also of those that a snapshot has left behind', async () => {
  const store = new MemoryStore();
  const allocator = await open(store);
  allocator.discovered(0, 256);
  for (let nonce = 0; nonce < 3_000; nonce += 1) {
    take(allocator);
    allocator.signed(nonce, Buffer.alloc(32, nonce).toString('hex'));
    allocator.applied(nonce);
    await allocator.flush();
  }
  const { nonce } = take(allocator);
  allocator.signed(nonce, 'aa'.repeat(32));
  allocator.neverSent(nonce);
  take(allocator);
  allocator.signed(nonce, 'bb'.repeat(32));
  await allocator.flush();
  const digests = await journaledDigests(store, account);
  expect(digests.size).toBeGreaterThan(1_000);
  expect(digests.get(2_999)).toBe(Buffer.alloc(32, 2_999).toString('hex'));
  expect(digests.get(nonce)).toBe('bb'.repeat(32));
});

test('the journal tells the digest of an open nonce also when its records are gone', async () => {
  const store = new MemoryStore();
  const allocator = await open(store);
  allocator.discovered(0, 256);
  const { nonce } = take(allocator);
  allocator.signed(nonce, 'cc'.repeat(32));
  for (let count = 0; count < 10_000; count += 1) {
    allocator.discovered(0, 256);
    await allocator.flush();
  }
  const [oldest] = await store.read(`nonces/${account}`, 0, 1);
  expect(oldest?.position).toBeGreaterThan(1);
  expect((await journaledDigests(store, account)).get(nonce)).toBe('cc'.repeat(32));
});

test('a nonce that was given back while its action still counts as sent is not given out again', async () => {
  const store = new MemoryStore();
  const first = await open(store);
  first.discovered(0, 256);
  const { nonce } = take(first);
  first.signed(nonce, '01'.repeat(32));
  first.neverSent(nonce);
  await first.flush();
  const second = await open(store);
  second.restored(new Set([nonce]));
  expect([second.state(nonce), take(second).nonce]).toEqual(['unknown', nonce + 1]);
});
