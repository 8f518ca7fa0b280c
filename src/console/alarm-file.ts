/**
 * Keeps alarms, their acknowledgements and assignees across restarts, in `alarms.json` of the data directory. The file
 * is replaced as a whole, at most once a second. The audit chain proves who acknowledged what; this file is what the
 * page displays.
 */
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import type { Clock } from '../runtime/clock.ts';
import { parsedAs } from '../runtime/parsed-json.ts';
import { replaceFile } from '../runtime/replace-file.ts';
import { type AlarmList, alarmRow, type KeptAlarm } from './alarm-list.ts';

const apartMs = 1_000;

const shape = z.array(z.tuple([z.string(), alarmRow.extend({ level: z.literal('alarm') })]));

export class AlarmFile {
  readonly #file: string;
  readonly #clock: Clock;
  readonly #problem: (text: string) => void;
  #alarms: AlarmList | undefined;
  #cancel: (() => void) | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(file: string, clock: Clock, problem: (text: string) => void) {
    this.#file = file;
    this.#clock = clock;
    this.#problem = problem;
  }

  /** Reads what the previous process stored. Called once this process owns the data directory. */
  async open(alarms: AlarmList): Promise<void> {
    alarms.restore(await this.#read());
    this.#alarms = alarms;
    if (alarms.kept.length > 0) this.changed();
  }

  /** Writes within a second. */
  changed(): void {
    if (this.#alarms === undefined || this.#cancel !== undefined) return;
    this.#cancel = this.#clock.at(this.#clock.now().monoMs + apartMs, () => void this.flush());
  }

  /** Resolves when the file contains everything up to now. */
  flush(): Promise<void> {
    this.#cancel?.();
    this.#cancel = undefined;
    const alarms = this.#alarms;
    if (alarms !== undefined) this.#writing = this.#writing.then(() => this.#write(alarms.kept));
    return this.#writing;
  }

  async close(): Promise<void> {
    await this.flush();
    this.#alarms = undefined;
  }

  async #read(): Promise<readonly KeptAlarm[]> {
    let text: string;
    try {
      text = await readFile(this.#file, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      this.#problem(`alarms of the previous process: ${String(error)}`);
      return [];
    }
    const kept = parsedAs(shape, text);
    if (kept !== undefined) return kept;
    this.#problem(`${this.#file} is damaged; the alarms of the previous process are not shown`);
    return [];
  }

  async #write(kept: readonly KeptAlarm[]): Promise<void> {
    try {
      await replaceFile(this.#file, JSON.stringify(kept));
    } catch (error) {
      this.#problem(`alarms are not kept: ${String(error)}`);
    }
  }
}
