/** `causeway certify certificate` and `verify`: issues certificates, and verifies them. */
import type { KeyObject } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import {
  type Certificate,
  check,
  issue,
  NotCertified,
  readCertificate,
} from '../../certify/certificate.ts';
import { type Evidence, EvidenceError } from '../../certify/evidence.ts';
import { certificateFile, RunFolder } from '../../certify/run-folder.ts';
import { fingerprint, newKey, readKey } from '../../certify/signature.ts';
import { printableLines } from '../fix-text.ts';
import { concluded, exitCodes, UsageError } from '../verb.ts';
import type { Asked } from './options.ts';

type CertificateAsked = Pick<Asked, 'days' | 'evidence' | 'issuer' | 'json' | 'key' | 'out'>;

/** Undefined if no file is named; creates a missing file. */
export function deskKey(file: string | undefined): KeyObject | undefined {
  if (file === undefined) return undefined;
  if (!existsSync(file)) writeFileSync(file, newKey(), { mode: 0o600, flag: 'wx' });
  const pem = readFileSync(file, 'utf8');
  try {
    return readKey(pem);
  } catch (cause) {
    throw new Error(`${file} is not an Ed25519 key in PEM without a passphrase`, { cause });
  }
}

/** The key of a run that was played before: a new one cannot have signed it. */
export function keyOfRun(out: string, file: string | undefined): KeyObject | undefined {
  if (!existsSync(out)) throw new UsageError(`there is no run in ${out}`);
  if (file !== undefined && !existsSync(file)) throw new UsageError(`there is no key ${file}`);
  return deskKey(file);
}

export function certificate({ out, key: file, days, json }: CertificateAsked): number {
  const key = keyOfRun(out, file);
  if (key === undefined) throw new UsageError('--key FILE is needed');
  const folder = new RunFolder(out, key);
  try {
    const signed = issue(folder.read(), key, { issuedMs: Date.now(), validDays: days });
    folder.write(certificateFile, `${JSON.stringify(signed, null, 2)}\n`);
    const { certificate: given, signature } = signed;
    const lines = [
      `${folder.path(certificateFile)}: ${given.identity.software} ${given.identity.version}`,
      `${countsOf(given)}; valid until ${given.expires.slice(0, 10)}`,
      `signed by ${fingerprint(signature.publicKey)}`,
      `public key ${signature.publicKey}`,
    ];
    return concluded(json, signed, printableLines(lines));
  } catch (error) {
    if (!(error instanceof EvidenceError || error instanceof NotCertified)) throw error;
    console.error(`not certified: ${printableLines(error.message.split('\n'))}`);
    return exitCodes.failed;
  }
}

export function verify(
  { issuer, evidence, json }: CertificateAsked,
  [file]: readonly string[],
): number {
  if (file === undefined) throw new UsageError('verify needs a file, such as certificate.json');
  if (issuer === undefined) {
    throw new UsageError("--issuer KEY is required: without it anyone's certificate would pass");
  }
  const signed = readCertificate(readFileSync(file, 'utf8'));
  if (signed === undefined) throw new UsageError(`${file} is not a certificate of Causeway`);
  const shown = evidence === undefined ? undefined : evidenceIn(evidence);
  const checks = check(signed, { nowMs: Date.now(), issuer, evidence: shown });
  const isGood = checks.every(({ isMet }) => isMet);
  const { identity } = signed.certificate;
  const lines = [
    `${identity.name}: ${identity.software} ${identity.version}; ${countsOf(signed.certificate)}`,
    ...checks.map(({ what, isMet, detail }) => `${isMet ? 'OK    ' : 'BROKEN'} ${what}  ${detail}`),
  ];
  const value = { isGood, checks, certificate: signed.certificate };
  return concluded(json, value, printableLines(lines), isGood);
}

/** How much of the catalogue a certificate covers; without the waivers, it would seem to prove more than it does. */
function countsOf({ scope: { passed, waived, failed, notRun } }: Certificate): string {
  const counts = { passed, waived, failed, 'not run': notRun };
  return Object.entries(counts)
    .flatMap(([word, { length }]) => (length === 0 ? [] : `${length} ${word}`))
    .join(', ');
}

function evidenceIn(folder: string): Evidence | EvidenceError {
  if (!existsSync(folder)) return new EvidenceError(`there is no folder ${folder}`);
  try {
    return new RunFolder(folder).read();
  } catch (error) {
    if (error instanceof EvidenceError) return error;
    throw error;
  }
}
