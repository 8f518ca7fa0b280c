/** Builds the HTTP requests for signed actions: one action alone, or several as a JSON batch (contract G25, G29). */
import { blake3 } from '@noble/hashes/blake3.js';
import { hexOf } from '../runtime/hex.ts';
import { batchJson, type SignedSend, signedActionJson } from './action-json.ts';
import type { HttpRequest } from './http-client.ts';
import type { Profile } from './profile.ts';

export class SubmitRequests {
  readonly #profile: Profile;
  readonly #headers: readonly string[];

  constructor(profile: Profile) {
    const { headers, resultMode } = profile;
    this.#profile = profile;
    this.#headers = [
      headers.resultMode,
      resultMode.mode,
      headers.responseMode,
      resultMode.response,
    ];
  }

  of(sends: readonly SignedSend[]): HttpRequest {
    const { idempotency, input, routes } = this.#profile;
    const bodies = sends.map((send) => signedActionJson(send, input.names));
    const [first] = sends;
    const isBatch = sends.length > 1;
    const isPlain = !isBatch && first !== undefined && first.otherKey === undefined;
    const whole = isPlain ? first.hash : hashOver(sends);
    const key = whole.slice(0, idempotency.keyHexChars);
    return {
      method: 'POST',
      target: isBatch ? routes.orders : routes.actions,
      body: isBatch ? batchJson(bodies, key) : (bodies[0] ?? ''),
      headers: [idempotency.header, key, ...this.#headers],
    };
  }
}

/** The key of a batch is a hash of its actions' hashes (G29), and of keys other than the preferred one that signed. */
function hashOver(sends: readonly SignedSend[]): string {
  const text = sends.map(({ hash, otherKey = '0x' }) => hash + otherKey.slice(2)).join('');
  return hexOf(blake3(Buffer.from(text, 'hex')));
}
