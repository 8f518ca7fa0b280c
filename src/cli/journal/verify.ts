/**
 * Looks at all of a store, not at the first fault alone: each record against its sum, each state against the records before it, streams
 * without holes, and the audit chain. The same damage may be listed twice, by its file and by the records lost in it.
 */
import { AuditBroken, auditGenesis, auditStream, checked } from '../../store/audit-chain.ts';
import { CorruptRecord } from '../../store/store.ts';
import type { JournalFile } from './journal-file.ts';

export interface Findings {
  readonly faults: readonly string[];
  readonly records: number;
  readonly messages: number;
  readonly auditRecords: number;
  /** The last hash of the audit chain: kept elsewhere, it shows whether the end was cut off. */
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
  for (const { message } of file.faults()) if (faults.length < mostFaults) faults.push(message);
  for (const { stream } of file.streams()) look(() => void file.snapshot(stream));
  for (const { stream } of file.streams()) {
    look(() => {
      for (const _ of file.records(stream)) count('records');
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
