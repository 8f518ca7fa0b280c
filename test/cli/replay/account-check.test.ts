/** The same inputs under an engine with other rules: the replay names the order whose client would hear otherwise. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { JournalFile } from '../../../src/cli/journal/journal-file.ts';
import { checkAccount } from '../../../src/cli/replay/account-check.ts';
import { Elsewhere, sentReports } from '../../../src/cli/replay/elsewhere.ts';
import type { Account } from '../../../src/domain/units.ts';
import type { EngineSettings } from '../../../src/gateway/config/engine-settings.ts';
import { parsedJson } from '../../../src/runtime/parsed-json.ts';
import { fastestBlake3 } from '../../../src/signer/blake3.ts';
import type { JournalRecord } from '../../../src/store/store.ts';
import { LineSimulation } from '../../simulation/line.ts';

const { blake3 } = await fastestBlake3();
const directory = mkdtempSync(join(tmpdir(), 'causeway-check-'));

beforeAll(async () => {
  const line = await LineSimulation.open(6);
  await line.run(300);
  await line.store.save(directory);
}, 60_000);

afterAll(() => rmSync(directory, { recursive: true }));

interface Stored {
  readonly settings?: EngineSettings;
}

type Change = (settings: EngineSettings) => EngineSettings;

/** The journal as if the bridge had recorded other settings. */
async function opened(changed: Change): Promise<JournalFile> {
  const file = await JournalFile.open(directory);
  const altered = <Kept extends JournalRecord>(kept: Kept): Kept => {
    // Parts of a snapshot are not JSON as a whole, and have no settings.
    const stored = parsedJson(Buffer.from(kept.payload).toString()) as Stored | undefined;
    if (stored?.settings === undefined) return kept;
    const settings = changed(stored.settings);
    return { ...kept, payload: Buffer.from(JSON.stringify({ ...stored, settings })) };
  };
  const { records, snapshot } = file;
  file.records = function* (...asked) {
    for (const record of records.call(file, ...asked)) yield altered(record);
  };
  file.snapshot = (stream) => {
    const kept = snapshot.call(file, stream);
    return kept && altered(kept);
  };
  return file;
}

async function check(changed: Change) {
  using file = await opened(changed);
  const [stream = ''] = file.streams().map(({ stream: name }) => name);
  const account = stream.slice('desk/'.length) as Account;
  const elsewhere = new Elsewhere(file, account, sentReports(file), undefined);
  const span = { from: 1, to: Number.MAX_SAFE_INTEGER };
  return await checkAccount({ file, account, blake3, elsewhere, span, settings: undefined });
}

test('the engine of the time agrees', async () => {
  const { counts, differences } = await check((settings) => ({ ...settings }));
  expect(differences).toEqual([]);
  expect(counts.effects.compared).toBeGreaterThan(300);
});

test('an engine that ends the rest of an IOC differently is reported with the order and both results', async () => {
  const { differenceCount, differences } = await check((settings) => ({
    ...settings,
    otherRules: { ...settings.otherRules, iocRemainder: 'expired' },
  }));
  expect(differenceCount).toBeGreaterThan(0);
  const [first] = differences;
  expect(first?.order).toMatch(/^o\d+ \(ClOrdID [or]\d+\)$/);
  expect(first?.expected).toMatch(/^a report with the sum/);
  expect(first?.actual).toMatch(/^Report to S: expired; [or]\d+ is expired/);
  expect(first?.input).toMatch(/^Stream event \(seq \d+\): canceled/);
});

test('an engine that does not tell what is pending leaves an effect out', async () => {
  const { differences } = await check((settings) => ({
    ...settings,
    otherRules: { ...settings.otherRules, pendingStates: false },
  }));
  expect(differences[0]?.input).toMatch(/^S enters the order/);
  expect(differences[0]?.expected).toMatch(/^a report with the sum/);
});

test('an engine that signs other bytes is reported with its submission', async () => {
  const { differences } = await check((settings) => ({
    ...settings,
    contract: {
      ...settings.contract,
      signing: {
        ...settings.contract.signing,
        domains: { ...settings.contract.signing.domains, action: 'OTHER/v1' },
      },
    },
  }));
  expect(differences[0]?.expected).toMatch(/^a submit with the sum/);
  expect(differences[0]?.actual).toMatch(/^Recorded, then signed and sent: action 0x/);
});
