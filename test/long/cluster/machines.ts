/** Processes in groups of their own, so that all of one machine can be killed or stopped at once, and what they have said. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isSoon } from './lane.ts';

const root = join(import.meta.dirname, '../../..');
/** What users run: an installed program is compiled, and starts in half the time. */
const main = join(root, 'dist/main.js');
/** Of whatever a process is waited for; a busy machine takes its time. */
const startMs = 240_000;

let isCompiled = false;

/** Before the first machine. */
export function compileProgram(): void {
  if (isCompiled) return;
  isCompiled = true;
  execFileSync(join(root, 'node_modules/.bin/tsc'), { cwd: root, stdio: 'inherit' });
}

export class Machine {
  readonly name: string;
  readonly logFile: string;
  readonly #args: readonly string[];
  #process: ChildProcess | undefined;
  /** Where the log of the present process begins. */
  #logFrom = 0;

  /** `args` are those of the program `causeway`. */
  constructor(name: string, directory: string, args: readonly string[]) {
    this.name = name;
    this.logFile = join(directory, `${name}.log`);
    this.#args = args;
  }

  get isRunning(): boolean {
    return this.#process?.exitCode === null && this.#process.signalCode === null;
  }

  start(): void {
    const log = openSync(this.logFile, 'a', 0o600);
    this.#logFrom = readFileSync(this.logFile).length;
    this.#process = spawn(process.execPath, [main, ...this.#args], {
      detached: true,
      stdio: ['ignore', log, log],
    });
    closeSync(log);
  }

  /** What the present process has said. */
  get said(): string {
    return readFileSync(this.logFile).subarray(this.#logFrom).toString();
  }

  /** All that its processes have said. */
  get log(): string {
    return readFileSync(this.logFile, 'utf8');
  }

  async says(pattern: RegExp): Promise<string> {
    let found: RegExpExecArray | null = null;
    const isSaid = () => {
      found = pattern.exec(this.said);
      return found !== null || !this.isRunning;
    };
    await isSoon(isSaid, startMs);
    if (found === null) throw new Error(`${this.name} did not say ${pattern}: ${this.said}`);
    return found[1] ?? found[0];
  }

  /** To all processes of the machine. */
  signal(name: NodeJS.Signals): void {
    signal(-this.#pid, name);
  }

  signalNode(name: NodeJS.Signals): void {
    signal(this.#pid, name);
  }

  /** To one of the node's workers, by a number from 0 to 1, and answers which. */
  signalWorker(name: NodeJS.Signals, which: number): number {
    const workers = childrenOf(this.#pid);
    const pid = workers[Math.floor(which * workers.length)] ?? 0;
    signal(pid, name);
    return pid;
  }

  /** To a process that was the machine's when its number was taken. */
  signalPid(pid: number, name: NodeJS.Signals): void {
    if (processGroupOf(pid) === this.#pid) signal(pid, name);
  }

  /** Processor time so far, in microseconds: of the node process, and of its workers together. */
  get cpuUs(): { readonly node: number; readonly workers: number } {
    const workers = childrenOf(this.#pid).reduce((sum, pid) => sum + cpuUsOf(pid), 0);
    return { node: cpuUsOf(this.#pid), workers };
  }

  /** Asks the node as an operator does. */
  async drain(): Promise<void> {
    const [verb = '', ...options] = this.#args;
    const asked = spawn(process.execPath, [main, verb, 'drain', ...options], { stdio: 'ignore' });
    await once(asked, 'exit');
  }

  async ended(): Promise<void> {
    if (!(await isSoon(() => !this.isRunning, startMs))) throw new Error(`${this.name} still runs`);
  }

  get #pid(): number {
    return this.#process?.pid ?? 0;
  }

  async kill(): Promise<void> {
    if (this.#process === undefined || !this.isRunning) return;
    const ended = once(this.#process, 'exit');
    this.signal('SIGKILL');
    await ended;
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  // 0 and 1 would be other processes than those meant.
  if (Math.abs(pid) <= 1) return;
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function childrenOf(pid: number): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(statusOf(name)[1]) === pid)
    .map(Number);
}

/** The kernel counts in hundredths of a second. */
function cpuUsOf(pid: number): number {
  const status = statusOf(String(pid));
  return (Number(status[11]) + Number(status[12])) * 10_000;
}

function processGroupOf(pid: number): number {
  return Number(statusOf(String(pid))[2]);
}

/** Of /proc/PID/stat, what follows the name: state, parent, process group. */
function statusOf(pid: string): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  } catch {
    // It has ended meanwhile.
    return [];
  }
}
