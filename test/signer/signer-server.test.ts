/** One connection must not keep the others waiting: counted in frames, because time says nothing on a busy machine. */
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { signFrame } from '../../src/signer/signer-frame.ts';
import { type SignerServer, serveSigner } from '../../src/signer/signer-server.ts';
import { cancel, coreWith, envelope, openPolicy, request, spot } from './signer-samples.ts';

let directory: string;
let server: SignerServer;
let sockets: Socket[];
let reports: string[];
/** Whose frames were answered, in their order. */
let answered: ('flood' | 'other')[];
/** Signs in no time, so that a test has thousands of frames. */
const quick = {
  publicKey: Uint8Array.of(4, ...Array(64).fill(1)),
  problem: undefined,
  sign: () => new Uint8Array(65),
  close: () => {},
};

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'signer-server-'));
  chmodSync(directory, 0o700);
  [sockets, reports, answered] = [[], [], []];
  const policy = { ...openPolicy, burst: 1_000_000, placementsPerSecond: 1_000_000 };
  const core = await coreWith({ keys: [{ holder: quick, policy }] });
  const place = { connections: 8, socket: join(directory, 'signer.sock') };
  server = await serveSigner(core, place, {
    report: (text) => reports.push(text),
    ended: (text) => reports.push(text),
    answered([first], results) {
      answered.push(isOthers(first?.canonical) ? 'other' : 'flood');
      return results;
    },
  });
});

afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await server.close();
  rmSync(directory, { recursive: true });
});

const others = request(envelope(7, spot(50n, 10n, 2)));
function isOthers(canonical: Uint8Array = new Uint8Array()): boolean {
  return Buffer.compare(canonical, others.canonical) === 0;
}

async function connected(): Promise<Socket> {
  const socket = connect(join(directory, 'signer.sock'));
  await once(socket, 'connect');
  sockets.push(socket);
  return socket;
}

/** Resolves with how many frames of the flood were answered before the other connection's one. */
async function framesBefore(flood: Buffer): Promise<number> {
  const flooder = await connected();
  const other = await connected();
  flooder.on('data', () => {});
  // Both are in the sockets before the signer reads either.
  flooder.write(flood);
  other.write(signFrame(1, [others]));
  await once(other, 'data');
  return answered.indexOf('other');
}

const most = 8;

test('a flood of small frames keeps another connection waiting for a few of them', async () => {
  const frames = Array.from({ length: 4000 }, (_, id) =>
    signFrame(id, [request(envelope(id, cancel))]),
  );
  expect(await framesBefore(Buffer.concat(frames))).toBeLessThanOrEqual(most);
});

test('a flood of frames that are full of placements does so, too', async () => {
  const full = Array.from({ length: 128 }, (_, nonce) => request(envelope(1000 + nonce)));
  const frames = Array.from({ length: 40 }, (_, id) => signFrame(id, full));
  expect(await framesBefore(Buffer.concat(frames))).toBeLessThanOrEqual(most);
});

test('every frame of a flood is answered, and in the order of its coming', async () => {
  const flooder = await connected();
  const ids: number[] = [];
  let rest = Buffer.alloc(0);
  const all = new Promise<void>((resolve) => {
    flooder.on('data', (chunk: Buffer) => {
      rest = Buffer.concat([rest, chunk]);
      while (rest.length >= 4 && rest.length >= 4 + rest.readUInt32LE(0)) {
        ids.push(rest.readUInt32LE(4));
        rest = rest.subarray(4 + rest.readUInt32LE(0));
      }
      if (ids.length === 1000) resolve();
    });
  });
  for (let id = 0; id < 1000; id += 1)
    flooder.write(signFrame(id, [request(envelope(id, cancel))]));
  await all;
  expect(ids).toEqual(Array.from({ length: 1000 }, (_, id) => id));
});

test('a peer that reads no answers does not make the signer keep them, and delays nobody', async () => {
  const deaf = await connected();
  deaf.pause();
  const frames = Array.from({ length: 30_000 }, (_, id) =>
    signFrame(id, [request(envelope(id % 4000, cancel))]),
  );
  deaf.write(Buffer.concat(frames));
  const other = await connected();
  for (let id = 0; id < 50; id += 1) {
    other.write(signFrame(id, [others]));
    await once(other, 'data');
  }
  let count = 0;
  do {
    count = answered.length;
    for (let round = 0; round < 50; round += 1) await new Promise(setImmediate);
  } while (answered.length > count);
  // 200 bytes an answer: what the socket takes, and a megabyte.
  expect(answered.filter((one) => one === 'flood').length).toBeLessThan(15_000);
});

test('a frame that nobody may send ends its connection, and nothing behind it is worked on', async () => {
  const bad = await connected();
  bad.resume();
  const good = signFrame(1, [request(envelope(1, cancel))]);
  const wrong = Buffer.from(good);
  wrong.writeUInt8(9, 8);
  bad.write(Buffer.concat([good, wrong, ...Array(100).fill(good)]));
  await once(bad, 'close');
  expect(reports).toEqual([expect.stringMatching(/ended.*kind 9/)]);
  expect(answered.length).toBeLessThanOrEqual(most);
});
