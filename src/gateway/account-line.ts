/**
 * One account: its desk, the journal of the desk, and the errands to the venue. What the venue says goes into the desk
 * and is recorded with the reports that it causes (J2). All that changes state runs in a turn, and a turn is one
 * commit (docs/ARCHITECTURE.md, "Durability").
 */
import { type Denial, deny } from '../domain/denial.ts';
import type { StreamEvent } from '../domain/event.ts';
import { type Order, submissionId } from '../domain/order.ts';
import type { GroupAnswer } from '../domain/quote-group.ts';
import type { Report } from '../domain/report.ts';
import type { Statement } from '../domain/stated.ts';
import { entryIntent } from '../domain/terms.ts';
import type { Account, OrderId } from '../domain/units.ts';
import { DelayLine } from '../runtime/delay-line.ts';
import { nowUs } from '../runtime/latency.ts';
import type { NonceAllocator } from '../signer/nonce-allocator.ts';
import type { SignedSend } from '../venue/action-json.ts';
import type { Found } from '../venue/submission.ts';
import type { Refusing } from '../venue/verdict.ts';
import type { Desk, DeskEffect, DeskInput } from './desk.ts';
import { DeskJournal, type JournalParts, type JournalStart } from './desk-journal.ts';
import { encodeRecord } from './desk-record.ts';
import type { Asked, ErrandOwner, ErrandParts } from './errand.ts';
import { Errands } from './errands.ts';
import { OpenActions } from './open-actions.ts';
import type { PreparedAction } from './prepared-action.ts';

export interface LineParts extends ErrandParts, JournalParts {
  readonly desk: Desk;
  readonly journal: JournalStart;
  /** Recorded for sending by a process before this one, with no outcome. */
  readonly unresolved: readonly PreparedAction[];
  /** The client_order_id of a request; undefined sends none. */
  readonly clientOrderId: (session: string, clOrdId: string) => string | undefined;
  /** Inside a turn. */
  readonly report: (session: string, report: Report) => void;
  /** Inside a turn. */
  readonly answer: (session: string, answer: GroupAnswer) => void;
  /** What to make of an event of another channel. */
  readonly foreign: (event: StreamEvent) => DeskInput | undefined;
  /** A halt or its end. */
  readonly trading: (event: StreamEvent) => void;
  readonly unknownAfterMs: number;
  /** Asks the venue for the account's nonce with an unsigned envelope (G19). */
  readonly currentNonce: (envelope: string) => Promise<number>;
}

/** Between two questions where the nonces stand. */
const discoverPauseMs = 250;
const noOrder = `0x${'0'.repeat(64)}` as OrderId;

export class AccountLine implements ErrandOwner {
  readonly account: Account;
  readonly desk: Desk;
  readonly #parts: LineParts;
  readonly #errands: Errands;
  readonly #open: OpenActions;
  readonly #journal: DeskJournal;
  readonly #overdue: DelayLine<Asked>;
  #inputs: DeskInput[] = [];
  #isJoined = false;
  #isDiscovering = false;
  #lastUnfillable = -1;

  constructor(parts: LineParts) {
    this.#parts = parts;
    this.account = parts.account;
    this.desk = parts.desk;
    this.#errands = new Errands(parts, this);
    this.#open = new OpenActions(parts.desk, parts.unresolved);
    this.#journal = new DeskJournal(parts.journal, parts);
    this.#overdue = new DelayLine(parts.clock, parts.unknownAfterMs, ({ key, requestId }) =>
      this.#wake(key, requestId, 'overdue'),
    );
  }

  /** How many records the journal of the desk has. */
  get journalEnd(): number {
    return this.#journal.end;
  }

  get nonces(): Pick<NonceAllocator, 'floor' | 'isLatched' | 'state' | 'statedFloor'> {
    return this.#parts.nonces;
  }

  /** Actions that wait for a nonce. */
  get waiting(): number {
    return this.#errands.waiting;
  }

  /** Inside a turn: changes the desk, and does what the desk then wants. */
  apply(input: DeskInput): void {
    this.join();
    this.#inputs.push(input);
    for (const effect of this.desk.apply(input)) this.#do(effect);
    if (input.kind === 'entry') this.#cancelInTime(input.owner.key, input.terms.cancelAtMs);
  }

  /** Inside a turn: of these sessions nothing is placed any more that has not left the bridge. */
  withdraw(isMeant: (session: string) => boolean, denial: Denial): void {
    this.join();
    this.#errands.withdraw(
      ({ key, requestId }) => isMeant(this.desk.clientOf(key, requestId)?.session ?? ''),
      denial,
    );
  }

  join(): void {
    if (this.#isJoined) return;
    this.#isJoined = true;
    this.#parts.turns.atEnd(() => this.#endTurn());
  }

  /** Events of the stream, in order; resolves when they and what they caused are durable. */
  hear(events: readonly StreamEvent[]): Promise<void> {
    const { hops, turns, nonces, submitter } = this.#parts;
    const heard = new Promise<void>((resolve) => {
      turns.run(() => {
        for (const event of events) {
          if (event.nonce !== null && event.kind === 'rejected') {
            nonces.consumed(Number(event.nonce));
          } else if (event.nonce !== null) {
            nonces.applied(Number(event.nonce));
          }
          this.apply({ kind: 'event', event });
          if (event.kind === 'halt' || event.kind === 'resume') this.#parts.trading(event);
        }
        const { startedUs } = turns;
        turns.after(() => {
          hops.report.observe(nowUs() - startedUs);
          resolve();
        });
      });
    });
    // Behind the reports, which wait for the same record.
    void heard.then(() => {
      for (const { actionHash, seq } of events) {
        // Without the 0x before it.
        if (actionHash !== null) submitter.observed(actionHash.slice(2), seq);
      }
    });
    submitter.floorMoved(this.account);
    this.#errands.retry();
    return heard;
  }

  /** Where an order stands after events that are lost. */
  state(key: string, statement: Statement): void {
    const { clock, turns } = this.#parts;
    const nowMs = clock.now().wallMs;
    turns.run(() => {
      this.apply({ kind: 'order', key, input: { kind: 'stated', statement, nowMs } });
    });
  }

  resign(send: SignedSend, after: Refusing): Promise<SignedSend> {
    return this.#errands.resign(send, after);
  }

  fence(send: SignedSend): Promise<Found> {
    return this.#errands.fence(send);
  }

  /** Asks the venue where the nonces stand. */
  async discover(): Promise<void> {
    const { nonces, turns, maker, clock, alarm } = this.#parts;
    if (this.#isDiscovering) return;
    this.#isDiscovering = true;
    const asked = nonces.statedFloor;
    try {
      const { text } = maker.make({
        account: this.account,
        nonce: 0n,
        nonce_reservation_id: null,
        ts: clock.now().wallMs,
        action: { kind: 'Cancel', order_id: noOrder },
      });
      const nonce = await this.#parts.currentNonce(text);
      turns.run(() => {
        this.join();
        nonces.discovered(nonce, null, asked);
      });
      this.#errands.retry();
    } catch (error) {
      const what = nonces.floor === null ? 'are not known' : 'were not compared with the venue';
      alarm(`nonces ${what}: ${error instanceof Error ? error.message : String(error)}`);
    } finally {
      const againMs = clock.now().monoMs + discoverPauseMs;
      clock.at(againMs, () => {
        this.#isDiscovering = false;
      });
    }
  }

  /**
   * After a start, once the stream has told what it knows: what may be at the venue is sent again, byte for byte and
   * under the same key; what was never made ready is begun anew.
   */
  resume(): void {
    for (const action of this.#parts.unresolved) {
      const { key, requestId, actionHash } = action;
      if (this.desk.awaits(key, requestId, actionHash)) this.#errands.resume(action);
    }
    this.#parts.turns.run(() => {
      for (const order of [...this.desk.open()]) {
        this.#resumeOrder(order);
        this.#cancelInTime(order.owner.key, order.terms.cancelAtMs);
      }
    });
  }

  get endedOrderId(): OrderId | null {
    return this.desk.endedOrderId;
  }

  expectOutcome(asked: Asked): void {
    this.#overdue.add(asked);
  }

  /** Whether an order waits for the venue's word. */
  get isBusy(): boolean {
    for (const { phase, pending } of this.desk.open()) {
      if (phase === 'created' || phase === 'pending_new' || pending !== null) return true;
    }
    return false;
  }

  isAccepted(key: string, requestId: string): boolean {
    return requestId === submissionId && this.desk.get(key)?.submission === 'answered';
  }

  isAwaited(key: string, requestId: string): boolean {
    return this.desk.awaits(key, requestId);
  }

  isGivenUp(key: string): boolean {
    return this.desk.isGivenUp(key);
  }

  #wakeAfter(ms: number, key: string, requestId: string): void {
    const { clock } = this.#parts;
    clock.at(clock.now().monoMs + ms, () => this.#wake(key, requestId, 'waited'));
  }

  #wake(key: string, requestId: string, kind: 'waited' | 'overdue'): void {
    if (!this.isAwaited(key, requestId)) return;
    const { clock, turns } = this.#parts;
    const nowMs = clock.now().wallMs;
    turns.run(() => this.apply({ kind: 'order', key, input: { kind, requestId, nowMs } }));
  }

  /** An order whose end the venue does not keep. */
  #cancelInTime(key: string, cancelAtMs: number | null): void {
    if (cancelAtMs === null) return;
    const { clock, turns } = this.#parts;
    const { monoMs, wallMs } = clock.now();
    clock.at(monoMs + Math.max(0, cancelAtMs - wallMs), () => {
      const nowMs = clock.now().wallMs;
      const input = { kind: 'own_cancel', text: 'the end of its day', nowMs } as const;
      if (this.desk.get(key) !== undefined) {
        turns.run(() => this.apply({ kind: 'order', key, input }));
      }
    });
  }

  #resumeOrder({ owner, phase, pending, terms, instrument, clOrdId }: Order): void {
    const { key, session } = owner;
    if (phase === 'created' && (owner.quoteId !== null || this.isGivenUp(key))) {
      this.#neverSent(key, submissionId);
      return;
    }
    if (phase === 'created') {
      const intent = entryIntent(terms, instrument);
      this.#errands.send(key, submissionId, intent, this.#parts.clientOrderId(session, clOrdId));
      return;
    }
    if (pending === null || pending.held) return;
    const { requestId } = pending;
    if (pending.refused !== null) this.#wakeAfter(0, key, requestId);
    if (pending.actionHash === null) this.#neverSent(key, requestId);
  }

  #neverSent(key: string, requestId: string): void {
    const denial = deny('bridge.venue_unreachable', 'the bridge went down before it was sent');
    const nowMs = this.#parts.clock.now().wallMs;
    const outcome = { kind: 'refused', denial } as const;
    this.apply({ kind: 'order', key, input: { kind: 'answered', requestId, outcome, nowMs } });
  }

  #do(effect: DeskEffect): void {
    switch (effect.kind) {
      case 'report':
        this.#parts.report(effect.session, effect.report);
        return;
      case 'answer':
        this.#parts.answer(effect.session, effect.answer);
        return;
      case 'send': {
        const { key, requestId, intent } = effect;
        const client = this.desk.clientOf(key, requestId);
        if (client === undefined) return;
        const clientOrderId = this.#parts.clientOrderId(client.session, client.clOrdId);
        this.#errands.send(key, requestId, intent, clientOrderId);
        return;
      }
      case 'wait':
        this.#wakeAfter(effect.ms, effect.key, effect.requestId);
        return;
      case 'foreign': {
        const input = this.#parts.foreign(effect.event);
        if (input !== undefined) this.apply(input);
        return;
      }
      case 'alarm':
        this.#parts.alarm(effect.text);
    }
  }

  #endTurn(): void {
    const { turns, nonces } = this.#parts;
    if (this.#inputs.some(isCancel)) this.#errands.withdrawGivenUp();
    this.#meetDemands();
    this.#isJoined = false;
    const { actions, ready } = this.#errands.drain();
    this.#open.add(actions);
    if (this.#inputs.length > 0 || actions.length > 0) {
      this.#record(encodeRecord({ inputs: this.#inputs, actions }));
    }
    this.#inputs = [];
    for (const write of nonces.writes()) turns.write(write);
    if (ready.length === 0) return;
    turns.afterWrite(() => this.#errands.sign(ready));
    turns.after(() => this.#errands.launch(ready));
  }

  #record(payload: Uint8Array): void {
    this.#parts.observer.recorded(this.account, payload);
    this.#journal.append(payload, () => ({ ...this.desk.state(), actions: this.#open.list() }));
  }

  #meetDemands(): void {
    const { alarm, nonces } = this.#parts;
    for (const demand of nonces.demands()) {
      switch (demand.kind) {
        case 'alarm':
          alarm(`nonce ${demand.nonce}: ${demand.alarm}`);
          break;
        case 'fill':
          if (!this.#errands.fill(demand.nonce)) this.#cannotFill(demand.nonce);
          break;
        case 'discover':
          void this.discover();
          break;
        case 'reconcile':
          // The submission of that action goes on until it knows.
          break;
      }
    }
  }

  /** The demand is repeated every turn; a person is told once. */
  #cannotFill(nonce: number): void {
    if (nonce <= this.#lastUnfillable) return;
    this.#lastUnfillable = nonce;
    this.#parts.alarm(`nonce ${nonce} holds the floor, nothing can fill it`);
  }
}

function isCancel(said: DeskInput): boolean {
  return (
    said.kind === 'order' && (said.input.kind === 'cancel' || said.input.kind === 'own_cancel')
  );
}
