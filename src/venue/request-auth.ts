/**
 * Authenticates HTTP requests by the profile's template (contract G37). The headers cannot move funds, because every
 * action has its own signature.
 */
import { createHmac, createPrivateKey, createSecretKey, type KeyObject, sign } from 'node:crypto';
import type { Profile } from './profile.ts';

/** The same triple serves REST and WebSocket; for Ed25519 the secret is the private key in PEM. */
export interface Credential {
  readonly key: string;
  readonly secret: string;
  readonly passphrase: string;
  /** The previous credential, while both are valid. */
  readonly older?: Credential | undefined;
}

type Rules = Profile['auth']['http'];
type Variable = 'timestamp' | 'METHOD' | 'method' | 'pathWithQuery' | 'path' | 'body';
/** A template may contain other text in braces, which is signed as it is. */
const variables = /\{(timestamp|METHOD|method|pathWithQuery|path|body)\}/g;

export class RequestAuth {
  readonly key: string;
  readonly #rules: Rules;
  readonly #fixed: readonly string[];
  readonly #secret: KeyObject;
  /** Venue time minus our wall time, by the venue's last Date header. */
  #offsetMs = 0;

  constructor(rules: Rules, credential: Credential) {
    const { headers } = rules;
    const isEd25519 = rules.digest === 'ed25519';
    this.key = credential.key;
    this.#rules = rules;
    this.#fixed = [headers.key, credential.key, headers.passphrase, credential.passphrase].concat(
      isEd25519 ? [headers.signatureType, 'ed25519'] : [],
    );
    this.#secret = isEd25519
      ? privateKeyOf(credential.secret)
      : createSecretKey(Buffer.from(credential.secret, 'utf8'));
  }

  /** Returns alternating header names and values, as undici expects them. */
  headers(method: string, target: string, body: string, wallMs: number): string[] {
    const { headers, timestampUnit, encoding, digest, template } = this.#rules;
    const time = wallMs + this.#offsetMs;
    const timestamp = String(timestampUnit === 's' ? Math.trunc(time / 1000) : time);
    const values: Readonly<Record<Variable, string>> = {
      ...{ timestamp, METHOD: method, method: method.toLowerCase(), body },
      ...{ pathWithQuery: target, path: target.split('?', 1)[0] ?? '' },
    };
    const message = template.replace(variables, (_, name: Variable) => values[name]);
    const signature =
      digest === 'ed25519'
        ? sign(null, Buffer.from(message), this.#secret).toString(encoding)
        : createHmac('sha256', this.#secret).update(message).digest(encoding);
    return [...this.#fixed, headers.timestamp, timestamp, headers.signature, signature];
  }

  /** With a wrong clock the venue would refuse every request, so signing follows the venue's clock (D.1, row 401). */
  correctClock(offsetMs: number): void {
    this.#offsetMs = offsetMs;
  }
}

function privateKeyOf(pem: string): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch {
    throw new Error('the secret of the API key is no private key in PEM');
  }
}
