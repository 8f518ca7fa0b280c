/** `causeway journal`: displays, exports and checks what a bridge has recorded, without changing it. */

import { CorruptRecord } from '../store/store.ts';
import { Failure } from './advice.ts';
import { command } from './command.ts';
import { readFix } from './decode/fix-message.ts';
import { messageText, printable } from './fix-text.ts';
import { dataPlaceOf } from './journal/data-place.ts';
import { everything, JournalFile, type Span } from './journal/journal-file.ts';
import { textOf, writeTables } from './journal/tables.ts';
import { type Findings, verifyJournal } from './journal/verify.ts';
import { integer, text } from './options.ts';
import { concluded, exitCodes, UsageError } from './verb.ts';

const about = `PATH is the dataDir of a bridge or a relay, or the log in it. It is only read, also while a bridge runs on it: what is
committed meanwhile is not seen. A store of a version that kept it in gateway.db is read as a copy. --config FILE takes the place of
PATH: the journal is where that configuration has it, in its dataDir or in its database. One in the database is read in one
transaction, which does not disturb its bridge, into a copy below TMPDIR.`;
const positions = { least: 1, most: Number.MAX_SAFE_INTEGER };

export const verb = command({
  summary: 'inspect, export and verify what a bridge has recorded',
  forms: [
    'inspect PATH [--stream S | --session S] [--from N] [--to N]',
    'export PATH [--stream S | --session S] [--from N] [--to N]',
    'export PATH --tables FILE',
    'copy PATH --into DIR',
    'verify PATH',
    'inspect|export|copy|verify --config FILE [--shard S] …',
  ],
  about,
  actions: {
    inspect: 'streams, sessions, cursors; with --stream or --session the records or messages',
    export: 'the complete records as JSON, one per line, binary data in base64',
    copy: 'a backup of the store, also while a bridge runs on it, verified; exit code 4 and no copy if it is damaged',
    verify: 'every record against its sum, no holes, the audit chain; exit code 4 where not',
  },
  maxOperands: 2,
  options: {
    config: text('FILE', 'the configuration of a bridge or cluster, instead of PATH'),
    shard: text('S', 'with --config: this shard of a cluster'),
    stream: text('S', 'the records of this stream'),
    session: text('S', 'the messages that this session keeps for resends'),
    from: integer('N', 'from this position or sequence number on', positions),
    to: integer('N', 'up to this one', positions),
    tables: text('FILE', 'all of it as tables of a new SQLite file'),
    into: text('DIR', 'the dataDir of the copy, which must not contain a store'),
  },
  examples: [
    'causeway journal inspect data/gateway',
    "causeway journal inspect data/gateway --session 'FIX.4.4:CAUSEWAY/->ALPHA/'",
    'causeway journal export data/gateway --stream desk/0x1111… > desk.jsonl',
    'causeway journal export data/gateway --tables journal.sqlite',
    'causeway journal copy data/gateway --into /mnt/backup/gateway',
    'causeway journal verify data/gateway',
    'causeway journal inspect --config config/cluster.yaml --shard desk-1',
  ],
  async run({ config, shard, stream, session, from, to, tables, into, json }, [action, path]) {
    if ((path === undefined) === (config === undefined)) {
      throw new UsageError(`${action} needs the PATH of a data directory, or --config FILE`);
    }
    if (shard !== undefined && config === undefined) {
      throw new UsageError('--shard needs --config FILE');
    }
    if (stream !== undefined && session !== undefined) {
      throw new UsageError('--stream or --session, not both');
    }
    if (action === 'verify' && [stream, session, from, to].some((given) => given !== undefined)) {
      throw new UsageError('verify looks at all there is and takes no part of it');
    }
    if ((action === 'copy') !== (into !== undefined)) {
      throw new UsageError('copy needs --into DIR, and nothing else takes it');
    }
    if (tables !== undefined && action !== 'export') {
      throw new UsageError('--tables is a form of export');
    }
    const place = path === undefined ? dataPlaceOf(config ?? '', shard) : { directory: path };
    const source = path ?? `--config ${config}`;
    const file = await JournalFile.at(place).catch((error: Error) => {
      if (action === 'verify' && error instanceof CorruptRecord) return error.message;
      throw error;
    });
    if (typeof file === 'string') return verdict({ ...nothingFound, faults: [file] }, source, json);
    using _opened = file;
    const span: Span = { from: from ?? everything.from, to: to ?? everything.to };
    if (action === 'verify') return verdict(verified(file), file.path, json);
    if (into !== undefined) {
      const bytes = await file.copyInto(into, (copy) => {
        const faults = verified(copy).faults.map((one) => one.replaceAll(copy.path, file.path));
        const text = `it is damaged, so there is no copy:\n${faults.join('\n')}`;
        if (faults.length > 0) throw new CorruptRecord(file.path, text);
      });
      return concluded(json, { bytes }, `${bytes} bytes`);
    }
    if (tables !== undefined) {
      const rows = writeTables(file, tables);
      return concluded(json, { rows }, `${rows} rows`);
    }
    const isPart = stream !== undefined || session !== undefined;
    if (action === 'inspect' && !isPart) return summary(file, json);
    const asText = action === 'inspect' && !json;
    const lines =
      stream !== undefined
        ? recordsOf(file, stream, span, asText)
        : session !== undefined
          ? messagesOf(file, session, span, asText)
          : wholeOf(file, span);
    let count = 0;
    for (const line of lines) {
      console.log(line);
      count += 1;
    }
    if (count > 0 || !isPart) return exitCodes.done;
    throw new Failure(
      `${file.path} has nothing of ${stream ?? session}`,
      `What it has: causeway journal inspect ${source}`,
    );
  },
});

function summary(file: JournalFile, json: boolean): number {
  const streams = file.streams();
  const sessions = file.sessions();
  const cursors = file.cursors();
  const rows = [
    ...streams.map(({ stream, records, first, last, bytes, snapshot }) => {
      const upTo = snapshot === 0 ? '' : `, snapshot at ${snapshot}`;
      const size = `${first > 1 ? 'about ' : ''}${bytes} bytes`;
      return `stream   ${stream}  ${records} records, ${first} to ${last}, ${size}${upTo}`;
    }),
    ...sessions.map(({ session, nextIn, nextOut, oldestKept, heldTo, releasedTo }) => {
      const waiting = heldTo - releasedTo;
      return `session  ${session}  next in ${nextIn}, next out ${nextOut}, kept from ${oldestKept}, ${waiting} waiting`;
    }),
    ...cursors.map(({ cursor, value }) => `cursor   ${cursor}  ${value}`),
  ];
  const value = { file: file.path, streams, sessions, cursors };
  return concluded(json, value, [file.path, ...rows].join('\n'));
}

function* wholeOf(file: JournalFile, span: Span): Generator<string> {
  for (const { stream, position, payload } of file.snapshots()) {
    yield JSON.stringify({ snapshot: stream, position, ...content(payload) });
  }
  for (const { stream } of file.streams()) {
    yield* recordsOf(file, stream, span, false);
  }
  for (const row of file.sessions()) {
    const { session } = row;
    yield JSON.stringify(row);
    yield* messagesOf(file, session, span, false);
    for (const { position, bytes } of file.held(session)) {
      yield JSON.stringify({ session, held: position, ...content(bytes) });
    }
  }
  for (const cursor of file.cursors()) yield JSON.stringify(cursor);
}

function* recordsOf(file: JournalFile, stream: string, span: Span, asText: boolean) {
  for (const { position, payload } of file.records(stream, span)) {
    yield asText
      ? `${position}  ${printable(payload)}`
      : JSON.stringify({ stream, position, ...content(payload) });
  }
}

function* messagesOf(file: JournalFile, session: string, span: Span, asText: boolean) {
  for (const { seq, bytes } of file.messages(session, span)) {
    yield asText
      ? `${seq}  ${messageLine(bytes)}`
      : JSON.stringify({ session, seq, ...content(bytes) });
  }
}

const fixStart = Buffer.from('8=FIX');

function messageLine(bytes: Uint8Array): string {
  const copy = Buffer.from(bytes);
  if (!copy.subarray(0, fixStart.length).equals(fixStart)) return `${copy.length} bytes of SBE`;
  return messageText(readFix(copy).message);
}

/** JSON as JSON, text as text, everything else in base64, so that nothing is lost. */
function content(bytes: Uint8Array): object {
  const text = textOf(bytes);
  if (text === null) return { base64: Buffer.from(bytes).toString('base64') };
  try {
    return { json: JSON.parse(text) };
  } catch {
    return { text };
  }
}

const nothingFound = { records: 0, messages: 0, auditRecords: 0, auditHead: '' } as const;

function verified(file: JournalFile): Findings {
  const shows = process.stderr.isTTY === true;
  const found = verifyJournal(file, (done) => {
    if (shows) process.stderr.write(`\r${done} records`);
  });
  if (shows) process.stderr.write('\r\x1b[K');
  return found;
}

function verdict(found: Findings, path: string, json: boolean): number {
  const isRight = found.faults.length === 0;
  if (json) console.log(JSON.stringify({ ok: isRight, file: path, ...found }));
  else {
    for (const fault of found.faults) console.log(`FAULT ${fault}`);
    const { records, messages, auditRecords, auditHead } = found;
    console.log(
      `${records} records, ${messages} messages, ${auditRecords} audit records up to ${auditHead}`,
    );
    console.log(isRight ? `${path} is right` : `${path} has ${found.faults.length} faults`);
  }
  return isRight ? exitCodes.done : exitCodes.damaged;
}
