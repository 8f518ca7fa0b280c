/** An outbox from the journal of nonces that versions before 0.2 kept, as they wrote it. */
import { expect, test } from 'vitest';
import type { NonceSnapshot } from '../../../src/signer/nonce-types.ts';
import { earlierNonces, earlierState } from '../../../src/venue/outbox/earlier.ts';
import { Nonces } from '../../../src/venue/outbox/nonces.ts';
import { MemoryStore } from '../../support/memory-store.ts';
import { defaultNonceRules } from '../../support/nonce-rules.ts';

const account = `0x${'1'.repeat(40)}`;
const stream = `nonces/${account}`;
const digest = 'ab'.repeat(32);

async function kept(records: readonly string[], store = new MemoryStore()): Promise<MemoryStore> {
  let expected = await store.end(stream);
  for (const record of records) {
    await store.commit([{ kind: 'append', stream, expected, payload: Buffer.from(record) }]);
    expected += 1;
  }
  return store;
}

const opened = (store: MemoryStore) => earlierNonces(store, account, defaultNonceRules);

async function nonces(store: MemoryStore): Promise<Nonces> {
  const options = { rules: defaultNonceRules, nestedTrigger: 'consumed_on_store' } as const;
  return new Nonces({ ...options, discovery: 'hash_route' }, await opened(store));
}

/** Nonces 5 to 8: one used, one sent, a conditional order on its way. */
const records = [
  '[{"kind":"floor","floor":5,"window":null,"from":"discovery","asked":null}]',
  `[{"kind":"reserved","nonce":5,"purpose":"place"},{"kind":"signed","nonce":5,"digest":"${digest}"},{"kind":"sent","nonce":5}]`,
  '[{"kind":"applied","nonce":5},{"kind":"floor","floor":6,"window":256,"from":"answer"}]',
  `[{"kind":"reserved","nonce":6,"purpose":"cancel"},{"kind":"signed","nonce":6,"digest":"${digest}"}]`,
  '[{"kind":"sent","nonce":6}]',
  '[{"kind":"reserved","nonce":7,"purpose":"place"},{"kind":"reserved","nonce":8,"purpose":"place","nested":7}]',
];

test('where there is no journal of nonces there is no earlier version', async () => {
  expect(await opened(new MemoryStore())).toBeUndefined();
});

test('R24: what an earlier version gave out is not given out again', async () => {
  const restored = await nonces(await kept(records));
  expect([restored.floor, restored.statedFloor]).toEqual([6, 6]);
  restored.restarted();
  expect([6, 7, 8].map((nonce) => restored.state(nonce))).toEqual([
    'unknown',
    'unknown',
    'unknown',
  ]);
  expect(restored.reserve('place')).toBe(9);
  expect(restored.digests().get(6)).toBe(digest);
});

test('the nested order of a conditional shares its fate, as before', async () => {
  const restored = await nonces(await kept(records));
  restored.shown(6, true);
  restored.shown(8, false);
  expect(restored.floor).toBe(9);
});

test('every event that it wrote is read', async () => {
  const more = [
    '[{"kind":"assumed","floor":1},{"kind":"restarted"},{"kind":"unlatched"}]',
    '[{"kind":"reserved","nonce":1,"purpose":"fill"},{"kind":"unknown","nonce":1},{"kind":"dead","nonce":1}]',
    '[{"kind":"reserved","nonce":2,"purpose":"place"},{"kind":"released","nonce":2,"proof":"never_sent"}]',
    '[{"kind":"reserved","nonce":3,"purpose":"place"},{"kind":"consumed","nonce":3}]',
    '[{"kind":"reserved","nonce":4,"purpose":"place"},{"kind":"foreign","nonce":4}]',
    '[{"kind":"floor","floor":0,"window":16,"from":"outside_window"}]',
  ];
  const restored = await nonces(await kept(more));
  expect([0, 1, 2, 3, 4].map((nonce) => restored.state(nonce))).toEqual([
    ...['free', 'unknown', 'free', 'used', 'unknown'],
  ]);
  expect(restored.isDead(1)).toBe(true);
});

/** Without what snapshots did not hold yet. */
function asKeptThen(snapshot: NonceSnapshot | undefined): Partial<NonceSnapshot> {
  const {
    alarmed: _,
    confirmed: _1,
    isDoubtful: _2,
    isUnstated: _3,
    passed: _4,
    unmoved: _5,
    ...then
  } = snapshot ?? {};
  return then;
}

test('a start from a snapshot and the records behind it knows what a start from all records knows', async () => {
  const all = await opened(await kept(records));
  for (let from = 1; from < records.length; from += 1) {
    const store = await kept(records.slice(0, from));
    const payload = Buffer.from(JSON.stringify(asKeptThen(await opened(store))));
    await store.commit([{ kind: 'snapshot', stream, position: from, payload }]);
    // What the snapshot covers was forgotten.
    await store.commit([{ kind: 'forget', stream, position: from }]);
    const again = await opened(await kept(records.slice(from), store));
    expect(asKeptThen(again)).toEqual(asKeptThen(all));
  }
});

test('more records than are read at once are read', async () => {
  const many = Array.from({ length: 2100 }, (_, nonce) => [
    { kind: 'reserved', nonce, purpose: 'place' },
    { kind: 'applied', nonce },
  ]).map((events) => JSON.stringify(events));
  const first = '[{"kind":"floor","floor":0,"window":null,"from":"discovery"}]';
  expect((await opened(await kept([first, ...many])))?.floor).toBe(2100);
});

test.each([
  ['a negative nonce', '[{"kind":"sent","nonce":-1}]'],
  ['an unknown event', '[{"kind":"guessed","nonce":1}]'],
  ['a member too many', '[{"kind":"sent","nonce":1,"purpose":"place"}]'],
  ['a digest that is cut', `[{"kind":"signed","nonce":1,"digest":"${digest.slice(2)}"}]`],
  ['no JSON', '[{"kind":"sent"'],
])('a record that is damaged refuses to start and is named: %s', async (_, record) => {
  const store = await kept([...records, record]);
  await expect(opened(store)).rejects.toThrow(`${stream}, record 7`);
});

test('a snapshot that is damaged refuses to start', async () => {
  const store = await kept(records);
  const payload = Buffer.from('{"floor":5}');
  await store.commit([{ kind: 'snapshot', stream, position: 6, payload }]);
  await expect(opened(store)).rejects.toThrow(`${stream}, snapshot`);
});

test('an action without an outcome is taken up as one that may be at the venue', async () => {
  const snapshot = await opened(await kept(records));
  if (snapshot === undefined) throw new Error('nothing was kept');
  const text = (action: string) =>
    `{"account":"${account}","nonce":6,"nonce_reservation_id":null,"ts":1700000000123,"action":{"${action}":{}}}`;
  const action = { key: 'k', requestId: 'new', nonce: 6n, actionHash: `0x${digest}` };
  const { lastId, nonces, submissions } = earlierState(snapshot, [
    { ...action, canonical: text('SpotPlaceOrder') },
    { ...action, requestId: 'cancel 1', nonce: 8n, canonical: text('Cancel') },
  ]);
  expect([lastId, nonces]).toEqual([2, snapshot]);
  expect(submissions).toMatchObject([
    {
      id: 1,
      asked: { key: 'k', requestId: 'new' },
      state: 'pausing',
      priority: 'place',
      nonce: 6,
      isUnknown: true,
      hasLeft: true,
      bytes: { hash: digest, text: text('SpotPlaceOrder'), madeMs: 1_700_000_000_123 },
    },
    { id: 2, priority: 'cancel', intent: { kind: 'cancel' }, nonce: 8 },
  ]);
});
