/** At rest: what every client must have been answered and told by then. */
import type { Habit } from './cast.ts';
import type { ReaderRequests } from './reader-requests.ts';
import type { Client } from './stream-client.ts';

export interface Settled {
  readonly clients: readonly Client[];
  readonly copies: readonly Client[];
  readonly requests: ReaderRequests;
  readonly hasForgotten: (alias: string) => boolean;
}

/** With them what a client says may be lost, or refused before it is read. */
const lossyHabits = [
  'links',
  'crashes',
  'reloads',
  'slow',
  'sessions',
  'rates',
  'operator',
] as const;

export async function settle(
  { clients, copies, hasForgotten, requests }: Settled,
  habits: ReadonlySet<Habit>,
): Promise<void> {
  const isLossy = lossyHabits.some((one) => habits.has(one));
  const mayMiss = habits.has('reloads');
  for (const { quotes, wants } of clients) {
    quotes.settled(!isLossy && wants?.isSilent !== true);
    wants?.settled(hasForgotten, mayMiss);
  }
  for (const { wishes } of copies) await wishes?.judge(isLossy, mayMiss);
  if (habits.has('requests') && habits.has('copies')) await requests.judge();
}
