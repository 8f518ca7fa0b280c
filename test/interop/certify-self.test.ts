/** The bridge certifies itself, as the server and as the client; each run may take a minute of waiting. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { check, issue } from '../../src/certify/certificate.ts';
import { Evidence } from '../../src/certify/evidence.ts';
import type { Subject } from '../../src/certify/record.ts';
import { loadCatalogue } from '../../src/certify/scenario.ts';
import { newKey, publicKeyOf, readKey } from '../../src/certify/signature.ts';
import { certifySelf, selfSubjects } from '../../src/cli/certify/self.ts';
import { keepReport, outcomesOf, reasonsOf } from './certify-peers.ts';

const root = join(import.meta.dirname, '../..');
const catalogue = loadCatalogue(join(root, 'certification'));
/** A run waits for heartbeats; on a busy machine it takes minutes. */
const patienceMs = 600_000;
/** What each must pass at the least, so that nothing is lost unseen. */
const least = {
  fix: { 'order-entry': 115, 'drop-copy': 52 },
  fixp: { 'order-entry': 19, 'drop-copy': 20 },
};

test.concurrent.each(selfSubjects)(
  'the bridge passes its own suite: the desk is the $direction, $protocol, $role',
  async (subject) => {
    const { direction, protocol, role } = subject;
    const versions = { causeway: 'self', dictionaryHash: 'of these files', rulesHash: 'of these' };
    const key = readKey(newKey());
    const issuer = publicKeyOf(key);
    const keptIn = {
      takeUp: (about: Omit<Subject, 'signer'>) => new Evidence({ ...about, signer: issuer }),
    };
    const evidence = await certifySelf({ ...subject, catalogue, versions, keptIn });
    const { run } = evidence;
    keepReport(run, `self-${direction}-${protocol}-${role}`);
    const { passed = [], failed = [], inconclusive = [] } = outcomesOf(run);
    expect({ failed, inconclusive }, reasonsOf(run)).toEqual({ failed: [], inconclusive: [] });
    expect(passed.length).toBeGreaterThanOrEqual(least[protocol][role]);
    const signed = issue(evidence, key, { issuedMs: Date.now(), validDays: 365 });
    const checks = check(signed, { nowMs: Date.now(), issuer, evidence });
    expect(checks.every(({ isMet }) => isMet)).toBe(true);
  },
  patienceMs,
);
