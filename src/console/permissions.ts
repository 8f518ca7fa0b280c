/** The permissions at the console, as a single table. Every logged-in user may view everything. */
import type { OperatorRole } from '../gateway/config/console-config.ts';
import type { AskedAct } from './act-shape.ts';

export const permissions: Readonly<Record<AskedAct['act'], OperatorRole>> = {
  acknowledge: 'operate',
  assign: 'operate',
  start: 'operate',
  stop: 'operate',
  logout: 'operate',
  test_request: 'operate',
  reset: 'operate',
  set_numbers: 'operate',
  cancel: 'operate',
  mass_cancel: 'operate',
  bust: 'operate',
  correct: 'operate',
  kill: 'operate',
  release: 'operate',
  reopen: 'operate',
  certify: 'operate',
  certify_stop: 'operate',
  set_limits: 'administer',
  reset_limits: 'administer',
  approve: 'approve',
  decline: 'approve',
};

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
