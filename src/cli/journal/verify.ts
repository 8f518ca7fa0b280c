/**
 * Checks a store completely, beyond the first fault: each record against its checksum, each state against the records
 * before it, streams for holes, and the audit chain. Damage may be listed twice: by file and by lost records.
 */
import {
  AuditBroken,
  type AuditHead,
  type AuditRecord,
  auditGenesis,
  auditStream,
  checked,
} from '../../store/audit-chain.ts';
import { CorruptRecord } from '../../store/store.ts';
import type { JournalFile } from './journal-file.ts';

export type Findings = Readonly<ReturnType<typeof verifyJournal>>;

const maxFaults = 100;
const progressEvery = 100_000;

export function verifyJournal(file: JournalFile, progress: (done: number) => void) {
  const faults: string[] = [];
  const counts = { records: 0, messages: 0 };
  const look = (what: () => void) => {
    if (faults.length >= maxFaults) return;
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
  for (const { message } of file.faults()) if (faults.length < maxFaults) faults.push(message);
  for (const { stream } of file.streams()) look(() => void file.snapshot(stream));
  for (const { stream } of file.streams()) {
    look(() => {
      for (const _ of file.records(stream)) count('records');
    });
  }
  for (const { session: name, nextOut } of file.sessions()) {
    look(() => {
      for (const { seq } of file.messages(name)) {
        if (seq >= nextOut) {
          throw new CorruptRecord(`message ${seq} of ${name}`, `the next number is ${nextOut}`);
        }
        count('messages');
      }
      for (const _ of file.held(name)) count('messages');
    });
  }
  let end: AuditHead = { position: 0, hash: auditGenesis };
  look(() => {
    let last = end;
    for (const record of auditRecords(file)) last = record;
    end = last;
  });
  // A copy of the last hash of the audit chain elsewhere reveals whether the end was cut off.
  return { faults, ...counts, auditRecords: end.position, auditHead: end.hash };
}

/** Throws `AuditBroken` at the first record that does not follow the previous one. */
export function* auditRecords(file: JournalFile): Generator<AuditRecord> {
  let previous: string = auditGenesis;
  for (const stored of file.records(auditStream)) {
    const record = checked(stored, previous);
    previous = record.hash;
    yield record;
  }
}
