/**
 * Serves a signer on a Unix socket that only its own user can open: a directory of mode 0700, a socket of mode 0600.
 * The process of this server opens no other socket.
 */
import { chmodSync, rmSync, statSync } from 'node:fs';
import { createConnection, createServer, type Server, type Socket } from 'node:net';
import { dirname } from 'node:path';
import { SpinBriefly } from '../runtime/spin-briefly.ts';
import type { SignerCore } from './signer-core.ts';
import {
  FrameError,
  FrameSplitter,
  helloAnswer,
  readRequest,
  signedFrame,
} from './signer-frame.ts';

const maxConnections = 8;
/** Frames of one connection that are being worked on; more wait in the socket. */
const maxFramesAtWork = 64;

export interface SignerServer {
  close(): Promise<void>;
}

export async function serveSigner(
  core: SignerCore,
  path: string,
  report: (text: string) => void,
): Promise<SignerServer> {
  checkPrivate(dirname(path));
  await removeStale(path);
  const connections = new Set<Socket>();
  const server = createServer((socket) => {
    connections.add(socket);
    socket.on('close', () => connections.delete(socket));
    serveConnection(core, socket, report);
  });
  server.maxConnections = maxConnections;
  await listen(server, path);
  return {
    async close() {
      for (const socket of connections) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
      await core.close();
    },
  };
}

/** Answers one frame without its length. */
export async function answerFrame(core: SignerCore, body: Uint8Array): Promise<Buffer> {
  const request = readRequest(body);
  if (request.kind === 'hello') return helloAnswer(request.id, core.keys);
  return signedFrame(request.id, await core.signAll(request.requests));
}

function serveConnection(core: SignerCore, socket: Socket, report: (text: string) => void): void {
  const splitter = new FrameSplitter();
  const warm = new SpinBriefly();
  let atWork = 0;
  const end = (error: unknown) => {
    const isPeers = error instanceof FrameError;
    report(isPeers ? `connection ended: ${error.message}` : 'connection ended by a fault');
    socket.destroy();
  };
  const work = async (body: Uint8Array) => {
    atWork += 1;
    if (atWork >= maxFramesAtWork) socket.pause();
    const answer = await answerFrame(core, body);
    atWork -= 1;
    if (socket.destroyed) return;
    socket.write(answer);
    warm.keep();
    if (atWork < maxFramesAtWork && socket.writableLength < 1_048_576) socket.resume();
  };
  socket.on('data', (chunk) => {
    try {
      splitter.push(chunk, (body) => void work(body).catch(end));
    } catch (error) {
      end(error);
    }
  });
  socket.on('drain', () => socket.resume());
  socket.on('error', () => socket.destroy());
}

function checkPrivate(directory: string): void {
  const { mode, uid } = statSync(directory);
  if ((mode & 0o077) !== 0 || uid !== process.getuid?.()) {
    throw new Error(`${directory} must belong to this user alone: chmod 700`);
  }
}

/** A socket file that nobody serves is left over from a signer that died; a served one is a second signer. */
async function removeStale(path: string): Promise<void> {
  const served = await new Promise<boolean>((resolve) => {
    const probe = createConnection(path);
    probe.on('connect', () => {
      probe.destroy();
      resolve(true);
    });
    probe.on('error', () => resolve(false));
  });
  if (served) throw new Error(`${path} is served by another signer`);
  rmSync(path, { force: true });
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, () => {
      chmodSync(path, 0o600);
      resolve();
    });
  });
}
