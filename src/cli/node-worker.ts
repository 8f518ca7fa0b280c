/**
 * A worker of a node: the bridge with the part of the configuration for one shard. The node starts it, and it waits,
 * loaded, until the node assigns a shard. It exits when the node does, because the next node must not have to wait for
 * it.
 */
import { flushCompileCache } from 'node:module';
import type { Socket } from 'node:net';
import { loadCluster } from '../cluster/cluster-config.ts';
import { NodeWatch } from '../cluster/node-watch.ts';
import { partOf } from '../cluster/shards.ts';
import { WorkerActs } from '../cluster/worker-acts.ts';
import { WorkerAhead } from '../cluster/worker-ahead.ts';
import {
  type FromWorker,
  fencedExitCode,
  forgottenExitCode,
  type ToWorker,
} from '../cluster/worker-messages.ts';
import { WorkerPorts } from '../cluster/worker-ports.ts';
import { WorkerStart } from '../cluster/worker-start.ts';
import { causeway44 } from '../fix/dictionaries.ts';
import { ConfigError, type LoadedConfig } from '../gateway/config/config-file.ts';
import { DataLock } from '../gateway/data/data-lock.ts';
import { Gateway } from '../gateway/gateway.ts';
import type { ActingBridge } from '../gateway/operator/shared-acts.ts';
import { realOutside } from '../gateway/outside.ts';
import { PasswordProofs } from '../gateway/passwords/password-proofs.ts';
import { passwordThreads } from '../gateway/passwords/password-thread.ts';
import { systemClock } from '../runtime/clock.ts';
import { createLog } from '../runtime/log.ts';
import { fastestBlake3 } from '../signer/blake3.ts';
import { leaseMs } from '../store/postgres/lease.ts';
import { CommitsForgotten, PositionConflict } from '../store/store.ts';
import type { Transactions } from '../store/transactions.ts';
import { loadProfile } from '../venue/profile.ts';
import { exitWhenLost, operatorLines, writeLine } from './operator-log.ts';
import { type Served, serve } from './run.ts';
import { reloadsAsked, stopAsked } from './stop.ts';
import { exitCodes } from './verb.ts';

type Ahead = Extract<ToWorker, { kind: 'ahead' }>;
type Own = Extract<ToWorker, { kind: 'own' }>;

/** Resolves once it is loaded; the process exits on request, or with its parent process. */
export async function runWorker(): Promise<number> {
  const acts = new WorkerActs(systemClock, send);
  const ahead = new WorkerAhead(systemClock);
  const ports = new WorkerPorts((offence) => send({ kind: 'offence', offence }));
  const signerWatch = new SignerWatch();
  const start = new WorkerStart();
  let isOwner = false;
  const { promise: stopRequested, resolve: askToStop } = Promise.withResolvers<void>();
  const asked = Promise.race([stopAsked(), stopRequested]);
  let watch: NodeWatch | undefined;
  process.once('disconnect', () => {
    if (watch === undefined) process.exit(exitCodes.failed);
    // The next owner need not wait for the lease if the shard is released before the lease expires.
    setTimeout(() => process.exit(exitCodes.failed), leaseMs);
    askToStop();
  });
  process.on('message', (message: ToWorker, socket?: Socket) => {
    watch?.nodeAlive();
    switch (message.kind) {
      case 'own':
        isOwner = true;
        // The next owner of a shard in a database may be another machine that clients can reach.
        if (message.claim !== undefined) watch = new NodeWatch(systemClock, askToStop);
        void own(message, { acts, ahead, asked, ports, signerWatch, start });
        return;
      case 'ahead': {
        const { kind, shard } = message;
        void readAhead(message, ahead).then((problem) => send({ kind, shard, problem }));
        return;
      }
      case 'act':
      case 'act_at_once':
      case 'acts_sent':
      case 'answer':
        acts.take(message);
        return;
      case 'connection':
        // Undefined if the client disconnected while its connection was being handed over.
        if (socket !== undefined) {
          ports.take(message.lane, socket, message.address, Buffer.from(message.first));
        }
        send({ kind: 'taken' });
        return;
      case 'prepare':
        void prepare(message.clusterFile, message.node);
        return;
      case 'alive':
        if (!isOwner) send({ kind: 'prepared' });
        else signerWatch.look();
        return;
      case 'reload':
        process.emit('SIGHUP');
        return;
      case 'stop':
        askToStop();
    }
  });
  // Before it serves clients, a worker only has its shard to release.
  void asked.then(async () => {
    if (signerWatch.bridge !== undefined) return;
    await start.stop();
    process.exit(exitCodes.done);
  });
  return exitCodes.done;
}

/** An error is reported when the shard is opened. */
async function prepare(clusterFile: string, node: string): Promise<void> {
  try {
    const { config, path } = loadCluster(clusterFile, node).bridge;
    loadProfile(path(config.venue.profile));
    causeway44();
    // The clients of a shard that moves here log on at once, and on a busy machine a thread starts slowly.
    for (const thread of passwordThreads) thread.load();
    await fastestBlake3();
  } catch {
    // A later start of the same shard fails with the same error.
  }
  // A worker rarely exits on request, so its compile cache would otherwise be lost.
  flushCompileCache();
  send({ kind: 'prepared' });
}

/** Returns why this process could not serve the shard. */
async function readAhead({ clusterFile, node, shard }: Ahead, ahead: WorkerAhead) {
  const log = createLog({ level: 'info' }).child({ shard });
  try {
    const loaded = partNamed(clusterFile, node, shard);
    await ahead.read(shard, loaded, operatorLines(log, loaded).alarm);
    return undefined;
  } catch (error) {
    const { message } = error as Error;
    const text = `this node, ${node}, is not ready to serve shard ${shard}: ${message}`;
    writeLine(log, text, { event: 'shard_not_ready' });
    return message;
  }
}

interface WorkerParts {
  readonly acts: WorkerActs;
  readonly ahead: WorkerAhead;
  readonly asked: Promise<void>;
  readonly ports: WorkerPorts;
  readonly signerWatch: SignerWatch;
  readonly start: WorkerStart;
}

/** Reports to the node when the signer of the bridge is away, and when it is back. */
class SignerWatch {
  bridge: Gateway | undefined;
  #isAway = false;

  look(): void {
    const isAway = this.bridge?.signerAway !== undefined;
    if (isAway !== this.#isAway) send({ kind: 'signer', isAway });
    this.#isAway = isAway;
  }
}

async function own(
  { claim, clusterFile, node, proofs: known, shard }: Own,
  { acts, ahead, asked, ports, signerWatch, start }: WorkerParts,
): Promise<void> {
  const log = createLog({ level: 'info' }).child({ shard });
  const reloads = reloadsAsked();
  try {
    const load = () => partNamed(clusterFile, node, shard);
    const loaded = load();
    // The lease of a shard in a data directory is the lock of that directory.
    if (claim === undefined) exitWhenLost(DataLock.take(loaded), log, fencedExitCode);
    const opened = ({ consoleUrl, gateway }: Served) => {
      if (!(gateway instanceof Gateway))
        throw new ConfigError('a relay cannot be a shard of a cluster');
      signerWatch.bridge = gateway;
      send({ kind: 'serving', doors: ports.doors, consoleUrl });
    };
    const outside = { ...realOutside, openPorts: () => ports };
    const proofs = new PasswordProofs((proof) => send({ kind: 'proof', proof }));
    proofs.take(known);
    const onTaken = (epoch: number) => {
      start.taken();
      send({ kind: 'took', epoch });
    };
    await serve({
      ...{
        loaded,
        reload: load,
        reloads,
        log,
        opened,
        outside,
        exitCodeOf,
        cluster: acts.link,
        beforeTrading: (bridge: ActingBridge) => acts.opened(bridge),
        storeOpened: (transactions: Transactions) => start.opened(transactions),
        instance: shard,
        proofs,
      },
      asked: () => asked,
      ahead: await ahead.of(shard, loaded),
      ...(claim && { claim: { ...claim, onTaken } }),
    });
    process.exit(exitCodes.done);
  } catch (error) {
    if (start.isReleasing) return;
    const text = 'the worker cannot continue, so it exits';
    writeLine(log, text, { event: 'cannot_go_on' }, { err: error });
    process.exit(exitCodeOf(error));
  }
}

function exitCodeOf(error: unknown): number {
  if (error instanceof PositionConflict) return fencedExitCode;
  if (error instanceof CommitsForgotten) return forgottenExitCode;
  return error instanceof ConfigError ? exitCodes.config : exitCodes.failed;
}

/** The shard's part of the current configuration. */
function partNamed(clusterFile: string, node: string, name: string): LoadedConfig {
  const cluster = loadCluster(clusterFile, node);
  const shard = cluster.shards.find((one) => one.name === name);
  if (shard === undefined) throw new ConfigError(`there is no shard ${name} any more`);
  return partOf(cluster.bridge, shard, node, cluster.consolePort(name));
}

function send(message: FromWorker): void {
  process.send?.(message);
}
