/** Finds out whether a process can listen on a port, by listening for a moment. */
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/**
 * The system assigns higher ports to programs that ask for any free port. Such a port may therefore belong to another
 * program a moment later, and a client that keeps retrying would connect to that program.
 */
const [lowest, highest] = [20_000, 32_767];
let next = randomInt(lowest, highest + 1);

/** Returns the port; for port 0 it finds one that stays free. Throws the system's error if the port is in use. */
export async function freePort({
  host,
  port,
}: {
  readonly host: string;
  readonly port: number;
}): Promise<number> {
  if (port !== 0) return await triedPort(host, port);
  for (;;) {
    const candidate = next;
    next = candidate === highest ? lowest : candidate + 1;
    try {
      return await triedPort(host, candidate);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    }
  }
}

async function triedPort(host: string, port: number): Promise<number> {
  const server = createServer().listen({ host, port });
  await once(server, 'listening');
  const found = (server.address() as AddressInfo).port;
  server.close();
  await once(server, 'close');
  return found;
}
