/**
 * The venue half of the bridge on a sandbox of its own: client, reads, and lines of an outbox, a signer and a dispatcher. What
 * the gateway adds (journal, orders, gate) is left out.
 */
import { systemClock } from '../../src/runtime/clock.ts';
import { hexOf } from '../../src/runtime/hex.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts';
import type { Action } from '../../src/signer/action.ts';
import { fastestBlake3 } from '../../src/signer/blake3.ts';
import { CanonicalEncoder } from '../../src/signer/canonical.ts';
import { Derivation } from '../../src/signer/digest.ts';
import { openEcdsa } from '../../src/signer/ecdsa.ts';
import { signatureOf, signedDigest } from '../../src/signer/scheme.ts';
import type { SignedSend } from '../../src/venue/action-json.ts';
import { Credentials } from '../../src/venue/credentials.ts';
import { ExecutionStream, type StreamConsumer } from '../../src/venue/execution-stream.ts';
import { HttpClient } from '../../src/venue/http-client.ts';
import type { Profile } from '../../src/venue/profile.ts';
import { VenueReads } from '../../src/venue/venue-reads.ts';
import { OutboxLine } from './outbox-line.ts';
import { sandboxProfile } from './quick-files.ts';

const { blake3 } = await fastestBlake3();
const ecdsa = await openEcdsa();
const derivation = new Derivation(sandboxProfile, blake3);
const encoder = new CanonicalEncoder(sandboxProfile);

export interface VenueHalf {
  readonly venue: Sandbox;
  readonly profile: Profile;
  readonly http: HttpClient;
  readonly reads: VenueReads;
  readonly account: SignedSend['account'];
  /** An action that no line knows of. */
  signed(action: Action, nonce: number): SignedSend;
  /** It hears every stream of this half. */
  line(profile?: Profile): Promise<OutboxLine>;
  stream(lastSeq: number, consumer: StreamConsumer): ExecutionStream;
  /** A switch of the sandbox; throws unless it was taken. */
  admin(path: string, body: object, method?: string): Promise<void>;
  stop(): Promise<void>;
}

export interface HalfOptions {
  /** What both sides read instead of the sandbox's own. */
  readonly profile?: Profile;
  /** The account's secret as the credential of the profile's digest has it. */
  readonly secretOf?: (facts: Sandbox['info']['accounts'][number]) => string;
}

export async function openVenueHalf(seed: number, options: HalfOptions = {}): Promise<VenueHalf> {
  const base = options.profile ?? sandboxProfile;
  const venue = await startSandbox({ seed, makers: false, profile: base });
  const [facts] = venue.info.accounts;
  if (facts === undefined) throw new Error('the sandbox has no account');
  const profile: Profile = {
    ...base,
    backoff: { firstMs: 5, maxMs: 40 },
    stream: { ...base.stream, reorderWaitMs: 20, periodicFillMs: 150 },
  };
  const account = facts.account as SignedSend['account'];
  const { apiKey: key, passphrase } = facts;
  const secret = options.secretOf?.(facts) ?? facts.apiSecret;
  const http = new HttpClient({
    baseUrl: venue.info.baseUrl,
    rules: { ...profile.http, timeoutMs: 1000 },
    clock: systemClock,
    auth: new Credentials(profile.auth.http, { key, secret, passphrase }, () => {}),
  });
  const reads = new VenueReads(http, profile);
  const admin = async (path: string, body: object, method = 'POST') => {
    const answer = await fetch(`${venue.info.adminUrl}${path}`, {
      method,
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
  };
  const unlimited = 1_000_000;
  await admin('/limits', {
    actionsPerSecond: unlimited,
    burst: unlimited,
    edgeRequestsPerSecond: unlimited,
  });
  const lines: OutboxLine[] = [];
  const half: VenueHalf = {
    venue,
    profile,
    http,
    reads,
    account,
    admin,
    signed: (action, nonce) => signedAction(half, action, nonce, facts.ownerKey),
    async line(used = profile) {
      const ownerKey = Buffer.from(facts.ownerKey, 'hex');
      const parts = { account, ownerKey, profile: used, http, reads, clock: systemClock };
      const line = await OutboxLine.open(parts);
      lines.push(line);
      return line;
    },
    stream: (lastSeq, consumer) =>
      new ExecutionStream({
        account,
        lastSeq,
        url: venue.info.wsUrl,
        profile,
        reads,
        clock: systemClock,
        random: () => 0.5,
        consumer: {
          ...consumer,
          async deliver(events) {
            for (const line of lines) line.onEvents(events);
            await consumer.deliver(events);
          },
        },
      }),
    async stop() {
      for (const line of lines) line.stop();
      await http.close();
      await venue.stop();
    },
  };
  return half;
}

function signedAction(
  { account, profile }: VenueHalf,
  action: Action,
  nonce: number,
  ownerKey: string,
): SignedSend {
  const envelope = {
    account,
    nonce: BigInt(nonce),
    nonce_reservation_id: null,
    client_order_id: `C-${nonce}`,
    ts: Date.now(),
    action,
  };
  const canonical = Uint8Array.from(encoder.encode(envelope));
  const actionHash = derivation.actionHash(canonical);
  const key = Buffer.from(ownerKey, 'hex');
  const signature = signatureOf(
    profile.signing,
    'ecdsa',
    ecdsa.sign(signedDigest('ecdsa', actionHash), key),
  );
  const text = Buffer.from(canonical).toString();
  return { account, nonce: BigInt(nonce), canonical: text, hash: hexOf(actionHash), signature };
}
