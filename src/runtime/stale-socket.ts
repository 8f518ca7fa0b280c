/**
 * A socket file without a listener is left over from a process that died; a socket file with a listener belongs to
 * another process, also if that is too busy to accept a connection or does not let this user connect.
 */
import { rmSync, statSync } from 'node:fs';
import { connect } from 'node:net';

export async function removeStaleSocket(path: string): Promise<void> {
  const failure = await new Promise<NodeJS.ErrnoException | undefined>((resolve) => {
    const probe = connect(path, () => resolve(undefined));
    probe.once('error', resolve).once('connect', () => probe.destroy());
  });
  if (failure === undefined || failure.code === 'EAGAIN') {
    throw new Error(`${path} is served by another process`);
  }
  if (failure.code !== 'ECONNREFUSED' && failure.code !== 'ENOENT') throw failure;
  const file = statSync(path, { throwIfNoEntry: false });
  if (file?.isSocket() === false) throw new Error(`${path} is not a socket`);
  rmSync(path, { force: true });
}
