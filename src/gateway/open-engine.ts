/** Restores the engine of an account from its journal, with the outbox of this venue. */

import { EffectSums } from '../engine/effect-sums.ts';
import type { AccountEngine } from '../engine/engine.ts';
import { Journal, type JournalParts } from '../engine/journal.ts';
import type { Orders } from '../engine/orders.ts';
import { isEarlier } from '../engine/record.ts';
import type { StateSource } from '../engine/state-writer.ts';
import type { Store } from '../store/store.ts';
import { earlierNonces } from '../venue/outbox/earlier.ts';
import { inTodaysWords } from '../venue/outbox/earlier-words.ts';
import { inputForm } from '../venue/outbox/input-form.ts';
import type { Outbox } from '../venue/outbox/outbox.ts';
import type { OutboxEffect, OutboxInput, OutboxState } from '../venue/outbox/outbox-types.ts';
import type { VenueEvent } from '../venue/venue-event.ts';
import { AccountReplay, type ReplayParts } from './account-replay.ts';
import type { EngineSettings } from './engine-settings.ts';

export interface OpenParts extends JournalParts, Omit<ReplayParts, 'nonces'> {
  readonly store: Store;
  /** The current configuration; the same object as long as nothing changes. */
  readonly configured: () => EngineSettings;
}

export interface OpenEngine {
  readonly orders: Orders;
  readonly outbox: Outbox;
  readonly engine: AccountEngine<OutboxInput, OutboxEffect, VenueEvent>;
  readonly journal: Journal<OutboxInput, VenueEvent>;
  /** Called at the start of a turn. Returns the settings that its record must contain. */
  readonly newSettings: () => EngineSettings | undefined;
  /** For the journal. */
  readonly state: StateSource<OutboxState>;
}

/** The effects have changed, so the bridge could not report truthfully on requests sent before. */
const otherVersion =
  'this version acts differently on the recorded inputs. Start the version that wrote them, stop it with SIGTERM, then start this one ("causeway replay" lists the differences)';

export async function openEngine(parts: OpenParts): Promise<OpenEngine> {
  const { account, configured, store } = parts;
  const settings = configured();
  const nonces = await earlierNonces(store, account, settings.nonces.rules);
  const replay = new AccountReplay({ ...parts, nonces }, settings);
  const sums = new EffectSums();
  const journal = await Journal.open<OutboxInput, OutboxState, VenueEvent>(store, account, parts, {
    form: inputForm,
    translated: inTodaysWords,
    memory: replay.memory,
    restore: (state) => replay.restore(state),
    apply(record, place) {
      replay.apply(record, (effects) => sums.add(effects));
      const now = sums.take();
      const isOther = !isEarlier(record) && (record.effects ?? now) !== now;
      if (isOther) throw new Error(`${place}: ${otherVersion}`);
    },
  });
  replay.continueUnder(settings);
  const { engine, outbox } = replay.core;
  return {
    orders: replay.orders,
    journal,
    engine,
    outbox,
    state: replay,
    newSettings: () => replay.settings.take(configured()),
  };
}
