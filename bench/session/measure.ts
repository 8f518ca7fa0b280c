/**
 * How fast the servers of the session benches are: each prints its port, and a client of a program of its own loads it.
 * Servers and clients have a core each. Servers that are compared take turns, so that a noisy neighbour is heard by all.
 */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { median } from '../median.ts';

export interface Load {
  readonly sessions: number;
  readonly inFlight: number;
  /** Messages in all. */
  readonly total: number;
}

export interface Measured {
  readonly perSecond: number;
  readonly cpuUs: number;
  readonly p50Us: number;
}

/** A server that listens. */
interface Listening {
  readonly child: ChildProcess;
  readonly port: string;
}

const rounds = 5;
const hasTaskset = spawnSync('taskset', ['--version']).status === 0;

/**
 * The medians of some rounds, in which the servers take turns under the same load; a round before them warms up.
 */
export async function measure(
  load: Load,
  servers: readonly (readonly [command: readonly string[], client: readonly string[]])[],
): Promise<Measured[]> {
  const all: [Listening, readonly string[], Measured[]][] = [];
  for (const [command, client] of servers) all.push([await listening(command), client, []]);
  for (let round = 0; round <= rounds; round += 1)
    for (const [server, client, results] of all) {
      const result = loaded(server, client, load);
      if (round > 0) results.push(result);
    }
  for (const [server] of all) await stop(server);
  return all.map(([, , results]) => ({
    perSecond: median(results.map((result) => result.perSecond)),
    cpuUs: median(results.map((result) => result.cpuUs)),
    p50Us: median(results.map((result) => result.p50Us)),
  }));
}

/** Starts the command of a server. */
async function listening(command: readonly string[]): Promise<Listening> {
  const child = spawn(...onCore(0, command), { stdio: ['pipe', 'pipe', 'inherit'] });
  const [printed] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, port: printed.toString().trim() };
}

async function stop({ child }: Listening): Promise<void> {
  child.stdin?.end();
  await once(child, 'exit');
}

/** Runs a client, whose command is followed by port, sessions, messages in flight a session and messages in all. */
function loaded(server: Listening, client: readonly string[], load: Load): Measured {
  const { sessions, inFlight, total } = load;
  const words = [server.port, sessions, inFlight, total].map(String);
  const cpuNs = cpuNsOf(server);
  const output = execFileSync(...onCore(1, [...client, ...words])).toString();
  const cpuUs = (cpuNsOf(server) - cpuNs) / 1_000 / total;
  const { tookNs, p50Us } = JSON.parse(output);
  return { perSecond: (total * 1e9) / tookNs, cpuUs, p50Us };
}

function onCore(core: number, command: readonly string[]): [string, string[]] {
  const [program = '', ...words] = hasTaskset
    ? ['taskset', '-c', String(core), ...command]
    : command;
  return [program, words];
}

/** How long all threads of the process have run. */
function cpuNsOf({ child }: Listening): number {
  const threads = `/proc/${child.pid}/task`;
  return readdirSync(threads)
    .map((thread) => Number(readFileSync(join(threads, thread, 'schedstat'), 'utf8').split(' ')[0]))
    .reduce((sum, ns) => sum + ns, 0);
}
