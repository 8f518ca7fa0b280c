/** A client on a real socket that reads lines. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export class LinePeer {
  readonly socket: Socket;
  #text = '';
  #isEnded = false;
  #wake = () => {};

  constructor(socket: Socket) {
    this.socket = socket;
    socket.setEncoding('latin1');
    socket.on('data', (text: string) => {
      this.#text += text;
      this.#wake();
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      this.#isEnded = true;
      this.#wake();
    });
  }

  static async to(port: number, localAddress = '127.0.0.1'): Promise<LinePeer> {
    const socket = connect({ port, host: '127.0.0.1', localAddress });
    await once(socket, 'connect');
    return new LinePeer(socket);
  }

  /** What has arrived and was not taken as a line. */
  get unread(): string {
    return this.#text;
  }

  send(text: string): void {
    this.socket.write(text);
  }

  /** The next line, or undefined when the other side has closed. */
  async line(): Promise<string | undefined> {
    for (;;) {
      const end = this.#text.indexOf('\n');
      if (end >= 0) {
        const line = this.#text.slice(0, end);
        this.#text = this.#text.slice(end + 1);
        return line;
      }
      if (this.#isEnded) return undefined;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  async ask(text: string): Promise<string | undefined> {
    this.send(`${text}\n`);
    return this.line();
  }

  async closed(): Promise<void> {
    while ((await this.line()) !== undefined);
  }
}
