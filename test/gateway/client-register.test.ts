/** Which rules an order follows: those of its session, as they are configured at this moment. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { orderRulesBook } from '../../src/gateway/client-register.ts';
import type { Config } from '../../src/gateway/config.ts';
import { loadProfile } from '../../src/venue/profile.ts';

const profile = loadProfile(join(import.meta.dirname, '../../dictionaries/venue.sandbox.yaml'));
const session = {
  protocol: 'fix',
  beginString: 'FIX.4.4',
  senderCompId: 'ALPHA',
  targetCompId: 'CAUSEWAY',
  profile: 'quiet',
};
const configured = (pending: 'full' | 'reduced') =>
  ({
    environment: 'local',
    sessions: [session],
    profiles: { quiet: { pending } },
  }) as unknown as Config;

test('the rules of a session are worked out once, and anew when the configuration is another', () => {
  let config = configured('reduced');
  const rulesOf = orderRulesBook(() => config, profile);
  const name = 'FIX.4.4:CAUSEWAY/->ALPHA/';
  expect(rulesOf(name).pendingStates).toBe(false);
  expect(rulesOf(name)).toBe(rulesOf(name));
  config = configured('full');
  expect(rulesOf(name).pendingStates).toBe(true);
});

test('an order of a session that is no longer configured lives on under the default rules', () => {
  const rulesOf = orderRulesBook(() => configured('reduced'), profile);
  expect(rulesOf('gone').pendingStates).toBe(true);
});
