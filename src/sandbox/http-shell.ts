/**
 * The HTTP socket around a handler: bounded heads, bodies and connections, and the faults that only bytes can show
 * (a slow answer, a connection cut at any byte). Nothing is decided here.
 */
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Clock } from '../runtime/clock.ts';
import { AnswerSwap } from './answer-swap.ts';
import type { VenueRequest, VenueResponse } from './http-message.ts';

export interface HttpShellOptions {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  readonly maxBodyBytes: number;
  readonly clock: Clock;
  readonly reportFault: (error: unknown) => void;
  handle(request: VenueRequest): VenueResponse;
}

export interface HttpShell {
  readonly server: Server;
  readonly port: number;
  /** Sends all answers that wait now. */
  release(): void;
  stop(): Promise<void>;
}

const maxHeaderBytes = 16_384;
const maxConnections = 2048;

export async function listen(options: HttpShellOptions): Promise<HttpShell> {
  const turn = new Turn();
  const waiting: Waiting = { delays: new Delays(options.clock), swap: new AnswerSwap() };
  const server = createServer(
    {
      maxHeaderSize: maxHeaderBytes,
      headersTimeout: 10_000,
      requestTimeout: 30_000,
      keepAliveTimeout: 60_000,
      noDelay: true,
    },
    (request, response) => receive(request, response, options, turn, waiting),
  );
  server.maxConnections = maxConnections;
  server.on('clientError', (_error, socket) => {
    if (socket.writable) socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n');
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const { port } = server.address() as AddressInfo;
  const release = () => {
    waiting.delays.release();
    waiting.swap.release();
  };
  const stop = () =>
    new Promise<void>((resolve) => {
      release();
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { server, port, release, stop };
}

/** Answers that faults delay. */
interface Waiting {
  readonly delays: Delays;
  readonly swap: AnswerSwap;
}

class Delays {
  readonly #clock: Clock;
  /** What to do, and how to cancel its timer. */
  readonly #cancels = new Map<() => void, () => void>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  hold(reply: () => void, delayMs: number | null): void {
    const due = () => {
      this.#cancels.delete(reply);
      reply();
    };
    const cancel =
      delayMs === null ? () => {} : this.#clock.at(this.#clock.now().monoMs + delayMs, due);
    this.#cancels.set(reply, cancel);
  }

  release(): void {
    const waiting = [...this.#cancels];
    this.#cancels.clear();
    for (const [reply, cancel] of waiting) {
      cancel();
      reply();
    }
  }
}

/** Enough that a client can work on these while the next ones are made. */
const answersAtOnce = 4;

/**
 * Writes the answers of one turn of the event loop a few together. To wake a client that sleeps takes longer than to
 * write its answer, and one that was woken for the first is awake for the others (docs/decisions/0235).
 */
class Turn {
  #replies: (() => void)[] = [];
  #isOpen = false;

  /** Comes before the request is dealt with, so that the answer goes before what that schedules itself. */
  open(): void {
    if (this.#isOpen) return;
    this.#isOpen = true;
    setImmediate(() => {
      this.#isOpen = false;
      this.#write();
    });
  }

  reply(write: () => void): void {
    this.#replies.push(write);
    if (this.#replies.length >= answersAtOnce) this.#write();
  }

  #write(): void {
    const replies = this.#replies;
    this.#replies = [];
    for (const reply of replies) reply();
  }
}

function receive(
  request: IncomingMessage,
  response: ServerResponse,
  options: HttpShellOptions,
  turn: Turn,
  waiting: Waiting,
): void {
  const chunks: Buffer[] = [];
  let length = 0;
  request.on('data', (chunk: Buffer) => {
    length += chunk.length;
    // The rest is read and thrown away, so that the refusal reaches a client that is still sending.
    if (length <= options.maxBodyBytes) chunks.push(chunk);
    else chunks.length = 0;
  });
  request.on('end', () => {
    const tooLong = length > options.maxBodyBytes;
    turn.open();
    const answer = handled(options, {
      method: request.method ?? 'GET',
      target: request.url ?? '/',
      // Only Set-Cookie comes as a list, and no client of a venue sends that.
      headers: request.headers as Record<string, string | undefined>,
      body: chunks.length === 1 ? (chunks[0] ?? Buffer.alloc(0)) : Buffer.concat(chunks),
      remoteAddress: request.socket.remoteAddress ?? '',
      ...(tooLong ? { bodyTooLong: true } : {}),
    });
    const { cutAtByte, delayMs = 0, isSwapped = false } = answer.wire ?? {};
    const reply = () => {
      if (isSwapped) waiting.swap.meet(answer, (other) => write(response, other));
      else if (cutAtByte === undefined) write(response, answer);
      else cut(response, answer, cutAtByte);
    };
    if (delayMs === 0) turn.reply(reply);
    else waiting.delays.hold(reply, delayMs);
  });
  request.on('error', () => response.destroy());
}

/** The last resort: an internal error costs one answer and never the process. */
function handled(options: HttpShellOptions, request: VenueRequest): VenueResponse {
  try {
    return options.handle(request);
  } catch (error) {
    options.reportFault(error);
    return { status: 500, headers: {}, body: '' };
  }
}

function write(response: ServerResponse, answer: VenueResponse): void {
  if (response.destroyed) return;
  response.writeHead(answer.status, {
    ...answer.headers,
    'content-length': Buffer.byteLength(answer.body),
  });
  response.end(answer.body);
}

function cut(response: ServerResponse, answer: VenueResponse, atByte: number): void {
  const { socket } = response;
  if (socket === null) return;
  const headers = { ...answer.headers, 'content-length': Buffer.byteLength(answer.body) };
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const start = `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status] ?? ''}\r\n`;
  const bytes = Buffer.from(`${start}${head.join('')}\r\n${answer.body}`);
  socket.end(bytes.subarray(0, atByte), () => socket.destroy());
}
