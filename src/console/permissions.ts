/** The permissions at the console, from the table of the actions. Every logged-in user may view everything. */
import type { OperatorRole } from '../gateway/config/console-config.ts';
import { type AskedAct, actsByRole } from './act-shape.ts';

const roles = Object.keys(actsByRole) as (keyof typeof actsByRole)[];
const pairs = roles.flatMap((role) =>
  actsByRole[role].flatMap(({ shape }) => [...shape.act.values].map((act) => [act, role])),
);
export const permissions: Readonly<Record<AskedAct['act'], OperatorRole>> =
  Object.fromEntries(pairs);

/** Returns why an operator with these roles may not do it; undefined if it is permitted. */
export function notPermitted(
  who: string,
  roles: readonly OperatorRole[],
  act: AskedAct['act'],
): string | undefined {
  const needed = permissions[act];
  return roles.includes(needed)
    ? undefined
    : `${who} may not ${act.replaceAll('_', ' ')}: this needs the role ${needed}`;
}
