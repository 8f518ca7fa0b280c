/**
 * A client over FIXP: its SBE messages become commands, a refusal is sent in the form that fits the request, and
 * reports are messages of orders.xml (contract C.14, D.6).
 */
import type { Answer } from '../../domain/answer.ts';
import type { Command } from '../../domain/command.ts';
import { type Denial, deny, isDenial } from '../../domain/denial.ts';
import type { Report, ReportFrame } from '../../domain/report.ts';
import type { FixpApplication, FixpAppSession, FixpSessionEnd } from '../../fixp/application.ts';
import { templateIdOf } from '../../fixp/session-messages.ts';
import { maxSentBytes } from '../../fixp/settings.ts';
import type { ReportSettings } from '../../mapping/fix/report-message.ts';
import { writeAnswer } from '../../mapping/sbe/answer-message.ts';
import { writeBusinessReject } from '../../mapping/sbe/refusal-message.ts';
import { writeReport } from '../../mapping/sbe/report-message.ts';
import { type Request, readReject, takeRequest } from '../../mapping/sbe/requests.ts';
import type { Instant } from '../../runtime/clock.ts';
import type { CancelRule } from './cancel-on-disconnect.ts';
import type { LaneClient, ProtocolParts } from './client-lane.ts';
import type { ClientOutput } from './client-session.ts';
import type { Refused } from './order-entry.ts';

export interface FixpClientSettings extends ReportSettings {
  readonly session: string;
}

/** CancelOnDisconnectType of Establish. */
const cancelTypes = { never: 0, onDisconnect: 1, onTerminate: 2 } as const;
/** The longest grace period that a client may request, as in the configuration. */
const maxCancelWindowMs = 600_000;
/** The longest request. */
export const maxMessageBytes = 64 * 1024;
/**
 * One for all clients, because a session copies what it sends. The longest answer has 115 KiB: to a MassQuote of 64 KiB
 * with as many entries as possible, each refused with the longest code.
 */
const out = Buffer.alloc(maxSentBytes);

export class FixpClient<Client extends LaneClient> implements FixpApplication, ClientOutput {
  readonly client: Client;
  readonly #parts: ProtocolParts<Client, FixpClientSettings>;
  #session: FixpAppSession | undefined;
  /** Counts messages, to detect whether a request was answered at once. */
  #answers = 0;

  constructor(parts: ProtocolParts<Client, FixpClientSettings>) {
    this.client = parts.makeClient(this);
    this.#parts = parts;
  }

  /** Sets the session of this client, which exists before it is first established. */
  bind(session: FixpAppSession): void {
    this.#session = session;
  }

  onEstablished({ cancelOnDisconnect }: FixpAppSession): void {
    const rule = (configured: CancelRule) =>
      cancelRule(cancelOnDisconnect, { graceful: false }, configured);
    this.client.arrived({ rule });
  }

  onDisconnect(session: FixpAppSession, end: FixpSessionEnd, now: Instant): void {
    const configured = this.client.principal.cancelOnDisconnect;
    this.client.left(end, now, cancelRule(session.cancelOnDisconnect, end, configured));
  }

  waitsFor(message: Uint8Array, seq: number): Promise<void> | undefined {
    const request = takeRequest(message);
    if (typeof request === 'string') return undefined;
    return this.client.waitsFor?.(request.read({ session: this.#parts.settings.session, seq }));
  }

  onMessage(message: Uint8Array, seq: number, session: FixpAppSession, now: Instant): void {
    const request = this.#taken(message, seq, session, now);
    if (request === undefined) return;
    const before = this.#answers;
    const asked = request.read({ session: this.#parts.settings.session, seq });
    if (this.#parts.watch.sees(request.msgType)) this.#copy(request, asked, message);
    const refused = this.client.execute(asked, now);
    if (refused !== undefined) this.#refuse(request, refused, seq, now);
    // A request that is answered later or not at all is acknowledged, so that the client need not keep it for a resend.
    else if (this.#answers === before) session.applied({ fromSeq: seq, toSeq: seq }, now);
  }

  onAboveRate(message: Uint8Array, seq: number, session: FixpAppSession, now: Instant): void {
    const request = this.#taken(message, seq, session, now);
    const denial = deny('bridge.throttled', 'more requests than this session may send');
    if (request !== undefined) this.#refuse(request, { denial }, seq, now);
  }

  onSetAside(message: Uint8Array, seq: number): void {
    const denial = deny('bridge.set_aside', 'this message stopped the bridge before');
    const about = { denial, seq, settings: this.#parts.settings };
    const request = { templateId: templateIdOf(message), id: '' };
    this.#send(writeBusinessReject(out, request, about));
  }

  get isLoggedOn(): boolean {
    return this.#session?.isActive === true;
  }

  report(report: Report, frame: ReportFrame): void {
    this.#send(writeReport(out, report, this.#parts.settings, frame));
  }

  answer(answer: Answer): void {
    this.#send(writeAnswer(out, answer, this.#parts.settings));
  }

  /** The account and instrument of a request that cannot be decoded are unknown. */
  #copy(request: Request, asked: Command | Denial, bytes: Uint8Array): void {
    const isNamed = !isDenial(asked) && 'account' in asked && 'instrument' in asked;
    const { account = null, instrument = null } = isNamed ? asked : {};
    const { msgType } = request;
    this.#parts.watch.copy({ msgType, account, instrument, target: request.target(), bytes });
  }

  /** Decodes the request. A reject requests nothing; undecodable bytes end the connection like a framing error. */
  #taken(
    message: Uint8Array,
    seq: number,
    session: FixpAppSession,
    now: Instant,
  ): Request | undefined {
    const reject = readReject(message);
    if (reject !== undefined) {
      session.rejected(reject, now);
      session.applied({ fromSeq: seq, toSeq: seq }, now);
      return undefined;
    }
    const taken = takeRequest(message);
    if (typeof taken !== 'string') return taken;
    session.giveUp(taken, now);
    return undefined;
  }

  #refuse(request: Request, { denial, about }: Refused, seq: number, now: Instant): void {
    const sent = { clOrdId: request.id(), order: request.order() };
    const target = request.target();
    const execId = this.client.refused(denial, sent, now);
    const facts = { execId, nowMs: now.wallMs, about: about ?? this.client.standing?.(target) };
    const settings = this.#parts.settings;
    this.#send(request.refuse(out, { ...facts, denial, settings, seq }));
  }

  #send(message: Uint8Array): void {
    this.#answers += 1;
    this.#session?.send(message, this.#parts.clock.now());
  }
}

/** The client's choice in its Establish overrides the configuration. */
function cancelRule(
  { type, windowMs }: FixpAppSession['cancelOnDisconnect'],
  { graceful }: Pick<FixpSessionEnd, 'graceful'>,
  configured: CancelRule,
): CancelRule {
  const graceMs = Math.min(windowMs ?? configured.graceMs, maxCancelWindowMs);
  if (type === null) return { ...configured, graceMs };
  const isNever = type === cancelTypes.never;
  const isOther = type === (graceful ? cancelTypes.onDisconnect : cancelTypes.onTerminate);
  return { when: isNever || isOther ? 'off' : 'always', graceMs };
}
