/**
 * Measures the time of an order hop by hop (docs/METRICS.md): from a client's bytes to the request at the venue, and
 * from an event of the stream to the report. It is always on, because a hop costs only about 60 ns.
 */
import { Latency, nowUs } from '../../runtime/latency.ts';

/** The hops in the order in which an order passes them. */
export const hopTexts = {
  command: "from a client's bytes to a checked command",
  record: "from a client's bytes to the durable record of its action (J1)",
  sign: 'from that record to the signed request',
  send: 'from the signed request until it leaves',
  inbound: "from a client's bytes to the HTTP request: the bridge's own share",
  answer: 'from the HTTP request to its answer',
  report: 'from a stream event to its durable reports (J2)',
} as const;
export type Hop = keyof typeof hopTexts;
export const hopNames = Object.keys(hopTexts) as readonly Hop[];

/** The maximum number of FIX and FIXP sessions together. */
const maxSessions = 8_192;

export class Hops {
  readonly command = new Latency();
  readonly record = new Latency();
  readonly sign = new Latency();
  readonly send = new Latency();
  readonly inbound = new Latency();
  readonly answer = new Latency();
  readonly report = new Latency();
  /** The hop "inbound" of each session. */
  readonly #inbound = new Map<string, Latency>();

  inboundOf(session: string): Latency | undefined {
    return this.#inbound.get(session);
  }

  /** Only the first send of an action is measured; a later one has waited for the venue. */
  sent(times: HopTimes, session: string | undefined): void {
    if (times.sentUs !== 0) return;
    times.sentUs = nowUs();
    const us = times.sentUs - times.startedUs;
    this.send.observe(times.sentUs - times.signedUs);
    this.inbound.observe(us);
    if (session === undefined) return;
    let own = this.#inbound.get(session);
    if (own === undefined) {
      if (this.#inbound.size >= maxSessions) return;
      own = new Latency();
      this.#inbound.set(session, own);
    }
    own.observe(us);
  }
}

export interface HopTimes {
  /** The start of the transaction that requested the action. */
  readonly startedUs: number;
  recordedUs: number;
  signedUs: number;
  /** The time of the first send; 0 before. */
  sentUs: number;
  /** The time of the venue's answer; 0 before. */
  answeredUs: number;
}
