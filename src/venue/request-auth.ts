/**
 * Authenticates HTTP requests by the profile's template (contract G37). The headers cannot move funds, because every
 * action has its own signature.
 */
import { createHmac, createPrivateKey, createSecretKey, type KeyObject, sign } from 'node:crypto';
import type { Profile } from './profile.ts';
import type { Exchange } from './verdict.ts';

/** The same triple serves REST and WebSocket; for Ed25519 the secret is the private key in PEM. */
export interface Credential {
  readonly key: string;
  readonly secret: string;
  readonly passphrase: string;
  /** The previous credential, while both are valid. */
  readonly older?: Credential | undefined;
}

/** Authenticates requests; with several credentials it may switch after a refusal. */
export interface Authentication {
  current(wallMs: number): RequestAuth;
  correctClock(offsetMs: number): void;
  /** The venue has processed a POST; a GET proves nothing, because the venue's public routes ignore credentials. */
  accept?(used: RequestAuth): void;
  /** Whether a request with this response should be repeated. */
  isToRepeat?(
    used: RequestAuth,
    answer: Extract<Exchange, { kind: 'response' }>,
    wallMs: number,
  ): boolean;
}

type Rules = Profile['auth']['http'];
type Part = { readonly kind: 'text'; readonly text: string } | { readonly kind: Variable };
const variables = ['timestamp', 'METHOD', 'method', 'pathWithQuery', 'path', 'body'] as const;
type Variable = (typeof variables)[number];

export class RequestAuth implements Authentication {
  readonly key: string;
  readonly #rules: Rules;
  readonly #parts: readonly Part[];
  readonly #fixed: readonly string[];
  readonly #secret: KeyObject;
  /** Venue time minus our wall time, by the venue's last Date header. */
  #offsetMs = 0;

  constructor(rules: Rules, credential: Credential) {
    const { headers } = rules;
    const isEd25519 = rules.digest === 'ed25519';
    this.key = credential.key;
    this.#rules = rules;
    this.#parts = partsOf(rules.template);
    this.#fixed = [headers.key, credential.key, headers.passphrase, credential.passphrase].concat(
      isEd25519 ? [headers.signatureType, 'ed25519'] : [],
    );
    this.#secret = isEd25519
      ? privateKeyOf(credential.secret)
      : createSecretKey(Buffer.from(credential.secret, 'utf8'));
  }

  current(): RequestAuth {
    return this;
  }

  /** Returns alternating header names and values, as undici expects them. */
  headers(method: string, target: string, body: string, wallMs: number): string[] {
    const { headers, timestampUnit, encoding, digest } = this.#rules;
    const time = wallMs + this.#offsetMs;
    const timestamp = String(timestampUnit === 's' ? Math.trunc(time / 1000) : time);
    let message = '';
    for (const part of this.#parts) {
      message +=
        part.kind === 'text' ? part.text : fill(part.kind, timestamp, method, target, body);
    }
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

function partsOf(template: string): readonly Part[] {
  return template
    .split(/(\{\w+\})/)
    .filter((text) => text !== '')
    .map((text): Part => {
      const kind = variables.find((variable) => text === `{${variable}}`);
      return kind === undefined ? { kind: 'text', text } : { kind };
    });
}

function fill(
  variable: Variable,
  timestamp: string,
  method: string,
  target: string,
  body: string,
): string {
  switch (variable) {
    case 'timestamp':
      return timestamp;
    case 'METHOD':
      return method;
    case 'method':
      return method.toLowerCase();
    case 'pathWithQuery':
      return target;
    case 'path':
      return target.split('?', 1)[0] ?? '';
    case 'body':
      return body;
  }
}
