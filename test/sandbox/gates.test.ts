import { expect, test } from 'vitest';
import {
  type GateSwitches,
  ingressRefusal,
  openGates,
  openSwitches,
  placementReason,
  placementRefusal,
} from '../../src/sandbox/gates.ts';

const names = Object.keys(openSwitches) as (keyof GateSwitches)[];

test('R82: placing is refused exactly while there is a reason against it', () => {
  for (const name of names) {
    const gates = openGates();
    expect([placementReason(gates), placementRefusal(gates, 1), ingressRefusal(gates)]).toEqual([
      null,
      undefined,
      undefined,
    ]);
    gates.switches[name] = true;
    expect(placementRefusal(gates, 1) !== undefined).toBe(placementReason(gates) !== null);
    // A full backlog is a matter of the moment: it refuses everything and closes nothing.
    expect(placementReason(gates) === null).toBe(name === 'backlogFull');
    expect(ingressRefusal(gates) !== undefined).toBe(
      name === 'backlogFull' || name === 'recovering',
    );
  }
});

test('a busy market refuses its own placements, and its records keep all switches', () => {
  const gates = openGates();
  gates.busyMarkets.add(3);
  gates.switches.ledgerDegraded = true;
  const copy = structuredClone(gates);
  expect(placementReason(copy)).toBe('ledger_degraded');
  copy.switches.ledgerDegraded = false;
  expect(placementRefusal(copy, 3)?.code).toBe('SHARD_BUSY');
  expect(placementRefusal(copy, 4)).toBeUndefined();
});
