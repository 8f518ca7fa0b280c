/** A worker that owns nothing: it takes connections as the bridge's worker does, and sends back what comes. */
import type { Socket } from 'node:net';
import type { ToWorker } from '../../src/cluster/worker-messages.ts';

process.once('disconnect', () => process.exit());
process.on('message', (message: ToWorker, socket?: Socket) => {
  if (message.kind === 'connection') {
    if (socket !== undefined) {
      socket.write(message.first);
      socket.pipe(socket);
      socket.on('error', () => {});
    }
    process.send?.({ kind: 'taken' });
  }
});
