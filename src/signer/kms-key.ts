/**
 * A key at a remote service that speaks the protocol of AWS KMS: `GetPublicKey` at the start, `Sign` for each digest. A
 * call that is throttled, fails or gets no response is repeated until the bridge would give up; the digest is already
 * recorded, so a repeated call can only produce another valid signature of the same action.
 */
import { createPublicKey } from 'node:crypto';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { Pool } from 'undici';
import { z } from 'zod';
import { backoffMs } from '../runtime/backoff.ts';
import type { Clock } from '../runtime/clock.ts';
import { parsedJson } from '../runtime/parsed-json.ts';
import type { Ecdsa } from './ecdsa.ts';
import { completed, KeyFailure, type KeyHolder, mostWaiting, patienceMs } from './key-holder.ts';
import { type Credentials, readCredentials, signedCall } from './kms-request.ts';
import { addressOf } from './scheme.ts';
import type { RaiseSignerAlarm } from './signer-alarm.ts';
import type { KeyPlace } from './signer-config.ts';

export interface KmsKeyOptions extends NonNullable<KeyPlace['kms']> {
  readonly ecdsa: Ecdsa;
  readonly clock: Clock;
  readonly report: RaiseSignerAlarm;
}

/** One connection per call in flight, because HTTP/1.1 responds in order. */
const connections = 32;
/** After so long, a call on another connection may fare better. */
const attemptMs = 150;
/** With less time left, another call would only hide the previous failure. */
const leastMs = 50;
const startMs = 10_000;
const repeat = { firstMs: 10, maxMs: 80 };
const credentialsMs = 5_000;
const longestAnswer = 16_384;

const answers = {
  GetPublicKey: z.object({ PublicKey: z.base64(), KeySpec: z.string(), KeyUsage: z.string() }),
  Sign: z.object({ Signature: z.base64() }),
};
type Operation = keyof typeof answers;

/** Such a failure may be over the next time. */
class PassingFailure extends KeyFailure {}

export async function openKmsKey(options: KmsKeyOptions): Promise<KeyHolder> {
  const key = new KmsKey(options);
  try {
    await key.open();
    return key;
  } catch (error) {
    key.close();
    throw error;
  }
}

class KmsKey implements KeyHolder {
  publicKey: Uint8Array = new Uint8Array();
  readonly #options: KmsKeyOptions;
  readonly #url: URL;
  readonly #pool: Pool;
  #credentials: Credentials;
  #readMs: number;
  #waiting = 0;
  #isAway = false;
  #isClosed = false;

  constructor(options: KmsKeyOptions) {
    const { clock, credentialsFile, endpoint, region } = options;
    this.#options = options;
    this.#url = new URL(endpoint ?? `https://kms.${region}.amazonaws.com`);
    this.#credentials = readCredentials(credentialsFile);
    this.#readMs = clock.now().monoMs;
    const connect = { timeout: attemptMs * 10 };
    this.#pool = new Pool(this.#url.origin, { connections, pipelining: 1, connect });
  }

  async open(): Promise<void> {
    const { address, keyId } = this.#options;
    const { KeySpec, KeyUsage, PublicKey } = await this.#call('GetPublicKey', {}, startMs);
    if (KeySpec !== 'ECC_SECG_P256K1' || KeyUsage !== 'SIGN_VERIFY') {
      const needed = 'a key of the kind ECC_SECG_P256K1 for SIGN_VERIFY is needed';
      throw new KeyFailure(`${keyId} is of the kind ${KeySpec} for ${KeyUsage}: ${needed}`);
    }
    this.publicKey = pointIn(Buffer.from(PublicKey, 'base64'));
    const found = addressOf(this.publicKey);
    if (found === address) return;
    throw new KeyFailure(
      `${keyId} has the address ${found}, and the configuration says ${address}`,
    );
  }

  get problem(): string | undefined {
    if (this.#isClosed) return 'it is closed';
    return this.#waiting >= mostWaiting ? 'the key service is behind' : undefined;
  }

  async sign(digest: Uint8Array): Promise<Uint8Array> {
    const { ecdsa } = this.#options;
    const asked = {
      Message: Buffer.from(digest).toString('base64'),
      MessageType: 'DIGEST',
      SigningAlgorithm: 'ECDSA_SHA_256',
    };
    this.#waiting += 1;
    try {
      const answer = await this.#call('Sign', asked, patienceMs);
      const rAndS = numbersIn(Buffer.from(answer.Signature, 'base64'));
      const signature = completed(ecdsa, this.publicKey, digest, rAndS);
      this.#reportChange(false, 'signs again');
      return signature;
    } catch (error) {
      const failure = error instanceof KeyFailure ? error : new KeyFailure(String(error));
      this.#reportChange(true, `does not sign: ${failure.message}`);
      throw failure;
    } finally {
      this.#waiting -= 1;
    }
  }

  close(): void {
    this.#isClosed = true;
    void this.#pool.destroy();
  }

  #reportChange(isAway: boolean, what: string): void {
    if (isAway === this.#isAway || this.#isClosed) return;
    this.#isAway = isAway;
    const code = isAway ? 'key_away' : 'key_back';
    this.#options.report(`the key ${this.#options.address} ${what}`, code);
  }

  async #call<Name extends Operation>(
    operation: Name,
    asked: object,
    withinMs: number,
  ): Promise<z.infer<(typeof answers)[Name]>> {
    const { clock } = this.#options;
    const untilMs = clock.now().monoMs + withinMs;
    for (let attempt = 1; ; attempt += 1) {
      try {
        const answer = await this.#once(operation, asked, untilMs);
        return answers[operation].parse(answer) as z.infer<(typeof answers)[Name]>;
      } catch (error) {
        if (error instanceof z.ZodError) throw new KeyFailure('the answer has another form');
        const waitMs = backoffMs(repeat, attempt, Math.random);
        const againMs = clock.now().monoMs + waitMs;
        const isTooLate = againMs + leastMs >= untilMs;
        if (!(error instanceof PassingFailure) || isTooLate) throw error;
        await new Promise<void>((resolve) => clock.at(againMs, resolve));
      }
    }
  }

  async #once(operation: Operation, asked: object, untilMs: number): Promise<unknown> {
    const { clock, keyId, region } = this.#options;
    const { monoMs, wallMs } = clock.now();
    const payload = { KeyId: keyId, ...asked };
    const place = { host: this.#url.host, region };
    const { body, headers } = signedCall(operation, payload, place, this.#valid(), wallMs);
    const attemptEndMs = operation === 'Sign' ? monoMs + attemptMs : untilMs;
    const tooLate = new AbortController();
    const cancel = clock.at(Math.min(untilMs, attemptEndMs), () => tooLate.abort());
    let status: number;
    let text: string;
    try {
      const { signal } = tooLate;
      const answer = await this.#pool.request({ path: '/', method: 'POST', headers, body, signal });
      status = answer.statusCode;
      text = await textOf(answer.body);
    } catch (error) {
      if (error instanceof KeyFailure) throw error;
      const { code } = error as { readonly code?: string };
      throw new PassingFailure(`no answer: ${tooLate.signal.aborted ? 'too late' : code}`);
    } finally {
      cancel();
    }
    if (status !== 200) throw failureOf(status, text);
    const answer = parsedJson(text);
    if (answer === undefined) throw new PassingFailure('the answer is no JSON');
    return answer;
  }

  /** Temporary credentials are replaced in their file. While it is being written the last ones stay. */
  #valid(): Credentials {
    const { monoMs } = this.#options.clock.now();
    if (monoMs - this.#readMs > credentialsMs) {
      this.#readMs = monoMs;
      try {
        this.#credentials = readCredentials(this.#options.credentialsFile);
      } catch (error) {
        const { message } = error as Error;
        this.#options.report(`credentials of the key service: ${message}`, 'key_credentials');
      }
    }
    return this.#credentials;
  }
}

async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > longestAnswer) throw new KeyFailure('the answer is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** Only the kind of the failure is kept, because the service's text may name the account or the key. */
function failureOf(status: number, text: string): KeyFailure {
  const kind = /"__type"\s*:\s*"(?:[\w.]*#)?(\w{1,64})"/.exec(text)?.[1] ?? 'no kind';
  const isPassing = status >= 500 || status === 429 || /Throttl|Limit|Internal|Timeout/.test(kind);
  return new (isPassing ? PassingFailure : KeyFailure)(`status ${status}, ${kind}`);
}

/** The uncompressed point in a SubjectPublicKeyInfo, which must be of secp256k1. */
function pointIn(spki: Buffer): Uint8Array {
  try {
    const key = createPublicKey({ key: spki, format: 'der', type: 'spki' });
    if (key.asymmetricKeyDetails?.namedCurve === 'secp256k1')
      return Uint8Array.from(spki.subarray(-65));
  } catch {
    // Not even a key.
  }
  throw new KeyFailure('the public key is not one of secp256k1');
}

/** r and s as 64 bytes, out of the DER that X9.62 gives a signature. */
function numbersIn(der: Buffer): Uint8Array {
  try {
    return secp256k1.Signature.fromBytes(der, 'der').toBytes('compact');
  } catch {
    throw new KeyFailure('the signature is not in DER');
  }
}
