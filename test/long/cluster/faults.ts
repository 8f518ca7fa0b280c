/** What can happen to a cluster. Each fault lasts for a while and is healed; what the clients notice of it is measured by others. */
import type { Loss } from './database.ts';
import { type ClusterNode, type ClusterStand, type Lines, set } from './stand.ts';

export interface FaultKind {
  readonly name: string;
  /** Something of a shard that is owned somewhere, or of the whole cluster. */
  readonly run: (place: FaultPlace) => Promise<void>;
}

export interface FaultPlace {
  readonly stand: ClusterStand;
  /** The owner of a shard. */
  readonly node: ClusterNode;
  readonly random: () => number;
}

const restartMs = 1_000;
/** A start takes seconds of processor time, which three machines would not take from the takeover. */
const nodeRestartMs = 8_000;

export const nodeKill: FaultKind = {
  name: 'kill -9 of a node',
  async run({ node: { machine } }) {
    await machine.kill();
    await sleep(nodeRestartMs);
    machine.start();
    await machine.says(/FIX 4\.4 on port/);
  },
};

export const workerKill: FaultKind = {
  name: 'kill -9 of a worker',
  async run({ node: { machine }, random }) {
    machine.signalWorker('SIGKILL', random());
    await sleep(restartMs);
  },
};

export const machineStop: FaultKind = {
  name: 'SIGSTOP of a machine',
  async run({ node: { machine }, random }) {
    machine.signal('SIGSTOP');
    await sleep(between(1_000, 10_000, random));
    machine.signal('SIGCONT');
  },
};

export const nodeStop: FaultKind = {
  name: 'SIGSTOP of a node process',
  async run({ node: { machine }, random }) {
    machine.signalNode('SIGSTOP');
    await sleep(between(1_000, 10_000, random));
    machine.signalNode('SIGCONT');
  },
};

export const workerStop: FaultKind = {
  name: 'SIGSTOP of a worker',
  async run({ node: { machine }, random }) {
    const which = random();
    const pid = machine.signalWorker('SIGSTOP', which);
    await sleep(between(1_000, 10_000, random));
    machine.signalPid(pid, 'SIGCONT');
  },
};

/** Clients are told to go, and the node is there again afterwards. */
export const drain: FaultKind = {
  name: 'drain',
  async run({ node: { machine } }) {
    await machine.drain();
    await machine.ended();
    machine.start();
    await machine.says(/FIX 4\.4 on port/);
  },
};

export const everything: FaultKind = {
  name: 'everything at once',
  async run({ stand: { database, nodes } }) {
    const lost = database?.lose('kill');
    await Promise.all(nodes.map(({ machine }) => machine.kill()));
    for (const { machine } of nodes) machine.start();
    await Promise.all([lost, ...nodes.map(({ machine }) => machine.says(/FIX 4\.4 on port/))]);
  },
};

function partition(name: string, of: (lines: Lines) => readonly Lines[keyof Lines][]): FaultKind {
  return {
    name: `partition: ${name}`,
    async run({ node, random }) {
      const lines = of(node.lines).flat();
      const manner = random() < 0.5 ? 'hold' : 'drop';
      if (random() < 0.3) for (const line of lines) line.reset();
      for (const line of lines) set(line, manner);
      await sleep(between(1_000, 8_000, random));
      // A stream that has lost bytes cannot go on.
      if (manner === 'drop') for (const line of lines) line.reset();
      for (const line of lines) set(line, 'pass');
    },
  };
}

export const partitions: readonly FaultKind[] = [
  partition('node and database', ({ database }) => [database]),
  partition('node and venue', ({ venue }) => [venue]),
  partition('clients and node', ({ fix, fixp }) => [fix, fixp]),
  partition('node and other nodes', ({ relay }) => [relay]),
  partition('node and everybody', ({ database, fix, fixp, relay, venue }) => [
    ...[database, fix, fixp, relay, venue],
  ]),
];

function primaryLoss(name: string, loss: Loss): FaultKind {
  return {
    name: `${name} of the primary`,
    async run({ stand: { database } }) {
      await database?.lose(loss);
    },
  };
}

export const primaryLosses: readonly FaultKind[] = [
  primaryLoss('kill -9', 'kill'),
  primaryLoss('SIGSTOP', 'stop'),
  primaryLoss('partition', 'partition'),
];

function between(least: number, most: number, random: () => number): number {
  return least + Math.floor(random() * (most - least));
}

export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
