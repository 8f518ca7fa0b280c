/**
 * Looks at all of a store, not at the first fault alone: the write-ahead log, the front file, the pages, each record against its sum,
 * streams and messages without holes, and the audit chain. A bridge would refuse to start at any of these faults.
 */
import { AuditBroken, auditGenesis, auditStream, checked } from '../../gateway/audit-chain.ts';
import { CorruptRecord } from '../../store/store.ts';
import { checkWal } from '../../store/wal-check.ts';
import type { JournalFile } from './journal-file.ts';

export interface Findings {
  readonly faults: readonly string[];
  readonly records: number;
  readonly messages: number;
  readonly auditRecords: number;
  /** The last hash of the audit chain: kept elsewhere, it tells whether the end was cut off. */
  readonly auditHead: string;
}

const mostFaults = 100;
const progressEvery = 100_000;

export function verifyJournal(file: JournalFile, progress: (done: number) => void): Findings {
  const faults: string[] = [];
  const counts = { records: 0, messages: 0 };
  const look = (what: () => void) => {
    if (faults.length >= mostFaults) return;
    try {
      what();
    } catch (error) {
      if (!(error instanceof CorruptRecord || error instanceof AuditBroken)) throw error;
      faults.push(error.message);
    }
  };
  const count = (kind: keyof typeof counts) => {
    counts[kind] += 1;
    const done = counts.records + counts.messages;
    if (done % progressEvery === 0) progress(done);
  };
  look(() => checkWal(`${file.path}-wal`));
  look(() => void file.takeInFront());
  faults.push(...file.pageFaults());
  look(() => void [...file.snapshots()]);
  for (const { stream, first, snapshot } of file.streams()) {
    look(() => {
      let last = first - 1;
      // What a snapshot stands for may be forgotten; what follows it may not.
      if (last > snapshot)
        throw new CorruptRecord(`record ${snapshot + 1} of ${stream}`, 'it is missing');
      for (const { position } of file.records(stream)) {
        if (position !== last + 1) {
          throw new CorruptRecord(`record ${last + 1} of stream ${stream}`, 'it is missing');
        }
        last = position;
        count('records');
      }
    });
  }
  for (const name of file.sessionNames()) {
    look(() => {
      const nextOut = file.session(name)?.nextOut ?? 1;
      for (const { seq } of file.messages(name)) {
        if (seq >= nextOut) {
          throw new CorruptRecord(`message ${seq} of ${name}`, `the next number is ${nextOut}`);
        }
        count('messages');
      }
      for (const _ of file.held(name)) count('messages');
    });
  }
  look(() => void [...file.cursors()]);
  let audit = { auditRecords: 0, auditHead: auditGenesis };
  look(() => {
    audit = verifyAudit(file);
  });
  return { faults, ...counts, ...audit };
}

/** Throws `AuditBroken` at the first record that does not follow. */
export function verifyAudit(file: JournalFile): {
  readonly auditRecords: number;
  readonly auditHead: string;
} {
  let auditRecords = 0;
  let auditHead: string = auditGenesis;
  for (const record of file.records(auditStream)) {
    auditHead = checked(record, auditHead).hash;
    auditRecords += 1;
  }
  return { auditRecords, auditHead };
}
