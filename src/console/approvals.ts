/**
 * Four-eyes approval: an action that is configured to need approval waits until a second operator approves it, and
 * expires after ten minutes. Requests are kept in memory only, so a restart drops them, and no action is executed that
 * nobody expects any more.
 */
import type { Kill } from '../gateway/gate/kill-switch.ts';
import { ActRefused, type Operator } from '../gateway/operator/operator.ts';
import { maxReason } from '../gateway/operator/shared-acts.ts';
import type { Clock } from '../runtime/clock.ts';
import type { AskedAct, WaitingAct } from './act-shape.ts';

export type ApprovalRow = Readonly<ReturnType<typeof rowOf>>;

interface Request {
  readonly row: ApprovalRow;
  readonly asked: WaitingAct;
  /** The kill switches that were on when it was requested. */
  readonly kills: readonly Kill[];
  /** The state of what it changes, as it was when it was requested. */
  readonly state: string;
  readonly cancel: () => void;
}

type ActingOperator = Pick<
  Operator,
  'amendable' | 'kills' | 'numbersOf' | 'recordExternalAct' | 'stopOf'
>;

const waitsMs = 10 * 60_000;
const maxRequests = 50;

export class Approvals {
  readonly #needed: ReadonlySet<string>;
  readonly #clock: Clock;
  readonly #operator: ActingOperator;
  readonly #requests = new Map<number, Request>();
  #count = 0;
  #changes = 0;

  /** `needed` contains the names of the actions that need a second operator. */
  constructor(needed: readonly string[], clock: Clock, operator: ActingOperator) {
    this.#needed = new Set(needed);
    this.#clock = clock;
    this.#operator = operator;
  }

  /** Changes with each change of the requests. */
  get mark(): number {
    return this.#changes;
  }

  get rows(): readonly ApprovalRow[] {
    return [...this.#requests.values()].map(({ row }) => row);
  }

  needs({ act }: AskedAct): boolean {
    // A correction can take back almost all of a trade.
    if (act === 'correct') return this.#needed.has('bust');
    return this.#needed.has(act === 'reset_limits' ? 'set_limits' : act);
  }

  request(who: string, asked: WaitingAct): ApprovalRow {
    if (this.#requests.size >= maxRequests) {
      throw new ActRefused(`${maxRequests} actions already wait for approval`);
    }
    const state = this.#stateOf(asked);
    this.#count += 1;
    const id = this.#count;
    const { monoMs, wallMs } = this.#clock.now();
    const row = rowOf(id, who, asked, wallMs);
    const cancel = this.#clock.at(monoMs + waitsMs, () => {
      this.#end(id);
      this.#record('the bridge', 'it was not approved in time', 'approval_expired', row);
    });
    this.#record(who, asked.why, 'approval_requested', row);
    this.#requests.set(id, { row, asked, kills: this.#operator.kills, state, cancel });
    this.#changes += 1;
    return row;
  }

  /** Returns the action to carry out, in the name of the operator who requested it. */
  approve(
    id: number,
    by: string,
    why: string,
  ): { readonly who: string; readonly asked: WaitingAct } {
    const { asked, kills, row, state } = this.#of(id);
    if (row.who === by) throw new ActRefused('a second operator must approve this');
    if (asked.act === 'release' && this.#operator.kills.some((kill) => !kills.includes(kill)))
      throw new ActRefused('a kill switch was set after this was requested');
    if (this.#stateOf(asked) !== state)
      throw new ActRefused('its account or session has changed since this was requested');
    this.#end(id);
    this.#record(by, why, 'approval_granted', row);
    return { who: row.who, asked: { ...asked, why: approvedReason(asked.why, by) } };
  }

  /** The requester may also call this, to withdraw the request. */
  decline(id: number, by: string, why: string): void {
    const { row } = this.#of(id);
    this.#end(id);
    this.#record(by, why, 'approval_declined', row);
  }

  close(): void {
    for (const { cancel } of this.#requests.values()) cancel();
    this.#requests.clear();
  }

  #stateOf(asked: WaitingAct): string {
    if (asked.act === 'bust' || asked.act === 'correct') this.#operator.amendable(asked);
    if (asked.act === 'reopen') return JSON.stringify(this.#operator.stopOf(asked.account));
    const isOfNumbers = asked.act === 'reset' || asked.act === 'set_numbers';
    return isOfNumbers ? this.#operator.numbersOf(asked.session).join() : '';
  }

  #of(id: number): Request {
    const request = this.#requests.get(id);
    if (request === undefined) throw new ActRefused('this request has ended or expired');
    return request;
  }

  #end(id: number): void {
    this.#requests.get(id)?.cancel();
    this.#requests.delete(id);
    this.#changes += 1;
  }

  #record(who: string, why: string, what: string, row: ApprovalRow): void {
    const { act, details, id, who: requester } = row;
    this.#operator.recordExternalAct({ who, why }, what, `request ${id}`, {
      act,
      details,
      requester,
    });
  }
}

/** The details of the action are JSON. */
function rowOf(id: number, who: string, { act, why, ...details }: WaitingAct, wallMs: number) {
  const times = { requestedMs: wallMs, expiresMs: wallMs + waitsMs };
  return { id, who, why, act, details: JSON.stringify(details), ...times };
}

/** Cuts a long reason; the record of the request has all of it. */
function approvedReason(why: string, by: string): string {
  const approved = ` (approved by ${by})`;
  const room = maxReason - approved.length;
  if (why.length <= room) return why + approved;
  // Half a surrogate pair could not be stored.
  return `${why.slice(0, room - 1).replace(/\p{Cs}$/u, '')}…${approved}`;
}
