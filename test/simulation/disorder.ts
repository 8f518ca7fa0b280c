/** What goes wrong in a round around the bridge: on the road to the venue, on its stream, and on the disk. */
import { faultRuleSchema } from '../../src/sandbox/faults.ts';
import type { Habit } from './cast.ts';
import type { Dice } from './dice.ts';
import { noFaults, type SimulatedVenue } from './simulated-venue.ts';
import type { WholeBridge } from './whole-bridge.ts';

export interface DisorderParts {
  readonly venue: SimulatedVenue;
  readonly dice: Dice;
  /** For what the venue itself does. */
  readonly atVenue: Dice;
  readonly habits: ReadonlySet<Habit>;
  readonly disk: WholeBridge['disk'];
}

export function disorder({ atVenue, dice, disk, habits, venue }: DisorderParts): void {
  const { faults } = venue;
  Object.assign(faults, noFaults);
  disk.syncMs = habits.has('disk') ? () => syncMs(dice) : undefined;
  if (habits.has('answers')) answerBadly(venue, atVenue);
  if (habits.has('pace') && atVenue.hits(500)) slowDown(venue, atVenue);
  const kind = dice.below(4);
  if (kind === 0) return;
  const odds = () => (dice.hits(500) ? 0 : dice.below(kind * 40));
  Object.assign(faults, {
    ...(habits.has('road') && {
      ...{
        unsent: odds(),
        lost: odds(),
        unanswered: odds(),
        hanging: odds(),
        slow: odds(),
        swapped: odds(),
        reads: odds(),
      },
      oneWayMs: dice.pick([4, 30, 400]),
    }),
    ...(habits.has('late') && { late: odds() }),
  });
  // What the answer to another request has ended comes back with its event (decision 0255), so that must be there.
  if (habits.has('forgets')) faults.swapped = 0;
  if (!habits.has('streams')) return;
  for (const frame of ['frame_drop', 'frame_double', 'frame_reorder'] as const) {
    if (!dice.hits(400)) continue;
    const perMille = 1 + dice.below(80);
    venue.state.faults.arm(faultRuleSchema.parse({ kind: frame, perMille, times: null }));
  }
}

/** Most syncs take a millisecond or so, and some very long. */
function syncMs(dice: Dice): number {
  return dice.hits(20) ? dice.below(300) : dice.below(5);
}

const bad = [
  ...['fail_before', 'fail_after', 'drop', 'edge_limit'],
  ...['refuse', 'durable_timeout', 'hold_fail'],
];
/** What the venue says of one copy only. */
const passing = [
  'backpressure',
  'rate_limited',
  'runtime_unavailable',
  'SHARD_BUSY',
  'QUEUE_LIMIT',
];

function answerBadly({ state }: SimulatedVenue, dice: Dice): void {
  for (const kind of bad) {
    if (!dice.hits(300)) continue;
    const rule = {
      ...{ kind, perMille: 1 + dice.below(60), times: null, code: dice.pick(passing) },
      path: dice.pick(['', '/trading/actions', '/order-entry/']),
      status: dice.pick([409, 500, 502, 503, 504]),
      ...{ delayMs: dice.below(240_000), claimsNonce: dice.hits(500) },
    };
    state.faults.arm(faultRuleSchema.parse(rule));
  }
}

function slowDown({ state }: SimulatedVenue, dice: Dice): void {
  state.setLimits({
    actionsPerSecond: dice.pick([5, 20, 100]),
    burst: dice.pick([5, 30, 200]),
    edgeRequestsPerSecond: dice.pick([20, 100]),
  });
}
