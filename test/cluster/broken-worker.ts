/** A worker that ends as soon as it is given a shard, with the exit code that is the shard's name. */
import type { ToWorker } from '../../src/cluster/worker-messages.ts';

process.once('disconnect', () => process.exit());
process.on('message', (message: ToWorker) => {
  if (message.kind === 'own') process.exit(Number(message.shard));
});
