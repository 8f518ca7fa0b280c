/**
 * A venue that plays a script over real sockets: it answers what a test tells it to, cuts a connection after any byte
 * of request or answer, and speaks the private WebSocket. It knows nothing of the contract by itself.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createFront, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { type WebSocket, WebSocketServer } from 'ws';

export interface ScriptedRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

export interface ScriptedAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** An object is sent as JSON. */
  readonly body?: unknown;
  /** The connection ends after so many bytes of the answer, head and body counted together. */
  readonly cutAt?: number;
  readonly delayMs?: number;
  /** Neither answered nor closed. */
  readonly hang?: boolean;
}

export type Script = (request: ScriptedRequest) => ScriptedAnswer;

export interface ScriptedVenue {
  readonly baseUrl: string;
  readonly wsUrl: string;
  readonly requests: ScriptedRequest[];
  /** Open private sockets, the newest last. */
  readonly sockets: WebSocket[];
  /** TCP connections so far. */
  connectionCount(): number;
  answer(script: Script): void;
  /** What a new private socket does; the default is silence. */
  onSocket(play: (socket: WebSocket, frames: AsyncIterable<unknown>) => void): void;
  /** Connections end after so many bytes of their request from now on. */
  cutRequestsAt(bytes: number | null): void;
  stop(): Promise<void>;
}

/** The bytes of an answer as they stand on the wire. */
export function answerBytes({ status = 200, headers = {}, body = '' }: ScriptedAnswer): Buffer {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const type = typeof body === 'string' ? 'text/plain' : 'application/json';
  const head = Object.entries({
    'content-type': type,
    'content-length': String(Buffer.byteLength(text)),
    date: new Date().toUTCString(),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`HTTP/1.1 ${status} Scripted\r\n${head.join('')}\r\n${text}`);
}

export async function startScriptedVenue(script: Script): Promise<ScriptedVenue> {
  let current = script;
  let play: Parameters<ScriptedVenue['onSocket']>[0] = () => {};
  let cutRequestAt: number | null = null;
  const requests: ScriptedRequest[] = [];
  const sockets: WebSocket[] = [];
  const connections = new Set<Socket>();
  let accepted = 0;
  const server = createServer((request, response) => {
    void serve(request, response, requests, (asked) => current(asked));
  });
  const front = createFront((socket) => {
    connections.add(socket);
    accepted += 1;
    socket.on('close', () => connections.delete(socket));
    socket.on('error', () => {});
    if (cutRequestAt === null) server.emit('connection', socket);
    else cutAfter(socket, cutRequestAt);
  });
  const acceptor = new WebSocketServer({ server });
  acceptor.on('connection', (socket) => {
    sockets.push(socket);
    socket.on('error', () => {});
    play(socket, framesOf(socket));
  });
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
  const { port } = front.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    wsUrl: `ws://127.0.0.1:${port}`,
    requests,
    sockets,
    connectionCount: () => accepted,
    answer: (next) => {
      current = next;
    },
    onSocket: (next) => {
      play = next;
    },
    cutRequestsAt: (bytes) => {
      cutRequestAt = bytes;
    },
    async stop() {
      for (const socket of acceptor.clients) socket.terminate();
      for (const socket of connections) socket.destroy();
      acceptor.close();
      await new Promise((resolve) => front.close(resolve));
    },
  };
}

/** Reads so many bytes of the request and is gone; nothing of it is understood. */
function cutAfter(socket: Socket, bytes: number): void {
  let seen = 0;
  if (bytes === 0) socket.destroy();
  socket.on('data', (chunk) => {
    seen += chunk.length;
    if (seen >= bytes) socket.destroy();
  });
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  requests: ScriptedRequest[],
  script: Script,
): Promise<void> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of request) chunks.push(chunk as Buffer);
  } catch {
    return;
  }
  const asked = {
    method: request.method ?? '',
    target: request.url ?? '',
    headers: request.headers,
    body: Buffer.concat(chunks).toString(),
  };
  requests.push(asked);
  const answer = script(asked);
  if (answer.hang) return;
  if (answer.delayMs !== undefined) await pause(answer.delayMs);
  const bytes = answerBytes(answer);
  const { socket } = response;
  if (answer.cutAt === undefined || answer.cutAt >= bytes.length) {
    const { status = 200, headers = {}, body = '' } = answer;
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    response.writeHead(status, {
      'content-type': typeof body === 'string' ? 'text/plain' : 'application/json',
      ...headers,
    });
    response.end(text);
  } else if (answer.cutAt === 0) {
    socket?.destroy();
  } else {
    socket?.write(bytes.subarray(0, answer.cutAt), () => socket.destroy());
  }
}

/** Frames as they come, parsed; ends with the socket. */
async function* framesOf(socket: WebSocket): AsyncGenerator<unknown> {
  const waiting: unknown[] = [];
  let wake = () => {};
  let isOpen = true;
  socket.on('message', (data: Buffer) => {
    waiting.push(JSON.parse(data.toString()));
    wake();
  });
  socket.on('close', () => {
    isOpen = false;
    wake();
  });
  while (isOpen || waiting.length > 0) {
    if (waiting.length > 0) {
      yield waiting.shift();
      continue;
    }
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
  }
}
