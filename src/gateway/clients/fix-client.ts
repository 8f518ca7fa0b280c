/**
 * A client over FIX 4.4: its messages become commands, a refusal is sent in the form that fits the request, and reports
 * use the client's own identifiers (contract C.4, D.6).
 */
import type { Answer } from '../../domain/answer.ts';
import type { Report, ReportFrame } from '../../domain/report.ts';
import type { Application, AppSession, SessionEnd } from '../../fix/application.ts';
import { FieldWriter } from '../../fix/field-writer.ts';
import type { Message } from '../../fix/message.ts';
import { isReject } from '../../fix/reject.ts';
import { writeAnswer } from '../../mapping/fix/answer-message.ts';
import { routeOf, writeFields } from '../../mapping/fix/client-fields.ts';
import { readInstrument } from '../../mapping/fix/instrument-fields.ts';
import { type ReadSettings, readCommand, targetOf } from '../../mapping/fix/read-command.ts';
import { writeRefusal } from '../../mapping/fix/refusal-message.ts';
import { type ReportSettings, writeReport } from '../../mapping/fix/report-message.ts';
import { sentOrder } from '../../mapping/fix/sent-order.ts';
import type { Instant } from '../../runtime/clock.ts';
import type { LaneClient, ProtocolParts } from './client-lane.ts';
import type { ClientOutput } from './client-session.ts';
import type { Refused } from './order-entry.ts';

export type FixClientSettings = ReportSettings & ReadSettings;

const placing: ReadonlySet<string> = new Set(['D', 'G']);
const quoting: ReadonlySet<string> = new Set(['i', 'S']);
const changing: ReadonlySet<string> = new Set(['F', 'G']);

export class FixClient<Client extends LaneClient> implements Application, ClientOutput {
  readonly client: Client;
  readonly #parts: ProtocolParts<Client, FixClientSettings>;
  readonly #out = new FieldWriter();
  #session: AppSession | undefined;

  constructor(parts: ProtocolParts<Client, FixClientSettings>) {
    this.client = parts.makeClient(this);
    this.#parts = parts;
  }

  /** Sets the session of this client, which exists before its first logon. */
  bind(session: AppSession): void {
    this.#session = session;
  }

  onLogon(): void {
    this.client.arrived();
  }

  onRenumbered(): void {
    this.client.renumbered?.();
  }

  onDisconnect(_session: AppSession, end: SessionEnd, now: Instant): void {
    this.client.left(end, now);
  }

  /** Most orders need no book, so they are not parsed a second time to find out. */
  waitsFor(message: Message): Promise<void> | undefined {
    const { msgType } = message;
    const isMarket = placing.has(msgType) && message.text(40) === '1';
    const isJudged =
      this.client.isCollared === true && (placing.has(msgType) || quoting.has(msgType));
    if (!isMarket && !isJudged && msgType !== 'V') return undefined;
    return this.client.waitsFor?.(readCommand(message, this.#parts.settings));
  }

  onMessage(message: Message, _session: AppSession, now: Instant): void {
    // A client's reject of our message requests nothing; the session reports it to the operator.
    if (isReject(message.msgType)) return;
    if (this.#parts.watch.sees(message.msgType)) this.#copy(message);
    const refused = this.client.execute(readCommand(message, this.#parts.settings), now);
    if (refused !== undefined) this.#refuse(message, refused, now);
  }

  get isLoggedOn(): boolean {
    return this.#session?.isActive === true;
  }

  report(report: Report, frame: ReportFrame): void {
    const { client } = report.order.terms;
    this.#send(writeReport(this.#addressed(client?.route), report, this.#parts.settings, frame));
  }

  answer(answer: Answer): void {
    this.#send(writeAnswer(this.#out.clear(), answer, this.#parts.settings));
  }

  #copy(message: Message): void {
    const { msgType, raw: bytes } = message;
    const instrument = readInstrument(message, this.#parts.settings);
    const account = message.text(1) ?? null;
    this.#parts.watch.copy({ msgType, account, instrument, target: targetOf(message), bytes });
  }

  #refuse(message: Message, { denial, about }: Refused, now: Instant): void {
    const order = message.msgType === 'D' ? sentOrder(message) : null;
    const sent = { clOrdId: message.text(11) ?? '', order };
    const target = changing.has(message.msgType) ? targetOf(message) : null;
    const execId = this.client.refused(denial, sent, now);
    const facts = { execId, nowMs: now.wallMs, about: about ?? this.client.standing?.(target) };
    this.#send(
      writeRefusal(this.#addressed(routeOf(message)), message, denial, this.#parts.settings, facts),
    );
  }

  /** Starts a body with the header fields that route it beyond the session; both are kept together until a logon. */
  #addressed(route = ''): FieldWriter {
    const out = this.#out.clear();
    writeFields(out, route);
    return out;
  }

  #send(msgType: string): void {
    this.#session?.send(msgType, this.#out.bytes, this.#parts.clock.now());
  }
}
