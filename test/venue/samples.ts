/** Signed actions and stream events that the venue tests send about; the signature's bytes are arbitrary. */
import { join } from 'node:path';
import { blake3 } from '@noble/hashes/blake3.js';
import type { Account, MarketId, OrderId, Price, Qty } from '../../src/domain/units.ts';
import { hexOf } from '../../src/runtime/hex.ts';
import type { Action, SpotPlaceOrder } from '../../src/signer/action.ts';
import { CanonicalEncoder } from '../../src/signer/canonical.ts';
import { Derivation } from '../../src/signer/digest.ts';
import type { SignedSend } from '../../src/venue/action-json.ts';
import { loadProfile } from '../../src/venue/profile.ts';
import type { VenueEvent } from '../../src/venue/venue-event.ts';
import { silentEvent } from '../domain/ladder.ts';

export const sandbox = loadProfile(
  join(import.meta.dirname, '../../dictionaries/venue.sandbox.yaml'),
);
export const account = `0x${'11'.repeat(20)}` as Account;
export const otherAccount = `0x${'22'.repeat(20)}` as Account;

const encoder = new CanonicalEncoder(sandbox);
const derivation = new Derivation(sandbox, blake3);

export const spotOrder: SpotPlaceOrder = {
  kind: 'SpotPlaceOrder',
  market: 1 as MarketId,
  side: 'Bid',
  price: 50_000_000_000n as Price,
  qty: 1_000_000n as Qty,
  stp_mode: 'cancel_taker',
  time_in_force: 'gtc',
  is_market: false,
  reduce_only: false,
  expires_at: null,
};

export function signed(nonce: number, action: Action = spotOrder, owner = account): SignedSend {
  const canonical = Uint8Array.from(
    encoder.encode({
      account: owner,
      nonce: BigInt(nonce),
      nonce_reservation_id: null,
      client_order_id: `C-${nonce}`,
      ts: 1_700_000_000_000,
      action,
    }),
  );
  return {
    account: owner,
    nonce: BigInt(nonce),
    canonical: Buffer.from(canonical).toString(),
    hash: hexOf(derivation.actionHash(canonical)),
    signature: { scheme: 'EcdsaSecp256k1', bytes: new Uint8Array(65).fill(nonce & 255) },
  };
}

export function hashOf(send: SignedSend): OrderId {
  return `0x${send.hash}` as OrderId;
}

/** An event in the wire form of the sandbox profile. */
export function wireEvent(seq: number, more: Record<string, unknown> = {}) {
  return {
    seq,
    prevSeq: seq - 1,
    kind: 'resting',
    account,
    market: 1,
    orderId: `0x${'ab'.repeat(32)}`,
    engineTsMs: 1_700_000_000_000 + seq,
    serverTsMs: 1_700_000_000_000 + seq,
    ...more,
  };
}

/** The same, as the bridge reads it. */
export function streamEvent(seq: number, more: Partial<VenueEvent> = {}): VenueEvent {
  return {
    ...silentEvent,
    nonce: null,
    seq,
    prevSeq: seq - 1,
    account,
    market: 1 as MarketId,
    orderId: `0x${'ab'.repeat(32)}` as OrderId,
    engineTsMs: 1_700_000_000_000 + seq,
    serverTsMs: 1_700_000_000_000 + seq,
    ...more,
  };
}

/** A SubmitResponse with its 11 keys (contract A.12). */
export function submitResponse(more: Record<string, unknown> = {}) {
  return {
    accepted: true,
    ok: true,
    seq: null,
    derivedOrderId: null,
    error: null,
    code: null,
    nonceConsumed: null,
    nextUsableNonce: null,
    nonceFloor: null,
    nonceWindow: null,
    nonceHoles: null,
    ...more,
  };
}

export function refusedResponse(code: string | null, more: Record<string, unknown> = {}) {
  return submitResponse({ accepted: false, ok: false, code, error: `about ${code}`, ...more });
}
