/**
 * Acknowledgements of readers (docs/DROPCOPY.md, "Delivery"). Each named copy must be looked up, so only one
 * acknowledgement per reader is handled at a time, and of those that wait only the last of an account counts. A reader
 * that sends many delays no other.
 */
import type { CopyJournal } from './copy-journal.ts';
import type { CopyOutput } from './copy-output.ts';
import { positionOf } from './copy-request.ts';
import type { Reader, ReaderParts } from './reader.ts';

export type AcknowledgementParts = Pick<ReaderParts, 'transactions' | 'journals' | 'alarm'>;

interface Word {
  readonly output: CopyOutput;
  readonly journal: CopyJournal;
  readonly execId: string;
}

export class Acknowledgements {
  readonly #parts: AcknowledgementParts;
  /** The waiting acknowledgements by account, of readers with a lookup in progress. */
  readonly #waiting = new Map<Reader, Map<string, Word>>();

  constructor(parts: AcknowledgementParts) {
    this.#parts = parts;
  }

  /**
   * Called within a transaction: the reader has everything up to this copy. It may omit the account if it sees only
   * one.
   */
  add(reader: Reader, output: CopyOutput, named: string | null, execId: string): void {
    const { accounts } = reader.filter;
    const account = named ?? (accounts.length === 1 ? (accounts[0] ?? '') : '');
    const journal = accounts.includes(account) ? this.#parts.journals.get(account) : undefined;
    if (journal === undefined) {
      refuse(output, execId, `Account(1)=${account} is not of this session`);
      return;
    }
    const acknowledgement = { output, journal, execId };
    const waiting = this.#waiting.get(reader);
    if (waiting === undefined) void this.#lookUp(reader, new Map([[account, acknowledgement]]));
    else waiting.set(account, acknowledgement);
  }

  async #lookUp(reader: Reader, waiting: Map<string, Word>): Promise<void> {
    const { alarm, transactions } = this.#parts;
    this.#waiting.set(reader, waiting);
    try {
      // Acknowledgements that arrive in the meantime are handled as well.
      for (const [account, { output, journal, execId }] of waiting) {
        waiting.delete(account);
        const position = await positionOf(execId, journal);
        transactions.run(() => {
          if (position !== undefined) reader.acknowledge(account, position);
          else refuse(output, execId, `ExecID(17)=${execId} is not known`);
        });
      }
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      alarm(`${reader.name}: the copies that it acknowledges cannot be looked up: ${why}`);
    } finally {
      this.#waiting.delete(reader);
    }
  }
}

function refuse(output: CopyOutput, execId: string, text: string): void {
  const answer = { reqId: execId, reqType: 0, status: 'refused', count: null, text } as const;
  output.send({ kind: 'answer', answer: { ...answer, reason: 'unknownExecId' } });
}
