/**
 * The head of the audit chain in a file outside the store, preferably on another machine, so that cutting off the end of the
 * chain would require changing this file too. It has one line, `POSITION HASH`, which each act replaces.
 */
import { readFileSync, renameSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { type RaiseAlarm, type WriteNotice, withFacts } from '../runtime/operator-line.ts';
import type { Store } from '../store/store.ts';
import type { Turns } from '../store/turns.ts';
import { AuditChain, type AuditHead } from './audit-chain.ts';
import type { LoadedConfig } from './config-file.ts';

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
    throw new Error(`${file} is no head of an audit chain: POSITION HASH`);
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

  /** Resolves once the last head is in the file. */
  async close(): Promise<void> {
    await this.#writing;
  }

  async #write(): Promise<void> {
    for (let head = this.#next; head !== undefined; head = this.#next) {
      this.#next = undefined;
      try {
        const draft = `${this.#file}.new`;
        const handle = await open(draft, 'w', 0o600);
        try {
          await handle.writeFile(`${head.position} ${head.hash}\n`);
          await handle.sync();
        } finally {
          await handle.close();
        }
        await rename(draft, this.#file);
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        this.#alarm(`the head of the audit chain cannot be written to ${this.#file}: ${why}`);
      }
    }
    this.#writing = undefined;
  }
}

interface Told {
  readonly loaded: LoadedConfig;
  readonly alarm: RaiseAlarm;
  readonly notice: WriteNotice;
}

/** Opens the chain of a store and publishes each head to the log and to the configured file. */
export async function openAudit(
  { alarm, loaded, notice }: Told,
  store: Store,
  turns: Turns,
): Promise<{ readonly audit: AuditChain; readonly headFile: AuditHeadFile | undefined }> {
  const { auditHeadFile } = loaded.config;
  const file = auditHeadFile && loaded.path(auditHeadFile);
  const kept = file && readAuditHead(file);
  const headFile =
    file === undefined ? undefined : new AuditHeadFile(file, withFacts(alarm, { event: 'audit' }));
  const publish = (head: AuditHead) => {
    const text = `audit chain: ${head.position} records, head ${head.hash}`;
    notice(text, { event: 'audit_head' });
    headFile?.write(head);
  };
  const audit = await AuditChain.open(store, turns, publish);
  if (file && kept && !(await audit.has(kept))) {
    const aside = `${file}.cut`;
    renameSync(file, aside);
    alarm(
      `the end of the audit chain was cut off: it has ${audit.length} records, and not the record ${kept.position} with the hash ${kept.hash} that ${file} named; that file is now ${aside}`,
      { event: 'audit' },
    );
  }
  publish({ position: audit.length, hash: audit.head });
  return { audit, headFile };
}
