/**
 * What readers say that they have (docs/DROPCOPY.md, "Delivery"). Each copy that is named has to be looked up,
 * so a reader is heard one word at a time, and of the words that wait the last of an account counts: however much a
 * reader says, it keeps nobody waiting.
 */
import type { Turns } from '../store/turns.ts';
import type { CopyJournal } from './copy-journal.ts';
import { positionOf } from './copy-request.ts';
import type { Reader } from './reader.ts';
import type { CopyOutput } from './said.ts';

export interface AcknowledgementParts {
  readonly turns: Turns;
  readonly journal: (account: string) => CopyJournal | undefined;
  readonly alarm: (text: string) => void;
}

interface Word {
  readonly voice: CopyOutput;
  readonly journal: CopyJournal;
  readonly execId: string;
}

export class Acknowledgements {
  readonly #parts: AcknowledgementParts;
  /** Of readers one of whose words is being looked up: those that wait, by account. */
  readonly #waiting = new Map<Reader, Map<string, Word>>();

  constructor(parts: AcknowledgementParts) {
    this.#parts = parts;
  }

  /**
   * Inside a turn: the reader has everything of an account up to this copy. The account need not be named where the
   * reader sees but one.
   */
  hear(reader: Reader, voice: CopyOutput, named: string | null, execId: string): void {
    const { accounts } = reader.filter;
    const account = named ?? (accounts.length === 1 ? (accounts[0] ?? '') : '');
    const journal = accounts.includes(account) ? this.#parts.journal(account) : undefined;
    if (journal === undefined) {
      refuse(voice, execId, `Account(1)=${account} is not of this session`);
      return;
    }
    const word = { voice, journal, execId };
    const waiting = this.#waiting.get(reader);
    if (waiting === undefined) void this.#lookUp(reader, new Map([[account, word]]));
    else waiting.set(account, word);
  }

  async #lookUp(reader: Reader, waiting: Map<string, Word>): Promise<void> {
    const { alarm, turns } = this.#parts;
    this.#waiting.set(reader, waiting);
    try {
      // Words that are said meanwhile come up as well.
      for (const [account, { voice, journal, execId }] of waiting) {
        waiting.delete(account);
        const position = await positionOf(execId, journal);
        turns.run(() => {
          if (position !== undefined) reader.acknowledge(account, position);
          else refuse(voice, execId, `ExecID(17)=${execId} is not known`);
        });
      }
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      alarm(`${reader.name}: what it acknowledges cannot be looked up: ${why}`);
    } finally {
      this.#waiting.delete(reader);
    }
  }
}

function refuse(voice: CopyOutput, execId: string, text: string): void {
  const answer = { reqId: execId, reqType: 0, status: 'refused', count: null, text } as const;
  voice.say({ kind: 'answer', answer: { ...answer, reason: 'unknownExecId' } });
}
