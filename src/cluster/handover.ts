/**
 * Gives a shard of this node to another one, which first reads the shard while clients still trade here, so that little
 * remains to be read (docs/decisions/0287-nodes-own-shards-by-leases.md, "A node that cannot serve").
 */
import type { Clock } from '../runtime/clock.ts';
import type { WriteNotice } from '../runtime/operator-line.ts';
import type { NodeView } from './owners.ts';
import type { Offer } from './ownership.ts';
import type { ShardKeeper } from './shard-keeper.ts';

export interface HandoverOptions {
  readonly clock: Clock;
  readonly notice: WriteNotice;
  readonly keepers: ReadonlyMap<string, Pick<ShardKeeper, 'ownWorker' | 'stop'>>;
  /** The other nodes in the order in which they would take the shard. */
  readonly heirs: (shard: string) => readonly NodeView[];
  /** Lets that node read the shard. Resolves with why it is not ready to serve it; undefined if it is. */
  readonly readElsewhere: (shard: string, node: NodeView) => Promise<string | undefined>;
}

const texts: Readonly<Record<Offer['why'], string>> = {
  fewer_shards: 'which has fewer shards',
  signer_away: 'because its signer does not answer here',
};
/** Nodes that were not ready to serve a shard are asked again after this time. */
const askAgainMs = 60_000;

export class Handover {
  readonly #options: HandoverOptions;
  /** By reason: this node gives up no shard for it before this time. */
  readonly #fromMs = new Map<Offer['why'], number>();
  #isBusy = false;

  constructor(options: HandoverOptions) {
    this.#options = options;
  }

  /** A node that could not serve the shard, because its signer is away for example, does not get it. */
  async offer({ shard, to, why }: Offer): Promise<void> {
    const { clock, keepers, notice } = this.#options;
    if (this.#isBusy || clock.now().monoMs < (this.#fromMs.get(why) ?? 0)) return;
    this.#isBusy = true;
    try {
      const { next, problems } = await this.prepare(shard, to);
      if (next === undefined) {
        this.#fromMs.set(why, clock.now().monoMs + askAgainMs);
        const reasons = problems.join('; ') || 'there is no other node';
        notice(`shard ${shard} stays here: ${reasons}`, { event: 'shard_not_ready' });
      } else if (why === 'fewer_shards' || keepers.get(shard)?.ownWorker?.signerAwayMs) {
        notice(`shard ${shard} moves to node ${next}, ${texts[why]}`, { event: 'shard_given_up' });
        await keepers.get(shard)?.stop();
      }
    } finally {
      this.#isBusy = false;
    }
  }

  /**
   * Lets one node after the other read the shard until one is ready to serve it. Only the nodes `among` are asked, if
   * they are given.
   */
  async prepare(shard: string, among?: readonly string[]) {
    const { heirs, readElsewhere } = this.#options;
    const problems: string[] = [];
    for (const heir of heirs(shard)) {
      const { node } = heir;
      if (among?.includes(node) === false) continue;
      const problem = await readElsewhere(shard, heir);
      if (problem === undefined) return { next: node, problems };
      problems.push(`node ${node} is not ready to serve it: ${problem}`);
    }
    return { next: undefined, problems };
  }
}
