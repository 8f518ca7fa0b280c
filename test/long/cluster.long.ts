/**
 * A cluster under load, to which one thing after another happens: nodes and primaries are killed, stopped and cut off, drained, and all
 * at once. In the end the clients' logs, the venue's ledger and the rows of the database must agree, and the report says how long
 * clients could not trade (docs/CLUSTER.md, "What to expect").
 */
import { join } from 'node:path';
import { binaries } from '../support/postgres.ts';
import { check, faultKinds } from './cluster/checker.ts';
import {
  drain,
  everything,
  type FaultKind,
  machineStop,
  nodeKill,
  nodeStop,
  partitions,
  primaryLosses,
  sleep,
  workerKill,
  workerStop,
} from './cluster/faults.ts';
import {
  details,
  type FaultTime,
  outages,
  percentile,
  spansWithoutTrading,
} from './cluster/outages.ts';
import { ClusterStand } from './cluster/stand.ts';
import { momentsIn, takeovers } from './cluster/takeovers.ts';
import { randomFrom } from './kill-bridge.long.ts';
import type { LongRun } from './main.ts';

const allKinds = [
  ...[nodeKill, machineStop, nodeStop, workerStop, workerKill, drain, everything],
  ...[...partitions, ...primaryLosses],
];
const nameOf = ({ name }: FaultKind) => name;
const isVerbose = process.env['VERBOSE'] === '1';
/** Until all clients trade again after a fault is healed. */
const patienceMs = 240_000;
const finishMs = 120_000;
/** Before the next fault; PAUSE in seconds. After a short one the nodes still load their spare workers. */
const pauseMs = Number(process.env['PAUSE'] ?? '0.5') * 1_000;

export async function run({ short, seed }: LongRun): Promise<string> {
  try {
    binaries();
  } catch (error) {
    return `SKIPPED cluster: ${(error as Error).message}`;
  }
  const random = randomFrom(seed);
  const stand = await ClusterStand.open({
    ...{ seed, shards: 3, nodes: 3, ordersPerSecond: 5, random },
    database: join(import.meta.dirname, 'cluster', databaseFor(short)),
  });
  let isClean = false;
  try {
    await stand.watch();
    stand.start();
    await traded(stand, Date.now());
    const plan = chosenPlan() ?? (short ? shortPlan(random) : longPlan(random));
    const { ending, faults } = await allSuffered(plan, stand, random);
    const text = await judged(stand, faults);
    if (ending instanceof Error) {
      throw new Error(`${text}\nended after ${faults.length} of ${plan.length} faults`, {
        cause: ending,
      });
    }
    isClean = true;
    return ending === undefined ? text : `${ending}${text}`;
  } finally {
    const directory = await stand.stop(!isClean);
    if (!isClean) process.stderr.write(`the logs and files are in ${directory}\n`);
  }
}

/** A pair that the run itself promotes takes a second; Patroni with etcd, as operators have it, takes about fifteen. */
function databaseFor(short: boolean): string {
  const kinds = { pair: 'postgres-pair.ts', patroni: 'patroni-three.ts' };
  const { DATABASE: chosen = short ? 'pair' : 'patroni' } = process.env;
  if (chosen !== 'pair' && chosen !== 'patroni') throw new Error('DATABASE is "pair" or "patroni"');
  return kinds[chosen];
}

/** For whoever looks into one kind of fault: FAULTS="5 drain, 20 kill -9 of a node". */
function chosenPlan(): readonly FaultKind[] | undefined {
  const chosen = process.env['FAULTS'];
  if (chosen === undefined) return undefined;
  return chosen.split(',').flatMap((entry) => {
    const [, count, name] = /^\s*(\d+) (.+?)\s*$/.exec(entry) ?? [];
    const kind = allKinds.find((one) => one.name === name);
    if (kind === undefined) throw new Error(`no fault "${entry}": ${allKinds.map(nameOf)}`);
    return Array<FaultKind>(Number(count)).fill(kind);
  });
}

/** One of each that promises something, in a random order. */
function shortPlan(random: () => number): readonly FaultKind[] {
  const [killed = nodeKill] = primaryLosses;
  const [database = nodeKill] = partitions;
  return shuffled([nodeKill, machineStop, workerStop, database, killed, drain, everything], random);
}

function longPlan(random: () => number): readonly FaultKind[] {
  const times = (count: number, kind: FaultKind) => Array<FaultKind>(count).fill(kind);
  const others = [machineStop, nodeStop, workerStop, workerKill, ...partitions, drain];
  return shuffled(
    [
      ...times(100, nodeKill),
      ...primaryLosses.flatMap((kind, place) => times(place === 0 ? 10 : 5, kind)),
      ...others.flatMap((kind) => times(5, kind)),
      ...times(3, everything),
    ],
    random,
  );
}

function shuffled<T>(values: readonly T[], random: () => number): readonly T[] {
  const keyed = values.map((value) => ({ value, key: random() }));
  return keyed.sort((a, b) => a.key - b.key).map(({ value }) => value);
}

/** What happened until the plan was done, MINUTES were over, or something did not recover; all of it is judged. */
async function allSuffered(
  plan: readonly FaultKind[],
  stand: ClusterStand,
  random: () => number,
): Promise<{ readonly faults: readonly FaultTime[]; readonly ending?: Error | string }> {
  const { MINUTES: minutes = 'Infinity' } = process.env;
  const endMs = Date.now() + Number(minutes) * 60_000;
  const faults: FaultTime[] = [];
  try {
    for (const kind of plan) {
      if (Date.now() > endMs) {
        return { faults, ending: `stopped after ${faults.length} of ${plan.length} faults; ` };
      }
      await sleep(pauseMs + random() * 1_000);
      faults.push(await suffered(kind, stand, random));
    }
    return { faults };
  } catch (error) {
    return { faults, ending: error instanceof Error ? error : new Error(String(error)) };
  }
}

async function suffered(
  kind: FaultKind,
  stand: ClusterStand,
  random: () => number,
): Promise<FaultTime> {
  const { shard } = stand.traders[Math.floor(random() * stand.traders.length)]?.options ?? {};
  const node = await stand.ownerOf(shard ?? '');
  if (node === undefined) throw new Error(`before "${kind.name}" nobody owns ${shard}`);
  const fromMs = Date.now();
  if (isVerbose) process.stdout.write(`${kind.name} of ${node.machine.name}, ${shard}\n`);
  await kind.run({ stand, node, random });
  await traded(stand, Date.now(), kind);
  return { kind: kind.name, fromMs, toMs: Date.now() };
}

/** Resolves once every client has had an order accepted that it sent after this time. */
async function traded(stand: ClusterStand, sinceMs: number, after?: FaultKind): Promise<void> {
  const endMs = Date.now() + patienceMs;
  for (const trader of stand.traders) {
    trader.trade();
    while (!trader.attempts.some((one) => one.sentMs > sinceMs && one.acceptedMs !== undefined)) {
      if (trader.fault !== undefined) throw trader.fault;
      if (Date.now() > endMs) {
        const { isOpen, options, refusals } = trader;
        const last = `${isOpen ? 'logged on' : 'not logged on'}; refused ${[...refusals]}`;
        throw new Error(`${options.session} does not trade after ${after?.name}: ${last}`);
      }
      await sleep(20);
    }
  }
}

async function judged(stand: ClusterStand, faults: readonly FaultTime[]): Promise<string> {
  const finished = await Promise.all(stand.traders.map((trader) => trader.finish(finishMs)));
  const left = stand.traders.flatMap(({ open }) => open);
  for (const { fault } of stand.traders) if (fault !== undefined) throw fault;
  const history = await stand.history();
  const findings = check(history);
  if (findings.length > 0 || finished.includes(false)) {
    stand.keep(history);
    const texts = findings.slice(0, 40).map(({ kind, text }) => `${kind}: ${text}`);
    const counts = faultKinds.map((kind) => {
      return `${findings.filter((one) => one.kind === kind).length} ${kind}`;
    });
    const count = `${faults.length} faults: ${counts.join(', ')}; ${left.length} orders without an end`;
    throw new Error([count, ...left.slice(0, 10), ...texts].join('\n'));
  }
  const { changes = [] } = history.rows ?? {};
  const epochs = changes.filter(({ shard, epoch }, place) => {
    const before = changes.findLast((one, at) => at < place && one.shard === shard);
    return before?.epoch !== epoch;
  }).length;
  const clients = stand.traders.map(({ attempts, losses, options: { session, shard } }) => ({
    ...{ session, shard, spans: spansWithoutTrading(attempts, losses) },
  }));
  if (isVerbose) process.stdout.write(`${details(faults, clients).join('\n')}\n`);
  const { orders, trades } = history.ledger;
  const moments = (event: Parameters<typeof momentsIn>[1]) =>
    stand.nodes
      .flatMap(({ machine }) => momentsIn(machine.log, event))
      .sort((a, b) => a.atMs - b.atMs);
  const [served, stopped] = [moments('shard_serving'), moments('shard_stopping')];
  const steps = takeovers(faults, changes, served, stopped);
  const lines = outages(faults, clients).map(({ byShardMs, faults: count, kind, lengthsMs }) => {
    const [p50, p99, most] = [0.5, 0.99, 1].map((share) => percentile(lengthsMs, share));
    const times = `median ${p50} ms, p99 ${p99} ms, at most ${most} ms`;
    const {
      servedMs = [],
      takenMs = [],
      unservedMs = [],
    } = steps.find((one) => one.kind === kind) ?? {};
    const shards =
      kind === drain.name
        ? `; no worker served a shard for at most ${unservedMs.at(-1)} ms, its clients traded after at most ${byShardMs.at(-1)} ms`
        : '';
    const median = (values: readonly number[]) => percentile(values, 0.5);
    const taken = `; ${takenMs.length} shards taken after ${median(takenMs)} ms, served after ${median(servedMs)} ms`;
    const text = `  ${kind} (${count}): ${lengthsMs.length} sessions noticed it: ${times}${shards}`;
    return takenMs.length === 0 ? text : text + taken;
  });
  const refused = new Map<string, number>();
  for (const { refusals } of stand.traders) {
    for (const [text, count] of refusals) refused.set(text, (refused.get(text) ?? 0) + count);
  }
  const repairs = stand.database?.repairs ?? [];
  return [
    `${faults.length} faults, ${orders.length} orders and ${trades.length} fills at the venue, ${epochs} owners of ${new Set(changes.map(({ shard }) => shard)).size} shards: 0 lost, 0 doubled, 0 falsely refused, 0 sent by an old owner`,
    ...lines,
    ...[...refused].map(([text, count]) => `  refused ${count} times: ${text}`),
    ...[...new Set(repairs)].map((text) => {
      return `  the operator had to step in ${repairs.filter((one) => one === text).length} times: ${text}`;
    }),
  ].join('\n');
}
