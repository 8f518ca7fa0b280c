/**
 * The HTTP socket around a handler: bounded heads, bodies and connections, and the faults that only bytes can exhibit
 * (a slow answer, a connection that is cut at any byte). It makes no decisions.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Clock } from '../runtime/clock.ts';
import { AnswerSwap } from './answer-swap.ts';
import type { VenueRequest, VenueResponse } from './http-message.ts';

export interface HttpShellOptions {
  readonly host: string;
  /** 0 selects a free port. */
  readonly port: number;
  readonly maxBodyBytes: number;
  readonly clock: Clock;
  readonly reportFault: (error: unknown) => void;
  handle(request: VenueRequest): VenueResponse;
}

const maxHeaderBytes = 16_384;
const maxConnections = 2048;

export async function listen(options: HttpShellOptions) {
  const turn = new Turn();
  const delays = new Delays(options.clock);
  const swap = new AnswerSwap();
  const server = createServer(
    {
      maxHeaderSize: maxHeaderBytes,
      headersTimeout: 10_000,
      requestTimeout: 30_000,
      keepAliveTimeout: 60_000,
      noDelay: true,
    },
    (request, response) =>
      receive(request, response, options.maxBodyBytes, (received) => {
        turn.open();
        const answer = handled(options, received);
        const { cutAtByte, delayMs = 0, isSwapped = false } = answer.wire ?? {};
        const reply = () => {
          if (isSwapped) swap.meet(answer, (other) => write(response, other));
          else if (cutAtByte === undefined) write(response, answer);
          else cut(response, answer, cutAtByte);
        };
        if (delayMs === 0) turn.reply(reply);
        else delays.hold(reply, delayMs);
      }),
  );
  server.maxConnections = maxConnections;
  server.listen(options.port, options.host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  /** Sends all waiting answers now. */
  const release = () => {
    delays.release();
    swap.release();
  };
  const stop = () =>
    new Promise<void>((resolve) => {
      release();
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { server, port, release, stop };
}

/** Answers that are delayed by faults. */
class Delays {
  readonly #clock: Clock;
  /** The callbacks, with the functions that cancel their timers. */
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

/** Enough for a client to work on while the next answers are prepared. */
const answersAtOnce = 4;

/**
 * Writes the responses of one round of the event loop in groups. Waking a sleeping client takes longer than writing its
 * response, and a client that was woken for the first is awake for the others (docs/decisions/0235).
 */
class Turn {
  #replies: (() => void)[] = [];
  #isOpen = false;

  /** Called before the request is processed, so that its answer precedes anything that it schedules. */
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
  maxBodyBytes: number,
  received: (request: VenueRequest) => void,
): void {
  const chunks: Buffer[] = [];
  let length = 0;
  request.on('data', (chunk: Buffer) => {
    length += chunk.length;
    // The rest is read and dropped, so that the refusal reaches a client that is still sending.
    if (length <= maxBodyBytes) chunks.push(chunk);
    else chunks.length = 0;
  });
  request.on('end', () => {
    received({
      method: request.method ?? 'GET',
      target: request.url ?? '/',
      // Only Set-Cookie is a list, and a venue's client never sends it.
      headers: request.headers as Record<string, string | undefined>,
      body: chunks.length === 1 ? (chunks[0] ?? Buffer.alloc(0)) : Buffer.concat(chunks),
      remoteAddress: request.socket.remoteAddress ?? '',
      ...(length > maxBodyBytes && { bodyTooLong: true }),
    });
  });
  request.on('error', () => response.destroy());
}

/** The last resort: an internal error affects one answer but never the process. */
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
  if (socket === null) {
    // Earlier answers of the same connection are still to be sent.
    response.once('socket', () => cut(response, answer, atByte));
    return;
  }
  const headers = { ...answer.headers, 'content-length': Buffer.byteLength(answer.body) };
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const start = `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status] ?? ''}\r\n`;
  const bytes = Buffer.from(`${start}${head.join('')}\r\n${answer.body}`);
  socket.end(bytes.subarray(0, atByte), () => socket.destroy());
}
