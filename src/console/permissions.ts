/** The one table of who may do what at the console. Everybody who is logged in may look at everything. */
import type { OperatorRole } from '../gateway/console-config.ts';
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

/** The gate: undefined if an operator with these roles may do it, otherwise why not. */
export function notPermitted(
  who: string,
  roles: readonly OperatorRole[],
  act: AskedAct['act'],
): string | undefined {
  const needed = permissions[act];
  return roles.includes(needed)
    ? undefined
    : `${who} may not ${words(act)}: this needs the role ${needed}`;
}

function words(act: string): string {
  return act.replaceAll('_', ' ');
}
