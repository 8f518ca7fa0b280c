/** Exponential backoff (contract A.18.6): starts at about `firstMs`, doubles, and never exceeds `maxMs`. */
export interface BackoffRules {
  readonly firstMs: number;
  readonly maxMs: number;
}

/** Returns a number from 0 to below 1; injected, so that a seed reproduces a run. */
export type Random = () => number;

const withoutJitter: Random = () => 0.5;

/** The wait before attempt `failures` + 1. With `random` it varies by a fifth, so that clients spread. */
export function backoffMs(
  rules: BackoffRules,
  failures: number,
  random: Random = withoutJitter,
): number {
  const step = Math.min(rules.maxMs, rules.firstMs * 2 ** Math.min(Math.max(failures - 1, 0), 30));
  return Math.min(rules.maxMs, Math.ceil(step * (0.8 + 0.4 * random())));
}
