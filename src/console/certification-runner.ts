/**
 * Certifications that an operator starts from the console. Each runs `causeway certify run` in a separate process, so
 * that an uncertified counterparty never reaches the trading process (docs/decisions/0170-certification.md).
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { ActRefused } from '../gateway/operator/operator.ts';
import type { Clock } from '../runtime/clock.ts';
import { ownArguments } from '../runtime/shipped.ts';
import { type CertificationRun, certificationRuns, foldersIn } from './certification-runs.ts';
import { lineSplitter } from './line-splitter.ts';
import { afterLine, begun, ended, type RunState } from './run-progress.ts';

export interface CertificationRunnerOptions {
  /** The folder with a subfolder for each counterparty, which contains its interview and the results of its runs. */
  readonly directory: string;
  /** The key that signs the evidence. */
  readonly keyFile?: string | undefined;
  readonly clock: Clock;
}

interface Run {
  readonly child: ChildProcess;
  state: RunState;
}

export const interviewFile = 'interview.yaml';
const maxRuns = 4;
const endWithinMs = 5_000;
const keptComplaint = 2_000;

export class CertificationRunner {
  readonly #options: CertificationRunnerOptions;
  readonly #listRuns: () => readonly CertificationRun[];
  /** By folder: the runs in progress, and the result of the last one. */
  readonly #runs = new Map<string, Run>();
  #changes = 0;

  constructor(options: CertificationRunnerOptions) {
    this.#options = options;
    mkdirSync(options.directory, { recursive: true });
    this.#listRuns = certificationRuns(options.directory);
  }

  get directory(): string {
    return this.#options.directory;
  }

  /** Increases with every event. */
  get mark(): number {
    return this.#changes;
  }

  /** The folders with an interview, for which a run can be started. */
  get folders(): readonly string[] {
    const { directory } = this.#options;
    return foldersIn(directory).filter((name) => existsSync(join(directory, name, interviewFile)));
  }

  /** All runs so far, from here or from the command line. */
  get runs(): readonly CertificationRun[] {
    return this.#listRuns();
  }

  get states(): readonly RunState[] {
    return [...this.#runs.values()].map(({ state }) => state);
  }

  get #running(): readonly Run[] {
    return [...this.#runs.values()].filter(({ state }) => state.isRunning);
  }

  /** The HTML report of the folder's last run, if there is one. */
  report(folder: string): Buffer | undefined {
    if (!foldersIn(this.#options.directory).includes(folder)) return undefined;
    try {
      return readFileSync(join(this.#options.directory, folder, 'report.html'));
    } catch {
      return undefined;
    }
  }

  /** Plays everything that the interview selects, or only these scenarios. */
  start(folder: string, only: readonly string[]): void {
    if (!this.folders.includes(folder)) {
      throw new ActRefused(`there is no ${interviewFile} in the folder ${folder}`);
    }
    const running = this.#running;
    if (running.some(({ state }) => state.folder === folder)) {
      throw new ActRefused(`${folder} is being certified already`);
    }
    if (running.length >= maxRuns) throw new ActRefused(`${maxRuns} certifications are under way`);
    this.#runs.delete(folder);
    this.#runs.set(folder, this.#play(folder, only));
    this.#changes += 1;
  }

  /** Finished scenarios keep their results; the others are not run. */
  stop(folder: string): void {
    const run = this.#runs.get(folder);
    if (run?.state.isRunning !== true) {
      throw new ActRefused(`${folder} is not being certified`);
    }
    this.#end(run.child);
  }

  async close(): Promise<void> {
    await Promise.all(
      this.#running.map(async ({ child }) => {
        const gone = new Promise<void>((resolve) => child.once('close', () => resolve()));
        this.#end(child);
        await gone;
      }),
    );
  }

  #play(folder: string, only: readonly string[]): Run {
    const { clock, directory, keyFile } = this.#options;
    const path = join(directory, folder);
    const asked = ['run', '--events', '--interview', join(path, interviewFile), '--out', path];
    const signed = keyFile === undefined ? [] : ['--key', keyFile];
    const some = only.length === 0 ? [] : ['--only', only.join()];
    const { PATH } = process.env;
    const child = spawn(process.execPath, ownArguments('certify', ...asked, ...signed, ...some), {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH },
    });
    const run: Run = { child, state: begun(folder, clock.now().wallMs) };
    const split = lineSplitter((line) => {
      run.state = afterLine(run.state, line);
      this.#changes += 1;
    });
    let complaint = '';
    child.stdout.setEncoding('utf8').on('data', split);
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      complaint = (complaint + text).slice(-keptComplaint);
    });
    child.on('error', ({ message }) => {
      complaint = message;
    });
    child.on('close', (code) => {
      run.state = ended(run.state, code === 0 || run.state.isOver ? '' : complaint.trim());
      this.#changes += 1;
    });
    lowerPriority(child);
    return run;
  }

  #end(child: ChildProcess): void {
    const { clock } = this.#options;
    child.kill('SIGINT');
    const cancel = clock.at(clock.now().monoMs + endWithinMs, () => child.kill('SIGKILL'));
    child.once('close', cancel);
  }
}

/** Lowers the priority of the process, so that orders come first. */
function lowerPriority({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // It has already exited, and its exit event contains the reason.
  }
}
