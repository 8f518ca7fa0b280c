/** The next step after each error: an error that the user can fix ends with a sentence from this table. */
import { existsSync } from 'node:fs';
import { ConfigError } from '../gateway/config/config-file.ts';
import { DataHeld } from '../gateway/data/data-lock.ts';
import { isDirectory } from '../runtime/directory.ts';
import { GoldenVectorError } from '../signer/golden-vectors.ts';
import { KeystoreError } from '../signer/keystore.ts';
import { LedgerDamaged } from '../signer/ledger-file.ts';
import { AuditBroken } from '../store/audit-chain.ts';
import {
  CommitsForgotten,
  CorruptRecord,
  PositionConflict,
  StoreFailed,
  StoreInDoubt,
} from '../store/store.ts';
import { ProfileError } from '../venue/profile.ts';
import { type Outcome, UsageError } from './verb.ts';

/** An error with the next step for the user. */
export class Failure extends Error {
  readonly next: string;

  constructor(message: string, next: string) {
    super(message);
    this.next = next;
  }
}

/** The other side sends no reason to a client that is not logged on; its operator can see it. */
export const noLogon =
  'Check that the bridge runs there, and check CompIDs, user and password; the log of the bridge has the reason.';

const byClass: readonly (readonly [new (...args: never[]) => Error, Outcome, string])[] = [
  [
    ConfigError,
    'config',
    'Fix the file, then run "causeway check --config FILE", or "--signer FILE" for a signer; editors can use the schema of "causeway check --schema".',
  ],
  [
    ProfileError,
    'config',
    'Fix the venue profile; dictionaries/venue.template.yaml explains each key.',
  ],
  [
    GoldenVectorError,
    'config',
    'Sign nothing: ask the venue for its vectors again, and compare domains and fields of the profile with its text.',
  ],
  [
    LedgerDamaged,
    'damaged',
    'Delete nothing. Restore the directory of the ledger as it was when the signer stopped; docs/OPERATING.md, "The signer", says what to do without a copy.',
  ],
  [
    CorruptRecord,
    'damaged',
    'Delete nothing. "causeway journal verify FILE" lists all that is damaged; restore the file from a copy.',
  ],
  [
    AuditBroken,
    'damaged',
    'Delete nothing. Somebody or a disk changed the record: compare it with a copy, and its last hash with the one that you kept elsewhere.',
  ],
  [
    CommitsForgotten,
    'damaged',
    'Find the newest database first: docs/OPERATING.md, "The database does not commit".',
  ],
  [KeystoreError, 'failed', 'How to name files, keys and passphrases: causeway keys --help'],
  [
    DataHeld,
    'failed',
    'Stop that process first, or wait for its end: causeway run --config FILE --standby',
  ],
  [PositionConflict, 'failed', 'Another bridge runs on the same data: stop one of the two.'],
  [
    StoreInDoubt,
    'failed',
    'Nothing was changed. A new store knows no orders and numbers all messages from 1, and an older one lacks the latest. Read "Backups and audits" in docs/OPERATING.md first.',
  ],
  [
    StoreFailed,
    'failed',
    'Check the disk: space, permissions, health. Nothing that was recorded is lost.',
  ],
];

const byCode: Readonly<Record<string, string>> = {
  ENOENT: 'Check the path: relative ones start at the current directory.',
  EACCES: 'Check the permissions of the file and of its directories.',
  EISDIR: 'Name a file, not a directory.',
  ENOTDIR: 'Name a directory: this is a file.',
  EPERM: 'Check the permissions of the file and of its directories.',
  EROFS: 'The file system is mounted read-only: name one that can be written.',
  EMFILE: 'Too many files are open: raise the limit, as with ulimit -n 65536.',
  ENOTFOUND: 'The host name is unknown: check it, or give the address.',
  ETIMEDOUT: 'There was no answer: check address, port and the firewalls in between.',
  EADDRINUSE: 'Another program listens there: stop it, or use another port; 0 takes a free one.',
  EADDRNOTAVAIL: 'This machine does not have that address: use one of its own, such as 127.0.0.1.',
  ECONNREFUSED: 'Nothing listens there: start it first, and check host and port.',
  ENOSPC: 'The disk is full: make room and start again; nothing that was recorded is lost.',
};

/** Texts for file system errors. */
const filesByCode: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  EACCES: 'cannot be accessed by this user',
  EISDIR: 'is a directory',
  ENOTDIR: 'is not a directory, or not in one',
  EEXIST: 'exists already',
  ELOOP: 'leads through symbolic links in a circle',
};

/** A read that fails does not say of which file: a directory is then the one that the arguments name, if it is one. */
export function wordsOf(error: Error, args: readonly string[] = []): string {
  const { code = '', path } = error as NodeJS.ErrnoException;
  const isUnnamed = code === 'EISDIR' && path === undefined;
  const directories = isUnnamed ? args.filter((one) => existsSync(one) && isDirectory(one)) : [];
  const named = directories.length === 1 ? directories[0] : path;
  const words = filesByCode[code];
  return words === undefined || named === undefined ? error.message : `${named} ${words}`;
}

/** `next` is empty if the error is self-explanatory. */
export function adviceFor(error: Error, verb: string): { outcome: Outcome; next: string } {
  const code = 'code' in error ? String(error.code) : '';
  if (error instanceof UsageError || code.startsWith('ERR_PARSE_ARGS')) {
    return { outcome: 'usage', next: `See: ${`causeway ${verb}`.trimEnd()} --help` };
  }
  if (error instanceof Failure) return { outcome: 'failed', next: error.next };
  for (const [kind, outcome, next] of byClass) {
    if (error instanceof kind) return { outcome, next };
  }
  return { outcome: 'failed', next: byCode[code] ?? '' };
}
