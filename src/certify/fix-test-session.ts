/** Our side over FIX: sequence numbers, Logon(A) in either direction, responses to heartbeats and resend requests. */

import type { Socket } from 'node:net';
import { awaited } from './awaited.ts';
import { type Conversation, direct, tapped } from './conversation.ts';
import { framed, lineBytes, rawBytes } from './fix-line.ts';
import type { Ladder } from './ladder.ts';
import { asValue } from './line.ts';
import { Numbers } from './numbers.ts';
import {
  fieldOf,
  type Incoming,
  isHousekeeping,
  listenToFix,
  numberOf,
  type ReceivedMessage,
} from './received-message.ts';
import type { SessionNumbers } from './record.ts';
import type { Setup } from './scenario.ts';
import { CertificationError, type SessionOptions } from './session-options.ts';
import { standingFaults } from './standing-rules.ts';
import type { Expected, TestSession } from './test-session.ts';
import { Wire } from './wire.ts';

/** If the number that the counterparty expects is unknown, we use a surely higher one and correct it with a GapFill. */
const doubtStep = 50;

/** Messages of the current connection. */
const nothingSeen = {
  ofBridge: false,
  logon: false,
  ownLogon: false,
  logout: false,
  ownLogout: false,
};

export class FixTestSession implements TestSession {
  readonly options: SessionOptions;
  readonly numbers = new Numbers();
  readonly wire: Wire;
  isCorrected = false;
  /** The counterparty has accepted a number of ours, or has stated the one that it expects. */
  #isNumberSure = false;
  #setup: Setup = 'engine';
  #isLoggedOn = false;
  #isDoubtful = false;
  /** The message types to which the scenario itself responds. */
  #handled: ReadonlySet<string> = new Set();
  #isSilent = false;
  /** The scenario has not started, so this class responds even to messages of those types. */
  #isSettling = false;
  /** The bridge itself must track the sequence numbers. */
  #isBridgeAhead = false;
  #seen = { ...nothingSeen };
  /** The number that we expected when the current connection was opened. */
  #resumed = 1;

  constructor(options: SessionOptions, signal: AbortSignal) {
    this.options = options;
    this.wire = new Wire(options, signal);
  }

  get hasBegun(): boolean {
    return this.#seen.logon && this.#seen.ownLogon;
  }

  live(name: string): string | undefined {
    const { names, heartBtIntS } = this.options;
    return new Map([
      ['next', String(this.numbers.nextOut)],
      ['peer', String(this.numbers.nextIn ?? 1)],
      ['resumed', String(this.#resumed)],
      ['us', names.targetCompId],
      ['them', names.senderCompId],
      ['login', this.#proof],
      ['hb', String(heartBtIntS)],
    ]).get(name);
  }

  begin(ladder: Ladder, handled: ReadonlySet<string>): void {
    this.wire.ladder = ladder;
    this.#handled = handled;
    this.isCorrected = false;
    this.#isSilent = false;
    this.#isSettling = false;
    this.#isBridgeAhead = false;
  }

  doubt(): void {
    this.#isDoubtful = true;
    this.cut();
  }

  resume({ nextIn, nextOut, isDoubtful }: SessionNumbers): void {
    Object.assign(this.numbers, { nextIn, nextOut });
    this.#isDoubtful = isDoubtful;
  }

  resumable(): SessionNumbers {
    const { nextIn, nextOut } = this.numbers;
    return { ...(nextIn !== undefined && { nextIn }), nextOut, isDoubtful: this.#isDoubtful };
  }

  silence(): void {
    this.#isSilent = true;
  }

  cut(): void {
    this.wire.cut();
    this.#isLoggedOn = false;
  }

  close(): void {
    this.#isLoggedOn = false;
    this.wire.close();
  }

  async open(setup: Setup): Promise<void> {
    this.cut();
    this.#setup = setup;
    this.#seen = { ...nothingSeen };
    this.#resumed = this.numbers.nextIn ?? 1;
    const isTapped = setup === 'bridge' && this.options.direction === 'acceptor';
    if (isTapped && !this.#isBridgeAhead) {
      await this.wire.bridge.setNumbers(this.numbers.nextIn ?? 1, this.numbers.nextOut);
    }
    const socket = await this.wire.socket();
    const conversation = isTapped ? this.#tap(socket) : direct(socket, listenToFix);
    this.wire.use(conversation, {
      frame: {
        wanted: 'a FIX message',
        rule: 'Every message has a right BodyLength(9) and CheckSum(10)',
        ref: 'FIX 4.4 vol. 2, Garbled messages',
      },
      received: (message) => this.#receivedFromPeer(message),
      sent: (message) => {
        this.#seen.ofBridge = true;
        this.#noteOwn(message);
        this.numbers.sent(message);
      },
      closed: () => {
        this.#isLoggedOn = false;
      },
    });
    socket.resume();
  }

  async logon(setup: Setup): Promise<void> {
    if (this.#isLoggedOn && this.wire.isOpen && this.#setup === setup) return;
    const isAcceptor = this.options.direction === 'acceptor';
    const isUnknown = this.numbers.nextIn === undefined || this.#isDoubtful;
    if (isAcceptor && setup === 'bridge' && isUnknown) await this.logon('engine');
    const isInDoubt = this.#isDoubtful;
    this.#isSettling = true;
    await this.#begin(setup);
    // The counterparty requests a resend because the number was too high, which is answered here. A client takes a
    // moment to notice that it is logged on, and a program that makes it send does not wait for that.
    if (isInDoubt || isAcceptor || this.#setup === 'bridge')
      await awaited(settleMs, this.wire.signal);
    if (this.#seen.logout) throw new CertificationError('our Logon(A) was answered by a Logout(5)');
    if (isInDoubt && setup === 'engine') await this.#agree();
    this.wire.conversation.inbox.drop(isOfLogon);
    this.#isLoggedOn = true;
    this.#isSettling = false;
  }

  async cancelAll(clOrdId: string): Promise<void> {
    const { inbox } = this.wire.conversation;
    this.sendLine(`q|11=${clOrdId}|530=7|60=now`);
    const isOver = (one: Incoming) =>
      one.kind === 'closed' || ['r', 'j', '3'].some((type) => isOf(one, 'peer', type));
    await inbox.take(isOver, performance.now() + tidyMs, this.wire.signal);
  }

  async #begin(setup: Setup): Promise<void> {
    const isAcceptor = this.options.direction === 'acceptor';
    if (isAcceptor && setup === 'bridge') return this.#beginAtBridge();
    await this.open(setup);
    await (isAcceptor ? this.#welcome() : this.#call());
  }

  /** A starting bridge may take longer to respond than the client waits, which then reconnects. */
  async #beginAtBridge(): Promise<void> {
    const endMs = performance.now() + this.options.connectWithinMs;
    for (;;) {
      await this.open('bridge');
      try {
        await this.wire.take((one) => isOf(one, 'bridge', 'A'), 'the bridge sent no Logon(A)');
        return;
      } catch (error) {
        const isGivenUp = !this.wire.isOpen && !this.#seen.ofBridge;
        if (!isGivenUp || performance.now() > endMs || this.wire.signal.aborted) throw error;
      }
    }
  }

  /** Makes one regular exchange, after which no engine requests the skipped numbers any more. */
  async #agree(): Promise<void> {
    this.sendLine('1|112=AGREED');
    const isAnswer = (one: Incoming) =>
      one.kind === 'closed' || (isOf(one, 'peer', '0') && fieldOf(one.message, 112) === 'AGREED');
    const endMs = performance.now() + this.options.answerWithinMs;
    await this.wire.conversation.inbox.take(isAnswer, endMs, this.wire.signal);
  }

  sendLine(line: string, isGarbled = /\|(9|10)=/.test(line)): boolean {
    return this.#send(this.#bytesOf(line), isGarbled);
  }

  sendMany(count: number, line: () => string): void {
    const pieces: Buffer[] = [];
    while (pieces.length < count) {
      const bytes = this.#bytesOf(line());
      for (const message of messagesOf(bytes)) this.numbers.sent(message);
      pieces.push(bytes);
    }
    const all = Buffer.concat(pieces);
    this.wire.conversation.send(all);
    this.wire.ladder.bytes('desk', `${count} messages in one piece`, all);
  }

  sendRaw(line: string, isGarbled: boolean): boolean {
    return this.#send(rawBytes(line, Date.now()), isGarbled);
  }

  async actUpon(text: string): Promise<void> {
    this.#isBridgeAhead = true;
    await this.wire.bridge.act(text);
  }

  sendSecond(line: string): Promise<void> {
    return this.wire.sendSecond((socket) => direct(socket, listenToFix), this.#bytesOf(line));
  }

  probe(id: string): Expected {
    this.sendLine(`1|112=${id}`);
    return { text: `0|112=${id}` };
  }

  /** A FIX session is identified by its numbers: a client with other numbers has not restarted, so it is rejected. */
  async renew(): Promise<void> {
    const { direction, connectWithinMs } = this.options;
    const endMs = performance.now() + connectWithinMs;
    const { nextIn, nextOut } = this.numbers;
    do {
      this.numbers.begin();
      this.#isDoubtful = false;
      await this.open('engine');
      if (direction === 'initiator') return;
      const { inbox } = this.wire.conversation;
      const first = await inbox.take(() => true, endMs, this.wire.signal);
      if (first?.kind === 'message' && numberOf(first.message, 34) === 1) {
        inbox.putBack(first);
        return;
      }
    } while (performance.now() < endMs && !this.wire.signal.aborted);
    Object.assign(this.numbers, { nextIn, nextOut });
    throw new CertificationError('the counterparty does not begin at number 1');
  }

  answerFarewell(): void {
    if (this.#seen.logout && !this.#seen.ownLogout) this.sendLine('5');
  }

  /** The counterparty is the client: we respond to its Logon(A). */
  async #welcome(): Promise<void> {
    const first = await this.wire.take(
      (one) => one.kind === 'message',
      'no Logon(A) on the connection',
    );
    const logon = first.kind === 'message' ? first.message : undefined;
    if (logon?.msgType !== 'A') throw new CertificationError('the first message is not a Logon(A)');
    const reset = fieldOf(logon, 141) === 'Y' ? '|141=Y' : '';
    // Both sides start at 1, so the numbers are certain.
    if (reset !== '') this.#isDoubtful = false;
    this.#leap();
    const heartBtInt = fieldOf(logon, 108) ?? String(this.options.heartBtIntS);
    this.sendLine(`A|98=0|108=${asValue(heartBtInt)}${reset}`);
  }

  /** We are the client. */
  async #call(): Promise<void> {
    const { mayReset, answerWithinMs } = this.options;
    const isReset = mayReset && (this.#isDoubtful || this.numbers.nextIn === undefined);
    if (isReset) this.#isDoubtful = false;
    else this.#leap();
    const reset = isReset ? '34=1|141=Y|' : '';
    this.sendLine(`A|${reset}98=0|108=${this.options.heartBtIntS}|${this.#proof}`);
    const answer = await this.wire.take(
      (one) => one.kind === 'closed' || isOf(one, 'peer', 'A') || isOf(one, 'peer', '5'),
      `no Logon(A) within ${answerWithinMs} ms`,
    );
    if (answer.kind === 'message' && answer.message.msgType === 'A') return;
    const why = answer.kind === 'message' ? fieldOf(answer.message, 58) : undefined;
    throw new CertificationError(`our Logon(A) was refused: ${why ?? 'the connection was closed'}`);
  }

  /** The fields with which we authenticate as an initiator. */
  get #proof(): string {
    const { credentials, direction } = this.options;
    if (credentials === undefined || direction === 'acceptor') return '';
    return `553=${asValue(credentials.username)}|554=${asValue(credentials.password)}`;
  }

  #leap(): void {
    if (this.#isDoubtful) this.numbers.nextOut += doubtStep;
    this.#isDoubtful = false;
  }

  #tap(socket: Socket): Conversation {
    const { host, port, login } = this.wire.bridge;
    const rewriteFirst = (bytes: Buffer) => withLogin(bytes, login);
    return tapped(socket, { host, port, listen: listenToFix, rewriteFirst });
  }

  /** Records evidence, applies the standing rules, counts the numbers, and keeps the session alive. */
  #receivedFromPeer(message: ReceivedMessage): void {
    const { names } = this.options;
    const { msgType } = message;
    if (msgType === 'A') this.#seen.logon = true;
    // The Logout(5) of a rejected Logon(A) is not part of the session and consumes no sequence number.
    const isRefusal = msgType === '5' && !this.#seen.logon;
    const numbers = isRefusal ? undefined : this.numbers;
    // Ours may be too low after a run that was killed, or in a new folder.
    const expected = /too low.*expecting ([1-9]\d{0,14})\b/i.exec(fieldOf(message, 58) ?? '')?.[1];
    const isTooLow = msgType === '5' && expected !== undefined;
    if (isTooLow) {
      this.numbers.nextOut = Number(expected);
      this.isCorrected ||= !this.#isNumberSure;
    }
    this.#isNumberSure ||= isTooLow || this.hasBegun;
    this.wire.ladder.message('peer', message, standingFaults(message, names, numbers));
    if (msgType === '5') this.#seen.logout = true;
    const isOurs = this.#setup === 'engine' || this.options.direction === 'initiator';
    const isLeft = this.#isSilent || this.#handled.has(msgType);
    if (!isOurs || (isLeft && !this.#isSettling)) return;
    if (msgType === '1') this.sendLine(`0|112=${asValue(fieldOf(message, 112) ?? '')}`);
    if (msgType === '2') this.fillGap(numberOf(message, 7) ?? 1);
  }

  #noteOwn(message: ReceivedMessage): void {
    const { msgType } = message;
    // A Logon(A) in another name begins no session.
    if (msgType === 'A' && fieldOf(message, 49) === this.options.names.targetCompId)
      this.#seen.ownLogon = true;
    if (msgType === '5') this.#seen.ownLogout = true;
  }

  /** Sent messages are not stored, so every resend request is answered with a gap fill. */
  fillGap(fromSeq: number): void {
    const { nextOut } = this.numbers;
    const from = Math.min(fromSeq, nextOut);
    this.sendLine(`4|34=${from}|43=Y|122=now|123=Y|36=${Math.max(nextOut, from + 1)}`);
  }

  #send(bytes: Buffer, isGarbled: boolean): boolean {
    const isSent = this.wire.conversation.send(bytes);
    const message = isGarbled ? undefined : messagesOf(bytes).at(-1);
    const undelivered = isSent ? '' : ' (not delivered: the connection is closed)';
    if (message === undefined) {
      this.wire.ladder.bytes('desk', `bytes that are not a message${undelivered}`, bytes);
    } else {
      this.#noteOwn(message);
      if (isSent) this.numbers.sent(message);
      this.wire.ladder.message('desk', message);
    }
    return isSent;
  }

  #bytesOf(line: string): Buffer {
    const { names } = this.options;
    return lineBytes(line, {
      senderCompId: names.targetCompId,
      targetCompId: names.senderCompId,
      msgSeqNum: this.numbers.nextOut,
      wallMs: Date.now(),
    });
  }
}

const settleMs = 150;
const tidyMs = 1_000;

/** Whether the message has been handled already, even if the scenario expects one of the same type. */
function isOfLogon(incoming: Incoming): boolean {
  if (incoming.kind !== 'message') return false;
  const { msgType } = incoming.message;
  // A News(B) may be the subject of a scenario.
  return msgType === 'A' || (msgType !== 'B' && isHousekeeping(incoming.message));
}

function isOf(
  incoming: Incoming,
  from: 'peer' | 'bridge',
  msgType: string,
): incoming is Extract<Incoming, { kind: 'message' }> {
  return (
    incoming.kind === 'message' && incoming.from === from && incoming.message.msgType === msgType
  );
}

function messagesOf(bytes: Uint8Array): readonly ReceivedMessage[] {
  const found: Incoming[] = [];
  listenToFix('peer', (incoming) => found.push(incoming))(bytes);
  return found.flatMap((one) => (one.kind === 'message' ? [one.message] : []));
}

/** Adds the bridge's credentials to the Logon(A) of a counterparty that does not have them. */
function withLogin(bytes: Buffer, { username, password }: { username: string; password: string }) {
  const [logon] = messagesOf(bytes);
  if (logon?.msgType !== 'A' || fieldOf(logon, 554) !== undefined) return bytes;
  const body = logon.fields.filter(([tag]) => ![8, 9, 10, 553, 554].includes(Number(tag)));
  const all = [...body, [553, username], [554, password]];
  const withBoth = framed(Buffer.from(all.map(([tag, value]) => `${tag}=${value}\x01`).join('')));
  return Buffer.concat([withBoth, bytes.subarray(logon.raw.length)]);
}
