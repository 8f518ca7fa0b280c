/**
 * The switches of the venue's operator over all trading (contract A.2, A.17, G52, R82, R133). Placements are refused
 * exactly while readiness returns 503; cancels and other reducing actions pass all gates except recovery.
 */
export interface GateRefusal {
  readonly code: string;
  readonly text: string;
}

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

/** The refusal before the action is parsed, if any. */
export function ingressRefusal({ switches }: GateRecords): GateRefusal | undefined {
  if (switches.backlogFull) return { code: 'backpressure', text: 'the ingress backlog is full' };
  if (!switches.recovering) return undefined;
  return { code: 'runtime_unavailable', text: 'the write runtime recovers' };
}

/** The refusal of an action that may add exposure, if any. */
export function placementRefusal(
  gates: GateRecords,
  market: number | null,
): GateRefusal | undefined {
  const closing = closingOf(gates);
  if (closing !== undefined) {
    const [, reason, code] = closing;
    return { code, text: `placing is off: ${reason}` };
  }
  if (market === null || !gates.busyMarkets.has(market)) return undefined;
  return { code: 'SHARD_BUSY', text: `the shard of market ${market} takes no more work` };
}

/** The view for an operator. */
export function gatesView({ busyMarkets, switches }: GateRecords): object {
  return { switches, busyMarkets: [...busyMarkets] };
}

function closingOf({ switches }: GateRecords) {
  return closings.find(([name]) => switches[name]);
}
