/**
 * A FIXP client that trusts nothing: it keeps all that it received by number, and throws when a number comes twice with
 * different content, or an order is told both answered and not applied. It shares no code with the engine: it writes
 * and reads bytes at the offsets of the standard. For checks that kill the other side.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

const ids = {
  ...{ negotiate: 1, negotiationResponse: 2, negotiationReject: 3 },
  ...{ establish: 5, establishmentAck: 6, establishmentReject: 7, sequence: 8 },
  ...{ retransmitRequest: 11, retransmission: 12, terminate: 14, applied: 17, notApplied: 18 },
} as const;
const sessionSchema = 2748;
const headerSize = 8;
const maxAtOnce = 700;
/** NegotiationRejectCode and EstablishmentRejectCode. */
const [duplicateId, unnegotiated] = [2, 0];

export interface Told {
  answer(report: Buffer): void;
  applied(fromSeq: number, count: number): void;
  notApplied(fromSeq: number, count: number): void;
}

export interface FixpLogin {
  readonly sessionId?: Buffer;
  readonly password?: string;
  /** How long both sides may be silent. */
  readonly keepaliveMs?: number;
  /** The other side may refuse a connection and end it, as a bridge whose shards move does; else that is a fault. */
  readonly isRefusable?: boolean;
}

export class PlainFixpPeer {
  readonly #username: string;
  readonly #told: Told;
  readonly #login: FixpLogin;
  readonly sessionId: Buffer;
  /** The first copy of each message by its number. */
  readonly received = new Map<number, string>();
  nextOut = 1;
  /** Messages that came again and were the same. */
  repeated = 0;
  #isNegotiated = false;
  #isEstablished = false;
  #socket: Socket | undefined;
  #bytes: Buffer = Buffer.alloc(0);
  #inSeq = 1;
  #nextIn = 1;
  #known = 1;
  #isAsking = false;
  /** So many of the next messages are retransmitted. */
  #again = 0;
  #lastNs = 0n;
  #fault: Error | undefined;
  #wake = () => {};
  /** When the last bytes came, of `performance.now()`. */
  heardMs = 0;
  /** Why the other side ended the last connection or refused it. */
  ending: string | undefined;
  /** Gets every message that has a number, also repeated ones, as it came. */
  onNumbered: (seq: number, message: Buffer, isRepeated: boolean) => void = () => {};

  constructor(username: string, told: Told, login: FixpLogin = {}) {
    this.#username = username;
    this.#told = told;
    this.#login = login;
    this.sessionId = login.sessionId ?? Buffer.alloc(16, 0xa7);
  }

  get isEstablished(): boolean {
    return this.#isEstablished && this.#socket?.destroyed === false;
  }

  get isCut(): boolean {
    return this.#socket?.destroyed !== false;
  }

  /** All that was missed is here. */
  get isComplete(): boolean {
    return this.#nextIn === this.#known;
  }

  /** What the other side did that it must never do. */
  get fault(): Error | undefined {
    return this.#fault;
  }

  /** The number that the next new message of the server will have, as far as all before it are here. */
  get nextIn(): number {
    return this.#nextIn;
  }

  /** Comes back, says that its next order has this number, and has all that it missed. */
  async establish(port: number, nextSeqNo: number): Promise<void> {
    this.nextOut = nextSeqNo;
    await this.connect(port);
    await this.until(() => this.#isEstablished && this.#nextIn === this.#known);
  }

  /** Negotiates if need be, and asks to be established; `isEstablished` says when it is. Rejects where nobody listens. */
  async connect(port: number): Promise<void> {
    this.#bytes = Buffer.alloc(0);
    this.#isEstablished = false;
    this.#isAsking = false;
    this.#again = 0;
    this.ending = undefined;
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    this.#socket = socket;
    socket.on('error', () => {});
    socket.on('data', (piece: Buffer) => this.#take(piece));
    await once(socket, 'connect');
    if (this.#isNegotiated) this.#establish();
    else this.#say(ids.negotiate, [this.sessionId, this.#now(), Buffer.of(1)], this.#credentials());
  }

  /** Says that this side is alive, and what its next number is. */
  keepAlive(): void {
    this.#say(ids.sequence, [u64(BigInt(this.nextOut))]);
  }

  /** Sends an application message; its number is implicit. */
  send(message: Uint8Array): void {
    this.nextOut += 1;
    this.#frame(message);
  }

  /** Asks for a range once more and waits until it has come. */
  async askAgain(fromSeq: number, count: number): Promise<void> {
    const before = this.repeated;
    this.#request(fromSeq, count);
    await this.until(() => this.repeated >= before + count);
  }

  async until(isDone: () => boolean): Promise<void> {
    while (!isDone()) {
      if (this.#fault !== undefined) throw this.#fault;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    if (this.#fault !== undefined) throw this.#fault;
  }

  async cut(): Promise<void> {
    const socket = this.#socket;
    this.#socket = undefined;
    if (socket === undefined) return;
    socket.destroy();
    if (!socket.closed) await once(socket, 'close');
  }

  #establish(): void {
    const { keepaliveMs = 60_000 } = this.#login;
    const block = [this.sessionId, this.#now(), u32(keepaliveMs), u64(BigInt(this.nextOut))];
    // No wish about cancel-on-disconnect: as it is configured.
    this.#say(ids.establish, block, this.#credentials());
  }

  #take(piece: Buffer): void {
    this.heardMs = performance.now();
    this.#bytes = Buffer.concat([this.#bytes, piece]);
    try {
      while (this.#bytes.length >= 6) {
        const size = this.#bytes.readUInt32BE(0);
        if (this.#bytes.length < size) break;
        const message = this.#bytes.subarray(6, size);
        this.#bytes = this.#bytes.subarray(size);
        this.#hear(message);
      }
    } catch (error) {
      this.#fault = error instanceof Error ? error : new Error(String(error));
    }
    this.#wake();
  }

  #hear(message: Buffer): void {
    const template = message.readUInt16LE(2);
    const isSession = message.readUInt16LE(4) === sessionSchema;
    if (!isSession || template === ids.applied || template === ids.notApplied) {
      this.#number(message);
      return;
    }
    switch (template) {
      case ids.negotiationResponse:
        this.#isNegotiated = true;
        this.#establish();
        return;
      case ids.establishmentAck:
        this.#isEstablished = true;
        this.#follows(Number(message.readBigUInt64LE(headerSize + 28)));
        return;
      case ids.sequence:
        this.#isAsking = false;
        this.#follows(Number(message.readBigUInt64LE(headerSize)));
        return;
      case ids.retransmission:
        this.#inSeq = Number(message.readBigUInt64LE(headerSize + 24));
        this.#again = message.readUInt32LE(headerSize + 32);
        return;
      case ids.negotiationReject:
      case ids.establishmentReject:
      case ids.terminate:
        this.#ends(template, message);
        return;
      default:
        throw new Error(`the server said template ${template}: ${message.toString('latin1')}`);
    }
  }

  #ends(template: number, message: Buffer): void {
    const text = `template ${template}: ${message.subarray(headerSize + 16).toString('latin1')}`;
    if (this.#login.isRefusable !== true) throw new Error(`the server said ${text}`);
    const code = message.readUInt8(headerSize + (template === ids.terminate ? 16 : 24));
    // The answer to an earlier Negotiate was lost.
    if (template === ids.negotiationReject && code === duplicateId) this.#isNegotiated = true;
    if (template === ids.establishmentReject && code === unnegotiated) {
      if (this.#known > 1) throw new Error('the server has forgotten the session');
      this.#isNegotiated = false;
    }
    this.ending = text;
    this.#isEstablished = false;
    this.#socket?.end();
  }

  #follows(nextSeqNo: number): void {
    if (nextSeqNo < this.#nextIn) throw new Error(`${nextSeqNo} would be used again`);
    this.#inSeq = nextSeqNo;
    this.#known = Math.max(this.#known, nextSeqNo);
    this.#ask();
  }

  #number(message: Buffer): void {
    const seq = this.#inSeq;
    this.#inSeq += 1;
    this.#known = Math.max(this.#known, this.#inSeq);
    const bytes = message.toString('hex');
    const first = this.received.get(seq);
    this.onNumbered(seq, message, this.#again > 0);
    if (this.#again > 0) this.#again -= 1;
    if (first !== undefined && first !== bytes) throw new Error(`number ${seq} is another message`);
    if (first !== undefined) {
      this.repeated += 1;
      return;
    }
    this.received.set(seq, bytes);
    while (this.received.has(this.#nextIn)) this.#nextIn += 1;
    this.#tell(message);
  }

  #tell(message: Buffer): void {
    const isSession = message.readUInt16LE(4) === sessionSchema;
    if (!isSession) {
      this.#told.answer(message);
      return;
    }
    const fromSeq = Number(message.readBigUInt64LE(headerSize));
    const count = message.readUInt32LE(headerSize + 8);
    if (message.readUInt16LE(2) === ids.applied) this.#told.applied(fromSeq, count);
    else this.#told.notApplied(fromSeq, count);
  }

  #ask(): void {
    if (this.#isAsking || this.#nextIn >= this.#known) return;
    this.#isAsking = true;
    this.#request(this.#nextIn, Math.min(maxAtOnce, this.#known - this.#nextIn));
  }

  #request(fromSeq: number, count: number): void {
    const block = [this.sessionId, this.#now(), u64(BigInt(fromSeq)), u32(count)];
    this.#say(ids.retransmitRequest, block);
  }

  #say(template: number, block: readonly Buffer[], data?: Buffer): void {
    const fields = Buffer.concat(block);
    const header = Buffer.alloc(headerSize);
    header.writeUInt16LE(fields.length, 0);
    header.writeUInt16LE(template, 2);
    header.writeUInt16LE(sessionSchema, 4);
    const length = Buffer.alloc(2);
    length.writeUInt16LE(data?.length ?? 0);
    this.#frame(Buffer.concat([header, fields, ...(data === undefined ? [] : [length, data])]));
  }

  #frame(message: Uint8Array): void {
    const header = Buffer.alloc(6);
    header.writeUInt32BE(6 + message.length, 0);
    header.writeUInt16BE(0xeb50, 4);
    this.#socket?.write(Buffer.concat([header, message]));
  }

  #credentials(): Buffer {
    const { password } = this.#login;
    const proof = password === undefined ? '' : `554=${password}\x01`;
    return Buffer.from(`553=${this.#username}\x01${proof}`);
  }

  #now(): Buffer {
    const nowNs = BigInt(Date.now()) * 1_000_000n;
    this.#lastNs = nowNs > this.#lastNs ? nowNs : this.#lastNs + 1n;
    return u64(this.#lastNs);
  }
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function u64(value: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(value);
  return bytes;
}
