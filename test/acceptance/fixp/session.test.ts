/** The FIXP session scenarios P-01 to P-20 of docs/CERTIFICATION.md, on manual time. */
import { describe, expect, test } from 'vitest';
import { readScenarios } from '../fix/script.ts';
import { MemoryPort } from './memory-port.ts';

const scenarios = readScenarios('../fixp/session.fixp');

/** P-20 needs a port that blocks a source: test/fixp/fixp-port.test.ts. */
const elsewhere = ['P-20'];

test('each session scenario of the catalogue is here', () => {
  for (let number = 1; number <= 20; number += 1) {
    const id = `P-${String(number).padStart(2, '0')}`;
    if (elsewhere.includes(id)) continue;
    expect(
      scenarios.some(({ title }) => title.startsWith(id)),
      id,
    ).toBe(true);
  }
});

describe('R128: sessions are negotiated, established, recovered and terminated as FIXP 1.1 says', () => {
  test.each(scenarios.map((scenario) => [scenario.title, scenario] as const))(
    '%s',
    async (_, scenario) => {
      await new MemoryPort().play(scenario);
    },
  );
});
