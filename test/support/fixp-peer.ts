/**
 * A FIXP client on a raw socket that nothing of our engine stands behind: it negotiates, counts its numbers, asks for
 * what it missed, and speaks the text of the order scripts (`test/acceptance/parity`), so that one script serves both lanes.
 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { writeCredentials } from '../../src/fixp/credentials.ts';
import { decodeMessage } from '../../src/sbe/generic-decoder.ts';
import { encodeMessage } from '../../src/sbe/generic-encoder.ts';
import type { Json, JsonMessage, JsonObject } from '../../src/sbe/json.ts';
import { readSchema } from '../../src/sbe/schema.ts';
import { fixLine } from '../acceptance/parity/fix-words.ts';
import { type Listed, orders, requestOf } from '../acceptance/parity/fixp-words.ts';
import { fieldOf, typeOf } from './fix-peer.ts';
import { Heard } from './heard.ts';
import { breathe, hangUp } from './one-breath.ts';
import { within } from './waits.ts';

const patienceMs = 20_000;
const fixp = readSchema(
  readFileSync(join(import.meta.dirname, '../../dictionaries/fixp.xml'), 'utf8'),
);

export interface FixpUser {
  readonly username: string;
  readonly password: string;
}

/** What a client keeps from one connection to the next. */
interface Flows {
  readonly sessionId: number[];
  nextOut: number;
  /** The first number of the server's flow that is missing, and those behind it that are here already. */
  nextIn: number;
  readonly beyond: Set<number>;
}

export class FixpPeer {
  readonly #socket: Socket;
  readonly #user: FixpUser;
  readonly #listed: readonly Listed[];
  readonly #heard = new Heard();
  /** Names of fields in which we have sent values that the schema does not have. */
  readonly #strange = new Set<string>();
  #bytes = Buffer.alloc(0);
  #flows: Flows;
  /** The number of the next message that is not sent again, and of those that are. */
  #live = 1;
  #replay = { nextSeq: 1, left: 0 };
  /** Told of each message of the application as it comes, in place of `heard`. */
  onHeard: ((line: string) => void) | undefined;
  /** Told of the octets as they come. */
  onBytes: (bytes: Buffer) => void = () => {};
  /** Told of messages of ours that were not taken. */
  onNotApplied: (fromSeq: number, count: number) => void = () => {};
  /** Reads nothing, as a client whose machine has stopped. */
  deaf = false;
  /** Fields of Establish, such as CancelOnDisconnectType. */
  establishing: JsonObject = {};

  /** With `before` the session of that peer can go on. */
  static async connect(
    port: number,
    user: FixpUser,
    listed: readonly Listed[],
    before?: FixpPeer,
  ): Promise<FixpPeer> {
    const socket = connect({ host: '127.0.0.1', port, noDelay: true });
    await within(`port ${port} is connected`, once(socket, 'connect'), patienceMs);
    return new FixpPeer(socket, user, listed, before);
  }

  private constructor(
    socket: Socket,
    user: FixpUser,
    listed: readonly Listed[],
    before: FixpPeer | undefined,
  ) {
    this.#socket = socket;
    this.#user = user;
    this.#listed = listed;
    this.#flows = before === undefined ? newFlows() : before.#flows;
    this.establishing = before?.establishing ?? {};
    socket.on('error', () => {});
    socket.on('close', () => this.#heard.close());
    socket.on('data', (bytes) => this.#received(bytes));
  }

  get isClosed(): boolean {
    return this.#heard.isClosed;
  }

  get nextOut(): number {
    return this.#flows.nextOut;
  }

  set nextOut(value: number) {
    this.#flows.nextOut = value;
  }

  /** `''` goes on with the session of the peer before; else a new session id is negotiated. */
  async logon(more = '|141=Y'): Promise<string> {
    if (more !== '') {
      this.#flows = newFlows();
      this.#session('Negotiate', {
        Timestamp: timestamp(),
        ClientFlow: 'Idempotent',
        Credentials: this.#credentials(),
      });
      const answer = await this.next((line) => line.startsWith('Negotiat'));
      if (!answer.startsWith('NegotiationResponse')) return answer;
    }
    this.#session('Establish', {
      Timestamp: timestamp(),
      KeepaliveInterval: 30_000,
      NextSeqNo: this.#flows.nextOut,
      Credentials: this.#credentials(),
      ...this.establishing,
    });
    const answer = await this.next((line) => line.startsWith('Establishment'));
    return answer.startsWith('EstablishmentAck') ? '35=A|' : answer;
  }

  /** A line of a script; a TestRequest becomes a question that every role may ask, or is refused. */
  say(line: string): void {
    const [type] = line.split('|');
    const probe = /^1\|112=(.*)$/.exec(line)?.[1];
    if (this.#heard.isClosed) return;
    if (type === '5') this.#session('Terminate', { Code: 'Finished' });
    else this.#application(requestOf(probe === undefined ? line : `g|335=${probe}|263=0`));
  }

  /** Any message, with the next number of our flow. */
  #application(message: JsonMessage): void {
    const bytes = encodeMessage(orders, message);
    const own = decodeMessage(orders, bytes);
    if (typeof own === 'object')
      for (const field of own.outOfRange) this.#strange.add(leafOf(field));
    this.sendNumbered(bytes);
  }

  /** Bytes of a message, which has the next number of our flow. */
  sendNumbered(message: Uint8Array): void {
    this.#flows.nextOut += 1;
    this.send(message);
  }

  /** Bytes of a message as they are, framed. */
  send(message: Uint8Array): void {
    const header = Buffer.alloc(6);
    header.writeUInt32BE(message.length + 6, 0);
    header.writeUInt16BE(0xeb50, 4);
    breathe(this.#socket, Buffer.concat([header, message]));
  }

  async heard(): Promise<string> {
    return this.next(isOfApplication);
  }

  next(isWanted: (message: string) => boolean): Promise<string> {
    return this.#heard.next(isWanted);
  }

  /** What was heard and not asked for. */
  unasked(): readonly string[] {
    return this.#heard.take().filter(isOfApplication);
  }

  /** Does not close its side when the bridge has closed the other. */
  stayOpen(): void {
    this.#socket.allowHalfOpen = true;
  }

  hangUp(): void {
    hangUp(this.#socket);
  }

  #credentials(): string {
    return Buffer.from(writeCredentials(this.#user)).toString('hex');
  }

  #session(message: string, fields: JsonObject): void {
    const { sessionId } = this.#flows;
    this.send(encodeMessage(fixp, { message, fields: { SessionId: sessionId, ...fields } }));
  }

  /** As a client that has lost its own log: all of the server's flow is asked for again. */
  forgetHeard(): void {
    this.#flows.nextIn = 1;
    this.#flows.beyond.clear();
  }

  #received(bytes: Buffer): void {
    if (this.deaf) return;
    this.onBytes(bytes);
    this.#bytes = Buffer.concat([this.#bytes, bytes]);
    while (this.#bytes.length >= 6) {
      const length = this.#bytes.readUInt32BE(0);
      if (this.#bytes.length < length) break;
      this.#message(this.#bytes.subarray(6, length));
      this.#bytes = this.#bytes.subarray(length);
    }
  }

  #message(bytes: Buffer): void {
    const isSession = bytes.readUInt16LE(4) === fixp.id;
    const told = decodeMessage(isSession ? fixp : orders, bytes);
    if (typeof told === 'string') throw new Error(told);
    // Generated decoders of other languages throw for a value that the schema does not have. A refusal gives the client's
    // own words back, also those that only it knows.
    const strange = told.outOfRange.filter((field) => !this.#strange.has(leafOf(field)));
    if (strange.length > 0) throw new Error(`${told.message}: ${strange}`);
    if (isSession) this.#ofSession(told.message, told.fields);
    else if (this.#isNew()) {
      const line = probed(fixLine(told, this.#listed));
      if (this.onHeard === undefined) this.#heard.push(line);
      else this.onHeard(line);
    }
  }

  #ofSession(name: string, fields: JsonObject): void {
    this.#heard.push(`${name}|${JSON.stringify(fields)}`);
    const { Count, FromSeqNo, NextSeqNo } = fields as Record<
      'Count' | 'FromSeqNo' | 'NextSeqNo',
      Json
    >;
    switch (name) {
      case 'Applied':
      case 'NotApplied':
        if (this.#isNew() && name === 'NotApplied') {
          this.onNotApplied(Number(FromSeqNo), Number(Count));
        }
        return;
      case 'Retransmission':
        this.#replay = { nextSeq: Number(NextSeqNo), left: Number(Count) };
        return;
      case 'EstablishmentAck':
      case 'Sequence':
        this.#live = Number(NextSeqNo);
        this.#replay.left = 0;
        if (this.#live > this.#flows.nextIn) this.#askAgain(this.#live - this.#flows.nextIn);
        return;
      case 'Terminate':
        this.#session('Terminate', { Code: 'Finished' });
    }
  }

  /** Counts a numbered message; false for one that is here already. */
  #isNew(): boolean {
    const { beyond } = this.#flows;
    const isAgain = this.#replay.left > 0;
    const number = isAgain ? this.#replay.nextSeq : this.#live;
    if (isAgain) this.#replay = { nextSeq: number + 1, left: this.#replay.left - 1 };
    else this.#live += 1;
    if (number < this.#flows.nextIn || beyond.has(number)) return false;
    beyond.add(number);
    while (beyond.delete(this.#flows.nextIn)) this.#flows.nextIn += 1;
    return true;
  }

  #askAgain(count: number): void {
    this.#session('RetransmitRequest', {
      Timestamp: timestamp(),
      FromSeqNo: this.#flows.nextIn,
      Count: count,
    });
  }
}

function leafOf(field: string): string {
  return field.slice(field.lastIndexOf('.') + 1);
}

function newFlows(): Flows {
  return { sessionId: [...randomBytes(16)], nextOut: 1, nextIn: 1, beyond: new Set() };
}

let lastNs = 0n;

/** Later each time, as the session layer wants it. */
function timestamp(): string {
  const nowNs = BigInt(Date.now()) * 1_000_000n;
  lastNs = nowNs > lastNs ? nowNs : lastNs + 1n;
  return String(lastNs);
}

function isOfApplication(line: string): boolean {
  return line.startsWith('35=') && typeOf(line) !== '0';
}

/** The answer to a probe reads as the Heartbeat(0) that a FIX client hears. */
function probed(line: string): string {
  const id = [fieldOf(line, '335'), fieldOf(line, '379')].find((name) =>
    name?.startsWith('probe-'),
  );
  return id === undefined ? line : `35=0|112=${id}|`;
}
