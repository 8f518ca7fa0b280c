/**
 * The consequences of a refusal beyond its order: gates, blocked accounts, alarms, and reading the limits again
 * (contract D.0, "Bridge actions"; G51). Cancels pass every gate.
 */
import type { StreamEvent } from '../../domain/event.ts';
import type { Account, MarketId } from '../../domain/units.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { FoldedAlarms } from '../../runtime/folded-alarm.ts';
import type { RaiseAlarm } from '../../runtime/operator-line.ts';
import type { AccountState, Gate, GateChange } from '../../venue/gate.ts';
import type { SignedBytes } from '../../venue/outbox/submission.ts';
import { type ActStep, actsOf } from '../../venue/outbox/submission-life.ts';
import { isRefusalNumber, refusalOf, refusalOfNumber } from '../../venue/refusals.ts';

export interface ActParts {
  readonly gate: Gate;
  readonly alarm: RaiseAlarm;
  readonly clock: Clock;
  /** By account and code of the refusal. */
  readonly refusals: FoldedAlarms<string>;
  readonly changed: (changes: readonly GateChange[]) => void;
  /** Reads limits, markets and the signing domain again. */
  readonly reload: () => void;
}

/** The account of the refused action, and its market if it names one. */
export interface ActSubject {
  readonly account: Account;
  readonly name: string;
  readonly market: MarketId | null;
  /** The refused action, unless the refusal came on the stream. */
  readonly bytes?: Pick<SignedBytes, 'hash' | 'text'>;
}

export function carryOut(
  { act, refusal, text }: ActStep,
  { account, bytes, name, market }: ActSubject,
  { alarm, changed, clock, gate, refusals, reload }: ActParts,
): void {
  const why = `${refusal.text} ${text}`.trim();
  const facts = { account: name, code: refusal.name };
  switch (act) {
    case 'GG':
      changed(gate.refused(refusal, text));
      return;
    case 'GM':
      if (refusal.name !== 'MARKET_HALTED') restrict('blocked', 'placements are blocked');
      else if (market !== null) changed(gate.haltMarket(market));
      // A cancel or an amend names no market; the market list shows which one is halted.
      else reload();
      return;
    case 'CR':
    case 'IN':
      // A missing scope or one forbidden action does not affect the credential's other permissions.
      if (act === 'CR' && !onlyThisKind.has(refusal.name)) {
        restrict('blocked', 'placements are blocked');
      } else refused();
      return;
    case 'GR':
      restrict('reducing', 'only orders that reduce are placed');
      return;
    case 'MD':
    case 'SF':
      reload();
  }

  /** Every action of a client may be refused for the same reason. */
  function refused(): void {
    const { monoMs } = clock.now();
    const raised = refusals.add(`${name} ${refusal.name}`, `${name}: ${why}`, monoMs);
    if (raised === undefined) return;
    // Whoever looks for an error in the bridge or its profile needs the bytes that were signed.
    const signed = act === 'IN' && bytes && { hash: `0x${bytes.hash}`, canonical: bytes.text };
    alarm(raised, { event: 'venue_refused', ...facts, ...signed });
  }

  /** Cancels are sent even so, and may be refused for the same reason, which is not another alarm. */
  function restrict(to: AccountState, what: string): void {
    const changes = gate.setAccount(account, to, why);
    if (changes.length === 0) return;
    alarm(`${name}: ${what}: ${why}`, { event: 'placements_blocked', ...facts });
    changed(changes);
  }
}

/** An event that was missed for longer says nothing about the venue as it is now. */
const recentMs = 60_000;

/** What follows from a refusal that came on the stream; `nowMs` is the wall time. */
export function actsOfEvent(
  { denial, engineTsMs, kind }: StreamEvent,
  nowMs: number,
): readonly ActStep[] {
  if (kind !== 'rejected' || denial === null || nowMs - engineTsMs > recentMs) return [];
  const text = denial.text ?? '';
  const refusal = refusalOf(denial.refusal.name);
  const acts = refusal === undefined ? [] : actsOf({ refusal, text });
  return [...acts, ...actsOfNumber(denial.number, text)];
}

/** What follows from a number of the venue (contract D.5). */
export function actsOfNumber(number: number | null, text: string): readonly ActStep[] {
  return isRefusalNumber(number) ? actsOf({ refusal: refusalOfNumber(number), text }) : [];
}

const onlyThisKind: ReadonlySet<string> = new Set(['FORBIDDEN', 'INVALID_SCOPE']);

const marketMember = /"market":(\d+)/;

/** Returns the market of a signed action from its canonical text; a cancel contains none. */
export function marketOf(canonical: string): MarketId | null {
  const named = marketMember.exec(canonical)?.[1];
  return named === undefined ? null : (Number(named) as MarketId);
}
