/**
 * A person's stop at the signer: while the file is there, nothing that places is signed, whoever asks. Only someone who may write
 * in the signer's own directory can make or remove it (`causeway signer pause`, `causeway signer resume`).
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../runtime/clock.ts';

/** The file is looked at this often. */
const lookEveryMs = 100;
const longestReason = 200;

export function pauseFileIn(dataDir: string): string {
  return join(dataDir, 'signer.pause');
}

export function pause(file: string, reason: string): void {
  writeFileSync(file, `${reason.slice(0, longestReason)}\n`, { mode: 0o600 });
}

export function resume(file: string): void {
  rmSync(file, { force: true });
}

/** Null if nothing is paused. A file that cannot be read is a pause. */
export function pauseReason(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').slice(0, longestReason).trim() || 'no reason is given';
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    return code === 'ENOENT' ? null : `${file} cannot be read: ${code}`;
  }
}

export function pauseWatch(file: string, clock: Clock): () => string | null {
  let nextMs = Number.NEGATIVE_INFINITY;
  let reason: string | null = null;
  return () => {
    const { monoMs } = clock.now();
    if (monoMs >= nextMs) {
      nextMs = monoMs + lookEveryMs;
      reason = pauseReason(file);
    }
    return reason;
  };
}
