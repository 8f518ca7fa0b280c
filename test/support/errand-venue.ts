/** The errands of an account against the embedded venue, without a socket between. */
import type { Intent, PlaceIntent } from '../../src/domain/intent.ts';
import type { Outcome } from '../../src/domain/transition.ts';
import type { Account, MarketId, OrderId, Price, Qty } from '../../src/domain/units.ts';
import { Errands } from '../../src/gateway/errands.ts';
import { Hops } from '../../src/gateway/hops.ts';
import { nobody } from '../../src/gateway/observer.ts';
import { ManualClock } from '../../src/runtime/clock.ts';
import { createVenue, type EmbeddedVenue } from '../../src/sandbox/embedded-venue.ts';
import { referenceBlake3 } from '../../src/signer/blake3.ts';
import { DigestLedger } from '../../src/signer/digest-ledger.ts';
import type { Ecdsa } from '../../src/signer/ecdsa.ts';
import { MadeAction } from '../../src/signer/made-action.ts';
import { NonceAllocator } from '../../src/signer/nonce-allocator.ts';
import { refusal, type SignRefusal } from '../../src/signer/signer.ts';
import { SignerCore } from '../../src/signer/signer-core.ts';
import type { SigningContract } from '../../src/signer/signing-contract.ts';
import { MemoryStore } from '../../src/store/memory-store.ts';
import { Turns } from '../../src/store/turns.ts';
import type { HttpRequest } from '../../src/venue/http-client.ts';
import { Pacer } from '../../src/venue/pacer.ts';
import { reconcile } from '../../src/venue/reconcile.ts';
import { RequestAuth } from '../../src/venue/request-auth.ts';
import { type SubmitPorts, Submitter } from '../../src/venue/submitter.ts';
import { VenueReads } from '../../src/venue/venue-reads.ts';
import type { Exchange } from '../../src/venue/verdict.ts';
import { MemoryLedger } from '../signer/memory-ledger.ts';
import { openPolicy } from '../signer/signer-samples.ts';

export const place: PlaceIntent = {
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

/** Lets everything happen that waits for nothing but its turn. */
export const settled = async () => {
  for (let i = 0; i < 8; i += 1) await new Promise(setImmediate);
};

const noReceipts: Exchange = {
  kind: 'response',
  status: 200,
  headers: {},
  body: '{"receipts":[]}',
};
const broken: Exchange = { kind: 'broken', problem: 'the connection ended' };

/** What becomes of a request that writes: it may get lost, or its answer, or be answered by somebody else. */
export type Fate = 'arrives' | 'lost' | 'unanswered' | Exchange;

interface Road {
  fate: (request: HttpRequest) => Fate;
  /** The venue does not show yet what it has. */
  areReceiptsHidden: boolean;
}

/** `own` is what the bridge derives ids by; the venue has its own. */
export async function openErrands(
  own: (profile: SigningContract) => SigningContract = (profile) => profile,
) {
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
  // As in a signer inside, which follows the journal.
  const ledger = new DigestLedger(new MemoryLedger(), true);
  /** What the signer is made to say, and whom it tells of each signature. */
  const signing: { refuses: SignRefusal | undefined; made: () => void } = {
    refuses: undefined,
    made: () => {},
  };
  const ecdsa: Ecdsa = {
    ...venue.ecdsa,
    sign(digest, secretKey) {
      signing.made();
      return venue.ecdsa.sign(digest, secretKey);
    },
  };
  const signer = new SignerCore({
    contract: profile,
    blake3: referenceBlake3,
    ecdsa,
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
  const road: Road = { fate: () => 'arrives', areReceiptsHidden: false };
  const desk = { endedOrderId: null as OrderId | null, givenUp: new Set<string>() };
  const nonces = await NonceAllocator.open(store, account, { discovery: 'first_reject' });
  const reminded: string[] = [];
  const heard: string[] = [];
  const waiting = new Map<string, (outcome: Outcome) => void>();
  const errands: Errands = new Errands(
    {
      account,
      turns,
      clock,
      nonces,
      signer: {
        keys: signer.keys,
        close: () => signer.close(),
        sign: async (request) =>
          signing.refuses === undefined
            ? signer.sign(request)
            : refusal(signing.refuses, 'made to say so', request.supersedes?.digest),
      },
      scheme: 'ecdsa',
      maker: MadeAction.maker(own(profile), referenceBlake3),
      submitter: submitterTo(venue, clock, road, {
        resign: (send, after) => errands.resign(send, after),
        fence: (send) => errands.fence(send),
      }),
      alarm,
      patienceMs: 5_000,
      probe: () => {},
      mayFill: true,
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
      expectOutcome: ({ key, requestId }) => reminded.push(`${key} ${requestId}`),
      get endedOrderId() {
        return desk.endedOrderId;
      },
      isAwaited: () => true,
      isGivenUp: (key) => desk.givenUp.has(key),
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
  const facade = { venue, account, alarms, heard, ledger, run, clock, errands, signing, reminded };
  return { ...facade, nonces, road, desk, turns };
}

function submitterTo(
  venue: EmbeddedVenue,
  clock: ManualClock,
  road: Readonly<Road>,
  ports: Pick<SubmitPorts, 'resign' | 'fence'>,
): Submitter {
  const { profile } = venue.state;
  const [facts] = venue.accounts;
  if (facts === undefined) throw new Error('the venue has no account');
  const { apiKey: key, apiSecret: secret, passphrase } = facts;
  const auth = new RequestAuth(profile.auth.http, { key, secret, passphrase });
  const exchange = async (request: HttpRequest): Promise<Exchange> => {
    const { method, target, body = '', headers = [] } = request;
    const fate = method === 'POST' ? road.fate(request) : 'arrives';
    if (typeof fate === 'object') return fate;
    if (road.areReceiptsHidden && target.includes('/receipts')) return noReceipts;
    if (fate === 'lost') return broken;
    const signed = auth.headers(method, target, body, clock.now().wallMs);
    const response = venue.ingress.handle({
      method,
      target,
      headers: { ...pairs(headers), ...pairs(signed) },
      body: Buffer.from(body),
      remoteAddress: '127.0.0.1',
    });
    if (fate === 'unanswered') return broken;
    return { kind: 'response', ...response, headers: lower(response.headers) };
  };
  const reads = new VenueReads({ exchange }, profile);
  return new Submitter({
    profile,
    http: { exchange },
    clock,
    pacer: new Pacer(),
    random: () => 0.5,
    rules: { backoff: profile.backoff, maxAgeMs: 5_000, floorWaitMs: 5_000, deadAfterMs: 70_000 },
    maxQueued: 100,
    ports: {
      ...ports,
      reconcile: (send) => reconcile(reads, send),
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
