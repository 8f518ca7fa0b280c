/**
 * A client that speaks FIX 4.4: its messages become commands, what is refused is answered in the form of the request,
 * what is reported goes out in the client's own words (contract C.4, D.6).
 */
import type { Answer } from '../domain/answer.ts';
import type { Report, ReportFrame } from '../domain/report.ts';
import type { Application, AppSession, SessionEnd } from '../fix/application.ts';
import { FieldWriter } from '../fix/field-writer.ts';
import type { Message } from '../fix/message.ts';
import { writeAnswer } from '../mapping/fix/answer-message.ts';
import { readInstrument } from '../mapping/fix/instrument-fields.ts';
import { type ReadSettings, readCommand } from '../mapping/fix/read-command.ts';
import { writeRefusal } from '../mapping/fix/refusal-message.ts';
import { type ReportSettings, writeReport } from '../mapping/fix/report-message.ts';
import type { Clock, Instant } from '../runtime/clock.ts';
import type { LaneClient } from './client-lane.ts';
import type { ClientVoice } from './client-session.ts';
import type { InboundWatch } from './inbound.ts';
import type { Refused } from './order-entry.ts';

export type FixClientSettings = ReportSettings & ReadSettings;

export class FixClient<Client extends LaneClient> implements Application, ClientVoice {
  readonly #client: Client;
  readonly #settings: FixClientSettings;
  readonly #clock: Clock;
  readonly #watch: InboundWatch;
  readonly #out = new FieldWriter();
  #session: AppSession | undefined;
  /** Since the logon before. */
  #isAnew = false;

  constructor(
    makeClient: (voice: ClientVoice) => Client,
    settings: FixClientSettings,
    clock: Clock,
    watch: InboundWatch,
  ) {
    this.#client = makeClient(this);
    this.#settings = settings;
    this.#clock = clock;
    this.#watch = watch;
  }

  get client(): Client {
    return this.#client;
  }

  /** The session through which this client is spoken to; known before its first logon. */
  bind(session: AppSession): void {
    this.#session = session;
  }

  onReset(): void {
    this.#isAnew = true;
  }

  onLogon(): void {
    this.#client.arrived({ isAnew: this.#isAnew });
    this.#isAnew = false;
  }

  onDisconnect(_session: AppSession, end: SessionEnd, now: Instant): void {
    this.#client.left(end, now);
  }

  onMessage(message: Message, _session: AppSession, now: Instant): void {
    if (this.#watch.sees(message.msgType)) this.#copy(message);
    const refused = this.#client.obey(readCommand(message, this.#settings), now);
    if (refused !== undefined) this.#refuse(message, refused, now);
  }

  report(report: Report, frame: ReportFrame): void {
    this.#send(writeReport(this.#out.clear(), report, this.#settings, frame));
  }

  answer(answer: Answer): void {
    this.#send(writeAnswer(this.#out.clear(), answer, this.#settings));
  }

  #copy(message: Message): void {
    const { msgType, raw: bytes } = message;
    const instrument = readInstrument(message, this.#settings);
    this.#watch.copy({ msgType, account: message.text(1) ?? null, instrument, bytes });
  }

  #refuse(message: Message, { denial, about }: Refused, now: Instant): void {
    const facts = { execId: this.#client.refusalId(now), nowMs: now.wallMs, about };
    this.#send(writeRefusal(this.#out.clear(), message, denial, this.#settings, facts));
  }

  #send(msgType: string): void {
    this.#session?.send(msgType, this.#out.bytes, this.#clock.now());
  }
}
