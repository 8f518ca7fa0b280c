/**
 * The switches that an operator of the venue has over all trading (contract A.2, A.17, G52, R82, R133). Placing is
 * refused exactly while readiness answers 503; cancels and other reducing actions pass all gates but recovery.
 */
export interface GateRefusal {
  readonly code: string;
  readonly text: string;
}

export interface GateSwitches {
  tradingHalted: boolean;
  /** Readiness off without any other reason. */
  placementOff: boolean;
  ledgerDegraded: boolean;
  /** The write runtime recovers: nothing is taken, cancels neither. */
  recovering: boolean;
  /** The ingress backlog is full: everything is sent away, for the moment. */
  backlogFull: boolean;
  venueKilled: boolean;
}

export interface GatesSnapshot {
  readonly switches: GateSwitches;
  readonly busyMarkets: readonly number[];
}

export const openSwitches: GateSwitches = {
  tradingHalted: false,
  placementOff: false,
  ledgerDegraded: false,
  recovering: false,
  backlogFull: false,
  venueKilled: false,
};

/** Switch → the reason that status and readiness give while it is on; the first that is on counts. */
const reasons: readonly (readonly [keyof GateSwitches, string])[] = [
  ['recovering', 'runtime_recovering'],
  ['ledgerDegraded', 'ledger_degraded'],
  ['tradingHalted', 'trading_halted'],
  ['venueKilled', 'kill_switch'],
  ['placementOff', 'placement_off'],
];

const refusals: Record<string, string> = {
  runtime_recovering: 'runtime_unavailable',
  ledger_degraded: 'runtime_unavailable',
  trading_halted: 'trading_halted',
  kill_switch: 'KILL_SWITCH',
  placement_off: 'runtime_unavailable',
};

export class Gates {
  readonly switches: GateSwitches = { ...openSwitches };
  /** Markets whose shard takes no more work. */
  readonly busyMarkets = new Set<number>();

  /** Null while placing is possible. */
  get placementReason(): string | null {
    return reasons.find(([name]) => this.switches[name])?.[1] ?? null;
  }

  /** What is refused before anything of the action is looked at. */
  ingress(): GateRefusal | undefined {
    if (this.switches.backlogFull) {
      return { code: 'backpressure', text: 'the ingress backlog is full' };
    }
    if (this.switches.recovering) {
      return { code: 'runtime_unavailable', text: 'the write runtime recovers' };
    }
    return undefined;
  }

  /** What is refused of an action that may add exposure. */
  placement(market: number | null): GateRefusal | undefined {
    const reason = this.placementReason;
    if (reason !== null) {
      return { code: refusals[reason] ?? 'runtime_unavailable', text: `placing is off: ${reason}` };
    }
    if (market !== null && this.busyMarkets.has(market)) {
      return { code: 'SHARD_BUSY', text: `the shard of market ${market} takes no more work` };
    }
    return undefined;
  }

  snapshot(): GatesSnapshot {
    return {
      switches: { ...this.switches },
      busyMarkets: [...this.busyMarkets],
    };
  }

  restore(snapshot: GatesSnapshot): void {
    Object.assign(this.switches, snapshot.switches);
    for (const market of snapshot.busyMarkets) this.busyMarkets.add(market);
  }
}
