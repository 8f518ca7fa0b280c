/** Our side over FIXP: consecutive session ids, both flows, and keepalive. */
import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import { framingHeaderSize } from '../fixp/framing.ts';
import { direct, peek, tapped } from './conversation.ts';
import { FixpFlows } from './fixp-flows.ts';
import { type Known as Filled, fillMessage } from './fixp-line.ts';
import { listenToFixp } from './fixp-listener.ts';
import { decodeFrame } from './fixp-message.ts';
import { fixpFaults } from './fixp-rules.ts';
import type { Ladder } from './ladder.ts';
import { fieldOf, type Incoming, type Listen, type ReceivedMessage } from './received-message.ts';
import type { Setup } from './scenario.ts';
import { CertificationError, type SessionOptions } from './session-options.ts';
import type { Expected, TestSession } from './test-session.ts';
import { Wire } from './wire.ts';

const nsPerMs = 1_000_000n;
/** Our keepalives are sent well within the interval that we announce. */
const beatsPerInterval = 2;

export class FixpTestSession implements TestSession {
  readonly options: SessionOptions;
  readonly wire: Wire;
  readonly #listen: Listen;
  readonly #flows: FixpFlows;
  readonly #beat: NodeJS.Timeout;
  #isSilent = false;
  #isEstablished = false;
  hasBegun = false;
  /** The engine or the bridge at our end of the connection. */
  #setup: Setup = 'engine';
  /** The engine or the bridge, depending on which one knows the negotiated session id. */
  #home: Setup | undefined;
  #requestedNs = 0n;
  readonly #requestsNs = new Set<bigint>();
  #theirRequestNs = 0n;
  #sentMs = 0;
  #hasReceivedTerminate = false;
  #hasSentTerminate = false;

  constructor(options: SessionOptions, signal: AbortSignal) {
    this.options = options;
    this.wire = new Wire(options, signal);
    this.#listen = listenToFixp(options.framing);
    this.#flows = new FixpFlows(this.#isClient);
    const intervalMs = (options.heartBtIntS * 1000) / beatsPerInterval;
    this.#beat = setInterval(() => this.#keepAlive(intervalMs), intervalMs);
    // A session that was never opened must not keep the process alive.
    this.#beat.unref();
  }

  /** Whether we are the client, because we are the initiator. */
  get #isClient(): boolean {
    return this.options.direction === 'initiator';
  }

  live(name: string): string | undefined {
    return new Map([
      ['next', String(this.#flows.nextOut)],
      ['peer', String(this.#flows.nextIn)],
      ['sid', this.#flows.sessionId],
      ['ts', String(this.#isClient ? this.#requestedNs : this.#theirRequestNs)],
      ['hbms', String(this.options.heartBtIntS * 1000)],
      ['user', this.options.credentials?.username],
    ]).get(name);
  }

  begin(ladder: Ladder): void {
    this.wire.ladder = ladder;
    this.#isSilent = false;
    // A server that blocks addresses must not count one scenario's errors against the next.
    this.options.port.move?.();
  }

  async open(setup: Setup): Promise<void> {
    if (setup === 'bridge' && !this.#isClient) await this.#openTap();
    else await this.#openEngine();
  }

  async logon(setup: Setup): Promise<void> {
    const isHere = this.#isClient || this.#home === setup;
    if (this.#isEstablished && this.wire.isOpen && isHere) return;
    if (this.#isClient) await this.#callIn();
    else if (setup === 'bridge') await this.#throughTap();
    else await this.#welcome();
    this.wire.conversation.inbox.clear();
  }

  /** As a client, uses a new session id; as a server, treats the client's id as unknown until it takes a new one. */
  async renew(): Promise<void> {
    this.#home = undefined;
    this.#flows.sessionId = '';
    await this.#openEngine();
    if (this.#isClient) return;
    for (;;) {
      const first = await this.#first();
      if (first.msgType === 'Negotiate') {
        this.wire.conversation.inbox.putBack({ kind: 'message', from: 'peer', message: first });
        return;
      }
      await this.#demandNegotiation();
      await this.#openEngine();
    }
  }

  silence(): void {
    this.#isSilent = true;
  }

  /** As a client, expects the rejection of a second Establish; as a server, the client's next keepalive. */
  probe(): Expected {
    if (this.#isClient) {
      this.sendLine('Establish');
      return { text: 'EstablishmentReject|Code=AlreadyEstablished|RequestTimestamp=$ts' };
    }
    this.wire.conversation.inbox.drop((one) => one.kind === 'message' && isSequence(one.message));
    return { text: 'Sequence|NextSeqNo=$peer', within: '2hb' };
  }

  /** `A|… + B|…` sends two messages in one piece. */
  sendLine(line: string): boolean {
    const { conversation } = this.wire;
    const frames = line.split(' + ').map((one) => this.#noted(this.#bytesOf(one)));
    this.#sentMs = performance.now();
    return conversation.send(Buffer.concat(frames));
  }

  sendMany(count: number, line: () => string): void {
    for (let sent = 0; sent < count; sent += 1) this.sendLine(line());
  }

  /** Sends hex digits, with a big-endian framing header that is reversed if the session's is little-endian. */
  sendRaw(text: string): boolean {
    const bytes = Buffer.from(text.replace(/[\s|]/g, ''), 'hex');
    if (this.options.framing === 'little') {
      bytes.subarray(0, 4).reverse();
      bytes.subarray(4, framingHeaderSize).reverse();
    }
    this.wire.ladder.bytes('desk', 'bytes that are not a message', bytes);
    return this.wire.conversation.send(bytes);
  }

  actUpon(text: string): Promise<void> {
    return this.wire.bridge.act(text);
  }

  sendSecond(line: string): Promise<void> {
    return this.wire.sendSecond((socket) => direct(socket, this.#listen), this.#bytesOf(line));
  }

  answerFarewell(): void {
    if (!this.#hasReceivedTerminate || !this.wire.isOpen) return;
    if (!this.#hasSentTerminate) this.sendLine('Terminate|Code=Finished');
    // A client may leave the close to its server.
    if (!this.#isClient) this.wire.conversation.end();
  }

  async cancelAll(clOrdId: string): Promise<void> {
    this.sendLine(`MassCancel|ClOrdID=${clOrdId}|Scope=All`);
    await this.wire.quiet();
  }

  doubt(): void {
    this.#home = undefined;
    this.cut();
  }

  cut(): void {
    this.wire.cut();
    this.#isEstablished = false;
  }

  close(): void {
    clearInterval(this.#beat);
    this.#isEstablished = false;
    this.wire.close();
  }

  // Connections.

  async #openEngine(): Promise<void> {
    this.#leave();
    this.#enter('engine', await this.wire.socket());
  }

  /** Passes only acceptable connections to the bridge, because it counts strangers and blocks their address. */
  async #openTap(): Promise<void> {
    const { host, fixpPort } = this.wire.bridge;
    for (;;) {
      this.#leave();
      const socket = await this.wire.socket();
      const first = decodeFrame((await peek(socket)) ?? Buffer.alloc(0));
      if (typeof first === 'string') throw new CertificationError(`no session begins: ${first}`);
      if (this.#home === 'bridge' || first.msgType === 'Negotiate') {
        this.#enter(
          'bridge',
          socket,
          tapped(socket, { host, port: fixpPort, listen: this.#listen }),
        );
        return;
      }
      this.#enter('engine', socket);
      await this.#first();
      await this.#demandNegotiation();
    }
  }

  #leave(): void {
    this.cut();
    this.#hasReceivedTerminate = false;
    this.#hasSentTerminate = false;
    this.hasBegun = false;
    this.#requestsNs.clear();
  }

  #enter(setup: Setup, socket: Socket, conversation = direct(socket, this.#listen)): void {
    this.#setup = setup;
    this.wire.use(conversation, {
      frame: {
        wanted: 'a message',
        rule: 'Every message belongs to the schemas and has its own frame',
        ref: 'FIX Simple Open Framing Header',
      },
      received: (message) => this.#receivedFromPeer(message),
      sent: (message) => this.#follow(message),
      closed: () => {
        this.#isEstablished = false;
      },
    });
    socket.resume();
  }

  /** The first message of a connection. */
  async #first(): Promise<ReceivedMessage> {
    const isMessage = (one: Incoming) => one.kind === 'message';
    const first = await this.wire.take(isMessage, 'no message on the connection');
    if (first.kind !== 'message') throw new CertificationError('no message on the connection');
    return first.message;
  }

  /** A client that establishes an unknown session must negotiate another. */
  async #demandNegotiation(): Promise<void> {
    this.sendLine('EstablishmentReject|Code=Unnegotiated|Reason=negotiate first');
    const isOver = (one: Incoming) => one.kind === 'closed';
    const endMs = performance.now() + this.options.answerWithinMs;
    await this.wire.conversation.inbox.take(isOver, endMs, this.wire.signal);
  }

  // The session.

  async #callIn(): Promise<void> {
    if (this.#home === undefined) {
      await this.renew();
      this.sendLine('Negotiate|SessionId=new');
      await this.#answer('NegotiationResponse');
    } else await this.#openEngine();
    this.sendLine('Establish');
    await this.#answer('EstablishmentAck');
  }

  async #answer(wanted: string): Promise<void> {
    const isAnswer = ({ message }: { message: ReceivedMessage }) =>
      [wanted, 'NegotiationReject', 'EstablishmentReject', 'Terminate'].includes(message.msgType);
    const answer = await this.wire.take(
      (one) => one.kind === 'message' && isAnswer(one),
      `no ${wanted} came`,
    );
    if (answer.kind === 'message' && answer.message.msgType === wanted) return;
    const why = answer.kind === 'message' ? fieldOf(answer.message, 'Reason') : undefined;
    throw new CertificationError(`no ${wanted} came: ${why ?? 'the connection was closed'}`);
  }

  async #welcome(): Promise<void> {
    if (this.#home !== 'engine') await this.renew();
    else await this.#openEngine();
    for (;;) {
      const { msgType } = await this.#first();
      if (msgType === 'Negotiate') this.sendLine('NegotiationResponse');
      else if (msgType === 'Establish') {
        this.sendLine('EstablishmentAck');
        return;
      } else throw new CertificationError(`${msgType} instead of Negotiate or Establish`);
    }
  }

  async #throughTap(): Promise<void> {
    await this.#openTap();
    const isAck = (one: Incoming) =>
      one.kind === 'message' && one.from === 'bridge' && one.message.msgType === 'EstablishmentAck';
    await this.wire.take(isAck, 'the bridge sent no EstablishmentAck');
  }

  #receivedFromPeer(message: ReceivedMessage): void {
    const { msgType } = message;
    const hasTerminated = this.#hasReceivedTerminate;
    const wrongNumber = this.#flows.received(message);
    const username = this.#isClient ? undefined : this.options.credentials?.username;
    const known = {
      sessionId: this.#flows.sessionId,
      requestsNs: this.#requestsNs,
      theirRequestNs: this.#theirRequestNs,
    };
    const { changed } = this.#flows;
    const faults = fixpFaults(message, { ...known, changed, hasTerminated, username, wrongNumber });
    this.wire.ladder.message('peer', message, faults);
    const timestamp = fieldOf(message, 'Timestamp');
    if (timestamp !== undefined) this.#theirRequestNs = BigInt(timestamp);
    if (msgType === 'Terminate') this.#hasReceivedTerminate = true;
    this.#turn(msgType);
  }

  /** Processes a message that our side sent, from here or from the bridge. */
  #follow(message: ReceivedMessage): void {
    this.#flows.sent(message);
    const timestamp = fieldOf(message, 'Timestamp');
    if (timestamp !== undefined) {
      this.#requestedNs = BigInt(timestamp);
      this.#requestsNs.add(this.#requestedNs);
    }
    if (message.msgType === 'Terminate') this.#hasSentTerminate = true;
    this.#turn(message.msgType);
  }

  /** Updates the session's state after a message of either side. */
  #turn(msgType: string): void {
    if (msgType === 'NegotiationResponse') this.#home = this.#setup;
    if (msgType === 'EstablishmentAck') {
      this.#isEstablished = true;
      this.hasBegun = true;
    }
    if (msgType === 'Terminate') this.#isEstablished = false;
  }

  #keepAlive(intervalMs: number): void {
    const isOurs = this.#setup === 'engine';
    if (!this.#isEstablished || !this.wire.isOpen || !isOurs || this.#isSilent) return;
    if (performance.now() - this.#sentMs < intervalMs) return;
    this.sendLine('Sequence');
  }

  /** Records a message that we sent, as evidence and for the numbering. */
  #noted(bytes: Buffer): Buffer {
    const { isOpen, ladder } = this.wire;
    const decoded = decodeFrame(bytes);
    const undelivered = isOpen ? '' : ' (not delivered: the connection is closed)';
    if (typeof decoded === 'string') {
      ladder.bytes('desk', `an unknown message${undelivered}`, bytes);
      return bytes;
    }
    const message = { atMs: Date.now(), raw: bytes, ...decoded, fault: undefined };
    if (isOpen) this.#follow(message);
    ladder.message('desk', message);
    return bytes;
  }

  #bytesOf(line: string): Buffer {
    const nowNs = BigInt(Date.now()) * nsPerMs;
    const known: Filled = {
      sessionId: this.#flows.sessionId,
      newSessionId: () => randomBytes(16).toString('hex'),
      timestampNs: nowNs > this.#requestedNs ? nowNs : this.#requestedNs + 1n,
      requestNs: this.#theirRequestNs,
      nextSeqNo: this.#flows.announced,
      lastIncomingSeqNo: this.#flows.nextIn - 1,
      keepaliveMs: this.options.heartBtIntS * 1000,
      credentials: this.#isClient ? this.options.credentials : undefined,
    };
    return fillMessage(line, known, this.options.framing);
  }
}

function isSequence({ msgType }: ReceivedMessage): boolean {
  return msgType === 'Sequence' || msgType === 'UnsequencedHeartbeat';
}
