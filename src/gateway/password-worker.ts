/** The thread behind `PasswordThread`: first it lowers its own priority, then it answers one check after the other. */
import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';
import { basename } from 'node:path';
import { parentPort } from 'node:worker_threads';
import { isSecret, type SecretHash } from './secret-hash.ts';

/** Gets a ninth of the share of a normal thread if both want the same core. */
const niceness = 10;

const port = parentPort;
if (port === null) throw new Error('passwords are checked on a thread');
lowerPriority();

port.on('message', ([password, hash]: [string, SecretHash]) => {
  port.postMessage(isSecret(password, hash));
});

/** Linux accepts a thread id as a process id. On other systems, and without permission, the priority stays unchanged. */
function lowerPriority(): void {
  try {
    setPriority(Number(basename(readlinkSync('/proc/thread-self'))), niceness);
  } catch {
    // The check works without the lower priority.
  }
}
