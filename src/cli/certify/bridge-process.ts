/**
 * Starts, controls and stops the process of `bridge-child.ts`; it can be killed and restarted any number of
 * times.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { ownArguments } from '../../runtime/shipped.ts';

export type ChildAsk =
  | { readonly kind: 'reload' | 'cancel' }
  | { readonly kind: 'bust'; readonly execId: string }
  | {
      readonly kind: 'numbers';
      readonly session: string;
      readonly nextIn: number;
      readonly nextOut: number;
    };

/** Sent by a standby that waits for the running process to exit, by a process that listens, and after each command. */
export interface ChildReport {
  readonly fault?: string;
}

const maxComplaint = 4_000;
/** A start may take this long on a busy machine. */
const startWithinMs = 60_000;

export class BridgeProcess {
  readonly #configFile: string;
  #child: ChildProcess | undefined;
  #complaint = '';

  constructor(configFile: string) {
    this.#configFile = configFile;
  }

  get isRunning(): boolean {
    return this.#child !== undefined;
  }

  async start(): Promise<void> {
    const child = this.#begin(this.#configFile);
    await this.#ready(child);
    this.#own(child);
  }

  /** Kills the process; another one, which was its standby, continues with that configuration. */
  async failOver(configFile = this.#configFile): Promise<void> {
    const standby = this.#begin(configFile, 'standby');
    await this.#ready(standby);
    await this.end('SIGKILL');
    await this.#ready(standby);
    this.#own(standby);
  }

  /** Ends the process at once, or after the work in progress. */
  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const child = this.#child;
    if (child === undefined) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  }

  /** Commands are carried out one at a time. */
  async ask(asked: ChildAsk): Promise<void> {
    const child = this.#child;
    if (child === undefined) throw new Error('the bridge is not running');
    const reported = nextReport(child);
    child.send(asked);
    const report = await reported;
    if (report === undefined) throw new Error('the bridge has ended');
    if (report.fault !== undefined) throw new Error(report.fault);
  }

  #begin(...words: [configFile: string, ...manner: 'standby'[]]): ChildProcess {
    this.#complaint = '';
    const { PATH } = process.env;
    const [entry, ...given] = ownArguments('certify-bridge-child', ...words);
    const child = fork(entry, given, {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      env: { PATH },
      execArgv: [],
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#complaint = (this.#complaint + text).slice(-maxComplaint);
    });
    return child;
  }

  /** Waits until the process listens or stands by. */
  async #ready(child: ChildProcess): Promise<void> {
    const timer = setTimeout(() => {
      this.#complaint += `it sent nothing within ${startWithinMs / 1000} s`;
      child.kill('SIGKILL');
    }, startWithinMs);
    const report = await nextReport(child);
    clearTimeout(timer);
    if (report === undefined) throw new Error(`the bridge does not start: ${this.#complaint}`);
  }

  #own(child: ChildProcess): void {
    this.#child = child;
    child.once('exit', () => {
      this.#child = undefined;
    });
  }
}

/** Undefined if the process exits instead. */
function nextReport(child: ChildProcess): Promise<ChildReport | undefined> {
  return new Promise((resolve) => {
    const reported = (report?: ChildReport) => {
      child.off('message', reported).off('exit', ended);
      resolve(report);
    };
    const ended = () => reported();
    child.on('message', reported).on('exit', ended);
  });
}
