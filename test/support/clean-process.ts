/**
 * Test files share a process, one after the other. What one leaves behind, such as a timer that does not run, would hang
 * or fail files that pass alone, so the next file names it.
 */
import timers from 'node:timers';
import { expect } from 'vitest';

/** What the process was like before its first file, and the file that ran last. */
interface Process {
  readonly settings: ReturnType<typeof settings>;
  file: string | undefined;
}

const shared = globalThis as { cleanProcess?: Process };
shared.cleanProcess ??= { settings: settings(), file: undefined };
const { cleanProcess } = shared;
expect(settings(), `what ${cleanProcess.file} left behind`).toEqual(cleanProcess.settings);
cleanProcess.file = expect.getState().testPath;

function settings() {
  const { clearTimeout, performance, setImmediate, setTimeout } = globalThis;
  const { NODE_OPTIONS } = process.env;
  return {
    hasItsTimers:
      setTimeout === timers.setTimeout &&
      clearTimeout === timers.clearTimeout &&
      setImmediate === timers.setImmediate,
    hasItsClock: Math.abs(performance.timeOrigin + performance.now() - Date.now()) < 60_000,
    directory: process.cwd(),
    nodeOptions: NODE_OPTIONS,
  };
}
