/**
 * The head of the audit chain in a file outside the store, preferably on another machine, so that cutting off the end
 * of the chain would require changing this file too. It has one line, `POSITION HASH`, which each act replaces.
 */
import { readFileSync, renameSync } from 'node:fs';
import { replaceFile } from '../runtime/replace-file.ts';
import type { AuditHead } from './audit-chain.ts';

const form = /^(\d{1,15}) ([0-9a-f]{64})\s*$/;

/** Returns undefined if the file does not exist yet; throws if it contains anything else. */
export function readAuditHead(file: string): AuditHead | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  const [, position, hash] = form.exec(text) ?? [];
  if (position === undefined || hash === undefined) {
    throw new Error(`${file} is not the head of an audit chain (expected: POSITION HASH)`);
  }
  return { position: Number(position), hash };
}

/** Writes asynchronously. Only the latest head counts, so at most one waits. */
export class AuditHeadFile {
  readonly #file: string;
  readonly #alarm: (text: string) => void;
  #next: AuditHead | undefined;
  #writing: Promise<void> | undefined;

  constructor(file: string, alarm: (text: string) => void) {
    this.#file = file;
    this.#alarm = alarm;
  }

  write(head: AuditHead): void {
    this.#next = head;
    this.#writing ??= this.#write();
  }

  /** Resolves once the last head has been written. */
  async close(): Promise<void> {
    await this.#writing;
  }

  async #write(): Promise<void> {
    for (let head = this.#next; head !== undefined; head = this.#next) {
      this.#next = undefined;
      try {
        await replaceFile(this.#file, `${head.position} ${head.hash}\n`);
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        this.#alarm(`the head of the audit chain cannot be written to ${this.#file}: ${why}`);
      }
    }
    this.#writing = undefined;
  }
}

/** Renames a head file that names a record missing from the chain. Returns the text of the alarm. */
export function setAside(file: string, { hash, position }: AuditHead, length: number): string {
  const aside = `${file}.cut`;
  renameSync(file, aside);
  return `the end of the audit chain was cut off: it has ${length} records, and not the record ${position} with the hash ${hash} that ${file} named; that file is now ${aside}`;
}
