/** Serves a signer on a Unix socket or by TLS (docs/decisions/0042-the-signer.md). */
import type { Socket } from 'node:net';
import { nowUs } from '../runtime/latency.ts';
import { SpinBriefly } from '../runtime/spin-briefly.ts';
import { FrameTurns } from './frame-turns.ts';
import { LedgerAway } from './postgres-ledger.ts';
import type { SignRequest, SignResult } from './signer.ts';
import type { SignerConfig } from './signer-config.ts';
import type { SignerCore } from './signer-core.ts';
import {
  FrameError,
  FrameSplitter,
  helloAnswer,
  readRequest,
  signedFrame,
} from './signer-frame.ts';
import { tlsListener, unixListener } from './signer-listener.ts';

/** How many frames of a connection may wait for the disk or a key; a bridge has two in flight. */
const maxFramesAtWork = 4;
const maxUnreadBytes = 1_048_576;

export interface SignerServer {
  /** The address, for people. */
  readonly place: string;
  readonly connections: number;
  /** Reads the certificates again; throws if they cannot be used, and what it returns puts them in force. */
  renewal(): () => void;
  close(): Promise<void>;
}

export interface SignerWatch {
  /** Called when a connection was refused, or nobody can be greeted at present. */
  report(text: string): void;
  /** Called when a connection was ended because of what the bridge sent, or of a fault of this signer. */
  ended(text: string): void;
  /** Called before an answer is sent; returns what may be sent. If it throws, the connection ends. */
  answered?(
    requests: readonly SignRequest[],
    results: readonly SignResult[],
    tookUs: number,
  ): readonly SignResult[];
}

export async function serveSigner(
  core: SignerCore,
  { connections: most, socket: path, tls }: Pick<SignerConfig, 'connections' | 'socket' | 'tls'>,
  watch: SignerWatch,
): Promise<SignerServer> {
  const report = (text: string) => watch.report(text);
  const connections = new Set<Socket>();
  const turns = new FrameTurns();
  const onSocket = (socket: Socket) => {
    connections.add(socket);
    socket.on('close', () => connections.delete(socket));
    serveConnection(core, socket, watch, turns);
  };
  const { listen, renewal, server } = tls
    ? tlsListener(tls, most, onSocket, report)
    : unixListener(path ?? '', most, onSocket);
  // Before its handshake over TLS, too: a stranger would hold up the end for seconds.
  const arrived = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    arrived.add(socket);
    socket.on('close', () => arrived.delete(socket));
  });
  server.on('drop', () => report(`a connection was refused: all ${most} are in use`));
  const place = await listen();
  return {
    place,
    renewal,
    get connections() {
      return connections.size;
    },
    async close() {
      for (const socket of arrived) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
      await core.close();
    },
  };
}

/** Answers one frame without its length. */
export async function answerFrame(
  core: SignerCore,
  body: Uint8Array,
  watch?: SignerWatch,
): Promise<Buffer | undefined> {
  const startedUs = nowUs();
  const request = readRequest(body);
  switch (request.kind) {
    case 'hello':
      return helloAnswer(request.id, await core.greet(request.anchor));
    case 'recall':
      core.recall(request.account, request.floor, request.digests);
      return undefined;
    case 'sign':
      break;
  }
  const results = await core.signAll(request.requests);
  const leaving = watch?.answered?.(request.requests, results, nowUs() - startedUs) ?? results;
  return signedFrame(request.id, core.anchor, leaving);
}

function serveConnection(
  core: SignerCore,
  socket: Socket,
  watch: SignerWatch,
  turns: FrameTurns,
): void {
  const splitter = new FrameSplitter();
  const warm = new SpinBriefly();
  const waiting: Uint8Array[] = [];
  let atWork = 0;
  const end = (error: unknown) => {
    if (error instanceof LedgerAway) watch.report(`connection ended: ${error.message}`);
    else if (error instanceof FrameError) watch.ended(`connection ended: ${error.message}`);
    else watch.ended('connection ended by a fault of this signer');
    waiting.length = 0;
    socket.destroy();
  };
  const work = async (body: Uint8Array) => {
    atWork += 1;
    const answer = await answerFrame(core, body, watch);
    atWork -= 1;
    if (socket.destroyed) return;
    if (answer !== undefined) socket.write(answer);
    warm.keep();
    goOn();
  };
  const line = {
    next() {
      if (socket.destroyed || atWork >= maxFramesAtWork) return false;
      if (socket.writableLength >= maxUnreadBytes) return false;
      const body = waiting.shift();
      if (body !== undefined) void work(body).catch(end);
      if (waiting.length === 0) socket.resume();
      return waiting.length > 0;
    },
  };
  const goOn = () => {
    if (waiting.length > 0) turns.add(line);
  };
  socket.on('data', (chunk) => {
    try {
      splitter.push(chunk, (body) => void waiting.push(body));
    } catch (error) {
      end(error);
    }
    goOn();
    if (waiting.length > 0) socket.pause();
  });
  socket.on('drain', goOn);
  socket.on('error', () => socket.destroy());
}
