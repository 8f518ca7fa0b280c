/** `causeway node`: the front doors of one machine and a worker for each shard, from a cluster configuration. */
import { hostname, userInfo } from 'node:os';
import { join } from 'node:path';
import { Client } from 'undici';
import { loadCluster } from '../cluster/cluster-config.ts';
import { ClusterNode } from '../cluster/node.ts';
import { NodeServer } from '../cluster/node-server.ts';
import type { KillScope } from '../gateway/gate/kill-switch.ts';
import { scopeText } from '../gateway/gate/limit-changes.ts';
import { type ActReport, reportLines } from '../gateway/operator/cluster-link.ts';
import { systemClock } from '../runtime/clock.ts';
import { makePrivateDirectory } from '../runtime/directory.ts';
import { createLog } from '../runtime/log.ts';
import { ownArguments } from '../runtime/shipped.ts';
import { withPrimary } from '../store/postgres/connection.ts';
import { removeNode } from '../store/postgres/nodes.ts';
import { Failure } from './advice.ts';
import { checked } from './checked-config.ts';
import { command } from './command.ts';
import { databaseIn } from './journal/data-place.ts';
import { openMetricsExport } from './metrics-export.ts';
import { operatorLines, readAgain, writeLine, writeListening } from './operator-log.ts';
import { needed, text } from './options.ts';
import { reloadsAsked, stopDuringStart } from './stop.ts';
import { concluded, exitCodes, UsageError } from './verb.ts';
import { version } from './version.ts';

const about = `Divides the bridge into shards, runs a worker process for each, and listens for the clients of all of them. SIGTERM
and SIGINT drain every shard and end the node. SIGHUP reads the configurations again, as causeway run does. A worker that
dies is replaced, and its clients log on again.

halt and resume name each shard that has recorded the act, with its node and the time, and each that has not; then the exit code
is 1. accept names the shards; if there are none, the exit code is 1. Reconcile with the venue before you accept.`;

export const verb = command({
  summary: 'run a bridge as one worker for each shard',
  forms: [
    '[drain|status|cluster|acts|accept|remove] --config FILE --name NAME',
    'halt|resume --config FILE --name NAME --why TEXT [--account A|--session S]',
  ],
  about,
  actions: {
    drain: 'stop the shards of a running node one after the other, then end it',
    status: 'the shards of the node',
    cluster: 'what the node knows of all nodes, shards and standbys',
    halt: 'throw the kill switch on all shards of the cluster, or for one account or session',
    resume: 'release the kill switch',
    acts: 'the last acts, also those of the consoles',
    accept: 'serve the shards whose commits the database has lost (database_behind)',
    remove: 'take the node NAME, which has ended, out of the database; its certificate is refused',
  },
  isActionOptional: true,
  maxOperands: 1,
  options: {
    config: needed('FILE', 'configuration of the cluster'),
    name: needed('NAME', 'name of this node in the configuration'),
    why: text('TEXT', 'with halt and resume: the reason, for the audit chain'),
    account: text('A', 'with halt and resume: only this account, by its alias'),
    session: text('S', 'with halt and resume: only this session, by its name on the console'),
  },
  examples: [
    'causeway node --config config/cluster.yaml --name n1',
    'causeway node status --config config/cluster.yaml --name n1',
    'causeway node drain --config config/cluster.yaml --name n1',
    'causeway node remove --config config/cluster.yaml --name n3',
    'causeway node halt --config config/cluster.yaml --name n1 --why "wrong prices"',
  ],
  async run({ config: file, name, why, account, session, json }, [action]) {
    switch (action) {
      case 'accept':
      case 'drain':
      case 'status':
      case 'cluster': {
        const { method, path } = plainAsks[action];
        const text = await asked(file, name, method, path);
        return concluded(json && method === 'POST', { node: name, text }, text);
      }
      case 'acts': {
        const reports = JSON.parse(await asked(file, name, 'GET', '/acts')) as ActReport[];
        if (json) console.log(JSON.stringify(reports));
        else for (const report of reports) console.log(reportText(report));
        return exitCodes.done;
      }
      case 'halt':
      case 'resume': {
        if (why === undefined) throw new UsageError(`${action} needs --why TEXT`);
        const scope = scopeOf(account, session);
        const act = { kind: action === 'halt' ? 'kill' : 'release', scope };
        const by = { who: `${userInfo().username} on ${hostname()}`, why };
        const answer = await asked(file, name, 'POST', '/acts', JSON.stringify({ by, act }));
        const report = JSON.parse(answer) as ActReport;
        const isRecorded = report.id !== null && report.unconfirmed.length === 0;
        const isDone = isRecorded && report.confirmed.some(({ isHere }) => isHere);
        return concluded(json, report, reportLines(report).join('\n'), isDone);
      }
      case 'remove':
        return remove(file, name, json);
      default:
        return serveNode(file, name);
    }
  },
});

/** The requests without a body; a node answers a GET with JSON, and a POST with text. */
const plainAsks = {
  accept: { method: 'POST', path: '/accept' },
  drain: { method: 'POST', path: '/drain' },
  status: { method: 'GET', path: '/shards' },
  cluster: { method: 'GET', path: '/cluster' },
} as const;

async function serveNode(file: string, name: string): Promise<number> {
  const reloads = reloadsAsked();
  const log = createLog({ level: 'info' });
  const asked = stopDuringStart(log);
  const { bridge, status } = loadCluster(file, name);
  const { warnings } = await checked({ loaded: bridge, faults: [] });
  for (const warning of warnings) writeLine(log, warning, { event: 'config_warning' });
  const lines = operatorLines(log, bridge);
  const { alarm, notice } = lines;
  const worker = ownArguments('node-worker');
  const node = new ClusterNode({
    ...{ clusterFile: file, name, worker, clock: systemClock, alarm, notice, version: version() },
  });
  const server = new NodeServer(node);
  const metricsExport = await openMetricsExport(bridge, notice);
  const stop = asked();
  try {
    const dataDir = bridge.path(bridge.config.dataDir);
    makePrivateDirectory(dataDir);
    await server.listenPrivately(controlPath(dataDir, name));
    const opening = node.open();
    const isStopped = await Promise.race([opening.then(() => false), stop.then(() => true)]);
    if (isStopped) {
      opening.catch(() => {});
      writeLine(log, 'asked to stop during the start, so it ends', { event: 'start_stopped' });
      return exitCodes.done;
    }
    const { fix, fixp } = bridge.config;
    writeListening(log, `FIX 4.4 on port ${node.ports.fix}`, fix.tls);
    if (node.ports.fixp > 0) writeListening(log, `FIXP on port ${node.ports.fixp}`, fixp?.tls);
    if (node.ports.relay > 0) writeListening(log, `other nodes on port ${node.ports.relay}`, {});
    if (status !== undefined) {
      writeListening(log, `status on ${await server.listen(status.listen)}`, undefined);
    }
    metricsExport?.start(server.metrics, name);
    const reload = () => node.reload();
    const read = 'the configuration of the cluster';
    reloads.begin(() => readAgain(read, reload, lines));
    await Promise.race([stop, node.whenDrained]);
  } finally {
    void reloads.end();
    await node.close();
    await server.close();
    lines.stop();
    await metricsExport?.stop();
  }
  return exitCodes.done;
}

/** The node has exited, and may no longer be in any file. */
async function remove(file: string, name: string, json: boolean): Promise<number> {
  const place = databaseIn(file);
  if (place === undefined) throw new UsageError('remove needs a cluster with store.postgres');
  return withPrimary(place, 'power', async (connection) => {
    const outcome = await removeNode(connection, name);
    if (outcome === 'alive')
      throw new Failure(
        `node ${name} is alive`,
        `Stop it first: causeway node drain --name ${name}`,
      );
    if (outcome === 'unknown')
      throw new Failure(`the database has no node ${name}`, 'causeway node cluster shows them.');
    return concluded(json, { node: name, removed: true }, `node ${name} is removed`);
  });
}

function scopeOf(account: string | undefined, session: string | undefined): KillScope {
  if (account !== undefined && session !== undefined) {
    throw new UsageError('--account or --session, not both');
  }
  if (account !== undefined) return { kind: 'account', name: account };
  return session === undefined ? { kind: 'all' } : { kind: 'session', name: session };
}

function reportText(report: ActReport): string {
  const { act, atMs, by, node } = report;
  const subject = scopeText(act.kind === 'set_limits' ? act.target : act.scope);
  const when = new Date(atMs).toISOString();
  const first = `${when}  ${act.kind} ${subject}, by ${by.who} through node ${node}: ${by.why}`;
  return [first, ...reportLines(report).map((line) => `  ${line}`)].join('\n');
}

/** The socket is in the data directory, which only this user can access. */
function controlPath(dataDir: string, name: string): string {
  return join(dataDir, `${name}.sock`);
}

/** Queries the running node. Throws if it refuses. */
async function asked(
  file: string,
  name: string,
  method: 'GET' | 'POST',
  path: string,
  body?: string,
): Promise<string> {
  const { bridge } = loadCluster(file, name);
  const socketPath = controlPath(bridge.path(bridge.config.dataDir), name);
  // A draining node responds once all of its shards have ended.
  const unlimited = { headersTimeout: 0, bodyTimeout: 0 };
  const dispatcher = new Client('http://localhost', { socketPath, ...unlimited });
  try {
    const answer = await dispatcher.request({ path, method, ...(body !== undefined && { body }) });
    const text = (await answer.body.text()).trim();
    if (answer.statusCode === 200) return text;
    throw new Failure(`node ${name} refused: ${text}`, 'Nothing was done.');
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure(
      `node ${name} does not answer on ${socketPath}: ${(error as Error).message}`,
      'Is it running? Start it with causeway node --config FILE --name NAME.',
    );
  } finally {
    await dispatcher.destroy();
  }
}
