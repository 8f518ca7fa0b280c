import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { JournalFile } from '../../../src/cli/journal/journal-file.ts';
import { checkAccount, type Step } from '../../../src/cli/replay/account-check.ts';
import { Elsewhere, sentReports } from '../../../src/cli/replay/elsewhere.ts';
import { OrderNames, OrderStory } from '../../../src/cli/replay/order-story.ts';
import { effectWords, inputWords, timeText } from '../../../src/cli/replay/words.ts';
import type { Account } from '../../../src/domain/units.ts';
import { fastestBlake3 } from '../../../src/signer/blake3.ts';
import { LineSimulation } from '../../simulation/line.ts';

const { blake3 } = await fastestBlake3();
const directory = mkdtempSync(join(tmpdir(), 'causeway-story-'));

interface Seen {
  readonly record: number;
  readonly key: string;
  readonly clOrdId: string;
  readonly ids: readonly (string | null)[];
  readonly words: string;
}
/** What all clients were told, and what was submitted for an order, in order. */
const reports: Seen[] = [];
const submits: { key: string; words: string }[] = [];
const entries: { key: string; words: string }[] = [];
let stories: Map<string, OrderStory>;

async function replay(...notes: ((step: Step) => void)[]): Promise<void> {
  using file = await JournalFile.open(directory);
  const [stream = ''] = file.streams().map(({ stream: name }) => name);
  const account = stream.slice('desk/'.length) as Account;
  const elsewhere = new Elsewhere(file, account, sentReports(file), undefined);
  const span = { from: 1, to: Number.MAX_SAFE_INTEGER };
  const stepped = (step: Step) => {
    for (const note of notes) note(step);
  };
  await checkAccount({ file, account, blake3, elsewhere, span, settings: undefined, stepped });
}

function note({ effects, input, record }: Step): void {
  if (input.kind === 'entry') entries.push({ key: input.owner.key, words: inputWords(input) });
  for (const effect of effects) {
    const words = effectWords(effect);
    if (effect.kind === 'report') {
      const { clOrdId, order } = effect.report;
      const ids = [order.orderId, order.parentOrderId, order.firedOrderId];
      reports.push({ record, key: order.owner.key, clOrdId, ids, words });
    } else if (effect.kind === 'submit' && effect.asked !== null) {
      submits.push({ key: effect.asked?.key ?? '', words });
    }
  }
}

beforeAll(async () => {
  const line = await LineSimulation.open(4);
  await line.run(60);
  await line.store.save(directory);
  await replay(note);
  stories = new Map(entries.map(({ key }) => [key, new OrderStory(key)]));
  await replay(...[...stories.values()].map((story) => story.note));
});

afterAll(() => rmSync(directory, { recursive: true }));

const sentencesOf = (key: string) =>
  stories.get(key)?.steps.flatMap((step) => step.sentences) ?? [];

test('each report is in the story of its order, in order, and in no other', () => {
  expect(reports.length).toBeGreaterThan(30);
  for (const key of stories.keys()) {
    const own = reports.filter((report) => report.key === key).map(({ words }) => words);
    const told = sentencesOf(key).filter((sentence) => sentence.startsWith('Report to '));
    expect([key, told]).toEqual([key, own]);
  }
});

test('each submission for an order is in its story', () => {
  const own = submits.filter(({ key }) => stories.has(key));
  expect(own.length).toBeGreaterThan(15);
  for (const { key, words } of own) expect(sentencesOf(key)).toContain(words);
});

test('a story begins with the order as it was entered, and each record in it stands once with its time', () => {
  for (const { key, words } of entries) {
    const { steps } = stories.get(key) ?? { steps: [] };
    expect(steps[0]?.sentences[0]).toBe(words);
    const records = steps.map(({ record }) => record);
    expect(records).toEqual([...new Set(records)].sort((a, b) => a - b));
    for (const { time } of steps) expect(time).toMatch(/^20\d\d-\S+Z$/);
  }
});

test('the heading and the end are those of the last report', () => {
  for (const [key, story] of stories) {
    const last = reports.findLast((report) => report.key === key);
    expect(story.heading).toMatch(new RegExp(`^Order ${key} of S, ClOrdID [or]\\d+$`));
    const [, filled] = /filled (\S+), open/.exec(last?.words ?? '') ?? [];
    expect([key, story.end]).toEqual([key, expect.stringContaining(`, filled ${filled}, open `)]);
  }
});

test('an order of which nothing is left says so', () => {
  const story = new OrderStory('gone');
  expect([story.heading, story.end]).toEqual([
    'Order gone of another channel, ClOrdID ',
    'Nothing is left of it.',
  ]);
});

test('an order is found by its key, by each ClOrdID that it had and by each id at the venue', async () => {
  const wanted = new Map<string, Set<string>>();
  for (const { clOrdId, ids, key } of reports) {
    for (const id of [key, clOrdId, ...ids]) {
      if (id) wanted.set(id, (wanted.get(id) ?? new Set()).add(key));
    }
  }
  const names = new Map([...wanted.keys(), 'nobody'].map((id) => [id, new OrderNames(id)]));
  await replay(...[...names.values()].map((one) => one.note));
  for (const [id, { keys }] of names) {
    expect([id, [...keys].sort()]).toEqual([id, [...(wanted.get(id) ?? [])].sort()]);
  }
});

test('a request that never became an order is listed by its ClOrdID, and is no order', () => {
  const names = new OrderNames('no1');
  const spent = { kind: 'spent', session: 'S', clOrdId: 'no1' } as const;
  const orders = { state: () => ({ orders: [] }) };
  const step = { record: 1, atMs: 5, effects: [], replay: { orders } } as unknown as Step;
  names.note({ ...step, input: spent });
  names.note({ ...step, input: { ...spent, clOrdId: 'no2' } });
  expect(names.refused).toEqual([`${timeText(5)}  ${inputWords(spent)}`]);
  expect(names.keys.size).toBe(0);
});

test('an order that is only in the snapshot is found by all its names, once and not by a part of one', () => {
  const order = { owner: { key: 'o1', session: 'S' } };
  const kept = { names: ['S/a1', 'S/a2'], order, venueIds: ['0x1'] };
  const orders = { state: () => ({ orders: [kept] }) };
  const input = { kind: 'spent', session: 'S', clOrdId: 'other' } as const;
  const step = { record: 1, atMs: 5, effects: [], input, replay: { orders } } as unknown as Step;
  const found = (name: string) => {
    const names = new OrderNames(name);
    names.note(step);
    return [...names.keys];
  };
  for (const name of ['o1', 'a1', 'a2', '0x1']) expect([name, found(name)]).toEqual([name, ['o1']]);
  for (const name of ['S/a1', 'a', 'S', '']) expect([name, found(name)]).toEqual([name, []]);
});
