/** QuickFIX C++ as a client that is certified: what it shows, and what it does not. */
import { expect, test } from 'vitest';
import { obstacles } from '../../src/certify/certificate.ts';
import { certifyEngine, keepReport, outcomesOf, quickFixPlan, reasonsOf } from './certify-peers.ts';
import { hasQuickFix } from './line-peer.ts';

/** A run waits for heartbeats; on a busy machine it takes minutes. */
const patienceMs = 600_000;

test.skipIf(!hasQuickFix)(
  'QuickFIX C++ shows all but a guard against resend loops and the refusal of orders',
  async () => {
    const run = await certifyEngine(quickFixPlan());
    keepReport(run, 'quickfix');
    const { passed = [], failed, inconclusive } = outcomesOf(run);
    expect(inconclusive, reasonsOf(run)).toBeUndefined();
    // It answers the same ResendRequest for ever, and its test application takes any type of message.
    expect(failed, reasonsOf(run)).toEqual(['S-24', 'S-38']);
    expect(passed.length).toBeGreaterThan(70);
    expect(obstacles(run.scenarios).map(({ id }) => id)).toEqual(['S-38']);
  },
  patienceMs,
);
