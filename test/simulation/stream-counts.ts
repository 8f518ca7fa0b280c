/** What runs of legal streams consisted of, to be added up. */
export interface StreamCounts {
  commands: number;
  /** What the commands ask for: each side of a quote is one. */
  actions: number;
  reports: number;
  crashes: number;
  fills: number;
  orders: number;
}

export function noCounts(): StreamCounts {
  return { commands: 0, actions: 0, reports: 0, crashes: 0, fills: 0, orders: 0 };
}

export function addCounts(sums: StreamCounts, counts: StreamCounts): void {
  for (const name of Object.keys(sums) as (keyof StreamCounts)[]) sums[name] += counts[name];
}

/** Each entry of a quote has sides of its own. */
export function countLine(counts: StreamCounts, line: string): void {
  counts.commands += 1;
  counts.actions += Math.max(1, line.split('|').filter((field) => /^13[45]=/.test(field)).length);
}
