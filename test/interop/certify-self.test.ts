/** The bridge certifies itself, as the server and as the client; each run may take a minute of waiting. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { check, issue, newKey, readKey } from '../../src/certify/certificate.ts';
import { directions, loadCatalogue } from '../../src/certify/scenario.ts';
import { certifySelf, selfRoles } from '../../src/cli/certify-self.ts';
import { keepReport, outcomesOf } from './certify-peers.ts';

const root = join(import.meta.dirname, '../..');
const catalogue = loadCatalogue(join(root, 'certification'));
const dictionary = readFileSync(join(root, 'dictionaries/CAUSEWAY44.xml'));
const dictionaryHash = createHash('sha256').update(dictionary).digest('hex');
const cases = directions.flatMap((direction) =>
  selfRoles.map((role) => ({ direction, role, least: role === 'order-entry' ? 90 : 40 })),
);

test.each(cases)(
  'the bridge passes its own suite: the desk is the $direction, $role',
  async ({ direction, role, least }) => {
    const run = await certifySelf(direction, {
      catalogue,
      role,
      versions: { causeway: 'self', dictionaryHash },
    });
    keepReport(run, `self-${direction}-${role}`);
    const { passed = [], failed = [], inconclusive = [] } = outcomesOf(run);
    expect({ failed, inconclusive }).toEqual({ failed: [], inconclusive: [] });
    expect(passed.length).toBeGreaterThan(least);
    const signed = issue(run, readKey(newKey()), { issuedMs: Date.now(), validDays: 365 });
    const checks = check(signed, { nowMs: Date.now(), evidence: run });
    expect(checks.every(({ isMet }) => isMet)).toBe(true);
  },
);
