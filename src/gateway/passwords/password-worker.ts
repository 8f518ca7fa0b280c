/** The worker of `PasswordThread`: it lowers its own priority and then answers one check after the other. */
import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';
import { basename } from 'node:path';
import { parentPort } from 'node:worker_threads';
import { isSecret, type SecretHash } from './secret-hash.ts';

/** The thread gets a ninth of a normal thread's share if both want the same core. */
const niceness = 10;

const port = parentPort;
if (port === null) throw new Error('passwords are checked on a thread');
lowerPriority();

port.on('message', ([password, hash]: [string, SecretHash]) => {
  port.postMessage(isSecret(password, hash));
});

/** Linux accepts a thread id as a process id. On other systems, and without permission, nothing changes. */
function lowerPriority(): void {
  try {
    setPriority(Number(basename(readlinkSync('/proc/thread-self'))), niceness);
  } catch {
    // The check also works without the lower priority.
  }
}
