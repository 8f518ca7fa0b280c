/**
 * How fast a server of the session benches is: it prints its port, and a client of a program of its own loads it.
 * Server and client have a core each.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Load {
  readonly sessions: number;
  readonly inFlight: number;
  readonly total: number;
}

export interface Measured {
  readonly perSecond: number;
  readonly cpuUs: number;
  readonly p50Us: number;
}

/** The command that starts it. */
export type Server = readonly string[];

const rounds = 4;
const hasTaskset = spawnSync('taskset', ['--version']).status === 0;

/** The best of some rounds, so that a noisy neighbour counts less; the first one warms up. */
export async function measure(
  server: Server,
  { sessions, inFlight, total }: Load,
  client = join(import.meta.dirname, 'load.ts'),
): Promise<Measured> {
  const child = spawn(...onCore(0, server), { stdio: ['pipe', 'pipe', 'inherit'] });
  const [said] = (await once(child.stdout, 'data')) as [Buffer];
  const port = said.toString().trim();
  const command = [process.execPath, client, ...[port, sessions, inFlight, total].map(String)];
  let best: Measured = { perSecond: 0, cpuUs: Infinity, p50Us: Infinity };
  for (let round = 0; round < rounds; round += 1) {
    const cpuMs = cpuMsOf(child.pid);
    const { tookNs, p50Us } = JSON.parse(execFileSync(...onCore(1, command)).toString());
    const cpuUs = ((cpuMsOf(child.pid) - cpuMs) * 1000) / total;
    if (round > 0)
      best = {
        perSecond: Math.max(best.perSecond, (total * 1e9) / tookNs),
        cpuUs: Math.min(best.cpuUs, cpuUs),
        p50Us: Math.min(best.p50Us, p50Us),
      };
  }
  child.stdin.end();
  await once(child, 'exit');
  return best;
}

function onCore(core: number, command: Server): [string, string[]] {
  const [program = '', ...words] = hasTaskset
    ? ['taskset', '-c', String(core), ...command]
    : command;
  return [program, words];
}

/** User and system time of all threads; the kernel counts in hundredths of a second. */
function cpuMsOf(pid: number | undefined): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return 10 * (Number(fields[11]) + Number(fields[12]));
}
