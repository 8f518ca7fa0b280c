/**
 * A FIX 4.4 initiator that trusts nothing: it keeps all that it sent and received by number, and throws when a number
 * comes twice with different content, or a resend is not the message that was sent first. It shares no code with the
 * engine. For checks that kill the other side.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export type Fields = readonly (readonly [number, string])[];

interface Sent {
  readonly msgType: string;
  readonly body: Fields;
  readonly sendingTime: string;
}

const soh = '\x01';
/** What a resend may change: BodyLength, CheckSum, PossDupFlag, SendingTime, OrigSendingTime, PossResend. */
const resendTags = new Set(['9', '10', '43', '52', '122', '97']);
const adminTypes = new Set(['A', '0', '1', '2', '3', '4', '5']);

interface PeerIdentity {
  readonly senderCompId: string;
  readonly targetCompId: string;
  /** Fields of each Logon besides those that every one has. */
  readonly logon: Fields;
  /** The other side may log this one out and refuse its messages, as a bridge whose shards move does; else that is a fault. */
  readonly isRefusable: boolean;
  /** In seconds. */
  readonly heartBtInt: number;
  /** Where the peer connects, and from which address; from 127.0.0.1 to 127.0.0.1 without it. */
  readonly route: { readonly host: string; readonly localAddress: string };
}

const loopback = '127.0.0.1';

export class PlainFixPeer {
  readonly #identity: PeerIdentity;
  readonly sent = new Map<number, Sent>();
  /** The first copy of each message by its number; administrative ones that a GapFill stood for as an empty text. */
  readonly received = new Map<number, string>();
  resends = 0;
  #nextOut = 1;
  #nextIn = 1;
  #socket: Socket | undefined;
  #text = '';
  #askedUpTo = 0;
  #fault: Error | undefined;
  #wake = () => {};
  #onApplication: (message: string) => void = () => {};
  #isLoggedOn = false;
  /** When the last bytes came, of `performance.now()`. */
  heardMs = 0;
  /** The text of the Logout(5) that ended the last connection. */
  logout: string | undefined;
  /** Gets every message that has a number, also repeated ones, as it came, and an empty text for one that a GapFill stood for. */
  onNumbered: (seq: number, message: string, isDuplicate: boolean) => void = () => {};

  constructor({
    senderCompId = 'CLIENT0',
    targetCompId = 'SERVER',
    logon = [],
    isRefusable = false,
    heartBtInt = 30,
    route = { host: loopback, localAddress: loopback },
  }: Partial<PeerIdentity> = {}) {
    this.#identity = { senderCompId, targetCompId, logon, isRefusable, heartBtInt, route };
  }

  get isLoggedOn(): boolean {
    return this.#isLoggedOn && this.#socket?.destroyed === false;
  }

  get isCut(): boolean {
    return this.#socket?.destroyed !== false;
  }

  /** What the other side did that it must never do. */
  get fault(): Error | undefined {
    return this.#fault;
  }

  get nextIn(): number {
    return this.#nextIn;
  }

  get nextOut(): number {
    return this.#nextOut;
  }

  async logon(port: number, onApplication: (message: string) => void): Promise<void> {
    await this.connect(port, onApplication);
    await this.until(() => this.#isLoggedOn);
  }

  /** Sends a Logon; `isLoggedOn` says when it is answered. Rejects where nobody listens. */
  async connect(port: number, onApplication: (message: string) => void): Promise<void> {
    this.#onApplication = onApplication;
    this.#text = '';
    this.#askedUpTo = 0;
    this.#isLoggedOn = false;
    this.logout = undefined;
    const socket = connect({ port, ...this.#identity.route, noDelay: true });
    this.#socket = socket;
    socket.setEncoding('latin1');
    socket.on('error', () => {});
    socket.on('data', (text: string) => this.#take(text));
    await once(socket, 'connect');
    const { heartBtInt, logon } = this.#identity;
    this.send('A', [[98, '0'], [108, String(heartBtInt)], ...logon]);
  }

  send(msgType: string, body: Fields): void {
    const sent = { msgType, body, sendingTime: utcNow() };
    const seq = this.#nextOut++;
    this.sent.set(seq, sent);
    this.#socket?.write(frame(this.#identity, seq, sent, []), 'latin1');
  }

  /** Waits for incoming messages until `isDone`; throws what was found wrong. */
  async until(isDone: () => boolean, withinMs = 20_000): Promise<void> {
    const timer = setTimeout(() => {
      this.#fault = new Error(`nothing more came within ${withinMs} ms; expecting ${this.#nextIn}`);
      this.#wake();
    }, withinMs);
    try {
      while (!isDone()) {
        if (this.#fault !== undefined) throw this.#fault;
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
      if (this.#fault !== undefined) throw this.#fault;
    } finally {
      clearTimeout(timer);
    }
  }

  async cut(): Promise<void> {
    const socket = this.#socket;
    this.#socket = undefined;
    if (socket === undefined || socket.destroyed) return;
    socket.destroy();
    await once(socket, 'close');
  }

  /** Asks for all messages again; each must be what came first. */
  async checkResendOfAll(): Promise<void> {
    const before = this.resends;
    this.send('2', [
      [7, '1'],
      [16, '0'],
    ]);
    const expected = [...this.received.values()].filter(
      (text) => text !== '' && !adminTypes.has(fieldOf(text, 35) ?? ''),
    ).length;
    await this.until(() => this.resends - before >= expected);
  }

  #take(text: string): void {
    this.heardMs = performance.now();
    this.#text += text;
    try {
      for (;;) {
        const trailer = this.#text.indexOf(`${soh}10=`);
        const end = trailer < 0 ? -1 : this.#text.indexOf(soh, trailer + 1);
        if (end < 0) break;
        const message = this.#text.slice(0, end + 1);
        this.#text = this.#text.slice(end + 1);
        this.#message(message);
      }
    } catch (error) {
      this.#fault ??= error instanceof Error ? error : new Error(String(error));
    }
    this.#wake();
  }

  #message(message: string): void {
    if (!hasGoodSum(message)) throw new Error(`bad CheckSum(10): ${shown(message)}`);
    const msgType = fieldOf(message, 35);
    const seq = Number(fieldOf(message, 34));
    const isDuplicate = fieldOf(message, 43) === 'Y';
    if (msgType === '5' && this.#takesLogout(message)) return;
    if (msgType === '3' || (msgType === 'j' && !this.#identity.isRefusable))
      throw new Error(`rejected: ${shown(message)}`);
    if (msgType === '2') this.#resend(Number(fieldOf(message, 7)), Number(fieldOf(message, 16)));
    if (msgType === '1') this.send('0', [[112, fieldOf(message, 112) ?? '']]);
    if (msgType === 'A') this.#isLoggedOn = true;
    if (msgType === '4') this.#fillGap(seq, Number(fieldOf(message, 36)));
    else this.#note(seq, message, isDuplicate);
    this.#advance();
    if (seq > this.#nextIn && !isDuplicate) this.#askFor(seq);
  }

  /** True if the Logout only refuses a Logon: then it has no number of this session. */
  #takesLogout(message: string): boolean {
    if (!this.#identity.isRefusable) throw new Error(`unexpected Logout(5): ${shown(message)}`);
    this.logout = fieldOf(message, 58) ?? '';
    const isRefusal = !this.#isLoggedOn;
    if (!isRefusal) this.send('5', []);
    this.#isLoggedOn = false;
    this.#socket?.end();
    return isRefusal;
  }

  #note(seq: number, message: string, isDuplicate: boolean): void {
    this.onNumbered(seq, message, isDuplicate);
    const first = this.received.get(seq);
    if (isDuplicate) this.resends += 1;
    if (first === undefined) {
      this.received.set(seq, message);
      return;
    }
    if (!isDuplicate)
      throw new Error(`number ${seq} was used twice: ${shown(first)} and ${shown(message)}`);
    if (lasting(first) !== lasting(message))
      throw new Error(`the resend of ${seq} differs: ${shown(first)} and ${shown(message)}`);
  }

  #fillGap(seq: number, newSeqNo: number): void {
    for (let each = seq; each < newSeqNo; each += 1) {
      const first = this.received.get(each);
      if (first === undefined) {
        this.received.set(each, '');
        this.onNumbered(each, '', true);
      } else if (first !== '' && !adminTypes.has(fieldOf(first, 35) ?? ''))
        throw new Error(`a GapFill hides message ${each}: ${shown(first)}`);
    }
  }

  /** The application hears in the order of the numbers: what came behind a gap waits until the gap is filled. */
  #advance(): void {
    for (;;) {
      const message = this.received.get(this.#nextIn);
      if (message === undefined) return;
      this.#nextIn += 1;
      const isOfApplication = message !== '' && !adminTypes.has(fieldOf(message, 35) ?? '');
      if (isOfApplication) this.#onApplication(message);
    }
  }

  #askFor(seq: number): void {
    if (this.#nextIn <= this.#askedUpTo) return;
    this.#askedUpTo = seq;
    this.send('2', [
      [7, String(this.#nextIn)],
      [16, '0'],
    ]);
  }

  #resend(from: number, to: number): void {
    const last = to === 0 ? this.#nextOut - 1 : to;
    for (let seq = from; seq <= last; seq += 1) {
      const sent = this.sent.get(seq);
      if (sent === undefined) throw new Error(`asked for ${seq}, which was never sent`);
      const duplicate: Fields = [
        [43, 'Y'],
        [122, sent.sendingTime],
      ];
      const fill: Sent = {
        msgType: '4',
        body: [
          [123, 'Y'],
          [36, String(seq + 1)],
        ],
        sendingTime: sent.sendingTime,
      };
      const again = adminTypes.has(sent.msgType) ? fill : sent;
      const now = { ...again, sendingTime: utcNow() };
      this.#socket?.write(frame(this.#identity, seq, now, duplicate), 'latin1');
    }
  }
}

export function fieldOf(message: string, tag: number): string | undefined {
  const at = message.indexOf(`${soh}${tag}=`);
  if (at < 0) return undefined;
  const start = at + 2 + String(tag).length;
  return message.slice(start, message.indexOf(soh, start));
}

/** What of a message a resend leaves as it was. */
export function lasting(message: string): string {
  return message
    .split(soh)
    .filter((field) => !resendTags.has(field.split('=', 1)[0] ?? ''))
    .join('|');
}

function frame(
  { senderCompId, targetCompId }: PeerIdentity,
  seq: number,
  { msgType, body, sendingTime }: Sent,
  extras: Fields,
): string {
  const fields = [
    [35, msgType],
    [34, seq],
    [49, senderCompId],
    [52, sendingTime],
    [56, targetCompId],
    ...extras,
    ...body,
  ];
  const text = fields.map(([tag, value]) => `${tag}=${value}${soh}`).join('');
  const whole = `8=FIX.4.4${soh}9=${text.length}${soh}${text}`;
  return `${whole}10=${sumOf(whole)}${soh}`;
}

function hasGoodSum(message: string): boolean {
  return sumOf(message.slice(0, -7)) === message.slice(-4, -1);
}

function sumOf(text: string): string {
  let sum = 0;
  for (let i = 0; i < text.length; i += 1) sum += text.charCodeAt(i);
  return String(sum % 256).padStart(3, '0');
}

function utcNow(): string {
  return new Date().toISOString().replaceAll('-', '').replace('T', '-').slice(0, 21);
}

function shown(message: string): string {
  return message.replaceAll(soh, '|');
}
