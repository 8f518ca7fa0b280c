/** The bridge's socket of the execution stream, without a network. */
import { EventEmitter } from 'node:events';
import type { PrivateSession } from '../../src/sandbox/private-session.ts';
import type { VirtualTime } from './virtual-time.ts';

const open = 1;
const closed = 3;

/** As much of a WebSocket as the bridge uses. */
export class FakeSocket extends EventEmitter {
  readyState = 0;
  session: PrivateSession | undefined;
  now = () => ({ monoMs: 0, wallMs: 0 });
  readonly #time: VirtualTime;
  readonly #isAlive: () => boolean;
  readonly #gone: (socket: FakeSocket) => void;
  readonly sink = {
    send: (frame: string) => this.#later(() => this.#tell('message', Buffer.from(frame), false)),
    close: (code: number, reason: string) => this.#later(() => this.#end(code, reason)),
    hasRoom: () => this.readyState === open,
  };

  constructor(time: VirtualTime, isAlive: () => boolean, gone: (socket: FakeSocket) => void) {
    super();
    this.#time = time;
    this.#isAlive = isAlive;
    this.#gone = gone;
  }

  open(): void {
    if (this.readyState !== 0) return;
    this.readyState = open;
    this.#tell('open');
  }

  send(frame: string): void {
    this.#later(() => this.readyState === open && this.session?.received(frame, this.now()));
  }

  pause(): void {}

  resume(): void {}

  terminate(): void {
    this.#end(1006, '');
  }

  drop(): void {
    this.#end(1006, 'reset');
  }

  #end(code: number, reason: string): void {
    if (this.readyState === closed) return;
    this.readyState = closed;
    this.#gone(this);
    this.#later(() => this.#isAlive() && this.emit('close', code, Buffer.from(reason)));
  }

  #tell(name: string, ...values: unknown[]): void {
    if (this.#isAlive() && this.readyState === open) this.emit(name, ...values);
  }

  /** In order, as on a stream. */
  #later(callback: () => void): void {
    this.#time.after(1, callback);
  }
}
