/**
 * A copy of this machine under a systemd of its own, without a network and without an entry in the machine's own systemd.
 * It ends with the process that started it, and its mounts with it.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { overlayOf } from './built-packages.ts';

export interface BootedMachine {
  /** The output of a command, or an error with what it wrote. */
  run(...words: readonly string[]): string;
  /** The exit code and the output of a command that may fail. */
  tried(
    words: readonly string[],
    input?: string,
  ): { readonly code: number | null; readonly text: string };
  /** The words before those of a command that is started in it. */
  readonly enter: readonly string[];
  /** The path by which the tests reach a file of it. */
  at(path: string): string;
  /** One property of a unit. */
  unit(name: string, property: string): string;
  stop(): Promise<void>;
}

/** `place` is an empty folder, `packageFile` is put into /opt/package. */
export async function bootMachine(place: string, packageFile: string): Promise<BootedMachine> {
  const nspawn = `systemd-nspawn --quiet --directory=${place}/root --boot --register=no --keep-unit
    --private-network --link-journal=no --machine=causeway-test systemd.unit=basic.target`;
  const script = `${overlayOf(place, packageFile)} exec ${nspawn.replace(/\s+/g, ' ')}`;
  const words = [
    '--mount',
    '--propagation',
    'private',
    'setpriv',
    '--pdeathsig',
    'KILL',
    'sh',
    '-c',
  ];
  const holder = spawn('unshare', [...words, script], { stdio: ['ignore', 'pipe', 'pipe'] });
  let boot = '';
  const reached = new Promise<void>((resolve, reject) => {
    for (const output of [holder.stdout, holder.stderr]) {
      output.setEncoding('utf8').on('data', (text: string) => {
        boot += text;
        if (/Reached target .*basic\.target/.test(boot)) resolve();
      });
    }
    holder.once('exit', (code) => reject(new Error(`the machine ended with ${code}: ${boot}`)));
  });
  await reached;
  const leader = readFileSync(`/proc/${holder.pid}/task/${holder.pid}/children`, 'utf8').trim();
  const enter = ['nsenter', '--target', leader, '--all', '--'];
  const run = (...command: readonly string[]) =>
    execFileSync('nsenter', [...enter.slice(1), ...command], { encoding: 'utf8', stdio: 'pipe' });
  return {
    run,
    tried(command, input) {
      const [file = '', ...args] = [...enter, ...command];
      const { status, stderr, stdout } = spawnSync(file, args, { encoding: 'utf8', input });
      return { code: status, text: `${stdout}${stderr}` };
    },
    enter,
    at: (path) => join(`/proc/${leader}/root`, path),
    unit: (name, property) => run('systemctl', 'show', '--value', '-p', property, name).trim(),
    async stop() {
      if (holder.exitCode !== null || holder.signalCode !== null) return;
      const exited = once(holder, 'exit');
      // The machine does not end with its holder, but the holder with the machine.
      process.kill(Number(leader), 'SIGKILL');
      await exited;
    },
  };
}
