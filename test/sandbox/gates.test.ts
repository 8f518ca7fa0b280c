import { expect, test } from 'vitest';
import { type GateSwitches, Gates, openGates, openSwitches } from '../../src/sandbox/gates.ts';

const names = Object.keys(openSwitches) as (keyof GateSwitches)[];

test('R82: placing is refused exactly while there is a reason against it', () => {
  for (const name of names) {
    const gates = new Gates(openGates());
    expect([gates.placementReason, gates.placement(1), gates.ingress()]).toEqual([
      null,
      undefined,
      undefined,
    ]);
    gates.switches[name] = true;
    expect(gates.placement(1) !== undefined).toBe(gates.placementReason !== null);
    // A full backlog is a matter of the moment: it refuses everything and closes nothing.
    expect(gates.placementReason === null).toBe(name === 'backlogFull');
    expect(gates.ingress() !== undefined).toBe(name === 'backlogFull' || name === 'recovering');
  }
});

test('a busy market refuses its own placements, and its records keep all switches', () => {
  const records = openGates();
  const gates = new Gates(records);
  gates.busyMarkets.add(3);
  gates.switches.ledgerDegraded = true;
  const copy = new Gates(structuredClone(records));
  expect(copy.placementReason).toBe('ledger_degraded');
  copy.switches.ledgerDegraded = false;
  expect(copy.placement(3)?.code).toBe('SHARD_BUSY');
  expect(copy.placement(4)).toBeUndefined();
});
