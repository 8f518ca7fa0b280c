/** `causeway audit`: what operators did to a bridge, and whether the record of it is complete. */
import {
  AuditBroken,
  type AuditRecord,
  auditGenesis,
  auditStream,
  checked,
} from '../gateway/audit-chain.ts';
import { readAuditHead } from '../gateway/audit-head-file.ts';
import { command } from './command.ts';
import { printable } from './fix-text.ts';
import { JournalFile } from './journal/journal-file.ts';
import { verifyAudit } from './journal/verify.ts';
import { text } from './options.ts';
import { exitCodes, UsageError } from './verb.ts';

const about = `PATH is the dataDir of a bridge, or the gateway-log in it. Each record holds the hash of the one before it. Keep the head
that "verify" prints somewhere else: with --head it also detects that the end was cut off. The bridge itself writes its head
into its log at each act, and into the file that auditHeadFile names, which --head-file reads.`;

export const verb = command({
  name: 'audit',
  summary: 'list and verify what operators did',
  forms: ['list PATH', 'verify PATH [--head HASH|--head-file FILE]'],
  about,
  actions: {
    list: 'every act: when, who, what, to what, why',
    verify: 'whether each record follows the one before it; exit code 4 where not',
  },
  maxOperands: 2,
  options: {
    head: text('HASH', 'an earlier head, which must be in the chain'),
    'head-file': text('FILE', 'the same, from the file that auditHeadFile names'),
  },
  examples: ['causeway audit list data/gateway', 'causeway audit verify data/gateway --json'],
  async run({ head: given, 'head-file': headFile, json }, [action, path]) {
    if (path === undefined) throw new UsageError(`${action} needs the PATH of a data directory`);
    const head = given ?? (headFile === undefined ? undefined : headIn(headFile));
    const file = await JournalFile.open(path);
    try {
      return action === 'list' ? list(file, json) : verify(file, head, json);
    } finally {
      file.close();
    }
  },
});

function headIn(path: string): string {
  const head = readAuditHead(path);
  if (head === undefined) throw new UsageError(`there is no file ${path}`);
  return head.hash;
}

function list(file: JournalFile, json: boolean): number {
  for (const record of recordsOf(file)) {
    const { atMs, who, what, subject, why } = record;
    const words = [new Date(atMs).toISOString(), who, what, subject, why];
    const line = words.map((word) => printable(Buffer.from(word))).join('  ');
    console.log(json ? JSON.stringify(record) : line);
  }
  return exitCodes.done;
}

/** Throws at the first record that does not follow the one before it. */
function* recordsOf(file: JournalFile): Generator<AuditRecord> {
  let previous: string = auditGenesis;
  for (const stored of file.records(auditStream)) {
    const record = checked(stored, previous);
    previous = record.hash;
    yield record;
  }
}

function verify(file: JournalFile, head: string | undefined, json: boolean): number {
  let fault = '';
  let found = { auditRecords: 0, auditHead: '' };
  try {
    found = verifyAudit(file);
    if (head !== undefined && !hasHead(file, head)) {
      fault = `no record has the hash ${printable(Buffer.from(head))}: the end was cut off`;
    }
  } catch (error) {
    if (!(error instanceof AuditBroken)) throw error;
    fault = error.message;
  }
  if (json) console.log(JSON.stringify({ ok: fault === '', fault, ...found }));
  else if (fault !== '') console.log(`FAULT ${fault}`);
  else console.log(`${found.auditRecords} records, head ${found.auditHead}`);
  return fault === '' ? exitCodes.done : exitCodes.damaged;
}

function hasHead(file: JournalFile, head: string): boolean {
  if (head === auditGenesis) return true;
  for (const { hash } of recordsOf(file)) if (hash === head) return true;
  return false;
}
