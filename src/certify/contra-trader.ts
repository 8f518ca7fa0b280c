/**
 * Another participant of the market. It trades as the scenario requires, or reads drop copies, and answers the
 * heartbeats of its session.
 */
import type { Login } from './bridge-setup.ts';
import { type Conversation, direct } from './conversation.ts';
import { lineBytes } from './fix-line.ts';
import { asValue, parseLine } from './line.ts';
import { dial } from './port.ts';
import { fieldOf, type Incoming, listenToFix, type ReceivedMessage } from './received-message.ts';
import type { TestTls } from './test-tls.ts';

const patienceMs = 5_000;
/** ExecType(150) before the venue has responded: PendingNew, PendingCancel, PendingReplace. */
const pending: ReadonlySet<string | undefined> = new Set(['A', '6', 'E']);

/** The login of a participant, and the address to connect to. */
export interface Participant {
  readonly host: string;
  readonly port: number;
  readonly tls?: TestTls | undefined;
  readonly login: Login;
}

export class ContraTrader {
  readonly #conversation: Conversation;
  readonly #login: Login;
  #nextOut = 1;

  static async logon({ host, port, tls, login }: Participant): Promise<ContraTrader> {
    const socket = await dial({ host, port }, tls);
    if (socket === undefined) throw new Error(`no response to ${login.senderCompId} at ${port}`);
    const contra = new ContraTrader(direct(socket, listenToFix), login);
    const [username, password] = [login.username, login.password].map(asValue);
    contra.#send(`A|98=0|108=30|141=Y|553=${username}|554=${password}`);
    const answer = await contra.receives(({ msgType }) => msgType === 'A', patienceMs);
    if (answer !== undefined) return contra;
    contra.end();
    throw new Error(`${login.senderCompId} could not log on`);
  }

  private constructor(conversation: Conversation, login: Login) {
    this.#conversation = conversation;
    this.#login = login;
    conversation.inbox.watch((incoming) => {
      if (incoming.kind !== 'message' || incoming.message.msgType !== '1') return;
      this.#send(`0|112=${asValue(fieldOf(incoming.message, 112) ?? '')}`);
    });
  }

  get isOpen(): boolean {
    return this.#conversation.isOpen;
  }

  /** Returns the bytes that were sent, once the venue has accepted or refused the order. */
  async trade(line: string): Promise<Buffer> {
    this.#conversation.inbox.clear();
    const bytes = this.#send(line);
    const clOrdId = parseLine(line).fields.find(([tag]) => tag === 11)?.[1];
    const isReport = (message: ReceivedMessage) =>
      fieldOf(message, 11) === clOrdId && !pending.has(fieldOf(message, 150));
    const report = await this.receives(isReport, patienceMs);
    if (report === undefined) throw new Error(`the market did not report ${line}`);
    return bytes;
  }

  /** Returns the first matching message since the last trade; undefined at the end of the connection. */
  async receives(
    isWanted: (message: ReceivedMessage) => boolean,
    withinMs: number,
  ): Promise<ReceivedMessage | undefined> {
    const { inbox } = this.#conversation;
    const isOver = (one: Incoming) =>
      one.kind === 'message' ? isWanted(one.message) : one.kind === 'closed';
    const endMs = performance.now() + withinMs;
    const found = await inbox.take(isOver, endMs, new AbortController().signal);
    if (found?.kind === 'message') return found.message;
    if (found !== undefined) inbox.putBack(found);
    return undefined;
  }

  end(): void {
    this.#conversation.cut();
  }

  #send(line: string): Buffer {
    const { senderCompId, targetCompId } = this.#login;
    const bytes = lineBytes(line, {
      senderCompId,
      targetCompId,
      msgSeqNum: this.#nextOut,
      wallMs: Date.now(),
    });
    this.#nextOut += 1;
    this.#conversation.send(bytes);
    return bytes;
  }
}
