/** A worker in reserve: it answers as the bridge's worker does, never (`silent`), only the first time (`once`), that it is `not ready` to serve what it has read, or dies. */
import type { ToWorker } from '../../src/cluster/worker-messages.ts';

const [, , manner] = process.argv;
let answers = manner === 'silent' ? 0 : manner === 'once' ? 1 : Number.POSITIVE_INFINITY;

process.once('disconnect', () => process.exit());
process.on('message', (message: ToWorker) => {
  const { kind } = message;
  if (manner === 'dies' || (manner === 'dies reading' && kind === 'ahead')) process.exit(1);
  if (kind === 'ahead')
    process.send?.({
      ...{ kind, shard: message.shard },
      problem: manner === 'not ready' ? 'its signer is away' : undefined,
    });
  if (answers <= 0 || (kind !== 'prepare' && kind !== 'alive')) return;
  answers -= 1;
  process.send?.({ kind: 'prepared' });
});
