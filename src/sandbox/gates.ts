/**
 * The switches of the venue's operator over all trading (contract A.2, A.17, G52, R82, R133). Placements are refused
 * exactly while readiness returns 503; cancels and other reducing actions pass all gates except recovery.
 */
import { ActionRefusal } from './action-input.ts';

export const openSwitches = {
  tradingHalted: false,
  /** Makes the venue not ready without another reason. */
  placementOff: false,
  ledgerDegraded: false,
  /** The write runtime is recovering: nothing is accepted, not even cancels. */
  recovering: false,
  /** The ingress backlog is full: everything is refused temporarily. */
  backlogFull: false,
  venueKilled: false,
};
export type GateSwitches = typeof openSwitches;

export type GateRecords = Readonly<ReturnType<typeof openGates>>;

/** All gates are open; `busyMarkets` are those whose shard accepts no further work. */
export function openGates() {
  return { switches: { ...openSwitches }, busyMarkets: new Set<number>() };
}

/** The switch, the reason in status and readiness, and the code that refuses placements. The first active counts. */
const closings: readonly (readonly [keyof GateSwitches, reason: string, code: string])[] = [
  ['recovering', 'runtime_recovering', 'runtime_unavailable'],
  ['ledgerDegraded', 'ledger_degraded', 'runtime_unavailable'],
  ['tradingHalted', 'trading_halted', 'trading_halted'],
  ['venueKilled', 'kill_switch', 'KILL_SWITCH'],
  ['placementOff', 'placement_off', 'runtime_unavailable'],
];

/** Null while placements are possible. */
export function placementReason(gates: GateRecords): string | null {
  return closingOf(gates)?.[1] ?? null;
}

/** Refuses everything, before the action is parsed. */
export function checkIngress({ switches }: GateRecords): void {
  if (switches.backlogFull) {
    throw new ActionRefusal('backpressure', 'the ingress backlog is full');
  }
  if (switches.recovering) {
    throw new ActionRefusal('runtime_unavailable', 'the write runtime recovers');
  }
}

/** Refuses an action that may add exposure. */
export function checkPlacement(gates: GateRecords, market: number | null): void {
  const closing = closingOf(gates);
  if (closing !== undefined) {
    const [, reason, code] = closing;
    throw new ActionRefusal(code, `placing is off: ${reason}`);
  }
  if (market === null || !gates.busyMarkets.has(market)) return;
  throw new ActionRefusal('SHARD_BUSY', `the shard of market ${market} takes no more work`);
}

/** The view for an operator. */
export function gatesView({ busyMarkets, switches }: GateRecords): object {
  return { switches, busyMarkets: [...busyMarkets] };
}

function closingOf({ switches }: GateRecords) {
  return closings.find(([name]) => switches[name]);
}
