/** Restores the engine of an account from its journal, with the outbox of this venue. */

import { EffectSums } from '../../engine/effect-sums.ts';
import {
  Journal,
  type JournalParts,
  type JournalReader,
  JournalReading,
  type JournalSource,
} from '../../engine/journal.ts';
import { isEarlier } from '../../engine/record.ts';
import type { StateSource } from '../../engine/state-writer.ts';
import type { Store } from '../../store/store.ts';
import { earlierNonces } from '../../venue/outbox/earlier.ts';
import { inTodaysWords } from '../../venue/outbox/earlier-words.ts';
import { inputForm } from '../../venue/outbox/input-form.ts';
import type { OutboxInput, OutboxState } from '../../venue/outbox/outbox-types.ts';
import type { VenueEvent } from '../../venue/venue-event.ts';
import type { EngineSettings } from '../config/engine-settings.ts';
import { AccountReplay, type ReplayParts } from './account-replay.ts';

export interface OpenParts extends JournalParts, Omit<ReplayParts, 'nonces'> {
  readonly store: Store;
  /** The current configuration; the same object until something changes. */
  readonly configured: () => EngineSettings;
}

export type OpenEngine = Awaited<ReturnType<typeof openEngine>>;

/** Where the engine has other effects for the same inputs, its reports on earlier requests would be wrong. */
const otherVersion =
  'this version acts differently on the recorded inputs, or cannot compare them. Start the version that wrote them, stop it with SIGTERM, then start this one ("causeway replay" lists the differences)';

/** An account as read so far from its journal. */
export type EngineReading = Awaited<ReturnType<typeof readEngine>>;

type ReadParts = Omit<ReplayParts, 'nonces'> & Pick<JournalParts, 'snapshotEvery'>;

export async function readEngine(
  store: JournalSource,
  { account, snapshotEvery, ...parts }: ReadParts,
  settings: EngineSettings,
) {
  const nonces = await earlierNonces(store, account, settings.nonces.rules);
  const replay = new AccountReplay({ ...parts, account, nonces }, settings);
  const sums = new EffectSums();
  const reader: JournalReader<OutboxInput, OutboxState, VenueEvent> = {
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
  };
  const journal = new JournalReading(account, reader, snapshotEvery);
  await journal.readOn(store);
  return { replay, journal };
}

/** `ahead` was read from the same store before this process owned it. */
export async function openEngine(parts: OpenParts, ahead?: EngineReading) {
  const { configured, store } = parts;
  const settings = configured();
  const isKept = ahead !== undefined && (await ahead.journal.readOn(store));
  const { journal, replay } = isKept ? ahead : await readEngine(store, parts, settings);
  replay.continueUnder(settings);
  const { engine, outbox } = replay.core;
  return {
    orders: replay.orders,
    journal: await Journal.after(journal, store, parts),
    engine,
    outbox,
    /** The state that the journal writes. */
    state: replay as StateSource<OutboxState>,
    /** Called at the start of a transaction. Returns the settings that its record must contain. */
    newSettings: () => replay.settings.take(configured()),
  };
}
