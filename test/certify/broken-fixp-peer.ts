/**
 * A FIXP client that can be broken on purpose: a small one of its own, without our session behind it, that does all
 * of the session right unless one of its defects is switched on. It also does what prompts ask of a client.
 */
import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { isNumbered } from '../../src/certify/fixp-flows.ts';
import { fillMessage } from '../../src/certify/fixp-line.ts';
import { decodeFrame } from '../../src/certify/fixp-message.ts';
import type { Hand, Prompt } from '../../src/certify/prompt.ts';
import { fieldOf, numberOf, type ReceivedMessage } from '../../src/certify/received-message.ts';
import { Deframer, framed } from '../../src/fixp/framing.ts';

/** Each switch, and what is wrong with the client that has it. */
export const fixpDefects = {
  reusesSessionId: 'negotiates a session id again that was refused or given up',
  ignoresRequestTimestamp: 'takes the answer to any request for that to its own',
  neverEndsSilentServer: 'waits for a silent server for ever',
  keepsNoneAlive: 'says nothing in silence',
  countsWrong: 'says a NextSeqNo that is one too high',
  ignoresGaps: 'goes on at the higher number when messages are missing',
  asksTwice: 'asks again while its request is being answered',
  repeatsRefused: 'asks again for what was refused',
  negotiatesAgain: 'negotiates anew after each disconnect',
  answersNoTerminate: 'closes without an answer to Terminate',
  neverReceivesAll: 'never says FinishedReceiving',
  takesWrongFlow: 'takes messages that do not fit the flows',
  takesEarlyMessages: 'takes application messages before it is established',
  ignoresFraming: 'skips what is framed wrongly',
  refusesLongerBlocks: 'ends the session when a block is longer than it knows',
  takesAnySchema: 'passes over messages of a schema that it does not know',
  saysSeconds: 'writes Timestamp in seconds',
  talksAfterTerminate: 'goes on talking after its Terminate',
  doublesOrders: 'sends every order twice',
} as const;
export type FixpDefect = keyof typeof fixpDefects;

export interface BrokenFixpPeerOptions {
  readonly port: number;
  readonly credentials: { readonly username: string; readonly password: string };
  readonly keepaliveMs: number;
  readonly defects: readonly FixpDefect[];
}

type Phase = 'down' | 'negotiating' | 'establishing' | 'established' | 'finishing' | 'leaving';

const reconnectMs = 20;
const tickMs = 20;
const knownVersion = 1;
const nsPerMs = 1_000_000n;
const wrongFlow = new Set(['RetransmitRequest', 'UnsequencedHeartbeat', 'Negotiate', 'Establish']);

export class BrokenFixpPeer implements Hand {
  readonly #options: BrokenFixpPeerOptions;
  #socket: Socket | undefined;
  #deframer = new Deframer('big', 64 * 1024);
  #phase: Phase = 'down';
  #sessionId = '';
  #isNegotiated = false;
  #requestNs = 0n;
  #nextOut = 1;
  #nextIn = 1;
  /** The number that the next message of this connection has. */
  #inSeq = 1;
  /** The number behind the last that the server is known to have. */
  #known = 1;
  #isAsking = false;
  #isReplaying = false;
  #sentMs = 0;
  #heardMs = 0;
  #theirMs = 1000;
  #isStopped = false;
  readonly #ticks: NodeJS.Timeout;

  constructor(options: BrokenFixpPeerOptions) {
    this.#options = options;
    this.#ticks = setInterval(() => this.#tick(), tickMs);
    this.#connect();
  }

  async act({ who, line }: Prompt): Promise<void> {
    if (who !== 'client' && who !== 'person') return;
    while (this.#phase !== 'established' && !this.#isStopped) await pause(tickMs);
    if (line === 'finish') {
      this.#phase = 'finishing';
      this.#say('FinishedSending');
    } else if (line === 'terminate') this.#leave('Finished');
    else {
      this.#send(line);
      if (this.#has('doublesOrders')) this.#send(line);
    }
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#ticks);
    this.#socket?.destroy();
  }

  #has(defect: FixpDefect): boolean {
    return this.#options.defects.includes(defect);
  }

  #connect(): void {
    if (this.#isStopped) return;
    const socket = connect({ host: '127.0.0.1', port: this.#options.port, noDelay: true });
    this.#socket = socket;
    this.#deframer = new Deframer('big', 64 * 1024);
    socket.on('error', () => {});
    socket.on('connect', () => this.#begin());
    socket.on('data', (bytes) => this.#received(socket, bytes));
    socket.on('close', () => {
      this.#phase = 'down';
      setTimeout(() => this.#connect(), reconnectMs);
    });
  }

  #begin(): void {
    this.#isAsking = false;
    this.#isReplaying = false;
    this.#inSeq = this.#nextIn;
    this.#known = this.#nextIn;
    if (this.#isNegotiated && !this.#has('negotiatesAgain')) this.#establish();
    else {
      const isKept = this.#sessionId !== '' && this.#has('reusesSessionId');
      if (!isKept) this.#sessionId = randomBytes(16).toString('hex');
      this.#nextOut = 1;
      this.#nextIn = 1;
      this.#phase = 'negotiating';
      this.#say('Negotiate|ClientFlow=Idempotent');
    }
  }

  #establish(): void {
    this.#phase = 'establishing';
    this.#say('Establish');
  }

  #received(socket: Socket, bytes: Buffer): void {
    this.#deframer.push(bytes);
    for (let step = this.#deframer.next(); step !== 'more'; step = this.#deframer.next()) {
      if (step === 'bad') {
        if (this.#has('ignoresFraming')) this.#deframer = new Deframer('big', 64 * 1024);
        else socket.destroy();
        return;
      }
      const raw = framed(this.#deframer.message, 'big');
      const decoded = decodeFrame(raw);
      if (typeof decoded === 'object') {
        const version = raw.readUInt16LE(12);
        if (version > knownVersion && this.#has('refusesLongerBlocks')) socket.destroy();
        else this.#heard({ atMs: 0, raw, ...decoded, fault: undefined });
      } else if (!this.#has('takesAnySchema')) this.#leave('UnspecifiedError');
      if (this.#socket !== socket || socket.destroyed) return;
    }
  }

  #heard(message: ReceivedMessage): void {
    this.#heardMs = performance.now();
    const { msgType } = message;
    if (msgType === 'Terminate') {
      this.#terminated();
      return;
    }
    if (this.#phase === 'leaving') return;
    if (this.#phase === 'negotiating' || this.#phase === 'establishing') this.#answered(message);
    else if (isNumbered(message)) this.#arrived();
    else if (wrongFlow.has(msgType)) {
      if (!this.#has('takesWrongFlow')) this.#leave('UnspecifiedError');
    } else this.#session(message);
  }

  #answered(message: ReceivedMessage): void {
    if (isNumbered(message)) {
      if (!this.#has('takesEarlyMessages')) this.#leave('UnspecifiedError');
      return;
    }
    const isMine = fieldOf(message, 'RequestTimestamp') === String(this.#requestNs);
    if (!isMine && !this.#has('ignoresRequestTimestamp')) return;
    switch (message.msgType) {
      case 'NegotiationResponse':
        this.#isNegotiated = true;
        this.#inSeq = 1;
        this.#known = 1;
        this.#establish();
        return;
      case 'EstablishmentAck':
        this.#phase = 'established';
        this.#theirMs = numberOf(message, 'KeepaliveInterval') ?? this.#theirMs;
        this.#follows(numberOf(message, 'NextSeqNo') ?? 1);
        return;
      case 'NegotiationReject':
      case 'EstablishmentReject':
        this.#isNegotiated = false;
        this.#socket?.destroy();
    }
  }

  #session(message: ReceivedMessage): void {
    switch (message.msgType) {
      case 'Sequence':
        // Behind a retransmission it says that this is over.
        if (this.#isReplaying) this.#isAsking = false;
        this.#isReplaying = false;
        this.#follows(numberOf(message, 'NextSeqNo') ?? this.#nextIn);
        return;
      case 'Retransmission':
        this.#isReplaying = true;
        this.#inSeq = numberOf(message, 'NextSeqNo') ?? this.#inSeq;
        return;
      case 'RetransmitReject':
        this.#isAsking = false;
        if (!this.#has('repeatsRefused')) this.#nextIn = this.#known;
        this.#ask();
        return;
      case 'FinishedSending':
        if (this.#has('neverReceivesAll')) return;
        this.#say('FinishedReceiving');
        this.#isNegotiated = false;
    }
  }

  #arrived(): void {
    if (this.#inSeq === this.#nextIn) this.#nextIn += 1;
    this.#inSeq += 1;
    this.#known = Math.max(this.#known, this.#inSeq);
    this.#ask();
  }

  #follows(next: number): void {
    if (next < this.#nextIn) {
      this.#leave('UnspecifiedError');
      return;
    }
    if (this.#has('ignoresGaps')) this.#nextIn = next;
    const isMore = next > this.#known;
    this.#inSeq = next;
    this.#known = Math.max(this.#known, next);
    if (isMore && this.#has('asksTwice')) this.#isAsking = false;
    this.#ask();
  }

  #ask(): void {
    if (this.#isAsking || this.#nextIn >= this.#known) return;
    this.#isAsking = true;
    this.#say(`RetransmitRequest|FromSeqNo=${this.#nextIn}|Count=${this.#known - this.#nextIn}`);
  }

  #terminated(): void {
    const isMine = this.#phase === 'leaving';
    if (!isMine && !this.#has('answersNoTerminate')) this.#say('Terminate|Code=Finished');
    if (this.#has('talksAfterTerminate')) this.#say('Sequence');
    this.#phase = 'leaving';
    this.#socket?.end();
  }

  #leave(code: string): void {
    if (this.#phase === 'leaving') return;
    this.#say(`Terminate|Code=${code}`);
    if (this.#has('talksAfterTerminate')) this.#say('Sequence');
    this.#phase = 'leaving';
  }

  #tick(): void {
    if (this.#phase !== 'established' && this.#phase !== 'finishing') return;
    const now = performance.now();
    const isQuiet = now - this.#sentMs >= this.#options.keepaliveMs;
    if (isQuiet && !this.#has('keepsNoneAlive')) this.#say('Sequence');
    if (now - this.#heardMs < 2 * this.#theirMs || this.#has('neverEndsSilentServer')) return;
    this.#leave('UnspecifiedError');
  }

  #send(line: string): void {
    this.#say(line);
    this.#nextOut += 1;
  }

  #say(line: string): void {
    const { credentials, keepaliveMs } = this.#options;
    const nowNs = BigInt(Date.now()) * nsPerMs;
    const isRequest = /^(Negotiate|Establish|RetransmitRequest)/.test(line);
    const timestampNs = nowNs > this.#requestNs ? nowNs : this.#requestNs + 1n;
    if (isRequest) this.#requestNs = timestampNs;
    const inSeconds = isRequest && this.#has('saysSeconds') ? '|Timestamp=seconds' : '';
    const frame = fillMessage(line + inSeconds, {
      sessionId: this.#sessionId,
      newSessionId: () => '',
      timestampNs,
      requestNs: 0n,
      nextSeqNo: this.#nextOut + (this.#has('countsWrong') && line === 'Sequence' ? 1 : 0),
      lastIncomingSeqNo: 0,
      keepaliveMs,
      credentials,
    });
    if (inSeconds !== '') this.#requestNs = timestampNs / 1_000_000_000n;
    this.#socket?.write(frame);
    this.#sentMs = performance.now();
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
