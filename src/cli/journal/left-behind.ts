/**
 * What is committed and not in the tables: a bridge that runs carries it over within a second, one that was killed left
 * it to the next start (docs/decisions/0180-a-file-in-front-of-the-tables.md). Here it is told as the tables will have it.
 */
import { messagesOf } from '../../store/message-range.ts';
import { changeSession, type SessionRow } from '../../store/session-row.ts';
import type { HeldMessage, JournalRecord, KeptMessage, Write } from '../../store/store.ts';

type Kind = Write['kind'];
type Of<K extends Kind> = Extract<Write, { kind: K }>;

export class LeftBehind {
  readonly #writes: readonly Write[];

  constructor(writes: readonly Write[]) {
    this.#writes = writes;
  }

  streamNames(): string[] {
    return this.#of('append').map(({ stream }) => stream);
  }

  sessionNames(): string[] {
    return this.#writes.flatMap((write) => ('session' in write ? [write.session] : []));
  }

  records(stream: string): JournalRecord[] {
    return this.#of('append')
      .filter((write) => write.stream === stream)
      .map(({ expected, payload }) => ({ position: expected + 1, payload }));
  }

  /** The newest of each stream. */
  snapshots(): Map<string, JournalRecord> {
    return new Map(this.#of('snapshot').map((write) => [write.stream, write]));
  }

  cursors(): Map<string, number> {
    return new Map(this.#of('cursor').map(({ name, value }) => [name, value]));
  }

  session(name: string, row: SessionRow): SessionRow {
    const next = { ...row };
    for (const write of this.#writes) {
      if ('session' in write && write.session === name) changeSession(next, write);
    }
    return next;
  }

  /** Whether the kept messages of the tables are dropped. */
  isReset(name: string): boolean {
    return this.#of('reset').some(({ session }) => session === name);
  }

  /** Those of the last numbering. */
  messages(name: string, from: number, to: number): KeptMessage[] {
    const found: KeptMessage[] = [];
    for (const write of this.#writes) {
      if (!('session' in write) || write.session !== name) continue;
      if (write.kind === 'reset') found.length = 0;
      else if (write.kind === 'messages') found.push(...messagesOf(write, from, to));
    }
    return found;
  }

  held(name: string): HeldMessage[] {
    return this.#of('hold').filter(({ session }) => session === name);
  }

  #of<K extends Kind>(kind: K): Of<K>[] {
    return this.#writes.filter((write): write is Of<K> => write.kind === kind);
  }
}
