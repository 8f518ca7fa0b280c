/** Short-lived tokens for the private WebSocket (contract G36, R70). The seed makes them the same in each run. */
import { createHmac } from 'node:crypto';
import { keepLatest } from '../runtime/keep-latest.ts';

const maxTokens = 10_000;

export class Tokens {
  readonly #seed: number;
  #count = 0;
  // In order of issue.
  readonly #live = new Map<string, { readonly account: string; readonly expiresAtMs: number }>();

  constructor(seed: number) {
    this.#seed = seed;
  }

  issue(account: string, ttlMs: number, wallMs: number): { token: string; expiresAtMs: number } {
    this.#count += 1;
    const digest = createHmac('sha256', `token ${this.#seed}`).update(String(this.#count)).digest();
    const token = `spt_${digest.toString('base64url')}`;
    const expiresAtMs = wallMs + ttlMs;
    keepLatest(this.#live, token, { account, expiresAtMs }, maxTokens);
    return { token, expiresAtMs };
  }

  /** The account of an unexpired token. */
  account(token: string, wallMs: number): string | undefined {
    const found = this.#live.get(token);
    if (found === undefined) return undefined;
    if (wallMs < found.expiresAtMs) return found.account;
    this.#live.delete(token);
    return undefined;
  }
}
