/** Exponential backoff (contract A.18.6): from about `firstMs`, doubled, never beyond `maxMs`. */
export interface BackoffRules {
  readonly firstMs: number;
  readonly maxMs: number;
}

/** A number from 0 to below 1; handed in, so that a seed repeats a run. */
export type Random = () => number;

const withoutJitter: Random = () => 0.5;

/** The wait before attempt `failures` + 1: with `random` a fifth more or less than the step, so that clients spread. */
export function backoffMs(
  rules: BackoffRules,
  failures: number,
  random: Random = withoutJitter,
): number {
  const step = Math.min(rules.maxMs, rules.firstMs * 2 ** Math.min(Math.max(failures - 1, 0), 30));
  return Math.min(rules.maxMs, Math.ceil(step * (0.8 + 0.4 * random())));
}
