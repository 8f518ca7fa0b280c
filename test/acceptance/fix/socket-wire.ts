/** A real socket to a server that somebody started. Time is real, so waiting is waiting for the next message. */
import { connect, type Socket } from 'node:net';
import type { Wire } from './player.ts';
import type { Names, Step } from './script.ts';

const patienceMs = 8_000;
/** A server under test that would say something unasked has long done so. */
const silenceMs = 60;

interface Line {
  readonly socket: Socket;
  text: string;
  isClosed: boolean;
  wake: () => void;
}

export class SocketWire implements Wire {
  readonly names: Names;
  readonly #port: number;
  readonly #lines = new Map<number, Line>();

  constructor(port: number, names: Names) {
    this.#port = port;
    this.names = names;
  }

  wallMs(): number {
    return Date.now();
  }

  async connect(connection: number): Promise<void> {
    const socket = connect({ host: '127.0.0.1', port: this.#port, noDelay: true });
    const line: Line = { socket, text: '', isClosed: false, wake: () => {} };
    this.#lines.set(connection, line);
    socket.on('data', (bytes) => {
      line.text += bytes.toString('latin1').replaceAll('\x01', '|');
      line.wake();
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      line.isClosed = true;
      line.wake();
    });
    await new Promise<void>((resolve) => socket.once('connect', resolve));
  }

  async send(connection: number, bytes: Uint8Array): Promise<void> {
    const { socket } = this.#line(connection);
    await new Promise<void>((resolve) => socket.write(bytes, () => resolve()));
  }

  async hangUp(connection: number): Promise<void> {
    const line = this.#line(connection);
    line.socket.destroy();
    await new Promise<void>((resolve) => setTimeout(resolve, silenceMs));
  }

  next(connection: number): Promise<string | undefined> {
    return this.#next(connection, patienceMs);
  }

  rest(connection: number): Promise<string | undefined> {
    return this.#next(connection, silenceMs);
  }

  async wait(): Promise<void> {}

  async other(step: Step): Promise<void> {
    throw new Error(`${step.verb} is not for a server outside`);
  }

  async finish(): Promise<void> {
    for (const { socket } of this.#lines.values()) socket.destroy();
  }

  async #next(connection: number, withinMs: number): Promise<string | undefined> {
    const line = this.#line(connection);
    const endMs = Date.now() + withinMs;
    for (;;) {
      const end = /\|10=\d{3}\|/.exec(line.text);
      if (end !== null) {
        const message = line.text.slice(0, end.index + end[0].length);
        line.text = line.text.slice(message.length);
        return message;
      }
      if (line.isClosed) return 'closed';
      if (Date.now() >= endMs) return undefined;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, endMs - Date.now());
        line.wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  #line(connection: number): Line {
    const line = this.#lines.get(connection);
    if (line === undefined) throw new Error(`no connection ${connection}`);
    return line;
  }
}
