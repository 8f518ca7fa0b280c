/** Records the evidence of one attempt while it runs. */

import { isFramed } from '../fixp/framing.ts';
import { secretFixTags } from '../runtime/redact.ts';
import { fieldOf, orderIdOf, type ReceivedMessage, typeName } from './received-message.ts';
import type { Rung, Speaker, Verdict } from './record.ts';

/** A counterparty that never stops sending must not fill the disk. As many late violations are still recorded. */
const maxRungs = 5_000;

interface OpenRung extends Rung {
  readonly verdicts: Verdict[];
}

export class Ladder {
  readonly #rungs: OpenRung[] = [];
  readonly #ofMessage = new Map<ReceivedMessage, OpenRung>();
  readonly #report: (rung: Rung) => void;
  /** The order ids that appeared. */
  readonly orderIds = new Set<string>();
  /** The reports of our own bridge. */
  readonly reports: ReceivedMessage[] = [];

  constructor(report: (rung: Rung) => void) {
    this.#report = report;
  }

  get rungs(): readonly Rung[] {
    return this.#rungs;
  }

  get firstUnmet(): Verdict | undefined {
    return this.#rungs.flatMap(({ verdicts }) => verdicts).find(({ isMet }) => !isMet);
  }

  note(from: Speaker, label: string, verdicts: readonly Verdict[] = []): void {
    this.#add({ atMs: Date.now(), from, label, verdicts: [...verdicts] });
  }

  message(from: Speaker, message: ReceivedMessage, verdicts: readonly Verdict[] = []): void {
    const rung = {
      atMs: message.atMs,
      from,
      label: labelOf(message),
      raw: evidence(message.raw),
      verdicts: [...verdicts],
    };
    const orderId = orderIdOf(message);
    if (orderId !== undefined) this.orderIds.add(orderId);
    if (this.#rungs.length < maxRungs) {
      this.#ofMessage.set(message, rung);
      if (from === 'bridge' && isReport(message)) this.reports.push(message);
    }
    this.#add(rung);
  }

  bytes(from: Speaker, label: string, raw: Uint8Array, verdicts: readonly Verdict[] = []): void {
    this.#add({ atMs: Date.now(), from, label, raw: evidence(raw), verdicts: [...verdicts] });
  }

  /** Adds verdicts to a message that was received earlier. */
  judged(message: ReceivedMessage, verdicts: readonly Verdict[]): void {
    this.#ofMessage.get(message)?.verdicts.push(...verdicts);
  }

  #add(rung: OpenRung): void {
    const isBroken = rung.verdicts.some(({ isMet }) => !isMet);
    if (this.#rungs.length >= (isBroken ? 2 * maxRungs : maxRungs)) return;
    this.#rungs.push(rung);
    this.#report(rung);
  }
}

function isReport({ msgType }: ReceivedMessage): boolean {
  return msgType === '8' || msgType.startsWith('ExecutionReport');
}

function labelOf(message: ReceivedMessage): string {
  const seq = fieldOf(message, 34);
  return seq === undefined ? typeName(message.msgType) : `${typeName(message.msgType)} #${seq}`;
}

const secretField = new RegExp(String.raw`(?<![0-9])(${secretFixTags.join('|')})=(\P{Cc}*)`, 'gu');

/** Secrets are not stored; in FIXP they are in Credentials. */
function evidence(raw: Uint8Array): string {
  const text = Buffer.from(raw).toString('latin1');
  // Masking keeps the length, so that a frame remains valid.
  const blot = isFramed(raw) ? (value: string) => '*'.repeat(value.length) : () => '***';
  const safe = text.replace(
    secretField,
    (_, tag: string, value: string) => `${tag}=${blot(value)}`,
  );
  return Buffer.from(safe, 'latin1').toString('base64');
}
