/**
 * What it costs that a client is at another node than its shard: processor time and delay of a message of 250 bytes and its answer,
 * through two front doors and TLS between them, beside the same over one socket without them.
 */
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { clientBytes } from '../test/acceptance/fix/script.ts';
import { FrontNode, Rows } from '../test/cluster/front-node.ts';
import { Authority } from '../test/transport/authority.ts';
import type { Row } from './main.ts';

const rounds = 20_000;
const warmUp = 5_000;
const message = Buffer.alloc(250, 'x');

export async function run(): Promise<Row[]> {
  const authority = new Authority();
  const rows = new Rows();
  const [one, two] = await Promise.all(
    ['n1', 'n2'].map((name) => FrontNode.open({ name, authority, rows })),
  );
  const echo = createServer((socket) => void socket.pipe(socket)).listen(0, '127.0.0.1');
  await once(echo, 'listening');
  try {
    rows.own('a', 'n2', 1);
    two?.serve('a');
    const logon = clientBytes('A|34=1|98=0|108=30', { client: 'ALPHA', server: 'CAUSEWAY' }, 0);
    const direct = await measured((echo.address() as { port: number }).port, logon);
    const relayed = await measured(one?.ports.fix ?? 0, logon);
    const cpuUs = relayed.cpuUs - direct.cpuUs;
    return [
      {
        name: 'relay to another node: processor time of both nodes',
        value: `${cpuUs.toFixed(0)} µs for a message and its answer`,
      },
      {
        name: 'relay to another node: time to the answer on one machine',
        value: `p50 ${relayed.p50Us.toFixed(0)} µs, without the relay ${direct.p50Us.toFixed(0)} µs`,
      },
    ];
  } finally {
    echo.close();
    await Promise.all([one?.close(), two?.close()]);
    authority.remove();
  }
}

async function measured(port: number, first: Uint8Array) {
  const socket = connect({ host: '127.0.0.1', port, noDelay: true });
  socket.write(first);
  await answered(socket, first.length);
  for (let round = 0; round < warmUp; round += 1) await asked(socket);
  const tookUs: number[] = [];
  const before = process.cpuUsage();
  for (let round = 0; round < rounds; round += 1) {
    const startMs = performance.now();
    await asked(socket);
    tookUs.push((performance.now() - startMs) * 1_000);
  }
  const { system, user } = process.cpuUsage(before);
  socket.destroy();
  tookUs.sort((a, b) => a - b);
  return { cpuUs: (system + user) / rounds, p50Us: tookUs[rounds / 2] ?? 0 };
}

function asked(socket: Socket): Promise<void> {
  socket.write(message);
  return answered(socket, message.length);
}

function answered(socket: Socket, bytes: number): Promise<void> {
  return new Promise((resolve) => {
    let left = bytes;
    const onData = (piece: Buffer) => {
      left -= piece.length;
      if (left > 0) return;
      socket.off('data', onData);
      resolve();
    };
    socket.on('data', onData);
  });
}
