/** A client on a raw socket that nothing of our engine stands behind: it counts its numbers and splits by BodyLength. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';
import type { DemoSession } from '../../src/cli/demo-files.ts';
import { clientBytes } from '../acceptance/fix/script.ts';
import { Heard } from './heard.ts';
import { breathe, hangUp } from './one-breath.ts';
import { within } from './waits.ts';

const patienceMs = 20_000;
const sessionTypes = new Set(['0', '1', '2', '3', '4', '5', 'A']);

export class FixPeer {
  readonly #socket: Socket;
  readonly #names: { readonly client: string; readonly server: string };
  readonly #session: DemoSession;
  readonly #heard = new Heard();
  #text = '';
  #isLoggedOut = false;
  nextOut = 1;

  static async connect(
    port: number,
    session: DemoSession,
    tls?: ConnectionOptions,
  ): Promise<FixPeer> {
    const where = { host: '127.0.0.1', port, noDelay: true };
    const socket = tls === undefined ? connect(where) : connectTls({ ...where, ...tls });
    const ready = once(socket, tls === undefined ? 'connect' : 'secureConnect');
    await within(`port ${port} is connected`, ready, patienceMs);
    return new FixPeer(socket, session);
  }

  private constructor(socket: Socket, session: DemoSession) {
    this.#socket = socket;
    this.#session = session;
    this.#names = { client: session.senderCompId, server: session.targetCompId };
    socket.on('error', () => {});
    socket.on('close', () => this.#heard.close());
    socket.on('data', (bytes) => this.#received(bytes));
  }

  get isClosed(): boolean {
    return this.#heard.isClosed;
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
    if (type === '5') this.#isLoggedOut = true;
    const hasNumber = rest.some((field) => field.startsWith('34='));
    const fields = hasNumber ? rest : [`34=${this.nextOut++}`, ...rest];
    breathe(this.#socket, clientBytes([type, ...fields].join('|'), this.#names, Date.now()));
  }

  /** The next message of the application, with `|` for SOH; TestRequests and a Logout are answered on the way. */
  async heard(): Promise<string> {
    return this.next((message) => !sessionTypes.has(typeOf(message)));
  }

  next(isWanted: (message: string) => boolean): Promise<string> {
    return this.#heard.next(isWanted);
  }

  /** What was heard and not asked for. */
  unasked(): readonly string[] {
    return this.#heard.take().filter((message) => !sessionTypes.has(typeOf(message)));
  }

  /** Neither answers a Logout nor closes its side when the bridge has closed the other. */
  stayOpen(): void {
    this.#isLoggedOut = true;
    this.#socket.allowHalfOpen = true;
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

  /** The bridge ends the connection once its own Logout is answered. */
  #logOut(): void {
    if (!this.#isLoggedOut) this.say('5');
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
      if (typeOf(message) === '5') this.#logOut();
      this.#heard.push(message);
    }
  }
}

export function typeOf(message: string): string {
  return fieldOf(message, '35') ?? '';
}

export function fieldOf(message: string, tag: string): string | undefined {
  return new RegExp(`(?:^|\\|)${tag}=([^|]*)\\|`).exec(message)?.[1];
}
