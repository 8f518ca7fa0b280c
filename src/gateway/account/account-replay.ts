/**
 * Restores an account from its journal: the last snapshot, then each record under the settings of its time. A start and
 * `causeway replay` both use this class, so both get the same result.
 */
import type { Account } from '../../domain/units.ts';
import { AccountEngine, type EngineEffect, type EngineInput } from '../../engine/engine.ts';
import { Orders } from '../../engine/orders.ts';
import type { OrdersEffect } from '../../engine/orders-input.ts';
import type { OrdersMemory } from '../../engine/orders-state.ts';
import {
  type AccountRest,
  type AccountState,
  type EarlierAction,
  type EarlierRecord,
  type InputRecord,
  isEarlier,
} from '../../engine/record.ts';
import type { StateSource } from '../../engine/state-writer.ts';
import type { RequestRef } from '../../engine/venue-port.ts';
import type { Blake3 } from '../../signer/blake3.ts';
import { venueClientOrderId } from '../../signer/client-order-id.ts';
import { MadeAction } from '../../signer/made-action.ts';
import type { NonceSnapshot } from '../../signer/nonce-types.ts';
import type { SigningContract } from '../../signer/signing-contract.ts';
import { earlierState } from '../../venue/outbox/earlier.ts';
import { Outbox } from '../../venue/outbox/outbox.ts';
import type { OutboxEffect, OutboxInput, OutboxState } from '../../venue/outbox/outbox-types.ts';
import type { VenueEvent } from '../../venue/venue-event.ts';
import { type EngineSettings, SettingsInForce } from '../config/engine-settings.ts';

export interface ReplayParts {
  readonly account: Account;
  readonly blake3: Blake3;
  /** The signer's own contract, so that the signer can use prepared actions without parsing them again. */
  readonly contract?: SigningContract;
  /** The nonces of versions before 0.2, which kept them in a separate journal. */
  readonly nonces: NonceSnapshot | undefined;
}

interface Core {
  readonly outbox: Outbox;
  readonly engine: AccountEngine<OutboxInput, OutboxEffect, VenueEvent>;
}

type OnEffects = (
  effects: readonly EngineEffect<OutboxEffect>[],
  input: EngineInput<OutboxInput>,
) => void;

export class AccountReplay implements StateSource<OutboxState> {
  readonly orders: Orders;
  readonly settings: SettingsInForce;
  readonly #parts: ReplayParts;
  /** The settings at the start, which apply to records of versions that stored no settings. */
  readonly #first: EngineSettings;
  readonly #actions = new Map<string, EarlierAction>();
  #saved: AccountState<OutboxState> | undefined;
  #core: Core | undefined;

  constructor(parts: ReplayParts, settings: EngineSettings) {
    this.#parts = parts;
    this.#first = settings;
    this.settings = new SettingsInForce(settings);
    this.orders = new Orders(this.settings.rulesOf);
  }

  /** The outbox exists from the first record of this version onward. */
  get core(): Core {
    const { nonces } = this.#parts;
    const isOpen = ({ actionHash, key, requestId }: EarlierAction) =>
      this.orders.awaits(key, requestId, actionHash);
    this.#core ??= this.#made(
      this.#saved?.venue ??
        (nonces && earlierState(nonces, [...this.#actions.values()].filter(isOpen))),
    );
    return this.#core;
  }

  get memory(): OrdersMemory {
    return this.orders.memory;
  }

  rest(): AccountRest<OutboxState> {
    const settings = this.settings.current;
    return { ...this.orders.rest(), venue: this.core.outbox.state(), settings };
  }

  /** Restores in steps, so that other work can run in between. */
  *restore(state: AccountState<OutboxState>): Generator<void> {
    this.#saved = state;
    this.#take(state.settings);
    yield* this.orders.restoring(state);
    this.#note(state.actions ?? []);
  }

  apply(record: InputRecord<OutboxInput, VenueEvent> | EarlierRecord, onEffects: OnEffects): void {
    if (isEarlier(record)) {
      // Journals of earlier versions contain as inputs what was sent.
      const isKept = (effect: OrdersEffect) => effect.kind !== 'send' && effect.kind !== 'misnamed';
      for (const input of record.inputs) onEffects(this.orders.apply(input).filter(isKept), input);
      this.#note(record.actions);
      return;
    }
    this.#take(record.settings);
    for (const input of record.inputs) onEffects(this.core.engine.step(input, record.at), input);
  }

  /** Called at the end of the journal: everything from here on runs under these settings. */
  continueUnder(settings: EngineSettings): void {
    if (this.settings.isOther(settings)) this.#change(settings);
  }

  #take(recorded: unknown): void {
    if (recorded === undefined) return;
    // `engine-settings.ts` wrote the recorded settings.
    const settings = recorded as EngineSettings;
    if (this.settings.isOther(settings)) this.#change(settings);
    this.settings.recorded();
  }

  #change(settings: EngineSettings): void {
    const state = this.#core?.outbox.state();
    this.settings.set(settings);
    if (state !== undefined) this.#core = this.#made(state);
  }

  #note(actions: readonly EarlierAction[]): void {
    for (const action of actions) this.#actions.set(action.actionHash, action);
  }

  #made(state: OutboxState | undefined): Core {
    const { orders } = this;
    const { account, blake3 } = this.#parts;
    const { current } = this.settings;
    const isFirst = !new SettingsInForce(this.#first).isOther(current);
    const contract = (isFirst ? this.#parts.contract : undefined) ?? current.contract;
    const view = {
      isOfAnother: orders.isOfAnother.bind(orders),
      awaits: ({ key, requestId }: RequestRef) => orders.awaits(key, requestId),
      intentNow: ({ key, requestId }: RequestRef) => orders.intentNow(key, requestId),
      get endedOrderId() {
        return orders.endedOrderId;
      },
    };
    const outbox = new Outbox(
      {
        account,
        maker: MadeAction.maker(contract, blake3),
        rules: current.submissions,
        nonces: current.nonces,
        mayFill: current.mayFill,
        orders: view,
      },
      state,
    );
    const clientOrderId = (session: string, clOrdId: string) =>
      venueClientOrderId(contract.clientOrderId, session, clOrdId) ?? null;
    return { outbox, engine: new AccountEngine({ orders, venue: outbox, clientOrderId }) };
  }
}
