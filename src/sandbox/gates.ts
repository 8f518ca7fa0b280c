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

export interface GateRecords {
  readonly switches: GateSwitches;
  /** Markets whose shard accepts no further work. */
  readonly busyMarkets: Set<number>;
}

export const openGates = (): GateRecords => ({
  switches: { ...openSwitches },
  busyMarkets: new Set(),
});

/** The switch, the reason in status and readiness, and the code that refuses placements. The first active counts. */
const closings: readonly (readonly [keyof GateSwitches, reason: string, code: string])[] = [
  ['recovering', 'runtime_recovering', 'runtime_unavailable'],
  ['ledgerDegraded', 'ledger_degraded', 'runtime_unavailable'],
  ['tradingHalted', 'trading_halted', 'trading_halted'],
  ['venueKilled', 'kill_switch', 'KILL_SWITCH'],
  ['placementOff', 'placement_off', 'runtime_unavailable'],
];

export class Gates {
  readonly switches: GateSwitches;
  readonly busyMarkets: Set<number>;

  constructor({ busyMarkets, switches }: GateRecords) {
    this.switches = switches;
    this.busyMarkets = busyMarkets;
  }

  /** Null while placements are possible. */
  get placementReason(): string | null {
    return this.#closing?.[1] ?? null;
  }

  /** The refusal before the action is parsed, if any. */
  ingress(): GateRefusal | undefined {
    if (this.switches.backlogFull) {
      return { code: 'backpressure', text: 'the ingress backlog is full' };
    }
    if (this.switches.recovering) {
      return { code: 'runtime_unavailable', text: 'the write runtime recovers' };
    }
    return undefined;
  }

  /** The refusal of an action that may add exposure, if any. */
  placement(market: number | null): GateRefusal | undefined {
    if (this.#closing !== undefined) {
      const [, reason, code] = this.#closing;
      return { code, text: `placing is off: ${reason}` };
    }
    if (market !== null && this.busyMarkets.has(market)) {
      return { code: 'SHARD_BUSY', text: `the shard of market ${market} takes no more work` };
    }
    return undefined;
  }

  /** The view for an operator. */
  view(): object {
    return { switches: this.switches, busyMarkets: [...this.busyMarkets] };
  }

  get #closing() {
    return closings.find(([name]) => this.switches[name]);
  }
}
