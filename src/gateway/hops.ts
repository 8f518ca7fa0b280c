/**
 * The time of an order hop by hop (docs/METRICS.md): from the bytes of a client to the request at the venue, and from an event
 * of the stream to the report. It is always measured, because a hop costs only about 60 ns.
 */
import { Latency } from '../runtime/latency.ts';

/** In the order in which an order passes them. */
export const hopTexts = {
  command: 'from the bytes of a client to its command, understood',
  record: 'from the bytes of a client to the action that they ask for, durable (J1)',
  sign: 'from the record to the signature, and the request made of it',
  send: 'from that until it leaves as an HTTP request',
  inbound: 'from the bytes of a client to the HTTP request: all that the bridge itself takes',
  answer: 'from the HTTP request to its answer',
  report: 'from an event of the stream to its reports, durable and on their way (J2)',
} as const;
export type Hop = keyof typeof hopTexts;
export const hopNames = Object.keys(hopTexts) as readonly Hop[];

export class Hops {
  readonly command = new Latency();
  readonly record = new Latency();
  readonly sign = new Latency();
  readonly send = new Latency();
  readonly inbound = new Latency();
  readonly answer = new Latency();
  readonly report = new Latency();
}

/** The times at which one action passed its hops. */
export interface HopTimes {
  /** The start of the turn that requested it. */
  readonly startedUs: number;
  recordedUs: number;
  signedUs: number;
  /** The first departure; 0 before. */
  sentUs: number;
  /** The venue's answer to it; 0 before. */
  answeredUs: number;
}
