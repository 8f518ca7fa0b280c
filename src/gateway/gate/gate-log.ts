/** Writes to the log when the venue or a market stops taking orders, and when it takes them again. */
import type { Clock } from '../../runtime/clock.ts';
import { FoldedAlarms } from '../../runtime/folded-alarm.ts';
import type { OperatorLines } from '../../runtime/operator-line.ts';
import type { GateChange, VenueState } from '../../venue/gate.ts';

type GateLogParts = OperatorLines & { readonly clock: Clock };

const closings: Readonly<Record<Exclude<VenueState, 'open'>, string>> = {
  halted: 'the venue has halted trading',
  ledger_degraded: "the venue's ledger is degraded",
  not_ready: 'the venue is not ready',
  unreachable: 'the venue is unreachable',
};

/** Changes of an account are alarms of their own, where they are made. */
export function gateLog({ alarm, clock, notice }: GateLogParts): (change: GateChange) => void {
  /** By the state of the venue, because a venue that is unwell opens and closes all the time. */
  const closed = new FoldedAlarms<VenueState>();
  return (change) => {
    if (change.kind === 'account') return;
    const { state } = change;
    if (change.kind === 'market') {
      const { market } = change;
      if (state === 'open') notice(`market ${market} trades again`, { event: 'market_resumed' });
      else notice(`market ${market} is ${state}`, { event: 'market_halted' });
    } else if (change.state === 'open') {
      notice('the venue accepts orders', { event: 'venue_open' });
    } else {
      const why = change.reason === '' ? '' : `: ${change.reason}`;
      const what = `no orders are placed: ${closings[change.state]}${why}`;
      const text = closed.add(change.state, what, clock.now().monoMs);
      if (text !== undefined) alarm(text, { event: 'venue_closed', code: change.state });
    }
  };
}
