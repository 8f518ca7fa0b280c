/** Descriptors: what the process needs itself comes first, and the doors share the rest. */
import { expect, test } from 'vitest';
import { loadConfig } from '../../../src/gateway/config/config-file.ts';
import { planDescriptors } from '../../../src/gateway/config/descriptor-plan.ts';
import { loadProfile } from '../../../src/venue/profile.ts';
import { startBridge } from '../../support/bridge.ts';

const descriptors = 300;

test('a plan fits the limit, leaves each door its least, and says what would be enough', async () => {
  const bridge = await startBridge();
  const loaded = loadConfig(bridge.configFile);
  const profile = loadProfile(loaded.path(loaded.config.venue.profile));
  const sessions = loaded.config.sessions.length;
  const enough = planDescriptors(loaded, profile, Number.POSITIVE_INFINITY);
  expect(enough).toEqual({ connections: { fix: 1000, fixp: 0, console: 0 }, shortage: undefined });
  const few = planDescriptors(loaded, profile, descriptors);
  const all = Number(/(\d+) descriptors would be enough/.exec(few.shortage ?? '')?.[1]);
  expect(few.connections.fix).toBeLessThan(descriptors);
  expect(few.connections.fix).toBeGreaterThan(sessions);
  expect(planDescriptors(loaded, profile, all).shortage).toBeUndefined();
  expect(planDescriptors(loaded, profile, all - 1).connections.fix).toBe(999);
  expect(() => planDescriptors(loaded, profile, 100)).toThrow(
    /have 100 descriptors \(ulimit -n\), and this configuration needs \d+ at least/,
  );
  await bridge.stop();
});
