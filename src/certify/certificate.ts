/**
 * The certificate: the demonstrated scenarios, the counterparty, versions, expiry and the conditions that end it,
 * signed with our key, so that anyone with the public key can verify it without us.
 */
import type { KeyObject } from 'node:crypto';
import { z } from 'zod';
import { parsedJson } from '../runtime/parsed-json.ts';
import { type Evidence, EvidenceError, endOf } from './evidence.ts';
import { type Outcome, type ScenarioRecord, subjectShape } from './record.ts';
import { canonical, fingerprint, isSigned, publicKeyOf, signatureOf } from './signature.ts';

export interface CertificateOptions {
  readonly issuedMs: number;
  readonly validDays: number;
}

const words = z.string().max(2000);
const scenario = z.strictObject({ id: words, reason: words });
const listed = z.array(scenario).max(1000);
const certificateShape = z.strictObject({
  format: z.literal('causeway-certificate/2'),
  identity: subjectShape.shape.identity,
  direction: subjectShape.shape.direction,
  protocol: z.enum(['fix', 'fixp']),
  scope: z.strictObject({
    features: z.array(words).max(100),
    passed: z.array(words).max(1000),
    waived: z.array(scenario.extend({ until: z.iso.date() })).max(1000),
    /** Optional scenarios that failed. */
    failed: listed,
    notRun: listed,
  }),
  causeway: words,
  catalogueHash: words,
  dictionaryHash: words,
  /** SHA-256 of the rules of engagement that the counterparty received. */
  rulesHash: words,
  /** The end of the evidence: the number of records, and the SHA-256 of the last one. */
  evidence: z.strictObject({ records: z.int(), head: words }),
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

/** Why no certificate is issued; the message lists all reasons. */
export class NotCertified extends Error {}

const dayMs = 86_400_000;

/** The scenarios that prevent a certificate: those that can be run here must be optional, passed or waived. */
export function obstacles(scenarios: readonly ScenarioRecord[]): readonly ScenarioRecord[] {
  return scenarios.filter(
    ({ isPlayable, level, outcome }) =>
      isPlayable && level !== 'optional' && outcome !== 'passed' && outcome !== 'waived',
  );
}

export function issue(
  evidence: Evidence,
  key: KeyObject,
  { issuedMs, validDays }: CertificateOptions,
): SignedCertificate {
  const publicKey = publicKeyOf(key);
  const obstacle = obstacleOf(evidence, publicKey, issuedMs);
  if (obstacle !== undefined) throw new NotCertified(obstacle);
  const claims = claimsOf(evidence);
  const ends = [issuedMs + validDays * dayMs, ...claims.scope.waived.map(endOf)];
  const { software, version } = claims.identity;
  const certificate: Certificate = {
    format: 'causeway-certificate/2',
    ...claims,
    issued: new Date(issuedMs).toISOString(),
    expires: new Date(Math.min(...ends)).toISOString(),
    endsWith: [
      `another version of ${software} than ${version}`,
      'other CompIDs',
      'another dictionary than the one of dictionaryHash',
      'other rules of engagement than those of rulesHash',
      'the expiry date, which is not later than the end of the first waiver',
    ],
  };
  const value = signatureOf(certificate, key);
  return { certificate, signature: { algorithm: 'Ed25519', publicKey, value } };
}

function obstacleOf(
  { run, subject }: Evidence,
  publicKey: string,
  issuedMs: number,
): string | undefined {
  if (subject.signer === null) {
    return 'the evidence is not signed; play it with --key, so that it cannot be changed later';
  }
  if (subject.signer !== publicKey) {
    return `the evidence is signed by ${fingerprint(subject.signer)}, which is not this key`;
  }
  if (subject.rulesHash === null) {
    return 'the interview does not name the rules of engagement, as `rules: FILE`';
  }
  if (!run.scenarios.some(({ outcome }) => outcome === 'passed')) return 'no scenario was passed';
  const over = run.scenarios.filter(
    ({ outcome, until }) =>
      outcome === 'waived' && until !== undefined && endOf({ until }) <= issuedMs,
  );
  const list = [...obstacles(run.scenarios), ...over].map(
    // A reason may contain the counterparty's own text, which must not look like more of this list.
    ({ id, outcome, reason }) => `\n  ${id} ${outcome}: ${reason.replace(/\p{Cc}/gu, '·')}`,
  );
  return list.length === 0 ? undefined : list.join('');
}

/** The claims of a certificate, which are checked against the evidence when it is verified. */
function claimsOf({ run, count, head }: Evidence) {
  const of = (...wanted: readonly Outcome[]) =>
    run.scenarios.filter(({ outcome }) => wanted.includes(outcome));
  const why = ({ id, reason }: ScenarioRecord) => ({ id, reason });
  return {
    identity: run.identity,
    direction: run.direction,
    protocol: run.protocol,
    scope: {
      features: [...run.features],
      passed: of('passed').map(({ id }) => id),
      waived: of('waived').map((one) => ({ ...why(one), until: one.until ?? '' })),
      failed: of('failed', 'inconclusive').map(why),
      notRun: of('notRun').map(why),
    },
    causeway: run.causeway,
    catalogueHash: run.catalogueHash,
    dictionaryHash: run.dictionaryHash,
    rulesHash: run.rulesHash ?? '',
    evidence: { records: count, head },
  };
}

export interface Check {
  readonly what: string;
  readonly isMet: boolean;
  readonly detail: string;
}

export interface CheckOptions {
  readonly nowMs: number;
  /** The public key in base64, which the reader must get from another source: anyone can create a key. */
  readonly issuer: string;
  /** The contents of the run folder, or why it cannot be trusted. */
  readonly evidence?: Evidence | EvidenceError | undefined;
}

/** Returns undefined if the text is not a certificate. */
export function readCertificate(text: string): SignedCertificate | undefined {
  return signedShape.safeParse(parsedJson(text)).data;
}

export function check(
  { certificate, signature }: SignedCertificate,
  { nowMs, issuer, evidence }: CheckOptions,
): readonly Check[] {
  const { publicKey, value } = signature;
  const isIntact = isSigned(certificate, publicKey, value);
  const checks: Check[] = [
    { what: 'signature', isMet: isIntact, detail: fingerprint(publicKey) },
    { what: 'issuer', isMet: issuer === publicKey, detail: `wanted ${fingerprint(issuer)}` },
    {
      what: 'expiry',
      isMet: nowMs < Date.parse(certificate.expires),
      detail: certificate.expires,
    },
  ];
  if (evidence === undefined) return checks;
  const fault = evidence instanceof EvidenceError ? evidence.message : strangeness(evidence);
  const detail = fault ?? `${certificate.evidence.records} records`;
  return [...checks, { what: 'evidence', isMet: fault === undefined, detail }];

  function strangeness(shown: Evidence): string | undefined {
    if (shown.subject.signer !== publicKey) return 'it is not signed by the issuer';
    const { head, records } = certificate.evidence;
    if (shown.head !== head) return `it does not end with record ${records} of the certificate`;
    const claims = { ...certificate, ...claimsOf(shown) };
    return canonical(claims) === canonical(certificate) ? undefined : 'it shows something else';
  }
}
