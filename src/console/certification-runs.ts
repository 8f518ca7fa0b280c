/**
 * What `causeway certify` has left in its folders, for the certification page. The files are of another program, and
 * may be of another version: what cannot be read is said to be so, and nothing else is lost.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const runShape = z.object({
  format: z.literal('causeway-certification-run/1'),
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
      outcome: z.enum(['passed', 'failed', 'inconclusive', 'notRun', 'waived']),
      reason: z.string(),
    }),
  ),
});
const certificateShape = z.object({ certificate: z.object({ expires: z.string() }) });

export interface CertificationRun {
  readonly folder: string;
  /** Null where the run cannot be read; `fault` says why. */
  readonly run: z.output<typeof runShape> | null;
  readonly fault: string;
  /** When the certificate ends, null without one. */
  readonly expires: string | null;
}

const mostFolders = 200;
const longestFile = 64 * 1024 * 1024;

/** One row a counterparty, the latest run first. */
export function certificationRuns(directory: string): readonly CertificationRun[] {
  const folders = readdirSync(directory, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .slice(0, mostFolders);
  return folders
    .flatMap(({ name }) => runOf(join(directory, name), name) ?? [])
    .sort((a, b) => (b.run?.startedMs ?? 0) - (a.run?.startedMs ?? 0));
}

function runOf(path: string, folder: string): CertificationRun | undefined {
  const expires = expiryOf(join(path, 'certificate.json'));
  try {
    const file = join(path, 'run.json');
    if (statSync(file).size > longestFile) throw new Error('the file is too long');
    const run = runShape.parse(JSON.parse(readFileSync(file, 'utf8')));
    return { folder, run, fault: '', expires };
  } catch (error) {
    if (isMissing(error)) return undefined;
    return { folder, run: null, fault: 'run.json is no run that this version reads', expires };
  }
}

function expiryOf(file: string): string | null {
  try {
    return certificateShape.parse(JSON.parse(readFileSync(file, 'utf8'))).certificate.expires;
  } catch {
    return null;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
