/** Wrong logons of strangers, on real sockets: a client with the right password is not held up, and they learn nothing. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lightCost } from '../../src/gateway/passwords/secret-hash.ts';
import { clientBytes } from '../acceptance/fix/script.ts';
import { type Bridge, startBridge } from '../support/bridge.ts';
import { FixPeer } from '../support/fix-peer.ts';

const strangers = 60;
const open: Socket[] = [];
let bridge: Bridge;

beforeAll(async () => {
  bridge = await startBridge({ passwordCost: lightCost });
}, 60_000);

afterAll(async () => {
  for (const socket of open) socket.destroy();
  await bridge.stop();
});

/** A wrong password for a CompID, from an address and network of its own. */
async function guess(
  index: number,
  client = 'BRAVO',
  password = `guess-${index}`,
): Promise<Socket> {
  const { port } = bridge.gateway;
  const socket = connect({ host: '127.0.0.1', port, localAddress: `127.3.${index}.9` });
  open.push(socket);
  socket.on('error', () => {});
  await once(socket, 'connect');
  const logon = `A|34=1|98=0|108=30|553=bravo|554=${password}`;
  socket.write(clientBytes(logon, { client, server: 'CAUSEWAY' }, Date.now()));
  return socket;
}

test('a client logs on while strangers guess passwords of another', async () => {
  const charlie = bridge.user('CHARLIE');
  let refused = 0;
  const guesses = await Promise.all(Array.from({ length: strangers }, (_, at) => guess(at)));
  for (const socket of guesses) {
    socket.once('data', () => {
      refused += 1;
    });
  }
  const client = await FixPeer.connect(bridge.gateway.port, charlie);
  const before = refused;
  expect(await client.logon()).toContain('|35=A|');
  expect(refused - before).toBeLessThan(strangers / 4);
  client.hangUp();
});

/** All that a stranger hears until the connection ends, but for what differs with the time and the name that was given. */
async function heard(socket: Socket, client: string): Promise<string> {
  let text = '';
  socket.on('data', (bytes: Buffer) => {
    text += bytes.toString('latin1');
  });
  await once(socket, 'close');
  return text
    .replaceAll('\x01', '|')
    .replace(/\|52=[^|]+/, '')
    .replace(/\|(9|10)=\d+/g, '')
    .replace(`|56=${client}|`, '|56=|');
}

test('a stranger gets the same answer for a client that is online, offline or stopped', async () => {
  const alpha = bridge.user('ALPHA');
  const online = await FixPeer.connect(bridge.gateway.port, alpha);
  await online.logon();
  bridge.gateway.directory.roster.stop('FIX.4.4:CAUSEWAY/->CHARLIE/');
  const names = ['BRAVO', 'ALPHA', 'CHARLIE'];
  const answers = await Promise.all(
    names.map(async (name, at) => heard(await guess(100 + at, name), name)),
  );
  expect(answers[0]).toContain('|35=5|');
  expect(answers[0]).toContain('|58=Logon refused: wrong credentials|');
  expect(new Set(answers).size).toBe(1);
  online.hangUp();
});

test('CompIDs that nobody has are closed without a word and do not block their source', async () => {
  for (const name of ['ONE', 'TWO', 'THREE', 'FOUR']) {
    expect(await heard(await guess(150, name), name)).toBe('');
  }
  expect(await heard(await guess(150, 'BRAVO'), 'BRAVO')).toContain('wrong credentials');
});
