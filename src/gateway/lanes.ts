/** The protocols by which clients reach a process, be it a gateway or one that only relays. */
import type { SessionDirectory } from '../fix/session-directory.ts';
import type { FixpDirectory } from '../fixp/fixp-directory.ts';
import { FixLane, type FixLaneParts } from './fix-lane.ts';
import { FixpLane } from './fixp-lane.ts';
import { PasswordChecks } from './password-checks.ts';

export interface Lanes {
  readonly fix: FixLane;
  readonly fixp: FixpLane;
}

export function openLanes(
  owner: { readonly directory: SessionDirectory; readonly fixpDirectory: FixpDirectory },
  shared: Omit<FixLaneParts, 'directory' | 'passwords'>,
): Lanes {
  const passwords = new PasswordChecks();
  return {
    fix: new FixLane({ ...shared, passwords, directory: owner.directory }),
    fixp: new FixpLane({ ...shared, passwords, directory: owner.fixpDirectory }),
  };
}
