/**
 * The keys that sign for an account: one, or during a rotation two, the newer first
 * (docs/decisions/0296-two-keys-and-two-credentials.md). They share one policy and its rate, so a bridge that chooses
 * between them gains nothing. The digest does not depend on the key: the action is the same.
 */
import type { Account } from '../domain/units.ts';
import type { KeyHolder } from './key-holder.ts';
import { type Policy, PolicyGuard } from './policy.ts';
import { addressOf } from './scheme.ts';

export interface SigningKey {
  readonly holder: KeyHolder;
  readonly policy: Policy;
  /** The key that this one replaces, while both are valid. */
  readonly older?: Delegated | undefined;
}

interface Delegated {
  readonly holder: KeyHolder;
  /** Unix milliseconds at which its delegation ends; null: never. */
  readonly expiresAtMs: number | null;
}

export interface KeyOfAccount extends Delegated {
  readonly address: Account;
}

export class AccountKeys {
  readonly guard: PolicyGuard;
  /** The newer one first. */
  readonly all: readonly KeyOfAccount[];

  constructor({ holder, older, policy }: SigningKey) {
    this.guard = new PolicyGuard(policy);
    const keys: Delegated[] = [
      { holder, expiresAtMs: policy.expiresAtMs },
      ...(older ? [older] : []),
    ];
    this.all = keys.map((key) => ({ ...key, address: addressOf(key.holder.publicKey) }));
    if (this.all[0]?.address === this.all[1]?.address) {
      throw new Error(`the older key is the same as the newer one: ${this.all[0]?.address}`);
    }
  }

  get newest(): Account {
    return this.all[0]?.address as Account;
  }

  /** Why none of them can sign at present. */
  get problem(): string | undefined {
    const problems = this.all.map(({ holder }) => holder.problem);
    return problems.includes(undefined) ? undefined : problems[0];
  }

  /**
   * The keys that can sign now, in order: an expired delegation comes last, preceded by a key that the venue has
   * refused.
   */
  inOrder(refused: Account | undefined, nowMs: number): readonly KeyOfAccount[] {
    if (this.all.length === 1) return this.problem === undefined ? this.all : [];
    const rank = ({ address, expiresAtMs }: KeyOfAccount) =>
      expiresAtMs !== null && nowMs >= expiresAtMs ? 2 : Number(address === refused);
    const present = this.all.filter(({ holder }) => holder.problem === undefined);
    return present.sort((a, b) => rank(a) - rank(b));
  }

  close(): void {
    for (const { holder } of this.all) holder.close();
  }
}
