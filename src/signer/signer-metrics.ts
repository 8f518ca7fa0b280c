/** The signer's metrics. They name no key and no account, because `/metrics` needs no login. */
import type { Latency } from '../runtime/latency.ts';
import { Metrics } from '../runtime/metrics.ts';
import type { RequestAudit } from './request-audit.ts';
import type { SignerCore } from './signer-core.ts';

export interface SignerMetricsParts {
  readonly core: Pick<SignerCore, 'anchor' | 'isLedgerReady' | 'notReady'>;
  readonly audit: Pick<RequestAudit, 'head'>;
  readonly connections: () => number;
  /** Connections that ended because of what the bridge sent. */
  readonly ended: () => number;
  /** Requests by their answer: `signed` or the code of a refusal. */
  readonly answers: ReadonlyMap<string, number>;
  /** From a frame of requests to its answer. */
  readonly latency: Latency;
}

export function signerMetrics(parts: SignerMetricsParts): Metrics {
  const { answers, audit, connections, core, ended, latency } = parts;
  const metrics = new Metrics();
  metrics.watchProcess();
  const labelNames = ['answer'] as const;
  metrics.watchLabels(
    { name: 'signer_answers_total', help: 'Requests by their answer.', labelNames },
    () => answers,
  );
  metrics.watchLatencies(
    { name: 'signer_frame_us', help: 'From a frame of requests to its answer.' },
    () => [['', latency]],
  );
  metrics.watch({ name: 'signer_connections', help: 'Connections of bridges.' }, connections);
  const help = 'Connections that were ended because of what a bridge sent.';
  metrics.watch({ name: 'signer_connections_ended_total', help }, ended);
  metrics.watch({ name: 'signer_ready', help: '1 if nothing keeps it from signing.' }, () =>
    Number(core.notReady.length === 0),
  );
  metrics.watch(
    {
      name: 'signer_ledger_ready',
      help: '1 if the ledger takes records, so that orders are signed.',
    },
    () => Number(core.isLedgerReady),
  );
  metrics.watch(
    { name: 'signer_ledger_entries', help: 'Entries that the ledger ever had.' },
    () => core.anchor.count,
  );
  metrics.watch(
    { name: 'audit_records', help: 'Records of the audit chain.' },
    () => audit.head.position,
  );
  return metrics;
}
