/** What operators see of the venue client (contract R76, R81): gap-fills, lag, queues, and the offset of the clock. */
import type { Metrics } from '../runtime/metrics.ts';
import type { ExecutionStream } from './execution-stream.ts';
import type { Gate } from './gate.ts';
import type { HttpClient } from './http-client.ts';
import type { Submitter } from './submitter.ts';

/** The parts of one account; a stream exists only once the account is followed. */
export interface WatchedAccount {
  readonly http: Pick<HttpClient, 'clockOffsetMs'>;
  readonly submitter: Pick<Submitter, 'inFlight' | 'queued'>;
  readonly stream: () => Pick<ExecutionStream, 'counts'> | undefined;
}

const streamCounts = {
  delivered: 'Events of the execution streams that were delivered.',
  duplicates: 'Events that came again and were ignored.',
  reordered: 'Events that came before their turn.',
  gapFills: 'Gap-fills asked for.',
  lag: 'Events known to exist and not yet delivered.',
} as const;
type CountName = keyof typeof streamCounts;

/** Sums over all accounts: an account's name is no label, for it would tell who trades. */
export function watchVenue(
  metrics: Metrics,
  gate: Pick<Gate, 'state'>,
  accounts: () => readonly WatchedAccount[],
): void {
  const sum = (read: (account: WatchedAccount) => number) =>
    accounts().reduce((total, account) => total + read(account), 0);
  for (const [name, help] of Object.entries(streamCounts) as [CountName, string][]) {
    const snake = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    metrics.watch({ name: `stream_${snake}`, help }, () =>
      sum(({ stream }) => stream()?.counts[name] ?? 0),
    );
  }
  metrics.watch({ name: 'venue_requests_in_flight', help: 'Requests without an answer yet.' }, () =>
    sum(({ submitter }) => submitter.inFlight),
  );
  metrics.watch({ name: 'venue_actions_queued', help: 'Actions that wait for a request.' }, () =>
    sum(({ submitter }) => submitter.queued),
  );
  metrics.watch({ name: 'venue_gate_open', help: '1 while orders may be placed.' }, () =>
    gate.state === 'open' ? 1 : 0,
  );
  metrics.watch(
    { name: 'venue_clock_offset_ms', help: 'Largest offset of the venue clock from ours.' },
    () => Math.max(0, ...accounts().map(({ http }) => Math.abs(http.clockOffsetMs))),
  );
}
