/**
 * The folder of one counterparty's certification: `evidence.jsonl`, to which each attempt is appended, and `run.json`,
 * which contains the results and the end of the evidence and is signed with our key. Files of another version are
 * archived.
 */
import { hash, type KeyObject } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { parsedAs, parsedJson } from '../runtime/parsed-json.ts';
import { replaceFileSync } from '../runtime/replace-file.ts';
import { Evidence, EvidenceError } from './evidence.ts';
import { outcomes, type Subject, subjectOf, subjectShape } from './record.ts';
import { canonical, fingerprint, isSigned, publicKeyOf, signatureOf } from './signature.ts';

const present = 'run.json';
const evidenceFile = 'evidence.jsonl';
export const certificateFile = 'certificate.json';
const format = 'causeway-certification-run/2';
/** Above this size a certification continues in another folder, because the evidence is read as one string. */
const maxEvidenceBytes = 256 * 1024 * 1024;

/** The part of `run.json` that is checked first; the rest is derived from the evidence again and compared. */
const sealShape = z.object({
  format: z.literal(format),
  ...subjectShape.shape,
  evidence: z.object({ records: z.int().min(1), head: z.string() }),
  /** SHA-256 of the reports. */
  files: z.record(z.string(), z.string()),
  signature: z.string().nullable(),
});
/** The part of a run that a comparison needs; runs of the first format can be compared, too. */
const summaryShape = z.object({
  format: z.string().startsWith('causeway-certification-run/'),
  ...subjectShape.shape,
  rulesHash: z.string().nullable().default(null),
  signer: z.string().nullable().default(null),
  causeway: z.string(),
  features: z.array(z.string()).readonly(),
  startedMs: z.number(),
  endedMs: z.number(),
  scenarios: z
    .array(z.object({ id: z.string(), title: z.string(), outcome: z.enum(outcomes) }))
    .readonly(),
});
type Summary = Readonly<z.output<typeof summaryShape>>;

export type ComparedRun = Omit<Summary, 'format'>;

export class RunFolder {
  readonly #folder: string;
  readonly #key: KeyObject | undefined;
  #evidenceBytes = 0;

  /** `key` signs the stored files. */
  constructor(folder: string, key?: KeyObject) {
    this.#folder = folder;
    this.#key = key;
    mkdirSync(folder, { recursive: true });
  }

  path(file: string): string {
    return join(this.#folder, file);
  }

  /** The run before the current one, with other software, another version or another catalogue. */
  previous(): ComparedRun | undefined {
    const [last] = readdirSync(this.#folder)
      .filter((file) => /^run-\d+\.json$/.test(file))
      .sort()
      .reverse();
    return last === undefined ? undefined : readSummary(this.path(last));
  }

  /** Evidence of the same subject is continued; evidence of another one is archived and does not count. */
  takeUp(about: Omit<Subject, 'signer'>): Evidence {
    const subject = { ...about, signer: this.#signer };
    const isThere = existsSync(this.path(present));
    const before = isThere ? readSummary(this.path(present)) : undefined;
    const isSame =
      before?.format === format && isDeepStrictEqual(subjectOf(before), subjectOf(subject));
    if (!isSame) {
      this.#layAside(before?.startedMs ?? Date.now());
      return this.#evidence(subject);
    }
    const { evidence, bytes } = this.#checked();
    // A line that was appended but not signed before the run ended is not evidence.
    truncateSync(this.path(evidenceFile), bytes);
    return evidence;
  }

  /** Reads the evidence of the folder. Throws if any file differs from what the run wrote. */
  read(): Evidence {
    const { evidence, bytes, files } = this.#checked();
    const isWhole = this.#text(evidenceFile).length === bytes;
    if (!isWhole) throw new EvidenceError(`${evidenceFile} continues after its signed end`);
    for (const [file, written] of Object.entries(files)) {
      if (hash('sha256', this.#text(file)) !== written) {
        throw new EvidenceError(`${file} is not the report that the run wrote`);
      }
    }
    return evidence;
  }

  /** Writes the reports, and binds them to their evidence. */
  keepReports(evidence: Evidence, reports: Readonly<Record<string, string>>): void {
    const { signer } = evidence.subject;
    if (signer !== this.#signer) {
      const whose = signer === null ? 'is not signed' : `is signed by ${fingerprint(signer)}`;
      throw new EvidenceError(`the run ${whose}; its reports need the same --key`);
    }
    for (const [file, text] of Object.entries(reports)) this.write(file, text);
    const hashes = Object.entries(reports).map(([file, text]) => [file, hash('sha256', text)]);
    this.#seal(evidence, Object.fromEntries(hashes));
  }

  write(file: string, text: string): void {
    replaceFileSync(this.path(file), text);
  }

  get #signer(): string | null {
    return this.#key === undefined ? null : publicKeyOf(this.#key);
  }

  #evidence(subject: Subject): Evidence {
    const evidence = new Evidence(subject, (line) => {
      this.#append(line);
      this.#seal(evidence, {});
    });
    return evidence;
  }

  /** This must be on the disk before `run.json` counts it. */
  #append(line: string): void {
    const file = openSync(this.path(evidenceFile), 'a', 0o600);
    try {
      const { size } = fstatSync(file);
      if (size !== this.#evidenceBytes) {
        throw new EvidenceError(`another program writes to ${this.path(evidenceFile)}`);
      }
      if (size + line.length > maxEvidenceBytes) {
        const limit = `${maxEvidenceBytes / 2 ** 20} MiB`;
        throw new EvidenceError(`${this.path(evidenceFile)} has ${limit}: use another --out`);
      }
      this.#evidenceBytes += writeSync(file, line);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
  }

  #seal(evidence: Evidence, files: Readonly<Record<string, string>>): void {
    const sealed = sealedOf(evidence, files);
    const signature = this.#key === undefined ? null : signatureOf(sealed, this.#key);
    this.write(present, `${JSON.stringify({ ...sealed, signature }, null, 1)}\n`);
  }

  #checked() {
    const { signature, ...sealed } = this.#json(present);
    const seal = sealShape.safeParse({ signature, ...sealed });
    if (!seal.success) throw new EvidenceError(`${present} is not a run of this version`);
    const { signer, evidence: end, files } = seal.data;
    if (signer !== null && !isSigned(sealed, signer, seal.data.signature ?? '')) {
      throw new EvidenceError(`${present} was changed after it was signed`);
    }
    const lines = this.#text(evidenceFile)
      .toString('utf8')
      .split(/(?<=\n)/);
    const text = lines.slice(0, end.records).join('');
    const evidence = this.#evidence(subjectOf(seal.data));
    try {
      evidence.take(text);
    } catch (error) {
      if (!(error instanceof EvidenceError)) throw error;
      throw new EvidenceError(`${evidenceFile}: ${error.message}`);
    }
    if (evidence.count !== end.records) {
      throw new EvidenceError(
        `${evidenceFile} has ${evidence.count} of the ${end.records} records in ${present}`,
      );
    }
    if (evidence.head !== end.head) {
      throw new EvidenceError(`${evidenceFile} does not end at the position in ${present}`);
    }
    if (canonical(sealedOf(evidence, files)) !== canonical(sealed)) {
      throw new EvidenceError(`${present} does not match its evidence`);
    }
    this.#evidenceBytes = Buffer.byteLength(text);
    return { evidence, files, bytes: this.#evidenceBytes };
  }

  #json(file: string): Readonly<Record<string, unknown>> {
    const found = parsedAs(z.looseObject({}), this.#text(file).toString('utf8'));
    if (found === undefined) throw new EvidenceError(`${file} is not a JSON object`);
    return found;
  }

  #text(file: string): Buffer {
    try {
      return readFileSync(this.path(file));
    } catch {
      throw new EvidenceError(`${this.path(file)} cannot be read`);
    }
  }

  #layAside(stamp: number): void {
    for (const file of [present, evidenceFile, certificateFile]) {
      if (!existsSync(this.path(file))) continue;
      renameSync(this.path(file), this.path(file.replace('.', `-${stamp}.`)));
    }
  }
}

function sealedOf(evidence: Evidence, files: Readonly<Record<string, string>>) {
  const { run, head, count } = evidence;
  const scenarios = run.scenarios.map(({ attempts: _, ...scenario }) => scenario);
  return { format, ...run, scenarios, evidence: { records: count, head }, files };
}

export function readSummary(file: string): Summary {
  const json = parsedJson(readFileSync(file, 'utf8'));
  const read = summaryShape.safeParse(json);
  if (read.success) return read.data;
  const what = json === undefined ? 'JSON; it is damaged or incomplete' : 'a certification run';
  throw new EvidenceError(`${file} is not ${what}`);
}
