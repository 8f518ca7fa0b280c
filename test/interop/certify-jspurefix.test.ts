/** jspurefix as a client that is certified: a library that leaves most of the session to its application. */
import { expect, test } from 'vitest';
import { certifyEngine, jspurefixPlan, keepReport, outcomesOf } from './certify-peers.ts';

/** It ends with each connection and is begun again some thirty times, each of them seconds of loading. */
const patienceMs = 600_000;

test(
  'jspurefix logs on, resends and logs out, and lets pass what a client must refuse',
  async () => {
    const run = await certifyEngine(jspurefixPlan());
    keepReport(run, 'jspurefix');
    const { passed = [], failed = [] } = outcomesOf(run);
    expect(passed).toEqual(
      expect.arrayContaining(['S-01', 'S-02', 'S-10', 'S-12', 'S-15', 'S-20', 'S-39']),
    );
    // It looks at neither CompIDs, nor times, nor tags, and sends no Reject(3).
    expect(failed).toEqual(
      expect.arrayContaining(['S-04', 'S-04b', 'S-06', 'S-16', 'S-17', 'S-34', 'S-35', 'S-36']),
    );
  },
  patienceMs,
);
