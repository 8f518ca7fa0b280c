/** `causeway run` in a process of its own, known by what it says, as an operator knows it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { within } from './waits.ts';

const main = join(import.meta.dirname, '../../src/main.ts');
/** Of all that is waited for; a process takes its time to start where others are at work. */
const patienceMs = 40_000;

const inspectable = 'NODE_OPTIONS=--inspect-port=0';

export class RunProcess {
  readonly #child: ChildProcess;
  readonly #exited: Promise<unknown>;
  /** All it says, its log and its last words. */
  said = '';
  #wake = () => {};

  /** With at most so many descriptors, and with an inspector, once it is signaled, at a port that is free. */
  static within(descriptors: number, configFile: string): RunProcess {
    return new RunProcess(
      configFile,
      [],
      ['bash', '-c', `ulimit -n ${descriptors}; ${inspectable} exec "$@"`, '-'],
    );
  }

  constructor(
    configFile: string,
    options: readonly string[] = [],
    before: readonly string[] = [],
    verb: 'run' | 'node' | 'signer' = 'run',
    entry = main,
    env: NodeJS.ProcessEnv = process.env,
  ) {
    const words = [...before, process.execPath, entry, verb, '--config', configFile, ...options];
    const [program = '', ...args] = words;
    const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    this.#child = child;
    this.#exited = once(child, 'close').then(() => this.#wake());
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        this.said += text;
        this.#wake();
      });
    }
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** What the first group of the pattern finds, once it is said. */
  async says(pattern: RegExp): Promise<string> {
    const endMs = Date.now() + patienceMs;
    for (;;) {
      const found = pattern.exec(this.said);
      if (found !== null) return found[1] ?? found[0];
      const hasEnded = this.#child.exitCode !== null || this.#child.signalCode !== null;
      if (hasEnded || Date.now() >= endMs) throw new Error(`not ${pattern}, but: ${this.said}`);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, endMs - Date.now());
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  /** Once it listens for FIX. */
  async port(): Promise<number> {
    return Number(await this.says(/FIX 4\.4 on port (\d+)/));
  }

  async fixpPort(): Promise<number> {
    return Number(await this.says(/FIXP on port (\d+)/));
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Its exit code; null where a signal ended it. */
  async ended(): Promise<number | null> {
    await within(`process ${this.pid} has ended; it said: ${this.said}`, this.#exited);
    return this.#child.exitCode;
  }

  /** Gone, whatever it was doing. */
  async kill(): Promise<void> {
    this.signal('SIGKILL');
    await within(`process ${this.pid} is gone`, this.#exited);
  }
}
