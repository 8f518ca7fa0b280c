/**
 * Determines how many connections each port may have, so that a process never runs out of descriptors. The process
 * reserves those that it needs itself (files, threads, the venue), and the ports share the rest. A stranger who only
 * opens connections therefore cannot use up a descriptor that a record, a signature or an order needs
 * (docs/decisions/0220-logons-and-passwords.md).
 */
import { openFilesLimit } from '../../runtime/open-files.ts';
import type { Profile } from '../../venue/profile.ts';
import { ConfigError, type LoadedConfig } from './config-file.ts';

export type Door = 'fix' | 'fixp' | 'console';

export interface DescriptorPlan {
  readonly connections: Readonly<Record<Door, number>>;
  /** A note for the operator if the limit allows fewer connections than configured. */
  readonly shortage: string | undefined;
}

/** Files, pipes and threads of a trading process, plus half as many in reserve. */
const own = 96;
/** Descriptors of an account in addition to its connections for sends and for reads: its stream and books. */
const perAccount = 8;
/** Connections that a port must allow beyond its sessions, so that new clients can log on. */
const spare = 16;
export const consoleConnections = 256;
const leastConsole = 48;

export function planDescriptors(
  { config }: Pick<LoadedConfig, 'config'>,
  { http }: Pick<Profile, 'http'>,
  limit = openFilesLimit(),
): DescriptorPlan {
  const { accounts, console, fix, fixp, sessions } = config;
  const ofLane = (lane: string) =>
    sessions.filter(({ connect, protocol }) => protocol === lane && connect === undefined).length;
  const wanted = {
    fix: fix.maxConnections,
    fixp: fixp?.maxConnections ?? 0,
    console: console === undefined ? 0 : consoleConnections,
  };
  const least = {
    fix: Math.min(wanted.fix, ofLane('fix') + spare),
    fixp: Math.min(wanted.fixp, ofLane('fixp') + spare),
    console: Math.min(wanted.console, leastConsole),
  };
  const connectingOut = sessions.filter(({ connect }) => connect !== undefined).length;
  const needed = own + connectingOut + accounts.length * (2 * http.connections + perAccount);
  const all = needed + sum(wanted);
  if (all <= limit) return { connections: wanted, shortage: undefined };
  const room = limit - needed - sum(least);
  if (room < 0) {
    throw new ConfigError(
      `the system lets this process have ${limit} descriptors (ulimit -n), and this configuration needs ${needed + sum(least)} at least and ${all} for all of its connections; raise the limit, with systemd by LimitNOFILE`,
    );
  }
  const share = (door: Door) =>
    least[door] + Math.floor((room * (wanted[door] - least[door])) / (sum(wanted) - sum(least)));
  const connections = { fix: share('fix'), fixp: share('fixp'), console: share('console') };
  const cuts = (['fix', 'fixp', 'console'] as const)
    .filter((door) => connections[door] < wanted[door])
    .map((door) => `${door} ${connections[door]} instead of ${wanted[door]}`);
  const shortage = `the system lets this process have ${limit} descriptors (ulimit -n), so its doors take fewer connections: ${cuts.join(', ')}; ${all} descriptors would be enough for all`;
  return { connections, shortage };
}

function sum(counts: Readonly<Record<Door, number>>): number {
  return counts.fix + counts.fixp + counts.console;
}
