/** The address that `causeway certify passive` relays to. */
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { interviewTemplate } from '../../../src/certify/interview.ts';
import { freePort } from '../../../src/runtime/free-port.ts';
import { causeway } from '../../support/program.ts';

const folder = mkdtempSync(join(tmpdir(), 'causeway-passive-'));
const interview = join(folder, 'interview.yaml');
const port = await freePort({ host: '127.0.0.1', port: 0 });
writeFileSync(interview, interviewTemplate('acceptor').replace('port: 9890', `port: ${port}`));
afterAll(() => rmSync(folder, { recursive: true }));

const passive = (through: string) =>
  causeway('certify', 'passive', '--interview', interview, '--through', through);

/** A connection to the port, once somebody listens there. */
async function connected(): Promise<Socket> {
  for (;;) {
    const client = connect({ host: '127.0.0.1', port });
    const isOpen = await once(client, 'connect').then(
      () => true,
      () => false,
    );
    if (isOpen) return client;
  }
}

const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? []);

test.runIf(addresses.some(({ address }) => address === '::1'))(
  'traffic is relayed to a server with an IPv6 address, in brackets',
  async () => {
    const server = createServer().listen(0, '::1');
    await once(server, 'listening');
    const ended = passive(`[::1]:${(server.address() as AddressInfo).port}`);
    const arrived = once(server, 'connection');
    const client = await connected();
    client.write('8=FIX.4.4');
    const [socket] = (await arrived) as [Socket];
    expect(String((await once(socket, 'data'))[0])).toBe('8=FIX.4.4');
    client.destroy();
    process.emit('SIGINT');
    expect(await ended).toMatchObject({ status: 0, stderr: '' });
    process.removeAllListeners('SIGTERM').removeAllListeners('SIGINT');
    server.close();
  },
);

test.each(['::1:9880', '127.0.0.1', '127.0.0.1:65536', ':9880'])('%s is refused', async (given) => {
  const { status, stderr } = await passive(given);
  expect([status, stderr]).toEqual([2, expect.stringContaining(`${given} is not HOST:PORT`)]);
});
