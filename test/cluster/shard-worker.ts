/**
 * A worker that serves its shard as far as its node can see: it answers each connection with the shard's name and what the client sent,
 * confirms acts, and notes in the file NOTES what it was asked for. As `slow` it serves only once it is reloaded; a client whose first
 * message contains "guess" has failed to log on.
 */
import { appendFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import type { FromWorker, ToWorker } from '../../src/cluster/worker-messages.ts';
import type { DoneAct } from '../../src/gateway/operator/shared-acts.ts';

const [, , notes = '', manner] = process.argv;
let shard = '';
let node = '';
let last = 0;
const tell = (message: FromWorker) => process.send?.(message);
const note = (text: string) => appendFileSync(notes, `${shard} ${text}\n`);

process.once('disconnect', () => process.exit());
process.on('message', (message: ToWorker, socket?: Socket) => {
  switch (message.kind) {
    case 'prepare':
      tell({ kind: 'prepared' });
      return;
    case 'own':
      ({ node, shard } = message);
      note('own');
      if (manner !== 'slow') serve();
      return;
    case 'reload':
      note('reload');
      if (manner === 'slow') serve();
      return;
    case 'connection':
      taken(message, socket);
      return;
    case 'act': {
      const { numbered } = message;
      last = numbered.id;
      const done: DoneAct = { numbered, node, atMs: 0, isHere: true, text: 'done' };
      note(numbered.act.kind);
      tell({ kind: 'act_done', done });
      return;
    }
    case 'acts_sent':
      trade();
      return;
    case 'stop':
      note('stop');
      process.exit();
      break;
    case 'ahead':
    case 'alive':
    case 'act_at_once':
    case 'answer':
  }
});

function serve(): void {
  tell({ kind: 'opened', last, done: [] });
}

/** As the node wants it: not before the worker has all acts. */
function trade(): void {
  tell({ kind: 'serving', doors: { fix: '', fixp: '' }, consoleUrl: undefined });
}

function taken(
  { address, first, lane }: Extract<ToWorker, { kind: 'connection' }>,
  socket: Socket | undefined,
): void {
  const text = Buffer.from(first).toString('latin1');
  const [, name = ''] = /\|49=([^|]+)/.exec(text.replaceAll('\x01', '|')) ?? [];
  if (text.includes('guess')) tell({ kind: 'offence', offence: { lane, address, name } });
  socket?.on('error', () => {});
  socket?.end(`${shard} ${lane} ${address} ${name}`);
  tell({ kind: 'taken' });
}
