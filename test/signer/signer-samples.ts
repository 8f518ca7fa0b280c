/** A signer with one key and an open policy, for the tests of what runs around it. */

import type { Account, MarketId, OrderId, Price, Qty } from '../../src/domain/units.ts';
import { ManualClock } from '../../src/runtime/clock.ts';
import { type Action, type ActionEnvelope, actionKinds } from '../../src/signer/action.ts';
import { referenceBlake3 } from '../../src/signer/blake3.ts';
import { CanonicalEncoder } from '../../src/signer/canonical.ts';
import { DigestLedger } from '../../src/signer/digest-ledger.ts';
import { nobleEcdsa } from '../../src/signer/ecdsa.ts';
import { localKey } from '../../src/signer/key-holder.ts';
import type { Policy } from '../../src/signer/policy.ts';
import type { SignRequest } from '../../src/signer/signer.ts';
import { SignerCore, type SignerParts } from '../../src/signer/signer-core.ts';
import { MemoryLedger } from './memory-ledger.ts';
import { sandboxSigningContract } from './sandbox-contract.ts';

export const account = `0x${'1'.repeat(40)}` as Account;
export const secretKey = () => new Uint8Array(32).fill(7);
export const ecdsa = nobleEcdsa();
export const contract = sandboxSigningContract;

export const openPolicy: Policy = {
  accounts: new Set([account]),
  actions: new Set(actionKinds),
  markets: null,
  placementsPerSecond: 1000,
  burst: 1000,
  maxNonceJump: 65_536,
  knownNonce: null,
  expiresAtMs: null,
};

const encoder = new CanonicalEncoder(contract);

export function envelope(nonce: number, action: Action = spot()): ActionEnvelope {
  const ts = 1_700_000_000_000;
  return { account, nonce: BigInt(nonce), nonce_reservation_id: null, ts, action };
}

export function spot(price = 50n, qty = 10n, market = 1): Action {
  return {
    kind: 'SpotPlaceOrder',
    market: market as MarketId,
    side: 'Bid',
    price: price as Price,
    qty: qty as Qty,
    stp_mode: null,
    time_in_force: 'gtc',
    is_market: false,
    reduce_only: false,
    expires_at: null,
  };
}

export const cancel: Action = { kind: 'Cancel', order_id: `0x${'ab'.repeat(32)}` as OrderId };

export function request(of: ActionEnvelope, more: Partial<SignRequest> = {}): SignRequest {
  const canonical = Uint8Array.from(encoder.encode(of));
  return { canonical, scheme: 'ecdsa', ...more };
}

export async function coreWith(
  change: Partial<SignerParts> = {},
  file = new MemoryLedger(),
): Promise<SignerCore> {
  return new SignerCore({
    contract,
    blake3: referenceBlake3,
    ledger: new DigestLedger(file),
    clock: new ManualClock(),
    keys: [{ holder: localKey(ecdsa, secretKey()), policy: openPolicy }],
    paused: () => null,
    alarm: () => {},
    fatal: () => {},
    ...change,
  });
}
