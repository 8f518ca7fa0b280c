/** A folder that keeps the runs of one counterparty: the present one, and those of other versions before it. */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { RunRecord } from './record.ts';

const present = 'run.json';
const format = 'causeway-certification-run/1';

export class RunFolder {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
    mkdirSync(folder, { recursive: true });
  }

  path(file: string): string {
    return join(this.#folder, file);
  }

  /** The latest run, whoever's it was. */
  latest(): RunRecord | undefined {
    return existsSync(this.path(present)) ? readRun(this.path(present)) : undefined;
  }

  /** The run before the present one, which was of other software, another version or another catalogue. */
  previous(): RunRecord | undefined {
    const [last] = readdirSync(this.#folder)
      .filter((file) => /^run-\d+\.json$/.test(file))
      .sort()
      .reverse();
    return last === undefined ? undefined : readRun(this.path(last));
  }

  /** Attempts go on only under the identity lock; otherwise what was shown before is laid aside and does not count. */
  takeUp(run: RunRecord): RunRecord | undefined {
    const before = this.latest();
    if (before === undefined) return undefined;
    if (isSameSubject(before, run)) return before;
    renameSync(this.path(present), this.path(`run-${before.startedMs}.json`));
    return undefined;
  }

  keep(run: RunRecord): void {
    this.write(present, `${JSON.stringify(run, null, 1)}\n`);
  }

  /** A reader sees the whole file or the one before. */
  write(file: string, text: string): void {
    const draft = this.path(`${file}.${process.pid}.tmp`);
    writeFileSync(draft, text);
    renameSync(draft, this.path(file));
  }
}

export function readRun(file: string): RunRecord {
  const run = JSON.parse(readFileSync(file, 'utf8')) as RunRecord;
  if (run.format !== format) throw new Error(`${file} is no run of a certification`);
  return run;
}

function isSameSubject(a: RunRecord, b: RunRecord): boolean {
  const subject = ({ identity, direction, protocol, catalogueHash, dictionaryHash }: RunRecord) => [
    identity,
    direction,
    protocol,
    catalogueHash,
    dictionaryHash,
  ];
  return isDeepStrictEqual(subject(a), subject(b));
}
