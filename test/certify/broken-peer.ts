/**
 * A counterparty that can be broken on purpose: a small FIX client of its own, without our engine behind it, that does
 * all of the session right unless one of its defects is switched on. It also does what prompts ask of a client.
 */
import { connect, type Socket } from 'node:net';
import { lineBytes } from '../../src/certify/fix-line.ts';
import { parseLine } from '../../src/certify/line.ts';
import type { Hand, Prompt } from '../../src/certify/prompt.ts';
import { fieldOf, numberOf, type ReceivedMessage } from '../../src/certify/received-message.ts';
import { Decoder } from '../../src/fix/decoder.ts';
import { fix44 } from '../../src/fix/dictionaries.ts';
import { type SessionReject, sessionRejects } from '../../src/fix/reject.ts';
import { Validator } from '../../src/fix/validator.ts';

/** Each switch, and what is wrong with the client that has it. */
export const defects = {
  noHeartbeat: 'says nothing in silence',
  cutsTestReqId: 'echoes only 32 characters of TestReqID(112)',
  neverAsksSilentPeer: 'waits for a silent peer for ever',
  ignoresGaps: 'goes on at the higher number when messages are missing',
  asksForEveryMessage: 'sends a ResendRequest for every message beyond a gap',
  takesLowNumbers: 'takes a number that was used before',
  takesDuplicates: 'processes a possible duplicate again',
  dropsNewDuplicates: 'ignores a possible duplicate that it has never seen',
  ignoresOrigTime: 'does not compare OrigSendingTime(122)',
  ignoresMissingOrigTime: 'takes PossDupFlag(43)=Y without OrigSendingTime(122)',
  resendsAsNew: 'resends without PossDupFlag(43)',
  resendsAdmin: 'resends administrative messages',
  ignoresResendRequest: 'answers no ResendRequest(2)',
  answersForEver: 'answers the same ResendRequest as often as it comes',
  fillsInPieces: 'sends one GapFill a message',
  followsLowGapFill: 'follows a GapFill with a number that was used',
  followsBackward: 'follows a SequenceReset to a lower number',
  ignoresCheckSum: 'does not look at CheckSum(10)',
  ignoresSendingTime: 'does not look at SendingTime(52)',
  ignoresMissingTags: 'takes messages without their required fields',
  ignoresUndefinedTags: 'takes tags that nobody has defined',
  ignoresUnknownTypes: 'passes over an unknown MsgType(35)',
  ignoresUnsupportedTypes: 'passes over a type that it does not support',
  answersNoLogout: 'does not answer a Logout(5)',
  forgetsNumbers: 'begins at 1 after each disconnect',
  keepsOldNumbers: 'goes on with its numbers in a new day of the session',
  asksForLostAgain: 'asks again for messages that are told to be lost',
  leavesAtBursts: 'gives up when much comes at once',
  leavesWhenRefused: 'ends the session when an order is refused by BusinessMessageReject(j)',
  ignoresCompIds: 'takes messages of anybody',
  needsNoLogon: 'takes any first message for a Logon(A)',
  ignoresBeginString: 'takes messages of another FIX version',
  otherHeartBtInt: 'asks for another HeartBtInt(108) than agreed',
  skipsNumbers: 'leaves a number out behind each Reject(3)',
  usesLocalTime: 'writes SendingTime(52) in the time of its own zone, two hours off',
  namesWrongOrder: 'names the first order of the day in every OrigClOrdID(41)',
  keepsChain: 'names the first ClOrdID(11) of an order after it was replaced',
  sendsMarket: 'leaves out Price(44) of every limit order',
  rejectsRestated: 'rejects every report with ExecType(150)=D',
  rejectsBusts: 'rejects every report with ExecType(150)=H',
  rejectsPendingNew: 'rejects every report with ExecType(150)=A',
  doublesOrders: 'sends every order twice',
} as const;
export type Defect = keyof typeof defects;

export interface BrokenPeerOptions {
  readonly port: number;
  readonly heartBtIntS: number;
  readonly defects: readonly Defect[];
  /** Sends an order and a request by itself after each Logon(A): no defect, but something that the desk must be told. */
  readonly tradesAtLogon?: boolean;
  /** Sends its Logon(A) in two pieces: no defect, because TCP has no messages. */
  readonly splitsLogon?: boolean;
}

const names = { senderCompId: 'BROKEN', targetCompId: 'CAUSEWAY' };
const applicationTypes = new Set(['8', '9', 'r', 'y', 'B', 'f', 'h', 'j']);
const adminTypes = new Set(['0', '1', '2', '3', '4', '5', 'A']);
const tickMs = 20;
const reconnectMs = 30;
const maxSameRequests = 5;
/** Nothing but a burst comes in pieces so large. */
const maxAtOnce = 16_384;

export class BrokenPeer implements Hand {
  readonly #options: BrokenPeerOptions;
  readonly #validator = new Validator(fix44());
  /** Application messages by number, as lines. */
  readonly #sent = new Map<number, string>();
  readonly #firstOf = new Map<string, string>();
  #socket: Socket | undefined;
  #decoder = new Decoder(fix44());
  #nextOut = 1;
  #nextIn = 1;
  #phase: 'down' | 'logon' | 'active' | 'leaving' = 'down';
  #askedFrom = 0;
  #lastRequest = '';
  #sameRequests = 0;
  #sentMs = 0;
  #heardMs = 0;
  #isTested = false;
  #isStopped = false;
  #firstOrder = '';
  #ownOrders = 0;
  readonly #ticks: NodeJS.Timeout;

  constructor(options: BrokenPeerOptions) {
    this.#options = options;
    this.#ticks = setInterval(() => this.#tick(), tickMs);
    this.#connect();
  }

  static get names() {
    return names;
  }

  async act({ who, line }: Prompt): Promise<void> {
    if (line === 'reset' && !this.#has('keepsOldNumbers')) this.#beginAnew();
    if (who !== 'client') return;
    // An order that is asked for while the session is away waits for it.
    while (this.#phase !== 'active' && !this.#isStopped) await pause(tickMs);
    const order = this.#spoilt(line);
    this.#sent.set(this.#nextOut, order);
    this.#say(order);
    if (this.#has('doublesOrders')) {
      this.#sent.set(this.#nextOut, order);
      this.#say(order);
    }
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#ticks);
    this.#socket?.destroy();
  }

  #trade(): void {
    this.#ownOrders += 1;
    const order = `11=OWN-${Date.now()}-${this.#ownOrders}|55=BTC-USDC|54=1|38=0.01|40=2|44=1000`;
    for (const line of [`D|${order}|59=1|60=now`, 'x|320=OWN|559=4']) {
      this.#sent.set(this.#nextOut, line);
      this.#say(line);
    }
  }

  #beginAnew(): void {
    this.#nextOut = 1;
    this.#nextIn = 1;
    this.#sent.clear();
  }

  #has(defect: Defect): boolean {
    return this.#options.defects.includes(defect);
  }

  #spoilt(line: string): string {
    const { msgType, fields } = parseLine(line);
    const value = (tag: number) => fields.find(([one]) => one === tag)?.[1] ?? '';
    this.#firstOrder ||= value(11);
    if (msgType === 'G') this.#firstOf.set(value(11), this.#first(value(41)));
    const changed = fields.flatMap(([tag, was]): string[] => {
      if (tag === 44 && this.#has('sendsMarket')) return [];
      if (tag === 41 && this.#has('namesWrongOrder')) return [`41=${this.#firstOrder}`];
      if (tag === 41 && this.#has('keepsChain')) return [`41=${this.#first(was)}`];
      return [`${tag}=${was}`];
    });
    return [msgType, ...changed].join('|');
  }

  #first(clOrdId: string): string {
    return this.#firstOf.get(clOrdId) ?? clOrdId;
  }

  #connect(): void {
    if (this.#isStopped) return;
    const socket = connect({ host: '127.0.0.1', port: this.#options.port, noDelay: true });
    this.#socket = socket;
    this.#decoder = new Decoder(fix44());
    socket.on('error', () => {});
    socket.on('connect', () => this.#logon());
    socket.on('data', (bytes) => this.#received(socket, bytes));
    socket.on('close', () => {
      this.#phase = 'down';
      setTimeout(() => this.#connect(), reconnectMs);
    });
  }

  #logon(): void {
    this.#phase = 'logon';
    this.#askedFrom = 0;
    this.#isTested = false;
    this.#sameRequests = 0;
    this.#heardMs = performance.now();
    if (this.#has('forgetsNumbers')) {
      this.#nextOut = 1;
    }
    const { heartBtIntS } = this.#options;
    this.#say(`A|98=0|108=${this.#has('otherHeartBtInt') ? heartBtIntS + 7 : heartBtIntS}`);
  }

  #say(line: string): void {
    const wallMs = Date.now() - (this.#has('usesLocalTime') ? 7_200_000 : 0);
    const header = { ...names, msgSeqNum: this.#nextOut, wallMs };
    if (!/\|34=/.test(line)) {
      this.#nextOut += this.#has('skipsNumbers') && line.startsWith('3|') ? 2 : 1;
    }
    const bytes = lineBytes(line, header);
    const isSplit = this.#options.splitsLogon === true && line.startsWith('A|');
    const cut = isSplit ? 20 : bytes.length;
    this.#socket?.write(bytes.subarray(0, cut));
    if (isSplit) setTimeout((socket) => socket?.write(bytes.subarray(cut)), tickMs, this.#socket);
    this.#sentMs = performance.now();
  }

  #tick(): void {
    if (this.#phase !== 'active') return;
    const beatMs = this.#options.heartBtIntS * 1000;
    const now = performance.now();
    if (now - this.#sentMs >= beatMs && !this.#has('noHeartbeat')) this.#say('0');
    if (this.#has('neverAsksSilentPeer')) return;
    if (now - this.#heardMs >= 2.4 * beatMs) this.#socket?.destroy();
    else if (now - this.#heardMs >= 1.2 * beatMs && !this.#isTested) {
      this.#isTested = true;
      this.#say('1|112=ALIVE');
    }
  }

  #received(socket: Socket, bytes: Buffer): void {
    if (bytes.length > maxAtOnce && this.#has('leavesAtBursts')) {
      socket.destroy();
      return;
    }
    this.#decoder.push(this.#has('ignoresCheckSum') ? withRightSum(bytes) : bytes);
    for (let step = this.#decoder.next(); step !== 'more'; step = this.#decoder.next()) {
      if (step === 'fatal') {
        socket.destroy();
        return;
      }
      if (step === 'garbled') continue;
      const { message } = this.#decoder;
      const fields = [...message.fields()].map(
        ({ tag, value }) => [tag, Buffer.from(value).toString()] as const,
      );
      const heard = { atMs: Date.now(), raw: message.raw, msgType: message.msgType, fields };
      this.#heard({ ...heard, fault: this.#validator.validate(message) });
      if (this.#socket !== socket || socket.destroyed) return;
    }
  }

  #heard(message: ReceivedMessage): void {
    this.#heardMs = performance.now();
    this.#isTested = false;
    const { msgType } = message;
    if (this.#phase === 'logon' && msgType !== 'A' && !this.#has('needsNoLogon')) {
      this.#socket?.destroy();
      return;
    }
    const isLoggedOn = this.#phase === 'logon';
    if (isLoggedOn) this.#phase = 'active';
    if (!this.#isOurs(message)) return;
    if (isLoggedOn && this.#options.tradesAtLogon === true) this.#trade();
    const seq = numberOf(message, 34) ?? 0;
    if (msgType === '4' && fieldOf(message, 123) !== 'Y') this.#sequenceReset(message, seq);
    else if (seq > this.#nextIn) this.#missing(message, seq);
    else if (seq < this.#nextIn) this.#old(message);
    else this.#next(message, seq);
  }

  /** Version, CompIDs and time, or the end of the session. */
  #isOurs(message: ReceivedMessage): boolean {
    if (fieldOf(message, 8) !== 'FIX.4.4' && !this.#has('ignoresBeginString')) {
      this.#leave('Incorrect BeginString');
      return false;
    }
    const isKnown =
      fieldOf(message, 49) === names.targetCompId && fieldOf(message, 56) === names.senderCompId;
    const seq = numberOf(message, 34) ?? 0;
    if (!isKnown && !this.#has('ignoresCompIds')) {
      if (message.msgType === 'A') this.#socket?.destroy();
      else {
        if (seq === this.#nextIn) this.#nextIn += 1;
        this.#refuse(message, 'compId', 49);
        this.#leave('CompID problem');
      }
      return false;
    }
    const sentMs = millisecondsOf(fieldOf(message, 52) ?? '');
    if (Math.abs(Date.now() - sentMs) > 120_000 && !this.#has('ignoresSendingTime')) {
      if (seq === this.#nextIn) this.#nextIn += 1;
      this.#refuse(message, 'sendingTime', 52);
      this.#leave('SendingTime accuracy problem');
      return false;
    }
    return true;
  }

  #missing(message: ReceivedMessage, seq: number): void {
    if (this.#has('ignoresGaps')) {
      this.#nextIn = seq;
      this.#next(message, seq);
      return;
    }
    if (message.msgType === '5' && this.#phase === 'leaving') {
      this.#socket?.destroy();
      return;
    }
    if (message.msgType === '2') this.#resend(message);
    if (this.#askedFrom === this.#nextIn && !this.#has('asksForEveryMessage')) return;
    this.#askedFrom = this.#nextIn;
    this.#say(`2|7=${this.#nextIn}|16=0`);
  }

  #old(message: ReceivedMessage): void {
    if (fieldOf(message, 43) !== 'Y') {
      if (this.#has('takesLowNumbers')) this.#process(message);
      else {
        const got = fieldOf(message, 34);
        this.#leave(`MsgSeqNum too low, expecting ${this.#nextIn} but received ${got}`);
      }
      return;
    }
    if (message.msgType === '4') {
      if (this.#has('followsLowGapFill')) this.#nextIn = numberOf(message, 36) ?? this.#nextIn;
      return;
    }
    const original = fieldOf(message, 122);
    if (original === undefined) {
      if (!this.#has('ignoresMissingOrigTime')) this.#refuse(message, 'requiredTagMissing', 122);
    } else if (original > (fieldOf(message, 52) ?? '') && !this.#has('ignoresOrigTime')) {
      this.#refuse(message, 'sendingTime', 122);
      this.#leave('SendingTime accuracy problem');
    } else if (this.#has('takesDuplicates')) this.#process(message);
  }

  #next(message: ReceivedMessage, seq: number): void {
    if (message.msgType === '4') {
      this.#sequenceReset(message, seq);
      return;
    }
    this.#nextIn = seq + 1;
    if (fieldOf(message, 43) === 'Y' && this.#has('dropsNewDuplicates')) return;
    this.#process(message);
  }

  #sequenceReset(message: ReceivedMessage, seq: number): void {
    const next = numberOf(message, 36) ?? 0;
    const isBackward = next < Math.max(seq, this.#nextIn);
    if (isBackward && !this.#has('followsBackward')) {
      this.#refuse(message, 'valueOutOfRange', 36);
      return;
    }
    this.#nextIn = next;
  }

  #process(message: ReceivedMessage): void {
    const { fault, msgType } = message;
    const isKnown = fix44().messages.has(msgType);
    if (isKnown && !adminTypes.has(msgType) && !applicationTypes.has(msgType)) {
      if (this.#has('ignoresUnsupportedTypes')) return;
      this.#say(`j|45=${fieldOf(message, 34)}|372=${msgType}|380=3`);
      return;
    }
    if (fault !== undefined && !this.#overlooks(fault.reject)) {
      this.#refuse(message, fault.reject, fault.tag);
      return;
    }
    switch (msgType) {
      case '1':
        this.#say(`0|112=${this.#echo(fieldOf(message, 112) ?? '')}`);
        return;
      case '2':
        this.#resend(message);
        return;
      case '5':
        if (this.#phase !== 'leaving' && !this.#has('answersNoLogout')) this.#say('5');
        if (this.#phase === 'leaving') this.#socket?.destroy();
        return;
      case '8':
        if (this.#rejects(fieldOf(message, 150))) this.#refuse(message, 'valueOutOfRange', 150);
        return;
      case 'B':
        if (this.#has('asksForLostAgain') && fieldOf(message, 148) === 'Resend incomplete') {
          this.#say('2|7=1|16=0');
        }
        return;
      case 'j':
        if (this.#has('leavesWhenRefused')) this.#leave('An order was refused');
        return;
    }
  }

  #rejects(execType: string | undefined): boolean {
    if (execType === 'D') return this.#has('rejectsRestated');
    if (execType === 'H') return this.#has('rejectsBusts');
    return execType === 'A' && this.#has('rejectsPendingNew');
  }

  #overlooks(reject: SessionReject): boolean {
    if (reject === 'requiredTagMissing') return this.#has('ignoresMissingTags');
    if (reject === 'invalidMsgType') return this.#has('ignoresUnknownTypes');
    const isUndefined = reject === 'invalidTagNumber' || reject === 'undefinedTag';
    return isUndefined && this.#has('ignoresUndefinedTags');
  }

  #echo(id: string): string {
    return this.#has('cutsTestReqId') ? id.slice(0, 32) : id;
  }

  #resend(message: ReceivedMessage): void {
    if (this.#has('ignoresResendRequest')) return;
    const from = numberOf(message, 7) ?? 1;
    const end = numberOf(message, 16) ?? 0;
    const request = `${from}-${end}`;
    this.#sameRequests = request === this.#lastRequest ? this.#sameRequests + 1 : 0;
    this.#lastRequest = request;
    if (this.#sameRequests > maxSameRequests && !this.#has('answersForEver')) {
      this.#leave('The same ResendRequest again and again');
      return;
    }
    const to = end === 0 || end >= this.#nextOut ? this.#nextOut - 1 : end;
    let filledFrom = from;
    const fill = (next: number) => {
      if (filledFrom >= next) return;
      if (this.#has('resendsAdmin')) {
        for (let seq = filledFrom; seq < next; seq += 1) this.#say(`0|34=${seq}|43=Y|122=now`);
      } else if (this.#has('fillsInPieces')) {
        for (let seq = filledFrom; seq < next; seq += 1) this.#fill(seq, seq + 1);
      } else this.#fill(filledFrom, next);
    };
    for (let seq = from; seq <= to; seq += 1) {
      const line = this.#sent.get(seq);
      if (line === undefined) continue;
      fill(seq);
      const flags = this.#has('resendsAsNew') ? '' : '|43=Y|122=now';
      this.#say(line.replace('|', `|34=${seq}${flags}|`));
      filledFrom = seq + 1;
    }
    fill(to + 1);
  }

  #fill(seq: number, next: number): void {
    this.#say(`4|34=${seq}|43=Y|122=now|123=Y|36=${next}`);
  }

  #refuse(message: ReceivedMessage, reject: SessionReject, tag: number): void {
    const { reason, text } = sessionRejects[reject];
    const about = `45=${fieldOf(message, 34)}|371=${tag}|372=${message.msgType}`;
    this.#say(`3|${about}|373=${reason}|58=${text}`);
  }

  #leave(why: string): void {
    this.#phase = 'leaving';
    this.#say(`5|58=${why}`);
  }
}

/** As a client reads that does not look at the sum: every message that is there from its beginning has the right one. */
function withRightSum(bytes: Buffer): Buffer {
  const pieces: Buffer[] = [];
  let from = 0;
  for (;;) {
    const at = bytes.indexOf('\x0110=', from) + 1;
    const end = bytes.indexOf('\x01', at) + 1;
    const isWhole = bytes.indexOf('8=FIX', from) === from && at > 0 && end > 0;
    if (!isWhole) break;
    const body = bytes.subarray(from, at);
    const sum = body.reduce((all, byte) => all + byte, 0) % 256;
    pieces.push(body, Buffer.from(`10=${String(sum).padStart(3, '0')}\x01`));
    from = end;
  }
  return Buffer.concat([...pieces, bytes.subarray(from)]);
}

function millisecondsOf(text: string): number {
  const [, y, m, d, time] = /^(\d{4})(\d\d)(\d\d)-(.+)$/.exec(text) ?? [];
  return Date.parse(`${y}-${m}-${d}T${time}Z`);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
