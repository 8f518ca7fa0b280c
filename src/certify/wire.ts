/** The connections of a certification: with the counterparty, a second one, and the contra trader's. */
import type { Socket } from 'node:net';
import { awaited } from './awaited.ts';
import { ContraTrader } from './contra-trader.ts';
import type { Conversation } from './conversation.ts';
import { Ladder } from './ladder.ts';
import { type Incoming, type ReceivedMessage, typeName } from './received-message.ts';
import type { Verdict } from './record.ts';
import { CertificationError, type SessionOptions } from './session-options.ts';

const quietMs = 100;

/** Follows the session, as a test session does. */
export interface Follower {
  /** The rule for every frame. */
  readonly frame: Pick<Verdict, 'wanted' | 'rule' | 'ref'>;
  /** Called for a message of the counterparty. */
  received(message: ReceivedMessage): void;
  /** Called for a message that the bridge sent instead of us. */
  sent(message: ReceivedMessage): void;
  closed(): void;
}

export class Wire {
  ladder = new Ladder(() => {});
  readonly #options: SessionOptions;
  readonly signal: AbortSignal;
  #conversation: Conversation | undefined;
  #second: Conversation | undefined;
  #contra: ContraTrader | undefined;
  #reader: ContraTrader | undefined;
  /** Whether the last expected connection never arrived. */
  isDeserted = false;
  #receivedCount = 0;

  constructor(options: SessionOptions, signal: AbortSignal) {
    this.#options = options;
    this.signal = signal;
  }

  get isOpen(): boolean {
    return this.#conversation?.isOpen === true;
  }

  /** Whether there is no connection because we closed it, so that both sides know their sequence numbers. */
  get wasCutByUs(): boolean {
    return this.#conversation === undefined;
  }

  get conversation(): Conversation {
    if (this.#conversation === undefined) throw new CertificationError('there is no connection');
    return this.#conversation;
  }

  get bridge() {
    const { bridge } = this.#options;
    if (bridge === undefined) throw new CertificationError('there is no bridge to trade on');
    return bridge;
  }

  /** The next connection with the counterparty. */
  async socket(): Promise<Socket> {
    const { port, connectWithinMs, direction } = this.#options;
    const socket = await port.next(connectWithinMs, this.signal);
    this.isDeserted = socket === undefined;
    if (socket !== undefined) return socket;
    const what = direction === 'acceptor' ? 'the counterparty did not connect' : 'nobody answers';
    throw new CertificationError(`${what} within ${connectWithinMs / 1000} s${port.others ?? ''}`);
  }

  /** `by` receives everything at once, in any step of the scenario; it is not notified of our own close. */
  use(conversation: Conversation, by: Follower): void {
    this.#conversation = conversation;
    conversation.inbox.watch((incoming) => {
      this.#receivedCount += 1;
      if (incoming.kind === 'message') {
        if (incoming.from === 'peer') by.received(incoming.message);
        else {
          by.sent(incoming.message);
          this.ladder.message('bridge', incoming.message);
        }
      } else if (incoming.kind === 'garbled') {
        const verdict = { ...by.frame, tag: 0, name: 'frame', got: incoming.reason, isMet: false };
        this.ladder.bytes('peer', 'garbled', incoming.raw, [verdict]);
      } else if (conversation === this.#conversation) {
        this.ladder.note(incoming.by, 'closes the connection');
        by.closed();
      }
    });
  }

  async take(isWanted: (one: Incoming) => boolean, otherwise: string): Promise<Incoming> {
    const endMs = performance.now() + this.#options.answerWithinMs;
    const isOver = (one: Incoming) => isWanted(one) || one.kind === 'closed';
    const found = await this.conversation.inbox.take(isOver, endMs, this.signal);
    if (found !== undefined && isWanted(found)) return found;
    throw new CertificationError(
      found === undefined ? otherwise : `${otherwise}: the connection closed`,
    );
  }

  /** Moves to our backup site until `comeBack`. */
  async leaveSite(): Promise<void> {
    const { port } = this.#options;
    if (port.leave === undefined) throw new Error('the interview names no backup site of ours');
    await port.leave();
  }

  /** If this fails, it is tried again after the next scenario. */
  async comeBack(): Promise<void> {
    try {
      await this.#options.port.comeBack?.();
    } catch (error) {
      this.ladder.note('desk', `cannot listen at its own address: ${String(error)}`);
    }
  }

  /** Resolves when nothing has arrived for a while, or the other side cannot be waited for any longer. */
  async quiet(endMs = performance.now() + this.#options.answerWithinMs): Promise<void> {
    const before = this.#receivedCount;
    await awaited(quietMs, this.signal);
    const isOver = performance.now() >= endMs || this.signal.aborted;
    if (this.#receivedCount !== before && !isOver) await this.quiet(endMs);
  }

  async sendSecond(conversation: (socket: Socket) => Conversation, bytes: Buffer): Promise<void> {
    this.#second = conversation(await this.socket());
    this.#second.inbox.watch((incoming) => {
      if (incoming.kind === 'message') this.ladder.message('peer', incoming.message);
    });
    this.ladder.bytes('desk', 'on a second connection', bytes);
    this.#second.send(bytes);
  }

  /** Whether the second connection ends in time, and what was received on it. */
  async secondEnds(withinMs: number) {
    const inbox = this.#second?.inbox;
    const endMs = performance.now() + withinMs;
    const isOver = (one: Incoming) => one.kind === 'closed';
    const isClosed = (await inbox?.take(isOver, endMs, this.signal)) !== undefined;
    const received = inbox?.waiting.flatMap((one) => (one.kind === 'message' ? [one.message] : []));
    return { isClosed, received: received ?? [] };
  }

  async contra(line: string): Promise<void> {
    const { host, port, contra: login } = this.bridge;
    if (this.#contra?.isOpen !== true)
      this.#contra = await ContraTrader.logon({ host, port, login });
    const bytes = await this.#contra.trade(line);
    this.ladder.bytes('contra', typeName(line.split('|')[0] ?? ''), bytes);
  }

  /** Another drop-copy reader logs on. */
  async openReader(): Promise<void> {
    this.#reader?.end();
    const { reader = { ...this.bridge, login: this.bridge.reader } } = this.#options;
    this.#reader = await ContraTrader.logon(reader);
  }

  /** Returns the first matching message of that reader. */
  async readerReceives(isWanted: (message: ReceivedMessage) => boolean, withinMs: number) {
    const found = await this.#reader?.receives(isWanted, withinMs);
    if (found !== undefined) this.ladder.message('reader', found);
    return found;
  }

  cut(): void {
    this.#conversation?.cut();
    this.#second?.cut();
    this.#conversation = undefined;
    this.#second = undefined;
  }

  close(): void {
    this.cut();
    this.#contra?.end();
    this.#reader?.end();
    this.#options.port.close();
  }
}
