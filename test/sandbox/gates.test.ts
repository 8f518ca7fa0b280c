import { expect, test } from 'vitest';
import type { ActionRefusal } from '../../src/sandbox/action-input.ts';
import {
  checkIngress,
  checkPlacement,
  type GateSwitches,
  openGates,
  openSwitches,
  placementReason,
} from '../../src/sandbox/gates.ts';

const names = Object.keys(openSwitches) as (keyof GateSwitches)[];

/** The code of the refusal, if the check refuses. */
function codeOf(check: () => void): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    return (error as ActionRefusal).code;
  }
}

test('R82: placing is refused exactly while there is a reason against it', () => {
  for (const name of names) {
    const gates = openGates();
    const placement = () => codeOf(() => checkPlacement(gates, 1));
    const ingress = () => codeOf(() => checkIngress(gates));
    expect([placementReason(gates), placement(), ingress()]).toEqual([null, undefined, undefined]);
    gates.switches[name] = true;
    expect(placement() !== undefined).toBe(placementReason(gates) !== null);
    // A full backlog is a matter of the moment: it refuses everything and closes nothing.
    expect(placementReason(gates) === null).toBe(name === 'backlogFull');
    expect(ingress() !== undefined).toBe(name === 'backlogFull' || name === 'recovering');
  }
});

test('a halt that ends while placing is off, or is switched on twice, opens nothing', () => {
  const gates = openGates();
  Object.assign(gates.switches, { tradingHalted: true, placementOff: true });
  Object.assign(gates.switches, { tradingHalted: true });
  expect(codeOf(() => checkPlacement(gates, 1))).toBe('trading_halted');
  gates.switches.tradingHalted = false;
  expect([placementReason(gates), codeOf(() => checkPlacement(gates, 1))]).toEqual([
    'placement_off',
    'runtime_unavailable',
  ]);
});

test('a busy market refuses its own placements, and its records keep all switches', () => {
  const gates = openGates();
  gates.busyMarkets.add(3);
  gates.switches.ledgerDegraded = true;
  const copy = structuredClone(gates);
  expect(placementReason(copy)).toBe('ledger_degraded');
  copy.switches.ledgerDegraded = false;
  expect(codeOf(() => checkPlacement(copy, 3))).toBe('SHARD_BUSY');
  expect(codeOf(() => checkPlacement(copy, 4))).toBeUndefined();
});
