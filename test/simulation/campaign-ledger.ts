/** What a campaign of simulations has run so far: a small JSON file with a row for each run, which is added up. */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { addCounts, noCounts, type StreamCounts } from './stream-counts.ts';
import type { StreamResult } from './stream-worker.ts';

interface RunStart {
  readonly commit: string;
  readonly actionsPerSeed: number;
  readonly from: number;
}

interface Discrepancy {
  readonly seed: number;
  readonly fault: string;
  /** The commit that corrected the cause, entered by hand. */
  readonly corrected?: string;
}

interface CampaignRun extends RunStart {
  /** The first seed that this run has not counted. */
  next: number;
  readonly counts: StreamCounts;
  hours: number;
  cpuHours: number;
  readonly discrepancies: Discrepancy[];
}

export class CampaignLedger {
  readonly #file: string;
  readonly #runs: CampaignRun[];

  constructor(file: string) {
    this.#file = file;
    this.#runs = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [];
  }

  /** The seed with which the campaign goes on. */
  get next(): number {
    return Math.max(1, ...this.#runs.map(({ next }) => next));
  }

  /** Those whose cause is not corrected. */
  get discrepancies(): number {
    return this.#runs
      .flatMap(({ discrepancies }) => discrepancies)
      .filter(({ corrected }) => corrected === undefined).length;
  }

  /**
   * Another run. Seeds count in their order: one that is complete before an earlier one waits for that, so a run that is killed
   * counts no seed that the next one runs again.
   */
  begin(start: RunStart): { add(result: StreamResult, spent: Spent): void } {
    const run: CampaignRun = {
      ...start,
      ...{ next: start.from, counts: noCounts(), hours: 0, cpuHours: 0, discrepancies: [] },
    };
    this.#runs.push(run);
    const waiting = new Map<number, StreamResult>();
    return {
      add: (result, { hours, cpuHours }) => {
        waiting.set(result.seed, result);
        for (let one = waiting.get(run.next); one !== undefined; one = waiting.get(run.next)) {
          waiting.delete(run.next);
          addCounts(run.counts, one.counts);
          for (const fault of one.faults) run.discrepancies.push({ seed: run.next, fault });
          run.next += 1;
        }
        Object.assign(run, { hours: rounded(hours), cpuHours: rounded(cpuHours) });
        this.#write();
      },
    };
  }

  summary(): string {
    const counts = noCounts();
    let [seeds, hours, cpuHours] = [0, 0, 0];
    for (const run of this.#runs) {
      addCounts(counts, run.counts);
      seeds += run.next - run.from;
      hours += run.hours;
      cpuHours += run.cpuHours;
    }
    const { actions, commands, crashes, fills, orders, reports } = counts;
    return [
      `${seeds} seeds, ${actions} actions in ${commands} commands, ${reports} reports;`,
      `${orders} orders and ${fills} fills at the venue, ${crashes} restarts;`,
      `${rounded(hours)} hours, ${rounded(cpuHours)} hours of CPU; ${this.discrepancies} discrepancies`,
    ].join(' ');
  }

  #write(): void {
    writeFileSync(`${this.#file}.new`, `${JSON.stringify(this.#runs, null, 2)}\n`);
    renameSync(`${this.#file}.new`, this.#file);
  }
}

interface Spent {
  readonly hours: number;
  readonly cpuHours: number;
}

function rounded(hours: number): number {
  return Math.round(hours * 1_000) / 1_000;
}
