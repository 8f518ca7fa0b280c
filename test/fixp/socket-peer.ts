/** A FIXP client on a real socket, TLS or not, that speaks the lines of the acceptance scripts. */
import { once } from 'node:events';
import { connect as connectTcp, type Socket } from 'node:net';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';
import { writeCredentials } from '../../src/fixp/credentials.ts';
import { Deframer, framed } from '../../src/fixp/framing.ts';
import { clientMessage, readLine, said, sessionIdOf, textOf } from '../acceptance/fixp/script.ts';

/** Where each request has a Timestamp of its own. */
let lastTimestamp = 0n;

export class SocketPeer {
  readonly #socket: Socket;
  readonly #deframer = new Deframer('big', 1_000_000);
  readonly #heard: string[] = [];
  #isClosed = false;
  #wake = () => {};
  sessionId = sessionIdOf('A');
  username = 'alice';
  password = 'right';

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('error', () => {});
    socket.on('data', (piece) => {
      this.#deframer.push(piece);
      while (this.#deframer.next() === 'message') this.#heard.push(this.#words());
      this.#wake();
    });
    socket.on('close', () => {
      this.#isClosed = true;
      this.#wake();
    });
  }

  static async to(port: number, tls?: ConnectionOptions): Promise<SocketPeer> {
    const host = '127.0.0.1';
    const socket = tls ? connectTls({ ...tls, host, port }) : connectTcp({ host, port });
    await once(socket, tls ? 'secureConnect' : 'connect');
    return new SocketPeer(socket);
  }

  say(text: string): void {
    const nowNs = BigInt(Date.now()) * 1_000_000n;
    lastTimestamp = nowNs > lastTimestamp ? nowNs : lastTimestamp + 1n;
    const { username, password } = this;
    const credentials = writeCredentials({ username, password });
    const filling = { sessionId: this.sessionId, timestamp: lastTimestamp, credentials };
    this.#socket.write(framed(clientMessage(readLine(text), filling), 'big'));
  }

  sayBytes(bytes: Uint8Array): void {
    this.#socket.write(bytes);
  }

  /** The next message without session id and times, or `closed`. */
  async hears(): Promise<string> {
    while (this.#heard.length === 0) {
      if (this.#isClosed) return 'closed';
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    return this.#heard.shift() ?? '';
  }

  async asks(text: string): Promise<string> {
    this.say(text);
    return this.hears();
  }

  /** Negotiates with this id and establishes it. */
  async establish(letter: string): Promise<void> {
    this.sessionId = sessionIdOf(letter);
    await this.asks('Negotiate');
    await this.asks('Establish');
  }

  async cut(): Promise<void> {
    this.#socket.destroy();
    if (!this.#isClosed) await once(this.#socket, 'close');
  }

  #words(): string {
    const line = said(this.#deframer.message);
    const fields = new Map(line.fields);
    for (const implied of ['SessionId', 'RequestTimestamp']) fields.delete(implied);
    return textOf({ ...line, fields });
  }
}
