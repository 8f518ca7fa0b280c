/**
 * Our side of a certification for as long as a run lasts: the connection with the counterparty, both sequence
 * numbers, and what keeps a session alive between the steps of a scenario.
 */
import type { Socket } from 'node:net';
import type { BridgeStand } from './bridge-stand.ts';
import { Contra } from './contra.ts';
import { type Conversation, direct, tapped } from './conversation.ts';
import { framed, lineBytes, rawBytes } from './fix-line.ts';
import { Ear, fieldOf, type Heard, type Incoming, numberOf, typeName } from './heard.ts';
import { Ladder } from './ladder.ts';
import { Numbers } from './numbers.ts';
import type { DeskPort } from './port.ts';
import type { Direction, Stand } from './scenario.ts';
import { standingFaults } from './standing-rules.ts';

export interface DeskOptions {
  readonly direction: Direction;
  readonly port: DeskPort;
  /** As the counterparty says them. */
  readonly names: { readonly senderCompId: string; readonly targetCompId: string };
  readonly heartBtIntS: number;
  /** For our own Logon as an initiator. */
  readonly credentials?: { readonly username: string; readonly password: string } | undefined;
  /** Our Logon as an initiator may say 141=Y where numbers are in doubt. */
  readonly mayReset: boolean;
  readonly bridge?: BridgeStand | undefined;
  readonly connectWithinMs: number;
  readonly answerWithinMs: number;
}

/** The counterparty did not do what a scenario needs before it can judge anything. */
export class DeskError extends Error {}

/** Where it is not known what the counterparty expects, a number that is surely too high is put right by a GapFill. */
const doubtStep = 50;
/** What keeps a session alive, and news of the market, which come by themselves. */
const housekeeping = new Set(['0', '1', '2', '4', 'B', 'f', 'h']);

export class Desk {
  readonly options: DeskOptions;
  readonly numbers = new Numbers();
  readonly #signal: AbortSignal;
  #ladder = new Ladder(() => {});
  #conversation: Conversation | undefined;
  #second: Conversation | undefined;
  #contra: Contra | undefined;
  #stand: Stand = 'engine';
  #isLoggedOn = false;
  #isDeserted = false;
  #isDoubtful = false;
  #heardCount = 0;
  /** What the scenario answers itself. */
  #handled: ReadonlySet<string> = new Set();
  #isSilent = false;
  /** Whatever the scenario answers itself, it has not begun. */
  #isSettling = false;
  #hasHeardLogon = false;
  #hasHeardLogout = false;
  #hasSaidLogout = false;

  constructor(options: DeskOptions, signal: AbortSignal) {
    this.options = options;
    this.#signal = signal;
  }

  get isOpen(): boolean {
    return this.#conversation?.isOpen === true;
  }

  /** The last connection that was waited for never came. */
  get isDeserted(): boolean {
    return this.#isDeserted;
  }

  /** No connection, because we ended it: then both sides know their numbers. */
  get wasCutByUs(): boolean {
    return this.#conversation === undefined;
  }

  get conversation(): Conversation {
    if (this.#conversation === undefined) throw new DeskError('there is no connection');
    return this.#conversation;
  }

  /** What follows is evidence of one attempt, which answers messages of these types itself. */
  begin(ladder: Ladder, handled: ReadonlySet<string>): void {
    this.#ladder = ladder;
    this.#handled = handled;
    this.#isSilent = false;
    this.#isSettling = false;
  }

  /** After a scenario that went otherwise than it should, nobody knows where the numbers stand. */
  doubt(): void {
    this.#isDoubtful = true;
    this.cut();
  }

  silence(): void {
    this.#isSilent = true;
  }

  cut(): void {
    this.#conversation?.cut();
    this.#second?.cut();
    this.#conversation = undefined;
    this.#second = undefined;
    this.#isLoggedOn = false;
  }

  close(): void {
    this.cut();
    this.#contra?.end();
    this.options.port.close();
  }

  /** A new connection, without a word said by us. */
  async open(stand: Stand): Promise<void> {
    this.cut();
    this.#stand = stand;
    this.#hasHeardLogon = false;
    this.#hasHeardLogout = false;
    this.#hasSaidLogout = false;
    const isTapped = stand === 'bridge' && this.options.direction === 'acceptor';
    if (isTapped) this.#bridge.setNumbers(this.numbers.nextIn ?? 1, this.numbers.nextOut);
    const socket = await this.#socket();
    this.#conversation = isTapped ? this.#tap(socket) : direct(socket);
    this.#listenTo(this.#conversation);
    socket.resume();
  }

  /** The session stands when this is over, and both sides agree on the numbers. */
  async logon(stand: Stand): Promise<void> {
    if (this.#isLoggedOn && this.#conversation?.isOpen && this.#stand === stand) return;
    const isAcceptor = this.options.direction === 'acceptor';
    const isUnknown = this.numbers.nextIn === undefined || this.#isDoubtful;
    if (isAcceptor && stand === 'bridge' && isUnknown) await this.logon('engine');
    const isInDoubt = this.#isDoubtful;
    this.#isSettling = true;
    await this.#begin(stand);
    // A number that was too high is asked about, and the question is answered as it comes.
    if (isInDoubt || this.#stand === 'bridge') await pause(settleMs);
    if (isInDoubt && stand === 'engine') await this.#agree();
    this.conversation.inbox.drop(isOfLogon);
    this.#isLoggedOn = true;
    this.#isSettling = false;
  }

  /** As a client: nothing that a scenario placed is left, as far as the counterparty takes mass cancels. */
  async cancelAll(clOrdId: string): Promise<void> {
    const { inbox } = this.conversation;
    this.say(`q|11=${clOrdId}|530=7|60=now`);
    const isOver = (one: Incoming) =>
      one.kind === 'closed' || ['r', 'j', '3'].some((type) => isOf(one, 'peer', type));
    await inbox.take(isOver, performance.now() + tidyMs, this.#signal);
  }

  /** A counterparty that has just lost its connection may give a new one up again before it says anything. */
  async #begin(stand: Stand): Promise<void> {
    const { direction, connectWithinMs } = this.options;
    const isAcceptor = direction === 'acceptor';
    const endMs = performance.now() + connectWithinMs;
    for (;;) {
      await this.open(stand);
      try {
        if (!isAcceptor) await this.#call();
        else if (stand === 'engine') await this.#welcome();
        else await this.#take((one) => isOf(one, 'bridge', 'A'), 'the bridge said no Logon(A)');
        return;
      } catch (error) {
        const isWordless = isAcceptor && !this.isOpen && !this.#hasHeardLogon;
        if (!isWordless || performance.now() > endMs || this.#signal.aborted) throw error;
      }
    }
  }

  /** One exchange in good order, after which nobody looks back at the numbers that were left out. */
  async #agree(): Promise<void> {
    this.say('1|112=AGREED');
    const isAnswer = (one: Incoming) =>
      one.kind === 'closed' || (isOf(one, 'peer', '0') && fieldOf(one.message, 112) === 'AGREED');
    const endMs = performance.now() + this.options.answerWithinMs;
    await this.conversation.inbox.take(isAnswer, endMs, this.#signal);
  }

  /** Nothing has come for a while. */
  async quiet(): Promise<void> {
    const before = this.#heardCount;
    await pause(quietMs);
    if (this.#heardCount !== before) await this.quiet();
  }

  /** False when the connection is gone. */
  say(line: string, isGarbled = false): boolean {
    const { names } = this.options;
    const bytes = lineBytes(line, {
      senderCompId: names.targetCompId,
      targetCompId: names.senderCompId,
      msgSeqNum: this.numbers.nextOut,
      wallMs: Date.now(),
    });
    return this.#send(bytes, isGarbled);
  }

  sayRaw(line: string, isGarbled: boolean): boolean {
    return this.#send(rawBytes(line, Date.now()), isGarbled);
  }

  /** On a connection beside the one that stands. */
  async saySecond(line: string): Promise<void> {
    const { names } = this.options;
    this.#second = direct(await this.#socket());
    const bytes = lineBytes(line, {
      senderCompId: names.targetCompId,
      targetCompId: names.senderCompId,
      msgSeqNum: this.numbers.nextOut,
      wallMs: Date.now(),
    });
    this.#ladder.bytes('desk', 'on a second connection', bytes);
    this.#second.send(bytes);
  }

  async secondCloses(withinMs: number): Promise<boolean> {
    const endMs = performance.now() + withinMs;
    const isOver = (one: Incoming) => one.kind === 'closed';
    return (await this.#second?.inbox.take(isOver, endMs, this.#signal)) !== undefined;
  }

  async contra(line: string): Promise<void> {
    const { host, port, contra } = this.#bridge;
    if (this.#contra?.isOpen !== true) this.#contra = await Contra.logon(host, port, contra);
    const bytes = await this.#contra.trade(line);
    this.#ladder.bytes('contra', typeName(line.split('|')[0] ?? ''), bytes);
  }

  /** A Logout(5) that the counterparty began is answered, so that it may close. */
  answerLogout(): void {
    if (this.#hasHeardLogout && !this.#hasSaidLogout) this.say('5');
  }

  get #bridge(): BridgeStand {
    const { bridge } = this.options;
    if (bridge === undefined) throw new DeskError('there is no bridge to trade on');
    return bridge;
  }

  /** The counterparty is the client: its Logon(A) is answered. */
  async #welcome(): Promise<void> {
    const first = await this.#take(
      (one) => one.kind === 'message',
      'no Logon(A) came on the connection',
    );
    const logon = first.kind === 'message' ? first.message : undefined;
    if (logon?.msgType !== 'A') throw new DeskError('the first message is not a Logon(A)');
    const reset = fieldOf(logon, 141) === 'Y' ? '|141=Y' : '';
    // Both begin at 1, so nothing is in doubt.
    if (reset !== '') this.#isDoubtful = false;
    this.#leap();
    this.say(`A|98=0|108=${fieldOf(logon, 108) ?? this.options.heartBtIntS}${reset}`);
  }

  /** We are the client. */
  async #call(): Promise<void> {
    const { mayReset, answerWithinMs } = this.options;
    const isReset = mayReset && (this.#isDoubtful || this.numbers.nextIn === undefined);
    if (isReset) this.#isDoubtful = false;
    else this.#leap();
    const reset = isReset ? '34=1|141=Y|' : '';
    this.say(`A|${reset}98=0|108=${this.options.heartBtIntS}|${this.proof}`);
    const answer = await this.#take(
      (one) => one.kind === 'closed' || isOf(one, 'peer', 'A') || isOf(one, 'peer', '5'),
      `no Logon(A) came within ${answerWithinMs} ms`,
    );
    if (answer.kind === 'message' && answer.message.msgType === 'A') return;
    const why = answer.kind === 'message' ? fieldOf(answer.message, 58) : undefined;
    const expected = /expecting (\d+)/.exec(why ?? '')?.[1];
    if (expected !== undefined) this.numbers.nextOut = Number(expected);
    throw new DeskError(`our Logon(A) was refused: ${why ?? 'the connection was closed'}`);
  }

  /** The fields that prove who we are as an initiator. */
  get proof(): string {
    const { credentials, direction } = this.options;
    if (credentials === undefined || direction === 'acceptor') return '';
    return `553=${credentials.username}|554=${credentials.password}`;
  }

  #leap(): void {
    if (this.#isDoubtful) this.numbers.nextOut += doubtStep;
    this.#isDoubtful = false;
  }

  async #socket(): Promise<Socket> {
    const { port, connectWithinMs, direction } = this.options;
    const socket = await port.next(connectWithinMs, this.#signal);
    this.#isDeserted = socket === undefined;
    if (socket !== undefined) return socket;
    const what = direction === 'acceptor' ? 'the counterparty did not connect' : 'nobody answers';
    throw new DeskError(`${what} within ${connectWithinMs / 1000} s`);
  }

  #tap(socket: Socket): Conversation {
    const { host, port, login } = this.#bridge;
    const rewriteFirst = (bytes: Buffer) => withLogin(bytes, login);
    return tapped(socket, { host, port, rewriteFirst });
  }

  #listenTo(conversation: Conversation): void {
    conversation.inbox.watch((incoming) => this.#heard(incoming, conversation));
  }

  /** At once, whatever step the scenario is at: evidence, standing rules, numbers, and what keeps the session alive. */
  #heard(incoming: Incoming, conversation: Conversation): void {
    const ladder = this.#ladder;
    this.#heardCount += 1;
    if (incoming.kind === 'closed') {
      // An end that was ours is no news.
      if (conversation !== this.#conversation) return;
      this.#isLoggedOn = false;
      ladder.note(incoming.by, 'closes the connection');
    } else if (incoming.kind === 'garbled') {
      const rule = 'Every message has a right BodyLength(9) and CheckSum(10)';
      const verdict = { tag: 0, name: 'frame', wanted: 'a FIX message', got: incoming.reason };
      const basis = { isMet: false, rule, ref: 'FIX 4.4 vol. 2, Garbled messages' };
      ladder.bytes('peer', 'garbled', incoming.raw, [{ ...verdict, ...basis }]);
    } else if (incoming.from === 'bridge') {
      this.numbers.said(incoming.message);
      ladder.said('bridge', incoming.message);
    } else this.#heardPeer(incoming.message);
  }

  #heardPeer(message: Heard): void {
    const { names } = this.options;
    const { msgType } = message;
    if (msgType === 'A') this.#hasHeardLogon = true;
    // The Logout(5) of a refused Logon(A) is no part of the session and has no number of it.
    const isRefusal = msgType === '5' && !this.#hasHeardLogon;
    const numbers = isRefusal ? undefined : this.numbers;
    this.#ladder.said('peer', message, standingFaults(message, names, numbers));
    if (msgType === '5') this.#hasHeardLogout = true;
    const isOurs = this.#stand === 'engine' || this.options.direction === 'initiator';
    const isLeft = this.#isSilent || this.#handled.has(msgType);
    if (!isOurs || (isLeft && !this.#isSettling)) return;
    if (msgType === '1') this.say(`0|112=${fieldOf(message, 112) ?? ''}`);
    if (msgType === '2') this.fillGap(numberOf(message, 7) ?? 1);
  }

  /** What is asked for again was said by a desk, which keeps nothing: it is all filled. */
  fillGap(fromSeq: number): void {
    const { nextOut } = this.numbers;
    const from = Math.min(fromSeq, nextOut);
    this.say(`4|34=${from}|43=Y|122=now|123=Y|36=${Math.max(nextOut, from + 1)}`);
  }

  #send(bytes: Buffer, isGarbled: boolean): boolean {
    const isSent = this.conversation.send(bytes);
    const message = isGarbled ? undefined : parsed(bytes);
    const undelivered = isSent ? '' : ' (not delivered: the connection is closed)';
    if (message === undefined) {
      this.#ladder.bytes('desk', `bytes that are no message${undelivered}`, bytes);
    } else {
      if (message.msgType === '5') this.#hasSaidLogout = true;
      if (isSent) this.numbers.said(message);
      this.#ladder.said('desk', message);
    }
    return isSent;
  }

  async #take(isWanted: (one: Incoming) => boolean, otherwise: string): Promise<Incoming> {
    const { inbox } = this.conversation;
    const endMs = performance.now() + this.options.answerWithinMs;
    const found = await inbox.take(
      (one) => isWanted(one) || one.kind === 'closed',
      endMs,
      this.#signal,
    );
    if (found !== undefined && isWanted(found)) return found;
    throw new DeskError(found === undefined ? otherwise : `${otherwise}: the connection closed`);
  }
}

const settleMs = 150;
const quietMs = 100;
const tidyMs = 1_000;

/** Session messages that nobody need ask for; a resend by its PossDupFlag(43). */
export function isHousekeeping({ msgType, fields }: Heard): boolean {
  return housekeeping.has(msgType) || fields.some(([tag, value]) => tag === 43 && value === 'Y');
}

/** Answered already, whatever a scenario may expect of the same type. */
function isOfLogon(incoming: Incoming): boolean {
  if (incoming.kind !== 'message') return false;
  return incoming.message.msgType === 'A' || isHousekeeping(incoming.message);
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

function parsed(bytes: Uint8Array): Heard | undefined {
  let found: Heard | undefined;
  new Ear('peer', (incoming) => {
    if (incoming.kind === 'message') found = incoming.message;
  }).hear(bytes);
  return found;
}

/** The Logon(A) of a counterparty that has no password for the bridge of the certification. */
function withLogin(bytes: Buffer, { username, password }: { username: string; password: string }) {
  const logon = parsed(bytes);
  if (logon?.msgType !== 'A' || fieldOf(logon, 554) !== undefined) return bytes;
  const body = logon.fields.filter(([tag]) => ![8, 9, 10, 553, 554].includes(tag));
  const all = [...body, [553, username], [554, password]];
  return framed(Buffer.from(all.map(([tag, value]) => `${tag}=${value}\x01`).join('')));
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
