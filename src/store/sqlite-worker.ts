/** The thread that owns the SQLite file: it waits for the disk so that no client's session has to. */
import { parentPort, workerData } from 'node:worker_threads';
import { SqliteFile, type SqliteOptions } from './sqlite-file.ts';
import type { Answer, Ask } from './sqlite-store.ts';
import { CorruptRecord } from './store.ts';

const port = parentPort;
if (port === null) throw new Error('the store thread was not started as a thread');

let file: SqliteFile | undefined;
try {
  file = new SqliteFile(workerData as SqliteOptions);
  send({ id: 0, result: undefined });
} catch (error) {
  send({ id: 0, fault: faultOf(error) });
}

port.on('message', ({ id, ask }: { readonly id: number; readonly ask: Ask }) => {
  if (file === undefined) return;
  try {
    send({ id, result: answer(file, ask) });
  } catch (error) {
    send({ id, fault: faultOf(error) });
  }
});

function answer(on: SqliteFile, ask: Ask): unknown {
  switch (ask.kind) {
    case 'commit':
      return on.commit(ask.commits);
    case 'end':
      return on.end(ask.stream);
    case 'read':
      return on.read(ask.stream, ask.afterPosition, ask.limit);
    case 'snapshot':
      return on.snapshot(ask.stream);
    case 'numbers':
      return on.numbers(ask.session);
    case 'messages':
      return on.messages(ask.session, ask.fromSeq, ask.toSeq, ask.maxBytes);
    case 'held':
      return on.held(ask.session, ask.afterPosition, ask.limit);
    case 'cursor':
      return on.cursor(ask.name);
    case 'trim':
      on.trim(ask.session, ask.belowSeq);
      return undefined;
    case 'close':
      on.close();
      file = undefined;
      return undefined;
  }
}

function send(answered: Omit<Answer, 'room'>): void {
  port?.postMessage({ ...answered, room: file?.room ?? 'plenty' });
}

/** Errors lose their class on the way between threads; the kinds that matter are told by name. */
function faultOf(error: unknown): NonNullable<Answer['fault']> {
  const message = error instanceof Error ? error.message : String(error);
  if (!(error instanceof CorruptRecord)) return { message };
  return { message: message.slice(error.record.length + 2), record: error.record };
}
