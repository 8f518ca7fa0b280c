/** A server in a process of its own, which prints its port when it listens. For checks that kill it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

/** Each child is added to `started`, so that whoever fails can end them all. */
export async function startServer(
  command: readonly string[],
  started: ChildProcess[],
): Promise<{ child: ChildProcess; port: number }> {
  const child = spawn(process.execPath, command, { stdio: ['pipe', 'pipe', 'inherit'] });
  started.push(child);
  const [said] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, port: Number(said) };
}
