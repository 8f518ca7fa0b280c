/** Under which rules an account's engine runs, and what its journal says of them. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Config } from '../../../src/gateway/config/config.ts';
import { SettingsInForce, settingsBook } from '../../../src/gateway/config/engine-settings.ts';
import { loadProfile } from '../../../src/venue/profile.ts';

const profile = loadProfile(join(import.meta.dirname, '../../../dictionaries/venue.sandbox.yaml'));
const session = {
  protocol: 'fix',
  beginString: 'FIX.4.4',
  senderCompId: 'ALPHA',
  targetCompId: 'CAUSEWAY',
  profile: 'quiet',
};
const name = 'FIX.4.4:CAUSEWAY/->ALPHA/';
const configured = (pending: 'full' | 'reduced', patienceMs = 5_000) =>
  ({
    environment: 'local',
    patienceMs,
    sessions: [session],
    profiles: { quiet: { pending, iocRemainder: 'canceled' } },
  }) as unknown as Config;

test('the settings are worked out once, and anew when the configuration is another', () => {
  let config = configured('reduced');
  const settings = settingsBook(() => config, profile);
  expect(settings()).toBe(settings());
  expect(new SettingsInForce(settings()).rulesOf(name).pendingStates).toBe(false);
  config = configured('full');
  expect(new SettingsInForce(settings()).rulesOf(name).pendingStates).toBe(true);
});

test('an order of a session that is no longer configured lives on under the default rules', () => {
  const settings = settingsBook(() => configured('reduced'), profile);
  expect(new SettingsInForce(settings()).rulesOf('gone').pendingStates).toBe(true);
});

test('the settings are recorded once, and again when a reload has changed them', () => {
  let config = configured('reduced');
  const settings = settingsBook(() => config, profile);
  const inForce = new SettingsInForce(settings());
  expect(inForce.take(settings())).toBe(settings());
  expect(inForce.take(settings())).toBeUndefined();
  config = configured('reduced');
  expect(inForce.take(settings())).toBeUndefined();
  config = configured('full');
  expect(inForce.take(settings())?.sessionRules).toEqual({});
  expect(inForce.rulesOf(name).pendingStates).toBe(true);
});

test('settings that a record has are not recorded again, others are', () => {
  const settings = settingsBook(() => configured('full'), profile)();
  const inForce = new SettingsInForce(settings);
  const recorded = JSON.parse(JSON.stringify(settings));
  expect(inForce.isOther(recorded)).toBe(false);
  inForce.recorded();
  expect(inForce.take(settings)).toBeUndefined();
  const patient = settingsBook(() => configured('full', 6_000), profile)();
  expect(inForce.isOther(patient)).toBe(true);
  expect(inForce.take(patient)).toBe(patient);
});

test('a replace that would lose its priority is refused if the profile says so', () => {
  const strict = { ...profile, amend: { ...profile.amend, strictPriority: true } };
  const rulesBy = (of: typeof profile) =>
    new SettingsInForce(settingsBook(() => configured('full'), of)()).rulesOf(name);
  expect([rulesBy(profile), rulesBy(strict)].map((rules) => rules.strictPriority)).toEqual([
    false,
    true,
  ]);
});
