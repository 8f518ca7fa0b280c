/** Nodes that come, die, hang and drain: whatever happens, in the end each shard has one owner, and shards do not wander. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Decision, decide, type OwnWorker } from '../../src/cluster/ownership.ts';

const roundMs = 250;
const leaseMs = 1_500;

interface Row {
  epoch: number;
  node: string;
  isReleased: boolean;
  renewedMs: number;
  takenMs: number;
}

interface Worker {
  state: OwnWorker['state'];
  epoch: number;
  /** When it takes the shard, or has stopped. */
  dueMs: number;
}

/** A node with its workers, which reads the rows with a delay and decides by itself. */
interface Node {
  readonly name: string;
  isAlive: boolean;
  isDraining: boolean;
  readonly workers: Map<string, Worker>;
  readonly freeSinceMs: Map<string, number>;
}

class World {
  nowMs = 0;
  readonly rows = new Map<string, Row>();
  readonly nodes: Node[] = [];
  readonly moves: { readonly shard: string; readonly atMs: number }[] = [];
  readonly taken: { readonly shard: string; readonly atMs: number }[] = [];
  readonly #startMs: number;
  readonly #spares: number;

  constructor(shards: number, nodes: number, startMs: number, spares: number) {
    this.#startMs = startMs;
    this.#spares = spares;
    for (let shard = 0; shard < shards; shard += 1)
      this.rows.set(`s${shard}`, {
        ...{ epoch: 0, node: '', isReleased: true, renewedMs: 0, takenMs: 0 },
      });
    for (let node = 0; node < nodes; node += 1) this.join();
  }

  join(): void {
    const name = `n${this.nodes.length}`;
    const node = { name, isAlive: true, isDraining: false };
    this.nodes.push({ ...node, workers: new Map(), freeSinceMs: new Map() });
  }

  get members(): readonly Node[] {
    return this.nodes.filter(({ isAlive, isDraining }) => isAlive && !isDraining);
  }

  run(forMs: number): void {
    const endMs = this.nowMs + forMs;
    while (this.nowMs < endMs) {
      this.nowMs += roundMs;
      for (const node of this.nodes.filter(({ isAlive }) => isAlive)) this.#work(node);
      for (const node of this.nodes.filter(({ isAlive }) => isAlive)) this.#round(node);
    }
  }

  /** Workers take shards by compare-and-set, renew them, or end. */
  #work({ isDraining, name, workers }: Node): void {
    for (const [shard, worker] of workers) {
      const row = this.rows.get(shard)!;
      if (isDraining && worker.state === 'owner') {
        worker.state = 'stopping';
        worker.dueMs = this.nowMs + roundMs;
      }
      if (worker.state === 'starting' && this.nowMs >= worker.dueMs) {
        if (row.epoch !== worker.epoch) {
          workers.delete(shard);
          continue;
        }
        worker.state = 'owner';
        worker.epoch += 1;
        const { nowMs } = this;
        const own = { node: name, isReleased: false, renewedMs: nowMs, takenMs: nowMs };
        this.rows.set(shard, { ...own, epoch: worker.epoch });
        this.taken.push({ shard, atMs: nowMs });
      } else if (worker.state === 'owner' && row.epoch === worker.epoch) {
        row.renewedMs = this.nowMs;
      } else if (worker.state === 'stopping' && this.nowMs >= worker.dueMs) {
        if (row.epoch === worker.epoch) row.isReleased = true;
        workers.delete(shard);
      }
    }
  }

  #round(node: Node): void {
    const { freeSinceMs, name, workers } = node;
    const { nowMs } = this;
    const decision = decide({
      self: name,
      nodes: this.members.map((each) => each.name),
      workers,
      spares: this.#spares,
      shards: [...this.rows].map(([shard, row]) => {
        const isFree = row.isReleased || nowMs - row.renewedMs > leaseMs;
        const sinceMs = freeSinceMs.get(shard) ?? nowMs;
        if (isFree) freeSinceMs.set(shard, sinceMs);
        else freeSinceMs.delete(shard);
        const freeForMs = isFree ? nowMs - sinceMs : undefined;
        return { ...row, shard, freeForMs, isOver: false, ownedForMs: nowMs - row.takenMs };
      }),
    });
    this.#apply(node, decision);
  }

  #apply({ workers }: Node, { giveUp, kill, take }: Decision): void {
    for (const shard of kill) workers.get(shard)!.state = 'over';
    for (const { epoch, shard } of take) {
      expect(['over', 'failed', undefined]).toContain(workers.get(shard)?.state);
      workers.set(shard, { state: 'starting', epoch, dueMs: this.nowMs + this.#startMs });
    }
    if (giveUp === undefined) return;
    const { shard } = giveUp;
    this.moves.push({ shard, atMs: this.nowMs });
    workers.set(shard, { ...workers.get(shard)!, state: 'stopping', dueMs: this.nowMs + 500 });
  }
}

type Event =
  | { readonly kind: 'join' | 'wait'; readonly afterMs: number }
  | {
      readonly kind: 'die' | 'drain' | 'kill a worker';
      readonly afterMs: number;
      readonly at: number;
    };

const event: fc.Arbitrary<Event> = fc.oneof(
  fc.record({
    kind: fc.constantFrom('join' as const, 'wait' as const),
    afterMs: fc.integer({ min: 0, max: 90_000 }),
  }),
  fc.record({
    kind: fc.constantFrom('die' as const, 'drain' as const, 'kill a worker' as const),
    afterMs: fc.integer({ min: 0, max: 90_000 }),
    at: fc.nat(20),
  }),
);

function happen(world: World, what: Event): void {
  world.run(what.afterMs);
  switch (what.kind) {
    case 'wait':
      return;
    case 'join':
      world.join();
      return;
    case 'kill a worker': {
      const workers = world.nodes.flatMap((node) =>
        node.isAlive ? [...node.workers.values()] : [],
      );
      const one = workers[what.at % Math.max(workers.length, 1)];
      if (one?.state === 'owner') one.state = 'over';
      else if (one?.state === 'starting') one.state = 'failed';
      return;
    }
    default: {
      // One node remains.
      if (world.members.length < 2) return;
      const node = world.members[what.at % world.members.length]!;
      if (what.kind === 'die') node.isAlive = false;
      else node.isDraining = true;
    }
  }
}

test('each shard has an owner in the end, evenly, and none moves more than once a minute or without need', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 9 }),
      fc.integer({ min: 1, max: 4 }),
      fc.constantFrom(250, 750, 2_000),
      fc.constantFrom(0, 1, 9),
      fc.array(event, { maxLength: 8 }),
      (shards, nodes, startMs, spares, events) => {
        const world = new World(shards, nodes, startMs, spares);
        for (const each of events) happen(world, each);
        world.run((shards + 2) * 70_000);
        const settledAt = world.nowMs;
        world.run(180_000);
        const names = world.members.map(({ name }) => name);
        const counts = names.map(
          (name) => [...world.rows.values()].filter(({ node }) => node === name).length,
        );
        for (const { isReleased, node } of world.rows.values()) {
          expect(isReleased).toBe(false);
          expect(names).toContain(node);
        }
        expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
        expect(world.taken.filter(({ atMs }) => atMs > settledAt)).toEqual([]);
        for (const { atMs, shard } of world.moves) {
          const before = world.taken.filter((one) => one.shard === shard && one.atMs < atMs).at(-1);
          expect(atMs - before!.atMs).toBeGreaterThanOrEqual(60_000);
        }
      },
    ),
    { numRuns: 75 },
  );
  // It only computes, and on a busy machine that takes more than the minute that a test has.
}, 180_000);

const free = (shard: string, freeForMs = 0) => ({
  shard,
  epoch: 3,
  node: 'n9',
  freeForMs,
  isOver: false,
  ownedForMs: 0,
});
const owned = (shard: string, node: string, ownedForMs = 0, epoch = 3) => ({
  ...{ shard, epoch, node, freeForMs: undefined, isOver: false, ownedForMs },
});
const worker = (state: OwnWorker['state'], epoch: number) => new Map([['s', { state, epoch }]]);
const none = new Map<string, OwnWorker>();
const spares = 9;

test('free shards are divided among the nodes, so that each takes its own part at once', () => {
  const shards = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => free(name));
  const nodes = ['n1', 'n2', 'n3'];
  const taken = nodes.map((self) =>
    decide({ self, nodes, shards, spares, workers: none }).take.map(({ shard }) => shard),
  );
  expect(taken.map((list) => list.length)).toEqual([2, 2, 2]);
  expect(taken.flat().sort()).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
});

test('each of the free shards of a dead node goes to another node, whatever those have, because each has one spare', () => {
  const nodes = ['n1', 'n2'];
  const shards = [free('a'), free('b'), owned('c', 'n1')];
  const taken = nodes.map((self) => decide({ self, nodes, shards, spares: 1, workers: none }).take);
  expect(taken.map((list) => list.length)).toEqual([1, 1]);
});

test('the second shard of a dead node, found free a moment later, goes to a node that has not just used its spare', () => {
  const nodes = ['n1', 'n2'];
  const takers = (ownedForMs: number) =>
    nodes.filter((self) => {
      const others = ['c', 'd'].map((name) => owned(name, 'n2', 60_000));
      const shards = [owned('a', 'n1', ownedForMs), free('b'), ...others];
      return decide({ self, nodes, shards, spares, workers: none }).take.length > 0;
    });
  expect(takers(9_999)).toEqual(['n2']);
  expect(takers(10_000)).toEqual(['n1']);
});

test('a node whose turn it is not takes a shard a second later', () => {
  const nodes = ['n1', 'n2'];
  const at = (self: string, freeForMs: number) =>
    decide({ self, nodes, shards: [free('s', freeForMs)], spares, workers: none }).take.length;
  expect(nodes.map((self) => at(self, 999)).sort()).toEqual([0, 1]);
  expect(nodes.map((self) => at(self, 1_000))).toEqual([1, 1]);
});

test('a node that has read a shard takes it at once, because the one whose turn it is may not be ready', () => {
  const nodes = ['n1', 'n2'];
  const takers = (hasRead: boolean) =>
    nodes.filter((self) => {
      const of = { self, nodes, shards: [free('s', 0)], spares, workers: none };
      return decide({ ...of, hasRead: () => hasRead }).take.length > 0;
    });
  expect([takers(false).length, takers(true)]).toEqual([1, nodes]);
});

test('a node without a spare leaves the shard to one that has a spare for two seconds, unless there is no other', () => {
  const nodes = ['n1', 'n2'];
  const at = (self: string, freeForMs: number, all = nodes) =>
    decide({ self, nodes: all, shards: [free('s', freeForMs)], spares: 0, workers: none }).take
      .length;
  expect(nodes.map((self) => at(self, 1_999))).toEqual([0, 0]);
  expect(nodes.map((self) => at(self, 2_000)).sort()).toEqual([0, 1]);
  expect(nodes.map((self) => at(self, 3_000))).toEqual([1, 1]);
  expect(at('n1', 0, ['n1'])).toBe(1);
});

test('a second shard of a node waits until another spare is loaded', () => {
  const shards = [...['a', 'b', 'c'].map((name) => free(name)), owned('d', 'n2'), owned('e', 'n2')];
  const at = (loaded: number) =>
    decide({ self: 'n1', nodes: ['n1', 'n2'], shards, spares: loaded, workers: none }).take.length;
  expect([at(1), at(2)]).toEqual([1, 2]);
});

test('a node helps with one shard at a time, so that nodes that start together do not all start every shard', () => {
  const nodes = ['n1', 'n2', 'n3'];
  const shards = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => free(name, 60_000));
  const taken = nodes.map((self) => decide({ self, nodes, shards, spares, workers: none }).take);
  for (const take of taken) expect(take.length).toBeLessThanOrEqual(3);
  const [starting = []] = taken.map((take) =>
    take.map(({ shard }) => [shard, { state: 'starting', epoch: 3 }] as const),
  );
  const workers = new Map<string, OwnWorker>(starting);
  expect(decide({ self: 'n1', nodes, shards, spares, workers }).take).toEqual([]);
});

test('a shard whose owner has exited is taken without waiting for its lease', () => {
  const shards = [{ ...free('s'), isOver: true }, free('t')];
  const { take } = decide({ self: 'n1', nodes: ['n1'], shards, spares, workers: none });
  expect(take.map(({ isOver, shard }) => [shard, isOver])).toEqual([
    ['s', true],
    ['t', false],
  ]);
});

test('a node that drains takes nothing, not even the shard of its own worker that died', () => {
  const shards = [owned('s', 'n1'), free('t', 60_000)];
  expect(
    decide({ self: 'n1', nodes: ['n2'], shards, spares, workers: worker('over', 3) }).take,
  ).toEqual([]);
});

test('the shard of a worker that died here is taken back without waiting for its lease, unless another has it', () => {
  const at = (node: string, epoch: number) =>
    decide({
      self: 'n1',
      nodes: ['n1', 'n2'],
      shards: [owned('s', node, 0, epoch)],
      spares,
      workers: worker('over', 3),
    });
  expect(at('n1', 3).take).toEqual([{ shard: 's', epoch: 3, isOver: true }]);
  expect(at('n1', 4).take).toEqual([]);
  expect(at('n2', 4).take).toEqual([]);
});

test('a node whose worker died before it served comes after all others, also those without a spare, but not if alone', () => {
  const nodes = ['n1', 'n2'];
  const at = (self: string, freeForMs: number, all = nodes) =>
    decide({
      ...{ self, nodes: all, shards: [free('s', freeForMs)] },
      ...(self === 'n1' ? { spares, workers: worker('failed', 3) } : { spares: 0, workers: none }),
    }).take.length;
  expect([at('n2', 3_000), at('n1', 3_999)]).toEqual([1, 0]);
  expect(at('n1', 4_000)).toBe(1);
  expect(at('n1', 0, ['n1'])).toBe(1);
  expect(at('n1', 60_000, ['n2'])).toBe(0);
});

test('a worker that died before it served is started again at once only if there is no other node', () => {
  const at = (...nodes: readonly string[]) =>
    decide({
      ...{ self: 'n1', nodes, shards: [owned('s', 'n1')], spares, workers: worker('failed', 3) },
    }).take;
  expect(at('n1', 'n2')).toEqual([]);
  expect(at('n1')).toEqual([{ shard: 's', epoch: 3, isOver: true }]);
});

test.each<[OwnWorker['state'], string, number, boolean]>([
  ['owner', 'n2', 4, true],
  ['owner', 'n1', 4, true],
  ['owner', 'n1', 3, false],
  ['owner', 'n2', 2, false],
  ['stopping', 'n2', 4, true],
  ['starting', 'n2', 4, true],
  // It has just taken the shard, and its message is on the way.
  ['starting', 'n1', 4, false],
  ['barred', 'n2', 4, false],
  ['failed', 'n2', 4, false],
])(
  'a worker that is %s with epoch 3, while %s has epoch %i, is killed: %s',
  (state, node, epoch, isKilled) => {
    const shards = [owned('s', node, 0, epoch)];
    const { kill, take } = decide({
      self: 'n1',
      nodes: ['n1', 'n2'],
      shards,
      spares,
      workers: worker(state, 3),
    });
    expect([kill, take]).toEqual([isKilled ? ['s'] : [], []]);
  },
);

test('a worker that lets its lease run out is killed by its own node in the end, if no other node takes the shard', () => {
  const shards = [{ ...free('s', 5_000), node: 'n1' }];
  const early = [{ ...free('s', 4_999), node: 'n1' }];
  const workers = worker('owner', 3);
  expect(decide({ self: 'n1', nodes: ['n1'], shards, spares, workers }).kill).toEqual(['s']);
  expect(decide({ self: 'n1', nodes: ['n1'], shards: early, spares, workers })).toMatchObject({
    ...{ kill: [], take: [] },
  });
  expect(decide({ self: 'n1', nodes: ['n2'], shards, spares, workers })).toMatchObject({
    kill: [],
    take: [],
  });
});

test('only the node with most shards gives one up, the oldest, after a minute, and while no shard is free', () => {
  const nodes = ['n1', 'n2', 'n3'];
  const shards = [
    ...[owned('a', 'n1', 70_000), owned('b', 'n1', 90_000), owned('c', 'n1', 10_000)],
    ...[owned('d', 'n2', 90_000), owned('e', 'n2', 90_000)],
  ];
  const givenUp = (all: Parameters<typeof decide>[0]['shards']) =>
    nodes.map((self) => decide({ self, nodes, shards: all, spares, workers: none }).giveUp);
  expect(givenUp(shards)).toEqual([
    { shard: 'b', to: ['n3'], why: 'fewer_shards' },
    undefined,
    undefined,
  ]);
  expect(givenUp([...shards, free('f')])).toEqual([undefined, undefined, undefined]);
  const even = givenUp([...shards, owned('f', 'n2', 90_000)]);
  expect(even).toEqual([{ shard: 'b', to: ['n3'], why: 'fewer_shards' }, undefined, undefined]);
  expect(givenUp(shards.map((one) => ({ ...one, ownedForMs: 59_999 })))).toEqual([
    ...[undefined, undefined, undefined],
  ]);
});

test('a shard whose signer has been away for five seconds may move to any node, a minute after its last move', () => {
  const nodes = ['n1', 'n2'];
  const givenUp = (ownedForMs: number, signerAwayMs: number) => {
    const workers = new Map([['a', { state: 'owner', epoch: 3, signerAwayMs } as const]]);
    const shards = [owned('a', 'n1', ownedForMs), owned('b', 'n2', 90_000)];
    return decide({ self: 'n1', nodes, shards, spares, workers }).giveUp;
  };
  const why = 'signer_away';
  expect(givenUp(60_000, 5_000)).toEqual({ shard: 'a', to: ['n2'], why });
  expect([givenUp(60_000, 4_999), givenUp(59_999, 5_000)]).toEqual([undefined, undefined]);
});
