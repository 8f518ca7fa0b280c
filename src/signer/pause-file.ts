/**
 * Pauses placements: while the file exists, the signer refuses them. Only a user who may write in the signer's own
 * directory can create or remove it (`causeway signer pause`, `causeway signer resume`).
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Clock } from '../runtime/clock.ts';
import { syncDirectory } from '../runtime/directory.ts';
import { isFull } from '../store/space.ts';

/** How often the signer checks the file. */
const lookEveryMs = 100;
const longestReason = 200;

export function pauseFileIn(dataDir: string): string {
  return join(dataDir, 'signer.pause');
}

/** The pause survives a loss of power. */
export function pause(file: string, reason: string): void {
  try {
    writeFileSync(file, `${reason.slice(0, longestReason)}\n`, { mode: 0o600, flush: true });
  } catch (error) {
    // The file itself is the pause, and a bridge that was taken over may have left no room for a reason.
    if (!isFull(error) || !existsSync(file)) throw error;
  }
  syncDirectory(dirname(file));
}

/** Returns false if nothing was paused. */
export function resume(file: string): boolean {
  const wasPaused = existsSync(file);
  rmSync(file, { force: true });
  return wasPaused;
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
