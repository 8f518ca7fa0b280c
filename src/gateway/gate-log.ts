/** Writes to the log when the venue or a market stops taking orders, and when it takes them again. */
import type { Clock } from '../runtime/clock.ts';
import { FoldedAlarms } from '../runtime/folded-alarm.ts';
import type { OperatorLines } from '../runtime/operator-line.ts';
import type { GateChange, VenueState } from '../venue/gate.ts';

type GateLogParts = OperatorLines & { readonly clock: Clock };

const closings: Readonly<Record<Exclude<VenueState, 'open'>, string>> = {
  halted: 'the venue has halted trading',
  ledger_degraded: "the venue's ledger is degraded",
  not_ready: 'the venue is not ready',
  unreachable: 'the venue is unreachable',
};

export class GateLog {
  readonly #parts: GateLogParts;
  /** By the state of the venue, because a venue that is unwell opens and closes all the time. */
  readonly #closings = new FoldedAlarms<VenueState>();

  constructor(parts: GateLogParts) {
    this.#parts = parts;
  }

  /** Changes of an account are alarms of their own, where they are made. */
  changed(change: GateChange): void {
    const { notice } = this.#parts;
    if (change.kind === 'venue') this.#venue(change.state, change.reason);
    else if (change.kind === 'market') {
      const { market, state } = change;
      if (state === 'open') notice(`market ${market} trades again`, { event: 'market_resumed' });
      else notice(`market ${market} is ${state}`, { event: 'market_halted' });
    }
  }

  #venue(state: VenueState, reason: string): void {
    const { alarm, clock, notice } = this.#parts;
    if (state === 'open') {
      notice('the venue accepts orders', { event: 'venue_open' });
      return;
    }
    const why = reason === '' ? '' : `: ${reason}`;
    const what = `no orders are placed: ${closings[state]}${why}`;
    const text = this.#closings.add(state, what, clock.now().monoMs);
    if (text !== undefined) alarm(text, { event: 'venue_closed', code: state });
  }
}
