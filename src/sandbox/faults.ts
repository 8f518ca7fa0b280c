/**
 * Faults on demand (contract R42, R73, R133): each rule consists of a fault and its target. It fires for a number of
 * matching requests or frames, or at a rate drawn from the seed.
 */
import * as z from 'zod';
import { SeededRandom } from './random.ts';

/**
 * Faults of requests and of frames. `before`: nothing was applied. `after`: everything was, only the answer is
 * affected. `hold`: it is applied after `delayMs`, while its sender is answered, disconnected, or left waiting.
 */
const faultKinds = [
  'fail_before',
  'fail_after',
  'drop',
  'refuse',
  'edge_limit',
  'slow',
  'swap',
  'hold',
  'hold_fail',
  'hold_cut',
  'cut_before',
  'cut_after',
  'durable_timeout',
  'frame_drop',
  'frame_delay',
  'frame_double',
  'frame_reorder',
  'frame_stall',
] as const;

export const faultRuleSchema = z.strictObject({
  kind: z.enum(faultKinds),
  /** The request's path must contain this. */
  path: z.string().max(200).default(''),
  account: z.string().max(64).nullable().default(null),
  /** The number of matches that it affects; null means no limit. */
  times: z.int().min(1).max(1_000_000).nullable().default(1),
  /** The number of 1000 matches that it affects, drawn from the seed. */
  perMille: z.int().min(1).max(1000).default(1000),
  status: z.literal([409, 429, 500, 502, 503, 504]).default(503),
  code: z.string().max(64).default('backpressure'),
  /** Null means until the operator releases it. */
  delayMs: z.int().min(0).max(86_400_000).nullable().default(1000),
  /** Whether a held action reserves its nonce at once, so that no other action can take it. */
  claimsNonce: z.boolean().default(false),
  atByte: z.int().min(0).max(10_000_000).default(0),
});
export type FaultRule = z.infer<typeof faultRuleSchema>;

interface Armed {
  readonly id: number;
  readonly rule: FaultRule;
  left: number | null;
}

const maxRules = 256;

export class Faults {
  readonly #random: SeededRandom;
  readonly #armed: Armed[] = [];
  #count = 0;

  constructor(seed: number) {
    this.#random = SeededRandom.of(seed);
  }

  /** Undefined if too many rules are active. */
  arm(rule: FaultRule): number | undefined {
    if (this.#armed.length >= maxRules) return undefined;
    this.#count += 1;
    this.#armed.push({ id: this.#count, rule, left: rule.times });
    return this.#count;
  }

  clear(): void {
    this.#armed.length = 0;
  }

  list(): readonly { id: number; rule: FaultRule; left: number | null }[] {
    return this.#armed.map(({ id, rule, left }) => ({ id, rule, left }));
  }

  request(path: string, account: string | null): FaultRule | undefined {
    return this.#fire(({ rule }) => !isOfFrame(rule) && matches(rule, path, account));
  }

  frame(account: string): FaultRule | undefined {
    return this.#fire(({ rule }) => isOfFrame(rule) && matches(rule, '', account));
  }

  #fire(hits: (armed: Armed) => boolean): FaultRule | undefined {
    for (const [index, armed] of this.#armed.entries()) {
      if (!hits(armed)) continue;
      if (armed.rule.perMille < 1000 && this.#random.below(1000) >= armed.rule.perMille) continue;
      if (armed.left !== null) {
        armed.left -= 1;
        if (armed.left === 0) this.#armed.splice(index, 1);
      }
      return armed.rule;
    }
    return undefined;
  }
}

function isOfFrame({ kind }: FaultRule): boolean {
  return kind.startsWith('frame_');
}

function matches(rule: FaultRule, path: string, account: string | null): boolean {
  return path.includes(rule.path) && (rule.account === null || rule.account === account);
}
