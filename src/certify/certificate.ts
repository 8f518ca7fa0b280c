/**
 * The certificate: what was shown, by whom, with which versions, until when, and what ends it, signed with Ed25519 over
 * its canonical JSON (keys sorted, no spaces), so that anybody can check it without us.
 */
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';
import { z } from 'zod';
import type { RunRecord, ScenarioRecord } from './record.ts';

export interface CertificateOptions {
  readonly issuedMs: number;
  readonly validDays: number;
}

const words = z.string().max(2000);
const listed = z.array(z.strictObject({ id: words, reason: words })).max(1000);
const certificateShape = z.strictObject({
  format: z.literal('causeway-certificate/1'),
  identity: z.strictObject({
    name: words,
    software: words,
    version: words,
    senderCompId: words,
    targetCompId: words,
  }),
  direction: z.enum(['acceptor', 'initiator']),
  protocol: z.enum(['fix', 'fixp']),
  scope: z.strictObject({
    features: z.array(words).max(100),
    passed: z.array(words).max(1000),
    waived: listed,
    /** Optional scenarios that failed. */
    failed: listed,
    notRun: listed,
  }),
  causeway: words,
  catalogueHash: words,
  dictionaryHash: words,
  evidenceHash: words,
  issued: z.iso.datetime(),
  expires: z.iso.datetime(),
  endsWith: z.array(words).max(20),
});
const signedShape = z.strictObject({
  certificate: certificateShape,
  signature: z.strictObject({ algorithm: z.literal('Ed25519'), publicKey: words, value: words }),
});

export type Certificate = z.output<typeof certificateShape>;
export type SignedCertificate = z.output<typeof signedShape>;

/** Why no certificate is given; the message lists all of it. */
export class NotCertified extends Error {}

const dayMs = 86_400_000;

/** What stands in the way: whatever is not optional must be passed or waived, if this desk can play it. */
export function obstacles(scenarios: readonly ScenarioRecord[]): readonly ScenarioRecord[] {
  return scenarios.filter(
    ({ isPlayable, level, outcome }) =>
      isPlayable && level !== 'optional' && outcome !== 'passed' && outcome !== 'waived',
  );
}

export function issue(
  run: RunRecord,
  key: KeyObject,
  { issuedMs, validDays }: CertificateOptions,
): SignedCertificate {
  const inTheWay = obstacles(run.scenarios);
  const passed = run.scenarios.filter(({ outcome }) => outcome === 'passed');
  if (passed.length === 0) throw new NotCertified('no scenario was passed');
  if (inTheWay.length > 0) {
    const list = inTheWay.map(({ id, outcome, reason }) => `${id} ${outcome}: ${reason}`);
    throw new NotCertified(`not certified:\n  ${list.join('\n  ')}`);
  }
  const of = (wanted: string) =>
    run.scenarios
      .filter(({ outcome }) => outcome === wanted)
      .map(({ id, reason }) => ({ id, reason }));
  const certificate: Certificate = {
    format: 'causeway-certificate/1',
    identity: run.identity,
    direction: run.direction,
    protocol: run.protocol,
    scope: {
      features: [...run.features],
      passed: passed.map(({ id }) => id),
      waived: of('waived'),
      failed: [...of('failed'), ...of('inconclusive')],
      notRun: of('notRun'),
    },
    causeway: run.causeway,
    catalogueHash: run.catalogueHash,
    dictionaryHash: run.dictionaryHash,
    evidenceHash: evidenceHash(run),
    issued: new Date(issuedMs).toISOString(),
    expires: new Date(issuedMs + validDays * dayMs).toISOString(),
    endsWith: [
      `another version of ${run.identity.software} than ${run.identity.version}`,
      'other CompIDs',
      'another dictionary than the one of dictionaryHash',
      'a waiver that has run out',
      'the date of expiry',
    ],
  };
  const value = sign(null, Buffer.from(canonical(certificate)), key).toString('base64');
  const publicKey = createPublicKey(key).export({ type: 'spki', format: 'der' }).toString('base64');
  return { certificate, signature: { algorithm: 'Ed25519', publicKey, value } };
}

export interface Check {
  readonly what: string;
  readonly isMet: boolean;
  readonly detail: string;
}

export interface CheckOptions {
  readonly nowMs: number;
  /** Base64 of the issuer's public key; without it the signature shows only that nothing was changed. */
  readonly issuer?: string | undefined;
  /** The run that the certificate was given for. */
  readonly evidence?: RunRecord | undefined;
}

/** Throws for what is no certificate at all. */
export function readCertificate(text: string): SignedCertificate {
  return signedShape.parse(JSON.parse(text));
}

export function check(
  { certificate, signature }: SignedCertificate,
  { nowMs, issuer, evidence }: CheckOptions,
): readonly Check[] {
  const checks: Check[] = [];
  const add = (what: string, isMet: boolean, detail: string) =>
    checks.push({ what, isMet, detail });
  add('signature', isSigned(certificate, signature), fingerprint(signature.publicKey));
  if (issuer !== undefined) {
    add('issuer', issuer === signature.publicKey, `wanted ${fingerprint(issuer)}`);
  }
  add('expiry', nowMs < Date.parse(certificate.expires), certificate.expires);
  if (evidence !== undefined) {
    const hash = evidenceHash(evidence);
    add('evidence', hash === certificate.evidenceHash, `SHA-256 ${hash}`);
  }
  return checks;
}

function isSigned(certificate: Certificate, { publicKey, value }: SignedCertificate['signature']) {
  try {
    const key = createPublicKey({
      key: Buffer.from(publicKey, 'base64'),
      format: 'der',
      type: 'spki',
    });
    const bytes = Buffer.from(canonical(certificate));
    return (
      key.asymmetricKeyType === 'ed25519' && verify(null, bytes, key, Buffer.from(value, 'base64'))
    );
  } catch {
    return false;
  }
}

/** Short enough to be read out. */
export function fingerprint(publicKey: string): string {
  const hash = createHash('sha256').update(publicKey, 'base64').digest('hex');
  return `key ${hash.slice(0, 32).replace(/(.{4})(?=.)/g, '$1 ')}`;
}

export function evidenceHash(run: RunRecord): string {
  return createHash('sha256').update(canonical(run)).digest('hex');
}

/** A new signing key as PEM. */
export function newKey(): string {
  const { privateKey } = generateKeyPairSync('ed25519');
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

export function readKey(pem: string): KeyObject {
  const key = createPrivateKey(pem);
  if (key.asymmetricKeyType !== 'ed25519') throw new Error('the key is not an Ed25519 key');
  return key;
}

/** JSON with sorted keys and nothing between. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`);
  return `{${members.join(',')}}`;
}
