/** Begins, asks and ends the process of `certify-bridge-child.ts`; it may be killed and begun again as often as one likes. */
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
  /** Why it was not done. */
  readonly fault?: string;
}

/** Sent once, when it listens. */
export interface ChildReady {
  readonly port: number;
  readonly fixpPort: number;
}

/** Sent once by a standby, when it waits for the end of the running process. */
export interface ChildStandsBy {
  readonly standsBy: true;
}

const mostComplaint = 4_000;
/** On a machine that is busy with other work. */
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

  /** It is killed, and another process, which stood by for it, continues with that configuration. */
  async failOver(configFile = this.#configFile): Promise<void> {
    const standby = this.#begin(configFile, 'standby');
    await this.#nextFrom<ChildStandsBy>(standby);
    await this.end('SIGKILL');
    await this.#nextFrom<ChildReady>(standby);
    this.#own(standby);
  }

  /** Its error output when it does not start; undefined where it does. */
  async startInVain(): Promise<string | undefined> {
    try {
      await this.start();
      return undefined;
    } catch {
      return this.#complaint;
    }
  }

  /** At once, or after what is under way. */
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
      this.#complaint = (this.#complaint + text).slice(-mostComplaint);
    });
    return child;
  }

  /** Its next message, before it is asked anything. */
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
