/** What an operator changes in the configuration of a running bridge, at random: sessions, and which readers there are. */
import type { SessionPlan } from './cast.ts';
import type { Dice } from './dice.ts';
import { instruments } from './random-commands.ts';
import type { WholeBridge } from './whole-bridge.ts';

/** Another rate ends the connection of its session, the other changes do not. */
const otherRate = { rates: { maxRefusals: 19 } };

/** One change; returns a line that tells it. */
export function editFile(
  dice: Dice,
  edits: WholeBridge['edits'],
  plans: readonly SessionPlan[],
): string {
  const plan = dice.pick(plans);
  const { compId, role } = plan;
  const others = plans.filter((one) => one.role === 'drop-copy' && one !== plan);
  // An account without readers is not copied at all.
  const isLast = others.every((other) => edits.get(other.compId) === null);
  const edit =
    role === 'drop-copy'
      ? dice.pick([undefined, otherRate, isLast ? otherRate : null])
      : sessionEdit(dice, plan);
  if (edit === undefined) edits.delete(compId);
  else edits.set(compId, edit);
  return `the file has ${compId}: ${JSON.stringify(edit)}`;
}

function sessionEdit(dice: Dice, { accounts, limits }: SessionPlan): object | undefined {
  const { maxOpenOrders } = limits as { readonly maxOpenOrders: number };
  const [market] = dice.pick(instruments).symbol.split(':');
  return dice.pick([
    undefined,
    otherRate,
    { actions: [dice.pick(['order', 'quote', 'algo', 'conditional'])] },
    { limits: { ...limits, maxOpenOrders: Math.ceil(maxOpenOrders / 3) } },
    { markets: [market] },
    { accounts: accounts.slice(0, 1) },
  ]);
}
