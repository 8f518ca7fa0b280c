/**
 * Starts, controls and stops the process of `certify-bridge-child.ts`; it can be killed and restarted any number of
 * times.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { ownArguments } from '../runtime/shipped.ts';

export type ChildAsk = { readonly id: number } & Asked;
type Asked =
  | { readonly kind: 'reload' | 'cancel' }
  | {
      readonly kind: 'numbers';
      readonly session: string;
      readonly nextIn: number;
      readonly nextOut: number;
    };

export interface ChildAnswer {
  readonly id: number;
  /** Why the command failed. */
  readonly fault?: string;
}

/** Sent once, when the process listens. */
export interface ChildReady {
  readonly port: number;
  readonly fixpPort: number;
}

/** Sent once by a standby, when it waits for the running process to exit. */
export interface ChildStandby {
  readonly standsBy: true;
}

const maxComplaint = 4_000;
/** A start may take this long on a busy machine. */
const startWithinMs = 60_000;

export class BridgeProcess {
  readonly #configFile: string;
  #child: ChildProcess | undefined;
  #asks = 0;
  #complaint = '';

  constructor(configFile: string) {
    this.#configFile = configFile;
  }

  get isRunning(): boolean {
    return this.#child !== undefined;
  }

  async start(): Promise<ChildReady> {
    const child = this.#begin(this.#configFile);
    const ready = await this.#nextFrom<ChildReady>(child);
    this.#own(child);
    return ready;
  }

  /** Kills the process; another one, which was its standby, continues with that configuration. */
  async failOver(configFile = this.#configFile): Promise<void> {
    const standby = this.#begin(configFile, 'standby');
    await this.#nextFrom<ChildStandby>(standby);
    await this.end('SIGKILL');
    await this.#nextFrom<ChildReady>(standby);
    this.#own(standby);
  }

  /** Returns the error output of a failed start; undefined if the start succeeds. */
  async startInVain(): Promise<string | undefined> {
    try {
      await this.start();
      return undefined;
    } catch {
      return this.#complaint;
    }
  }

  /** Ends the process at once, or after the work in progress. */
  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const child = this.#child;
    if (child === undefined) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  }

  async ask(asked: Asked): Promise<void> {
    const child = this.#child;
    if (child === undefined) throw new Error('the bridge is not running');
    this.#asks += 1;
    const id = this.#asks;
    const answer = await new Promise<ChildAnswer>((resolve, reject) => {
      const done = (received: ChildAnswer) => {
        if (received.id !== id) return;
        child.off('message', done);
        child.off('exit', died);
        resolve(received);
      };
      const died = () => reject(new Error('the bridge has ended'));
      child.on('message', done);
      child.once('exit', died);
      child.send({ ...asked, id } satisfies ChildAsk);
    });
    if (answer.fault !== undefined) throw new Error(answer.fault);
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

  /** Waits for the next message of the process, before any command is sent. */
  async #nextFrom<Message>(child: ChildProcess): Promise<Message> {
    const timer = setTimeout(() => {
      this.#complaint += `it sent nothing within ${startWithinMs / 1000} s`;
      child.kill('SIGKILL');
    }, startWithinMs);
    const message = once(child, 'message') as Promise<[Message]>;
    const gone = once(child, 'exit').then((): [] => []);
    const [received] = await Promise.race([message, gone]);
    clearTimeout(timer);
    if (received === undefined) throw new Error(`the bridge does not start: ${this.#complaint}`);
    return received;
  }

  #own(child: ChildProcess): void {
    this.#child = child;
    child.once('exit', () => {
      this.#child = undefined;
    });
  }
}
