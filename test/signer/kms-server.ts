/**
 * A key service in AWS's protocol, as strict as the real one about what it is asked. Nothing of it comes from the source that it
 * tests: it verifies Signature Version 4 by itself, in the order of Amazon's text. Like the real one it signs with a new nonce each
 * time, and with a high s as often as not.
 */
import { createHash, createHmac, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { secp256k1 } from '@noble/curves/secp256k1.js';

export const accessKey = 'AKIDEXAMPLE';
export const secretKey = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY';
export const region = 'eu-central-1';
export const keyId = '1234abcd-12ab-34cd-56ef-1234567890ab';

export interface Answer {
  readonly status: number;
  readonly body: object | string;
}
/** What the next calls of `Sign` meet instead of a signature; `hang` never answers. */
export type Fault = Answer | 'hang' | 'other key';

export class KmsServer {
  readonly publicKey: KeyObject;
  readonly faults: Fault[] = [];
  token: string | undefined;
  secret = secretKey;
  kind = 'ECC_SECG_P256K1';
  signed = 0;
  /** Of any kind. */
  calls = 0;
  readonly #key: KeyObject;
  readonly #server: Server;

  constructor() {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'secp256k1' });
    this.#key = privateKey;
    this.publicKey = publicKey;
    this.#server = createServer((request, response) => {
      void bodyOf(request).then((body) => {
        this.calls += 1;
        const answer = this.#answer(request, body);
        if (answer === undefined) return;
        response.writeHead(answer.status, { 'content-type': 'application/x-amz-json-1.1' });
        const { body: text } = answer;
        response.end(typeof text === 'string' ? text : JSON.stringify(text));
      });
    });
  }

  /** Resolves with the URL. */
  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #answer(request: IncomingMessage, body: string): Answer | undefined {
    const problem = this.#problem(request, body);
    if (problem !== undefined) {
      return { status: 400, body: { __type: 'InvalidSignatureException', message: problem } };
    }
    const asked = JSON.parse(body) as Record<string, string>;
    if (asked['KeyId'] !== keyId) return { status: 400, body: { __type: 'NotFoundException' } };
    switch (request.headers['x-amz-target']) {
      case 'TrentService.GetPublicKey': {
        const der = this.publicKey.export({ format: 'der', type: 'spki' });
        const PublicKey = der.toString('base64');
        const facts = { KeySpec: this.kind, KeyUsage: 'SIGN_VERIFY' };
        return { status: 200, body: { KeyId: keyId, PublicKey, ...facts } };
      }
      case 'TrentService.Sign':
        return this.#sign(asked);
      default:
        return { status: 400, body: { __type: 'UnknownOperationException' } };
    }
  }

  #sign(asked: Readonly<Record<string, string>>): Answer | undefined {
    const fault = this.faults.shift();
    if (fault === 'hang') return undefined;
    if (fault !== undefined && fault !== 'other key') return fault;
    const digest = Buffer.from(asked['Message'] ?? '', 'base64');
    const isRight = asked['MessageType'] === 'DIGEST' && digest.length === 32;
    if (!isRight || asked['SigningAlgorithm'] !== 'ECDSA_SHA_256') {
      return { status: 400, body: { __type: 'ValidationException' } };
    }
    this.signed += 1;
    const key = fault === undefined ? this.#key : generateKeyPairSync('ec', curve).privateKey;
    const number = Buffer.from(key.export({ format: 'jwk' }).d ?? '', 'base64url');
    const form = { prehash: false, lowS: false, extraEntropy: true, format: 'der' } as const;
    const Signature = Buffer.from(secp256k1.sign(digest, number, form)).toString('base64');
    return { status: 200, body: { KeyId: keyId, Signature } };
  }

  /** The four tasks of https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html */
  #problem({ headers, method = '', url = '' }: IncomingMessage, body: string): string | undefined {
    const parts =
      /^AWS4-HMAC-SHA256 Credential=(\w+)\/(\d{8})\/([\w-]+)\/kms\/aws4_request, SignedHeaders=([a-z0-9;-]+), Signature=([0-9a-f]{64})$/.exec(
        headers.authorization ?? '',
      );
    if (parts === null) return 'the header Authorization has another form';
    const [, id, day = '', place, names = '', signature] = parts;
    if (id !== accessKey) return 'the access key is not known';
    if (place !== region) return 'the credential is for another region';
    const time = String(headers['x-amz-date']);
    const at = Date.parse(time.replace(/^(....)(..)(..T..)(..)(..Z)$/, '$1-$2-$3:$4:$5'));
    if (!time.startsWith(day) || !(Math.abs(Date.now() - at) < 300_000)) return 'the time is off';
    if (headers['x-amz-security-token'] !== this.token) return 'the session token is another';
    const listed = names.split(';');
    if (listed.join() !== [...listed].sort().join()) return 'the signed headers are not in order';
    const needed = ['content-type', 'host', 'x-amz-date', 'x-amz-target'];
    if (this.token !== undefined) needed.push('x-amz-security-token');
    if (!needed.every((name) => listed.includes(name))) return 'a header is not signed';
    const lines = listed.map((name) => `${name}:${String(headers[name]).trim()}\n`).join('');
    const hashed = createHash('sha256').update(body).digest('hex');
    const request = `${method}\n${url}\n\n${lines}\n${names}\n${hashed}`;
    const hash = createHash('sha256').update(request).digest('hex');
    const text = `AWS4-HMAC-SHA256\n${time}\n${day}/${region}/kms/aws4_request\n${hash}`;
    const byDay = createHmac('sha256', `AWS4${this.secret}`).update(day).digest();
    const byRegion = createHmac('sha256', byDay).update(region).digest();
    const byService = createHmac('sha256', byRegion).update('kms').digest();
    const key = createHmac('sha256', byService).update('aws4_request').digest();
    const expected = createHmac('sha256', key).update(text).digest('hex');
    return signature === expected ? undefined : 'the signature does not match';
  }
}

const curve = { namedCurve: 'secp256k1' };

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
