/** Serves a signer on a Unix socket or by TLS (docs/decisions/0286-who-may-ask-the-signer.md). */
import type { Socket } from 'node:net';
import { SpinBriefly } from '../runtime/spin-briefly.ts';
import type { SignerCore } from './signer-core.ts';
import {
  FrameError,
  FrameSplitter,
  helloAnswer,
  readRequest,
  signedFrame,
} from './signer-frame.ts';
import { type TlsListen, tlsListener, unixListener } from './signer-listener.ts';

/** Frames of one connection that are being worked on; more wait in the socket. */
const maxFramesAtWork = 64;

/** Where it listens: on one of both. */
export interface SignerPlace {
  readonly socket?: string | undefined;
  readonly tls?: TlsListen | undefined;
}

export interface SignerServer {
  /** For people. */
  readonly place: string;
  close(): Promise<void>;
}

export async function serveSigner(
  core: SignerCore,
  { socket: path, tls }: SignerPlace,
  report: (text: string) => void,
): Promise<SignerServer> {
  const connections = new Set<Socket>();
  const onSocket = (socket: Socket) => {
    connections.add(socket);
    socket.on('close', () => connections.delete(socket));
    serveConnection(core, socket, report);
  };
  const { listen, server } = tls
    ? tlsListener(tls, onSocket, report)
    : unixListener(path ?? '', onSocket);
  const place = await listen();
  return {
    place,
    async close() {
      for (const socket of connections) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
      await core.close();
    },
  };
}

/** Answers one frame without its length. */
export async function answerFrame(core: SignerCore, body: Uint8Array): Promise<Buffer | undefined> {
  const request = readRequest(body);
  switch (request.kind) {
    case 'hello':
      return helloAnswer(request.id, core.greet(request.anchor));
    case 'recall':
      core.recall(request.account, request.floor, request.digests);
      return undefined;
    case 'sign':
      break;
  }
  const results = await core.signAll(request.requests);
  return signedFrame(request.id, core.anchor, results);
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
    if (answer !== undefined) socket.write(answer);
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
