/**
 * The bridge's record of the signer's ledger, in a file beside its journal
 * (docs/decisions/0285-ledger-of-the-signer.md): id, count and chain of the last entry that it has seen. A ledger that
 * was lost, swapped, cut off or set back to an earlier state does not have that entry; in that case nothing is signed
 * until an operator has decided.
 */
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { Clock } from '../runtime/clock.ts';
import { isThere } from '../runtime/directory.ts';
import { FoldedAlarm } from '../runtime/folded-alarm.ts';
import { parsedJson } from '../runtime/parsed-json.ts';
import { replaceFile, replaceFileSync } from '../runtime/replace-file.ts';
import { type Anchor, noAnchor } from './ledger-file.ts';
import type { RaiseSignerAlarm } from './signer-alarm.ts';

/** The file may be this far behind; in this process the anchor never is. */
const writeAfterMs = 1000;
const hex = z.string().regex(/^[0-9a-f]{32}$/);
const schema = z.strictObject({ id: hex, count: z.int().min(0), chain: hex });

export class LedgerAnchors {
  readonly #file: string | null;
  readonly #clock: Clock;
  readonly #alarm: RaiseSignerAlarm;
  #last: Anchor;
  readonly #failures = new FoldedAlarm();
  #cancelWrite: (() => void) | undefined;
  #writing: Promise<void> | undefined;

  /** Without a file nothing outlives this process. */
  constructor(file: string | null, clock: Clock, alarm: RaiseSignerAlarm) {
    this.#file = file;
    this.#clock = clock;
    this.#alarm = alarm;
    this.#last = file !== null && isThere(file) ? read(file) : noAnchor;
  }

  /** Of a ledger that was never seen, id and chain are zeros. */
  get last(): Anchor {
    return this.#last;
  }

  /**
   * The reason why the signer must not be used; `chain` is its ledger's chain at the count of our anchor, zeros if it
   * has none.
   */
  problem(anchor: Anchor, chain: string): string | undefined {
    const problem = anchorProblem(this.#last, anchor, chain === noAnchor.chain ? undefined : chain);
    if (problem === undefined) return undefined;
    return `${problem.text}. If a person has decided that, remove ${this.#file ?? 'the anchor'} and restart the bridge`;
  }

  keep(anchor: Anchor): void {
    const isNewer = anchor.id !== this.#last.id || anchor.count > this.#last.count;
    if (!isNewer) return;
    const isFirst = anchor.id !== this.#last.id;
    this.#last = anchor;
    if (isFirst) this.write();
    else {
      this.#cancelWrite ??= this.#clock.at(this.#clock.now().monoMs + writeAfterMs, () => {
        this.#cancelWrite = undefined;
        this.#writing ??= this.#writeAside().finally(() => {
          this.#writing = undefined;
        });
      });
    }
  }

  /** Resolves once a write that is under way has ended. */
  async settled(): Promise<void> {
    await this.#writing;
  }

  /** Also called when the bridge ends. A disk that is full must not end it: an older anchor only finds less. */
  write(): void {
    this.#cancelWrite?.();
    this.#cancelWrite = undefined;
    if (this.#file === null || this.#last.id === noAnchor.id) return;
    try {
      replaceFileSync(this.#file, this.#text);
    } catch (error) {
      this.#failed(error);
    }
  }

  /** No order waits for the disk. If a later anchor is written first, this one replaces it, and only finds less. */
  async #writeAside(): Promise<void> {
    if (this.#file === null) return;
    try {
      await replaceFile(this.#file, this.#text);
    } catch (error) {
      this.#failed(error);
    }
  }

  get #text(): string {
    return `${JSON.stringify(this.#last)}\n`;
  }

  #failed(error: unknown): void {
    const what = `${this.#file} cannot be written: ${(error as Error).message}`;
    const text = this.#failures.add(what, this.#clock.now().monoMs);
    if (text !== undefined) this.#alarm(text, 'anchor_failed');
  }
}

export interface AnchorProblem {
  readonly kind: 'other' | 'set_back' | 'changed';
  readonly text: string;
}

/**
 * The reason why the ledger cannot be the one with the anchor `seen`; `chain` is its own at that count, if it still has
 * it.
 */
export function anchorProblem(
  seen: Anchor,
  now: Anchor,
  chain: string | undefined,
): AnchorProblem | undefined {
  if (seen.id === noAnchor.id) return undefined;
  if (seen.id !== now.id) {
    const text = `the signer has ledger ${now.id}, and the bridge has used ledger ${seen.id}`;
    return { kind: 'other', text };
  }
  if (now.count < seen.count) {
    const text = `the signer's ledger was set back: it has ${now.count} entries, and the bridge has seen ${seen.count}`;
    return { kind: 'set_back', text };
  }
  if (chain === undefined || chain === seen.chain) return undefined;
  const text = `the signer's ledger was changed: entry ${seen.count} is not the one that the bridge has seen`;
  return { kind: 'changed', text };
}

function read(file: string): Anchor {
  const checked = schema.safeParse(parsedJson(readFileSync(file, 'utf8')));
  if (checked.success) return checked.data;
  throw new Error(`${file} is no anchor of a signer's ledger: remove it if the ledger is complete`);
}
