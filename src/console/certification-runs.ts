/**
 * The results of `causeway certify` in its folders, for the certification page. The files come from another program,
 * possibly of another version: an unreadable file is reported, and does not affect the others.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

export const outcome = z.enum(['passed', 'failed', 'inconclusive', 'notRun', 'waived']);

const runShape = z.object({
  format: z.literal('causeway-certification-run/2'),
  identity: z.object({
    name: z.string(),
    software: z.string(),
    version: z.string(),
    senderCompId: z.string(),
  }),
  direction: z.string(),
  protocol: z.string(),
  startedMs: z.number(),
  endedMs: z.number(),
  scenarios: z.array(
    z.object({
      id: z.string(),
      title: z.string(),
      level: z.string(),
      outcome,
      reason: z.string(),
      isPlayable: z.boolean().default(true),
    }),
  ),
});
const certificateShape = z.object({ certificate: z.object({ expires: z.string() }) });

export interface CertificationRun {
  readonly folder: string;
  /** Null if the run cannot be read; `fault` contains the reason. */
  readonly run: z.output<typeof runShape> | null;
  readonly fault: string;
  /** The expiry of the certificate; null without one. */
  readonly expires: string | null;
}

const maxFolders = 200;
const longestFile = 16 * 1024 * 1024;

export function foldersIn(directory: string): readonly string[] {
  return readdirSync(directory, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .slice(0, maxFolders);
}

/**
 * Returns a function that lists a row for each counterparty, latest run first. It caches what it has read: evidence is
 * long, and the page requests it repeatedly.
 */
export function certificationRuns(directory: string): () => readonly CertificationRun[] {
  const known = new Map<string, { readonly stamp: string; readonly read: RunFile }>();
  const runOf = (folder: string): CertificationRun | undefined => {
    const path = join(directory, folder);
    const file = join(path, 'run.json');
    const { mtimeMs, size } = statSync(file, { throwIfNoEntry: false }) ?? {};
    if (size === undefined) return undefined;
    const stamp = `${mtimeMs} ${size}`;
    const before = known.get(folder);
    const read = before?.stamp === stamp ? before.read : readRun(file, size);
    known.set(folder, { stamp, read });
    const signed = parsedFile(join(path, 'certificate.json'), certificateShape);
    return { folder, ...read, expires: signed?.certificate.expires ?? null };
  };
  return () =>
    foldersIn(directory)
      .flatMap((folder) => runOf(folder) ?? [])
      .sort((a, b) => (b.run?.startedMs ?? 0) - (a.run?.startedMs ?? 0));
}

type RunFile = Pick<CertificationRun, 'run' | 'fault'>;

function readRun(file: string, size: number): RunFile {
  if (size > longestFile) return { run: null, fault: 'run.json is too long to be shown' };
  const run = parsedFile(file, runShape) ?? null;
  return { run, fault: run === null ? 'run.json is not a run that this version reads' : '' };
}

/** Undefined if the file cannot be read, is not JSON, or does not match the schema. */
function parsedFile<Shape extends z.ZodType>(file: string, shape: Shape) {
  try {
    return shape.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return undefined;
  }
}
