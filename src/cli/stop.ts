/** The signals that end a verb or make it read its configuration again. */
import type { Log } from '../runtime/log.ts';
import { OneAtATime } from '../runtime/one-at-a-time.ts';
import { writeLine } from './operator-log.ts';
import { exitCodes } from './verb.ts';

/**
 * Stops a verb that runs until a signal. It is called before the verb reports that it is ready, because a program that
 * waits for the report may send the signal at once.
 */
export function stopAsked(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve());
  });
}

let isStarting = false;

/**
 * For a verb whose start may wait for others for a long time. A signal during the start ends the process with a
 * message: it serves nobody yet, and the next start finds everything as after a crash. The returned function ends the
 * start; a signal after that resolves its promise.
 */
export function stopDuringStart(log: Log): () => Promise<void> {
  const asked = stopAsked();
  isStarting = true;
  void asked.then(() => {
    if (!isStarting) return;
    writeLine(log, 'asked to stop during the start, so it exits', { event: 'start_stopped' });
    process.exit(exitCodes.done);
  });
  return () => {
    startEnded();
    return asked;
  };
}

/** Called when a verb ends, too, because its start may have failed. */
export function startEnded(): void {
  isStarting = false;
}

export interface Reloads {
  /** Calls for each signal, also for one before; a call waits for the one before it. */
  begin(reload: () => Promise<unknown>): void;
  /** A signal changes nothing from now on, and does not end the process. Resolves when the last call is over. */
  end(): Promise<unknown>;
}

/**
 * Waits for SIGHUP from the start of a verb. Without a listener the signal ends the process, and systemd does not
 * restart one that ended so: a reload during the start would stop the service.
 */
export function reloadsAsked(): Reloads {
  const line = new OneAtATime();
  let reload: (() => Promise<unknown>) | undefined;
  let isAsked = false;
  const onHangup = () => {
    if (reload === undefined) isAsked = true;
    else void line.run(reload);
  };
  process.on('SIGHUP', onHangup);
  return {
    begin(call) {
      reload = call;
      if (isAsked) onHangup();
    },
    end() {
      reload = async () => {};
      return line.run(reload);
    },
  };
}
