/**
 * What the front door knows about each protocol: how to read the name in a first message, and how to reject its sender.
 */
import { causeway44 } from '../fix/dictionaries.ts';
import { clientIn, readLogon } from '../fix/session-directory.ts';
import { refusalLogout } from '../fix/session-logon.ts';
import { readRequest, turnedAway, userIn } from '../fixp/fixp-directory.ts';
import { NewOrderSingle } from '../mapping/sbe/generated/new-order-single.ts';
import type { Instant } from '../runtime/clock.ts';
import type { Admission } from '../transport/session.ts';

export type LaneName = 'fix' | 'fixp';

/** A complete first message. The worker authenticates its sender later. */
export interface FirstMessage {
  readonly kind: 'first';
  /** SenderCompID(49) of FIX; the user of FIXP. */
  readonly name: string;
  turnAway(text: string, now: Instant): Admission<never>;
}

export type ReadFirst = (bytes: Buffer) => FirstMessage | Admission<never>;

export const lanes: Readonly<Record<LaneName, ReadFirst>> = {
  fix(bytes) {
    const first = readLogon(bytes, causeway44());
    if (first.kind !== 'logon') return first;
    const { logon } = first;
    return {
      kind: 'first',
      name: clientIn(first),
      turnAway(peerText, now) {
        const answer = refusalLogout({ peerText, isOffence: false }, logon, undefined, now);
        return { kind: 'refuse', reason: peerText, isOffence: false, answer };
      },
    };
  },
  fixp(bytes) {
    const first = readRequest(bytes, (schemaId) => schemaId === NewOrderSingle.schemaId);
    if (first.kind !== 'request') return first;
    return {
      kind: 'first',
      name: userIn(first),
      turnAway: (text) => turnedAway(first, text),
    };
  },
};
