/** Errands against the embedded venue, without a socket between. */
import { expect, test } from 'vitest';
import type { CancelIntent, Intent, PlaceIntent } from '../../src/domain/intent.ts';
import type { Outcome } from '../../src/domain/transition.ts';
import type { Account, MarketId, OrderId, Price, Qty } from '../../src/domain/units.ts';
import { Errands } from '../../src/gateway/errands.ts';
import { Hops } from '../../src/gateway/hops.ts';
import { nobody } from '../../src/gateway/observer.ts';
import { ManualClock } from '../../src/runtime/clock.ts';
import { createVenue, type EmbeddedVenue } from '../../src/sandbox/embedded-venue.ts';
import { referenceBlake3 } from '../../src/signer/blake3.ts';
import { CanonicalEncoder } from '../../src/signer/canonical.ts';
import { Derivation } from '../../src/signer/digest.ts';
import { DigestLedger } from '../../src/signer/digest-ledger.ts';
import { NonceAllocator } from '../../src/signer/nonce-allocator.ts';
import { refusal, type SignRefusal } from '../../src/signer/signer.ts';
import { SignerCore } from '../../src/signer/signer-core.ts';
import type { SigningContract } from '../../src/signer/signing-contract.ts';
import { MemoryStore } from '../../src/store/memory-store.ts';
import { Turns } from '../../src/store/turns.ts';
import type { HttpRequest } from '../../src/venue/http-client.ts';
import { Pacer } from '../../src/venue/pacer.ts';
import { RequestAuth } from '../../src/venue/request-auth.ts';
import { Submitter } from '../../src/venue/submitter.ts';
import { MemoryLedger } from '../signer/memory-ledger.ts';
import { openPolicy } from '../signer/signer-samples.ts';

const place: PlaceIntent = {
  kind: 'place',
  market: 1 as MarketId,
  book: null,
  side: 'Bid',
  price: 100_000_000n as Price,
  qty: 1_000_000n as Qty,
  stp: null,
  timeInForce: 'gtc',
  isMarket: false,
  reduceOnly: false,
  expiresAtMs: null,
};

const domains = { action: '{NAME}/ACTION_PAYLOAD/v1', orderId: 'WRONG/ORDER_ID/v1' };

test('R10: where the venue names another id than ours its id is kept and no more orders of that kind are placed', async () => {
  const bridge = await opened((profile) => ({
    ...profile,
    signing: { ...profile.signing, domains },
  }));
  const { alarms, run } = bridge;
  const first = await run('1', place);
  const [venueOrder] = bridge.venue.state.exchange.openOrders(bridge.account);
  expect(first).toEqual({ kind: 'accepted', orderId: venueOrder?.orderId });
  expect(alarms).toEqual([expect.stringContaining('no more SpotPlaceOrder')]);
  expect(alarms[0]).toContain(venueOrder?.orderId);
  expect(await run('2', place)).toMatchObject({
    kind: 'refused',
    denial: { text: "order ids of SpotPlaceOrder differ from the venue's" },
  });
  const orderId = venueOrder?.orderId as OrderId;
  const cancel: CancelIntent = { kind: 'cancel', target: 'order', orderId };
  expect(await run('3', cancel)).toMatchObject({ kind: 'accepted' });
});

test('where the ids agree orders go on', async () => {
  const { alarms, run } = await opened((profile) => profile);
  expect(await run('1', place)).toMatchObject({ kind: 'accepted' });
  expect(await run('2', place)).toMatchObject({ kind: 'accepted' });
  expect(alarms).toEqual([]);
});

test('a nonce that the signer remembers and the journal lost is given up, and the action takes the next', async () => {
  const { account, alarms, ledger, run, venue } = await opened((profile) => profile);
  ledger.claim({ account, nonce: 1, digest: new Uint8Array(32).fill(1), supersedes: null });
  expect(await run('1', place)).toMatchObject({ kind: 'accepted' });
  expect(venue.state.exchange.openOrders(account)).toMatchObject([{ nonce: 2 }]);
  expect(alarms.at(-1)).toContain('signer refused nonce 1: other_digest');
});

test('what an earlier process recorded is signed once the signer can, and is said to be unknown meanwhile', async () => {
  const { account, alarms, clock, errands, reminded, signing, venue } = await opened((own) => own);
  const encoder = new CanonicalEncoder(venue.state.profile);
  const { kind: _, stp, timeInForce, isMarket, reduceOnly, expiresAtMs, ...rest } = place;
  const payload = {
    account,
    nonce: 1n,
    nonce_reservation_id: null,
    ts: clock.now().wallMs,
    action: {
      kind: 'SpotPlaceOrder' as const,
      ...{ market: 1n, side: rest.side, price: rest.price, qty: rest.qty },
      ...{ stp_mode: stp, time_in_force: timeInForce, is_market: isMarket },
      ...{ reduce_only: reduceOnly, expires_at: expiresAtMs },
    },
  };
  const canonical = Buffer.from(encoder.encode(payload as never)).toString();
  signing.refuses = 'rate';
  const facts = { key: 'key', requestId: 'new', nonce: 1n, actionHash: 'h', orderId: null };
  errands.resume({ ...facts, canonical });
  expect(reminded).toEqual(['key new overdue']);
  await settled();
  expect(venue.state.exchange.openOrders(account)).toEqual([]);
  signing.refuses = undefined;
  clock.advance(1_000);
  await settled();
  expect(venue.state.exchange.openOrders(account)).toMatchObject([{ nonce: 1 }]);
  expect(alarms).toEqual([]);
});

const settled = async () => {
  for (let i = 0; i < 5; i += 1) await new Promise(setImmediate);
};

test('an acceptance that the stream has told already is no news for the desk', async () => {
  const { heard, run } = await opened((profile) => profile);
  void run('told by the stream', place);
  await run('2', place);
  expect(heard).toEqual(['2']);
});

/** `own` is what the bridge derives ids by; the venue has its own. */
async function opened(own: (profile: SigningContract) => SigningContract) {
  const clock = new ManualClock();
  const venue = await createVenue({ seed: 1, clock, accounts: 1, makers: false });
  const [facts] = venue.accounts;
  if (facts === undefined) throw new Error('the venue has no account');
  const { profile } = venue.state;
  const account = facts.account as Account;
  const alarms: string[] = [];
  const alarm = (text: string) => alarms.push(text);
  const store = new MemoryStore();
  const turns = new Turns(store, (error) => alarms.push(String(error)));
  const ledger = new DigestLedger(new MemoryLedger());
  const signer = new SignerCore({
    contract: profile,
    blake3: referenceBlake3,
    ecdsa: venue.ecdsa,
    ledger,
    clock,
    keys: [
      {
        secretKey: Buffer.from(facts.ownerKey, 'hex'),
        policy: { ...openPolicy, accounts: new Set([account]) },
      },
    ],
    alarm,
    fatal: (error) => alarms.push(String(error)),
  });
  /** What the signer is made to say. */
  const signing: { refuses: SignRefusal | undefined } = { refuses: undefined };
  const reminded: string[] = [];
  const heard: string[] = [];
  const waiting = new Map<string, (outcome: Outcome) => void>();
  const errands: Errands = new Errands(
    {
      account,
      turns,
      clock,
      nonces: await NonceAllocator.open(store, account, { discovery: 'first_reject' }),
      signer: {
        keys: signer.keys,
        close: () => signer.close(),
        sign: async (request) =>
          signing.refuses === undefined
            ? signer.sign(request)
            : refusal(signing.refuses, 'made to say so'),
      },
      scheme: 'ecdsa',
      encoder: new CanonicalEncoder(profile),
      derivation: new Derivation(own(profile), referenceBlake3),
      submitter: submitterTo(venue, clock),
      alarm,
      unknownAfterMs: 30_000,
      patienceMs: 5_000,
      probe: () => {},
      hops: new Hops(),
      observer: nobody,
    },
    {
      apply: ({ kind, ...rest }) => {
        if (kind !== 'order' || !('input' in rest) || rest.input.kind !== 'answered') return;
        heard.push(rest.input.requestId);
        waiting.get(rest.input.requestId)?.(rest.input.outcome);
      },
      join: () => turns.atEnd(launch),
      remind: (key, requestId, _, kind) => reminded.push(`${key} ${requestId} ${kind}`),
      isAwaited: () => true,
      isAccepted: (_, requestId) => requestId === 'told by the stream',
    },
  );
  function launch(): void {
    const { ready } = errands.drain();
    turns.afterWrite(() => errands.sign(ready));
    turns.after(() => errands.launch(ready));
  }
  const run = (requestId: string, intent: Intent) =>
    new Promise<Outcome>((resolve) => {
      waiting.set(requestId, resolve);
      turns.run(() => errands.send('key', requestId, intent, undefined));
    });
  return { venue, account, alarms, heard, ledger, run, clock, errands, signing, reminded };
}

function submitterTo(venue: EmbeddedVenue, clock: ManualClock): Submitter {
  const { profile } = venue.state;
  const [facts] = venue.accounts;
  if (facts === undefined) throw new Error('the venue has no account');
  const { apiKey: key, apiSecret: secret, passphrase } = facts;
  const auth = new RequestAuth(profile.auth.http, { key, secret, passphrase });
  const exchange = async ({ method, target, body = '', headers = [] }: HttpRequest) => {
    const signed = auth.headers(method, target, body, clock.now().wallMs);
    const response = venue.ingress.handle({
      method,
      target,
      headers: { ...pairs(headers), ...pairs(signed) },
      body: Buffer.from(body),
      remoteAddress: '127.0.0.1',
    });
    return { kind: 'response', ...response, headers: lower(response.headers) } as const;
  };
  return new Submitter({
    profile,
    http: { exchange },
    clock,
    pacer: new Pacer(),
    random: () => 0.5,
    rules: { backoff: profile.backoff, maxAgeMs: 5_000, floorWaitMs: 5_000, deadAfterMs: 70_000 },
    maxQueued: 100,
    ports: {
      resign: () => Promise.reject(new Error('nothing is signed again here')),
      reconcile: () => Promise.reject(new Error('nothing is unknown here')),
      act: () => {},
    },
  });
}

function lower(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
}

function pairs(list: readonly string[]): Record<string, string> {
  const named = list.flatMap((name, at) =>
    at % 2 === 0 ? [[name.toLowerCase(), list[at + 1] ?? ''] as const] : [],
  );
  return Object.fromEntries(named);
}
