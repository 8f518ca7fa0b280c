/** `causeway store`: manages a bridge's database, its tables and their contents. */
import { basename, join } from 'node:path';
import { isDirectory } from '../runtime/directory.ts';
import { ProcessLock } from '../runtime/process-lock.ts';
import { type StoreContents, sumOf } from '../store/contents.ts';
import { fillLog } from '../store/earlier/migrate.ts';
import { makeFolder, realDisk } from '../store/log/disk.ts';
import { defaultStoreLimits, logFolder } from '../store/log/log-store.ts';
import { leaveNote } from '../store/note.ts';
import { bridgeTables } from '../store/postgres/migrations.ts';
import { fillShard, withShard } from '../store/postgres/shard-contents.ts';
import { Failure } from './advice.ts';
import { command } from './command.ts';
import { databaseIn, dataPlaceOf } from './journal/data-place.ts';
import { JournalFile, storeFileIn } from './journal/journal-file.ts';
import { migrateAs } from './migrate.ts';
import { text } from './options.ts';
import { concluded, UsageError } from './verb.ts';

const about = `migrate makes the tables that store.postgres of a configuration needs, or those that this version adds, and lets the role
of the bridge use them. It connects as --user, who owns the database. The bridge itself never changes a table.

copy moves a bridge, or a shard of a cluster: FROM and TO are a dataDir and the configuration with store.postgres, in either order.
Nothing may run on FROM, and TO must be empty. Both are read again at the end and compared.`;

export const verb = command({
  summary: 'prepare the database of a bridge, and move its data there and back',
  forms: ['migrate --config FILE --user NAME [--password-file FILE]', 'copy FROM TO [--shard S]'],
  about,
  actions: {
    migrate: 'make or complete the tables',
    copy: 'copy all that a bridge has recorded from a data directory into the database, or back',
  },
  maxOperands: 3,
  options: {
    config: text('FILE', 'the configuration of a bridge with store.postgres, or of its cluster'),
    shard: text('S', 'with copy: this shard of a cluster'),
    user: text('NAME', 'the owner of the database, who creates the tables'),
    'password-file': text('FILE', 'the password of that owner'),
  },
  examples: [
    'causeway store migrate --config config/gateway.yaml --user postgres',
    'causeway store copy data/gateway config/gateway.yaml',
    'causeway store copy config/gateway.yaml data/gateway',
    'causeway store copy data/gateway/desk-1 config/cluster.yaml --shard desk-1',
  ],
  async run({ config, shard, user, 'password-file': passwordFile, json }, [action, from, to]) {
    if (action === 'migrate') {
      if (config === undefined || user === undefined || from !== undefined)
        throw new UsageError('migrate needs --config FILE and --user NAME');
      const place = databaseIn(config) ?? noDatabase(config);
      return migrateAs(user, passwordFile, place, bridgeTables, json);
    }
    if (from === undefined || to === undefined) throw new UsageError('copy needs FROM and TO');
    const { sum, writes } = isDirectory(from)
      ? await intoDatabase(from, shardAt(to, shard))
      : await intoDirectory(shardAt(from, shard), to);
    const text = `${writes} entries, compared: sha256 ${sum}`;
    return concluded(json, { entries: writes, sha256: sum }, text);
  },
});

type ShardPlace = ReturnType<typeof shardAt>;

async function intoDatabase(directory: string, { place, shard }: ShardPlace): ReturnType<Check> {
  const lock = ProcessLock.take(storeFileIn(directory).replace(/db$/, 'lock'));
  if (lock === undefined)
    throw new Failure(`a process runs on ${directory}`, 'Stop it first; nothing was copied.');
  try {
    using journal = await JournalFile.open(directory);
    const { contents } = journal;
    await fillShard(place, shard, contents);
    return await compare(contents, (check) => withShard(place, shard, check));
  } finally {
    lock.release();
  }
}

async function intoDirectory(
  { place, shard, storeName }: ShardPlace,
  directory: string,
): ReturnType<Check> {
  const path = join(directory, storeName);
  const folder = logFolder(path);
  const copied = await withShard(place, shard, (contents) =>
    makeFolder(realDisk, folder, async (made) => {
      await fillLog(made, contents, { ...defaultStoreLimits, isSynced: true }, realDisk);
      return compare(contents, async (check) => {
        using journal = await JournalFile.open(made);
        return await check(journal.contents);
      });
    }),
  );
  await leaveNote(path, basename(folder), realDisk);
  return copied;
}

type Check = (contents: StoreContents) => Promise<{ sum: string; writes: number }>;

async function compare(
  source: StoreContents,
  target: (check: Check) => ReturnType<Check>,
): ReturnType<Check> {
  const expected = await sumOf(source);
  const found = await target(sumOf);
  if (found.sum !== expected.sum)
    throw new Failure(
      `the copy has other contents than its source (${found.writes} entries of ${expected.writes})`,
      'Do not use it: delete it and report this.',
    );
  return found;
}

function shardAt(file: string, named: string | undefined) {
  return dataPlaceOf(file, named).database ?? noDatabase(file);
}

function noDatabase(file: string): never {
  throw new Failure(`${file} has no section store.postgres`, 'docs/CONFIGURATION.md explains it.');
}
