/** A client on a raw socket that nothing of our engine stands behind: it counts its numbers and splits by BodyLength. */
import { connect, type Socket } from 'node:net';
import type { DemoSession } from '../../src/cli/demo-files.ts';
import { clientBytes } from '../acceptance/fix/script.ts';
import { breathe, hangUp } from './one-breath.ts';

const patienceMs = 8_000;
const sessionTypes = new Set(['0', '1', '2', '3', '4', '5', 'A']);

export class FixPeer {
  readonly #socket: Socket;
  readonly #names: { readonly client: string; readonly server: string };
  readonly #session: DemoSession;
  readonly #heard: string[] = [];
  #text = '';
  #isClosed = false;
  #wake = () => {};
  nextOut = 1;

  static async connect(port: number, session: DemoSession): Promise<FixPeer> {
    const socket = connect({ host: '127.0.0.1', port, noDelay: true });
    await new Promise<void>((done, fail) => {
      socket.once('connect', done);
      socket.once('error', fail);
    });
    return new FixPeer(socket, session);
  }

  private constructor(socket: Socket, session: DemoSession) {
    this.#socket = socket;
    this.#session = session;
    this.#names = { client: session.senderCompId, server: session.targetCompId };
    socket.on('error', () => {});
    socket.on('close', () => {
      this.#isClosed = true;
      this.#wake();
    });
    socket.on('data', (bytes) => this.#received(bytes));
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** `more` are further fields of the Logon, such as `|141=Y`. */
  async logon(more = '|141=Y'): Promise<string> {
    const { username, password } = this.#session;
    this.say(`A|98=0|108=30${more}|553=${username}|554=${password}`);
    return this.next(() => true);
  }

  /** A line such as `D|11=x|60=now`: the header is filled in, with the next number. */
  say(line: string): void {
    const [type, ...rest] = line.split('|');
    const hasNumber = rest.some((field) => field.startsWith('34='));
    const fields = hasNumber ? rest : [`34=${this.nextOut++}`, ...rest];
    breathe(this.#socket, clientBytes([type, ...fields].join('|'), this.#names, Date.now()));
  }

  /** The next message of the application, with `|` for SOH; TestRequests are answered on the way. */
  async heard(): Promise<string> {
    return this.next((message) => !sessionTypes.has(typeOf(message)));
  }

  async next(isWanted: (message: string) => boolean): Promise<string> {
    const endMs = Date.now() + patienceMs;
    for (;;) {
      const index = this.#heard.findIndex(isWanted);
      const [message] = index < 0 ? [] : this.#heard.splice(0, index + 1).slice(-1);
      if (message !== undefined) return message;
      if (this.#isClosed) throw new Error('the bridge closed the connection');
      if (Date.now() >= endMs) throw new Error(`nothing heard within ${patienceMs} ms`);
      await new Promise<void>((done) => {
        const timer = setTimeout(done, endMs - Date.now());
        this.#wake = () => {
          clearTimeout(timer);
          done();
        };
      });
    }
  }

  /** What was heard and not asked for. */
  unasked(): readonly string[] {
    return this.#heard.splice(0).filter((message) => !sessionTypes.has(typeOf(message)));
  }

  hangUp(): void {
    hangUp(this.#socket);
  }

  /** Takes nothing off the socket, as a client whose machine has stopped, until `read`. */
  stopReading(): void {
    this.#socket.pause();
  }

  read(): void {
    this.#socket.resume();
  }

  #received(bytes: Buffer): void {
    this.#text += bytes.toString('latin1').replaceAll('\x01', '|');
    for (;;) {
      const [head, length] = /^8=[^|]*\|9=(\d+)\|/.exec(this.#text) ?? [];
      if (head === undefined) break;
      const end = head.length + Number(length) + '10=000|'.length;
      if (this.#text.length < end) break;
      const message = this.#text.slice(0, end);
      this.#text = this.#text.slice(message.length);
      if (typeOf(message) === '1') this.say(`0|112=${fieldOf(message, '112')}`);
      this.#heard.push(message);
    }
    this.#wake();
  }
}

export function typeOf(message: string): string {
  return fieldOf(message, '35') ?? '';
}

export function fieldOf(message: string, tag: string): string | undefined {
  return new RegExp(`(?:^|\\|)${tag}=([^|]*)\\|`).exec(message)?.[1];
}
