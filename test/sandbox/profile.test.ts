/**
 * R134, R63, R9, R18: the profile is data. Each case changes one of its values and shows that the venue on the wire
 * changes with it.
 */
import { expect, test } from 'vitest';
import { loadProfile, type Profile } from '../../src/venue/profile.ts';
import { type Loose, type Opened, open, outcome } from './client.ts';
import type { Change } from './nested-nonce-cases.ts';
import { cases } from './profile-cases.ts';

const shipped = 'dictionaries/venue.sandbox.yaml';

async function withProfile(change: Change, show: (venue: Opened) => Promise<void>): Promise<void> {
  const profile: Loose = structuredClone(loadProfile(shipped));
  profile.signing.goldenVectors = [];
  change(profile);
  const venue = await open({ profile: profile as Profile });
  try {
    await show(venue);
  } finally {
    await venue.stop();
  }
}

test.each(Object.entries(cases))('R134: %s', async (_, [change, show]) => {
  await withProfile(change, show);
});

test('R17: a golden vector that is wrong by one byte stops the start', async () => {
  const profile: Loose = structuredClone(loadProfile(shipped));
  const [vector] = profile.signing.goldenVectors;
  const last = vector.actionHash.at(-1) === '0' ? '1' : '0';
  vector.actionHash = vector.actionHash.slice(0, -1) + last;
  await expect(open({ profile })).rejects.toThrow(`golden vector "${vector.name}"`);
});

test('an outcome order needs its book, in either family of names', async () => {
  const venue = await open();
  const { book: _, ...rest } = outcome().PlaceOrder;
  expect((await venue.client(0).act({ PlaceOrder: rest })).body.code).toBe('missing_field');
  await venue.stop();
});

test.each([
  ['engine.complement true', { engine: { complement: true } }],
  ['families.binary SpotPlaceOrder', { families: { binary: 'SpotPlaceOrder' } }],
  ['families.spot PlaceOrder', { families: { spot: 'PlaceOrder' } }],
  ['outcome.payout 100', { outcome: { payout: 100 } }],
])('%s, which the engine does not honour, stops the start', async (name, change) => {
  const profile: Loose = structuredClone(loadProfile(shipped));
  for (const [key, values] of Object.entries(change)) Object.assign(profile[key], values);
  await expect(open({ profile })).rejects.toThrow(`the sandbox does not honour ${name}`);
});
