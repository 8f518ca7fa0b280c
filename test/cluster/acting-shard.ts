/**
 * A shard with its own store, as far as acts for all shards go: what its operator was asked for, and what it has
 * recorded.
 */
import { LocalActLog } from '../../src/cluster/act-log.ts';
import { NodeActs, type NodeActsOptions } from '../../src/cluster/node-acts.ts';
import { WorkerActs } from '../../src/cluster/worker-acts.ts';
import type { KillScope } from '../../src/gateway/gate/kill-switch.ts';
import { ActRefused } from '../../src/gateway/operator/operator.ts';
import { type ActingOperator, SharedActs } from '../../src/gateway/operator/shared-acts.ts';
import { ManualClock } from '../../src/runtime/clock.ts';
import type { Store } from '../../src/store/store.ts';
import { Transactions } from '../../src/store/transactions.ts';

/** What holds for a shard now. */
export class ActingShard {
  readonly kills = new Set<string>();
  readonly calls: string[] = [];
  readonly failures: unknown[] = [];
  readonly #accounts: readonly string[];
  readonly #transactions: Transactions;
  #worker: WorkerActs | undefined;

  constructor(store: Store, accounts: readonly string[]) {
    this.#accounts = accounts;
    this.#transactions = new Transactions(store, (error) => void this.failures.push(error));
  }

  /** A worker begins with what the shard has recorded. */
  async serve(name: string, node: TestNode): Promise<void> {
    const sharedActs = await SharedActs.open(this.#transactions);
    this.#worker = new WorkerActs(node.clock, (message) => {
      if (message.kind === 'act_done') node.acts.done(name, message.done);
      if (message.kind === 'opened') void node.acts.opened(name, message.last, message.done);
    });
    node.workers.set(name, this.#worker);
    await this.#worker.opened({ operator: this.#operator, sharedActs });
  }

  get #operator(): ActingOperator {
    const check = (scope: KillScope) => {
      if (scope.kind === 'all' || this.#accounts.includes(scope.name)) return;
      throw new ActRefused(`there is no account ${scope.name}`);
    };
    const nameOf = (scope: KillScope) => (scope.kind === 'all' ? 'all' : scope.name);
    return {
      kills: [],
      kill: (_, scope) => {
        check(scope);
        this.calls.push(`kill ${nameOf(scope)}`);
        this.kills.add(nameOf(scope));
        return 0;
      },
      release: (_, scope) => {
        check(scope);
        this.calls.push(`release ${nameOf(scope)}`);
        return this.kills.delete(nameOf(scope));
      },
      setLimits: (_, target) => void this.calls.push(`limits ${target.name}`),
    };
  }
}

export class TestNode {
  readonly clock = new ManualClock();
  readonly workers = new Map<string, WorkerActs>();
  readonly alarms: string[] = [];
  /** Shards that only other nodes have in their configuration. */
  readonly elsewhere: string[] = [];
  readonly acts: NodeActs;

  constructor(
    node: string,
    shards: readonly string[],
    { log, ownerOf }: Partial<Pick<NodeActsOptions, 'log' | 'ownerOf'>> = {},
  ) {
    this.acts = new NodeActs({
      ...{ node, clock: this.clock },
      shards: () => [...shards, ...this.elsewhere],
      log: log ?? new LocalActLog(this.clock, shards),
      send: (shard, message) => {
        this.workers.get(shard)?.take(message);
        return this.workers.has(shard);
      },
      ownerOf: ownerOf ?? ((shard) => (this.workers.has(shard) ? node : undefined)),
      alarm: (text) => void this.alarms.push(text),
    });
  }

  /** Lets time pass in steps, so that what is under way gets its turn. */
  async pass(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += 50) {
      this.clock.advance(50);
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}
