/**
 * A worker of a node: the bridge with the part of the configuration that is one shard. The node starts it, and it waits, loaded,
 * until the node names the shard. It ends when the node does: the next node must not wait for it.
 */
import type { Socket } from 'node:net';
import { loadCluster } from '../cluster/cluster-config.ts';
import { partOf } from '../cluster/shards.ts';
import { type FromWorker, fencedExitCode, type ToWorker } from '../cluster/worker-messages.ts';
import { WorkerPorts } from '../cluster/worker-ports.ts';
import type { LoadedConfig } from '../gateway/config-file.ts';
import { ConfigError } from '../gateway/config-file.ts';
import { DataLock } from '../gateway/data-lock.ts';
import { realOutside } from '../gateway/outside.ts';
import { systemClock } from '../runtime/clock.ts';
import { createLog } from '../runtime/log.ts';
import { writeLine } from './operator-log.ts';
import { serve } from './run.ts';
import { stopAsked } from './stop.ts';
import { exitCodes } from './verb.ts';

type Own = Extract<ToWorker, { kind: 'own' }>;

/** Resolves once it is loaded; the process ends when it is asked to, or with the process that began it. */
export async function runWorker(): Promise<number> {
  const ports = new WorkerPorts((lane, address) => tell({ kind: 'offence', lane, address }));
  let isOwner = false;
  let askToStop = () => {};
  const told = new Promise<void>((resolve) => {
    askToStop = resolve;
  });
  const asked = Promise.race([stopAsked(), told]);
  process.once('disconnect', () => process.exit(exitCodes.failed));
  process.on('message', (message: ToWorker, socket?: Socket) => {
    switch (message.kind) {
      case 'own':
        isOwner = true;
        void own(message, ports, asked);
        return;
      case 'connection':
        // Undefined if the client went while its connection was on the way.
        if (socket !== undefined) {
          ports.take(message.lane, socket, message.address, Buffer.from(message.first));
        }
        tell({ kind: 'taken' });
        return;
      case 'reload':
        process.emit('SIGHUP');
        return;
      case 'stop':
        askToStop();
    }
  });
  // A spare that nobody needs any more has nothing to close.
  void asked.then(() => {
    if (!isOwner) process.exit(exitCodes.done);
  });
  return exitCodes.done;
}

async function own(
  { clusterFile, node, shard }: Own,
  ports: WorkerPorts,
  asked: Promise<void>,
): Promise<void> {
  const log = createLog({ level: 'info' }).child({ shard });
  try {
    const load = () => partNamed(clusterFile, node, shard);
    const loaded = load();
    const lock = DataLock.take(loaded);
    lock.whenLost(systemClock, () => {
      const text = 'another process has taken over the data, so this one exits';
      writeLine(log, text, { event: 'data_lost' });
      process.exit(fencedExitCode);
    });
    const opened = ({ consoleUrl }: { readonly consoleUrl: string | undefined }) =>
      tell({ kind: 'serving', doors: ports.doors, consoleUrl });
    const outside = { ...realOutside, openPorts: () => ports };
    await serve({ loaded, reload: load, log, asked: () => asked, opened, outside });
    process.exit(exitCodes.done);
  } catch (error) {
    const text = 'the worker cannot continue, so it exits';
    writeLine(log, text, { event: 'cannot_go_on' }, { err: error });
    process.exit(error instanceof ConfigError ? exitCodes.config : exitCodes.failed);
  }
}

/** The part as it is configured now. */
function partNamed(clusterFile: string, node: string, name: string): LoadedConfig {
  const cluster = loadCluster(clusterFile, node);
  const shard = cluster.shards.find((one) => one.name === name);
  if (shard === undefined) throw new ConfigError(`there is no shard ${name} any more`);
  return partOf(cluster.bridge, shard, cluster.consolePort(name));
}

function tell(message: FromWorker): void {
  process.send?.(message);
}
