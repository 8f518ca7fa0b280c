/** A submitter that signs nothing anew and finds nothing: what goes beyond that, a test brings. */
import { systemClock } from '../../src/runtime/clock.ts';
import { Pacer } from '../../src/venue/pacer.ts';
import { type SubmitPorts, Submitter, type SubmitterParts } from '../../src/venue/submitter.ts';
import { sandbox } from './samples.ts';

export const quickRules = {
  backoff: { firstMs: 4, maxMs: 16 },
  maxAgeMs: 2000,
  floorWaitMs: 500,
  deadAfterMs: 4000,
};

export function plainSubmitter(
  http: SubmitterParts['http'],
  {
    ports,
    ...more
  }: Partial<Omit<SubmitterParts, 'ports'>> & {
    readonly ports?: Partial<SubmitPorts>;
  } = {},
): Submitter {
  return new Submitter({
    profile: sandbox,
    http,
    clock: systemClock,
    pacer: new Pacer(),
    random: () => 0.5,
    rules: quickRules,
    maxQueued: 1000,
    ports: {
      resign: () => Promise.reject(new Error('nothing to sign anew')),
      reconcile: async () => ({ kind: 'nothing' }),
      fence: async () => ({ kind: 'nothing' }),
      act: () => {},
      ...ports,
    },
    ...more,
  });
}
