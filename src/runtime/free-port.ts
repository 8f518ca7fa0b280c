/** Whether one can listen somewhere, found out by doing so for a moment. */
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/** Its number, which for port 0 is one that nobody has; throws what the system says where somebody does. */
export async function freePort(listen: {
  readonly host: string;
  readonly port: number;
}): Promise<number> {
  const server = createServer().listen(listen);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
