/** A wait that the venue asks for holds the account, whatever else its answer says (contract A.18.6, R39). */
import { expect, test } from 'vitest';
import { ManualClock } from '../../src/runtime/clock.ts';
import { Pacer } from '../../src/venue/pacer.ts';
import { Submitter } from '../../src/venue/submitter.ts';
import type { Exchange } from '../../src/venue/verdict.ts';
import { sandbox, signed } from './samples.ts';

const noAnswerYet = { ok: false, error: { code: 'SERVICE_UNAVAILABLE', message: '' } };
const unavailable: Exchange = {
  kind: 'response',
  status: 503,
  headers: { 'retry-after': '3' },
  body: JSON.stringify(noAnswerYet),
};

test('R39: a Retry-After holds the account also where the answer leaves the outcome open', async () => {
  const clock = new ManualClock();
  let sent = 0;
  const subject = new Submitter({
    profile: sandbox,
    http: {
      exchange: async () => {
        sent += 1;
        return unavailable;
      },
    },
    clock,
    pacer: new Pacer(),
    random: () => 0.5,
    rules: {
      backoff: sandbox.backoff,
      maxAgeMs: 60_000,
      floorWaitMs: 60_000,
      deadAfterMs: 120_000,
    },
    maxQueued: 10,
    ports: {
      resign: async (send) => send,
      reconcile: () => new Promise(() => {}),
      fence: () => new Promise(() => {}),
      act: () => {},
    },
  });
  await new Promise<void>((told) => {
    void subject.submit({ send: signed(1), priority: 'place', onUnknown: () => told() });
  });
  void subject.submit({ send: signed(2), priority: 'cancel' });
  clock.advance(2_999);
  expect([sent, subject.queued]).toEqual([1, 1]);
  clock.advance(1);
  expect([sent, subject.queued]).toEqual([2, 0]);
  subject.stop();
});
