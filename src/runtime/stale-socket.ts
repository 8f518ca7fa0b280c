/**
 * A socket file without a listener is left over from a process that died; a socket file with a listener belongs to
 * another process.
 */
import { rmSync } from 'node:fs';
import { connect } from 'node:net';

export async function removeStaleSocket(path: string): Promise<void> {
  const isServed = await new Promise<boolean>((resolve) => {
    const probe = connect(path);
    probe.once('connect', () => {
      probe.destroy();
      resolve(true);
    });
    probe.once('error', () => resolve(false));
  });
  if (isServed) throw new Error(`${path} is served by another process`);
  rmSync(path, { force: true });
}
