/** The thread behind `PasswordThread`: first it lowers its own priority, then it answers one check after the other. */
import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';
import { basename } from 'node:path';
import { parentPort } from 'node:worker_threads';
import { isSecret, type SecretHash } from './secret-hash.ts';

/** A ninth of the share of a thread of usual priority, where both want the same core. */
const niceness = 10;

const port = parentPort;
if (port === null) throw new Error('passwords are checked on a thread');
lowerPriority();

port.on('message', ([password, hash]: [string, SecretHash]) => {
  port.postMessage(isSecret(password, hash));
});

/** Linux takes the id of a thread for that of a process. Elsewhere, and where it is forbidden, the priority stays as it is. */
function lowerPriority(): void {
  try {
    setPriority(Number(basename(readlinkSync('/proc/thread-self'))), niceness);
  } catch {
    // A password is checked all the same.
  }
}
