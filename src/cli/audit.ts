/**
 * `causeway audit`: shows operator actions on a bridge or requests to a signer, and verifies that the record is
 * complete.
 */
import { readdirSync } from 'node:fs';
import { isDirectory } from '../runtime/directory.ts';
import { auditDirectoryIn, auditRecordsIn } from '../signer/request-audit.ts';
import { AuditBroken, type AuditRecord, auditGenesis, auditHash } from '../store/audit-chain.ts';
import { readAuditHead } from '../store/audit-head-file.ts';
import { command } from './command.ts';
import { printable } from './fix-text.ts';
import { JournalFile } from './journal/journal-file.ts';
import { auditRecords } from './journal/verify.ts';
import { text } from './options.ts';
import { exitCodes, UsageError } from './verb.ts';

const about = `PATH is the dataDir of a bridge, the gateway-log in it, or the dataDir of a signer. Each record holds the hash of the one before it. Keep the head
that "verify" prints somewhere else: with --head it also detects that the end was cut off. The bridge itself writes its head
into its log at each act, and into the file that auditHeadFile names, which --head-file reads.`;

export const verb = command({
  summary: 'list and verify operator actions, or requests to a signer',
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
    if (given !== undefined && !auditHash.safeParse(given).success) {
      throw new UsageError(`--head ${given} is not a hash, which has 64 hex digits`);
    }
    if ((given !== undefined || headFile !== undefined) && action === 'list') {
      throw new UsageError('list takes no head');
    }
    if (given !== undefined && headFile !== undefined) {
      throw new UsageError('--head or --head-file, not both');
    }
    const head = given ?? (headFile === undefined ? undefined : headIn(headFile));
    const act = (records: Generator<AuditRecord>) =>
      action === 'list' ? list(records, json) : verify(records, head, json);
    const signers = auditDirectoryIn(path);
    const isSigner =
      isDirectory(signers) && readdirSync(signers).some((name) => name.endsWith('.jsonl'));
    if (isSigner) return act(auditRecordsIn(signers));
    using file = await JournalFile.open(path);
    return act(auditRecords(file));
  },
});

function headIn(path: string): string {
  const head = readAuditHead(path);
  if (head === undefined) throw new UsageError(`there is no file ${path}`);
  return head.hash;
}

function list(records: Generator<AuditRecord>, json: boolean): number {
  for (const record of records) {
    const { atMs, who, what, subject, why } = record;
    const line = [new Date(atMs).toISOString(), who, what, subject, why].join('  ');
    console.log(json ? JSON.stringify(record) : printable(line));
  }
  return exitCodes.done;
}

function verify(records: Generator<AuditRecord>, head: string | undefined, json: boolean): number {
  let fault = '';
  let auditRecords = 0;
  // Older files of a signer may be archived.
  let firstRecord = 1;
  let auditHead: string = auditGenesis;
  let hasHead = head === undefined || head === auditGenesis;
  try {
    for (const { hash, position, previous } of records) {
      auditRecords += 1;
      if (auditRecords === 1) firstRecord = position;
      auditHead = hash;
      hasHead ||= hash === head || previous === head;
    }
    const before = firstRecord === 1 ? '' : `, or the record is before number ${firstRecord}`;
    if (!hasHead) fault = `no record has the hash ${head}: the end was cut off${before}`;
  } catch (error) {
    if (!(error instanceof AuditBroken)) throw error;
    fault = error.message;
  }
  const from = firstRecord === 1 ? '' : ` from number ${firstRecord} on`;
  const text =
    fault === '' ? `${auditRecords} records${from}, head ${auditHead}` : `FAULT ${fault}`;
  const found = { ok: fault === '', fault, auditRecords, firstRecord, auditHead };
  console.log(json ? JSON.stringify(found) : text);
  return fault === '' ? exitCodes.done : exitCodes.damaged;
}
