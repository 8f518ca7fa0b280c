/**
 * Serves the signer's operator: health, readiness and metrics over HTTP, and each request with its answer in the audit
 * log (docs/decisions/0125-audit-chain.md).
 */
import type { IncomingMessage } from 'node:http';
import type { Clock } from '../runtime/clock.ts';
import { FoldedAlarm } from '../runtime/folded-alarm.ts';
import { Latency } from '../runtime/latency.ts';
import { Metrics } from '../runtime/metrics.ts';
import { type StatusReply, StatusServer } from '../runtime/status-server.ts';
import type { AuditEntry } from '../store/audit-chain.ts';
import { RefusalAlarms } from './refusal-alarms.ts';
import type { RequestAudit } from './request-audit.ts';
import { refusal, type SignRequest, type SignResult, signRefusals } from './signer.ts';
import type { RaiseSignerAlarm } from './signer-alarm.ts';
import type { SignerCore } from './signer-core.ts';

export interface StatusParts {
  readonly core: SignerCore;
  readonly clock: Clock;
  readonly audit: RequestAudit;
  readonly connections: () => number;
  readonly alarm: RaiseSignerAlarm;
  /** The audit log cannot be written, so nothing may be answered any more. */
  readonly fatal: (error: Error) => void;
}

export class SignerStatus {
  readonly server: StatusServer;
  readonly #parts: StatusParts;
  readonly #metrics: Metrics;
  readonly #latency = new Latency();
  readonly #answers = new Map<string, number>();
  readonly #alarms: RefusalAlarms;
  readonly #ended = new FoldedAlarm();

  constructor(parts: StatusParts) {
    this.#parts = parts;
    this.#alarms = new RefusalAlarms(parts.clock, parts.alarm);
    this.server = new StatusServer((request) => this.#reply(request));
    for (const name of ['signed', ...signRefusals]) this.#answers.set(name, 0);
    this.#metrics = signerMetrics({
      ...{ ...parts, answers: this.#answers, latency: this.#latency },
      ended: () => this.#ended.count,
    });
  }

  /** A connection that ended because of what the bridge sent, or of a fault of this signer, as the text says. */
  ended(what: string): void {
    const { alarm, clock } = this.#parts;
    const text = this.#ended.add(what, clock.now().monoMs);
    if (text !== undefined) alarm(text, 'connection_ended');
  }

  /** Recorded in the audit log before the answer leaves. Without room for that, only cancels leave as signed. */
  answered(
    requests: readonly SignRequest[],
    results: readonly SignResult[],
    tookUs: number,
  ): readonly SignResult[] {
    const { audit, core } = this.#parts;
    this.#latency.observe(tookUs);
    const leaving = this.#recorded(requests, results)
      ? results
      : results.map((result, index) => {
          const request = requests[index];
          const isKept = result.kind === 'signed' && request && core.isPlacing(request);
          return isKept ? refusal('not_recorded', audit.problem ?? '') : result;
        });
    for (const result of leaving) {
      const name = result.kind === 'signed' ? 'signed' : result.code;
      this.#answers.set(name, (this.#answers.get(name) ?? 0) + 1);
      this.#alarms.add(result);
    }
    return leaving;
  }

  #recorded(requests: readonly SignRequest[], results: readonly SignResult[]): boolean {
    const { audit, clock, fatal } = this.#parts;
    const { wallMs } = clock.now();
    try {
      return audit.add(requests.map((request, index) => entryOf(request, results[index], wallMs)));
    } catch (error) {
      fatal(error as Error);
      throw error;
    }
  }

  async #reply({ method, url }: IncomingMessage): Promise<StatusReply> {
    if (method !== 'GET') return { status: 405, body: 'only GET\n' };
    switch (url) {
      case '/healthz':
        return { status: 200, body: 'alive\n' };
      case '/readyz': {
        const why = this.#parts.core.notReady;
        return { status: why.length === 0 ? 200 : 503, body: `${why.join('\n') || 'ready'}\n` };
      }
      case '/metrics':
        return { status: 200, body: await this.#metrics.text(), type: this.#metrics.contentType };
      default:
        return { status: 404, body: 'there are /healthz, /readyz and /metrics\n' };
    }
  }
}

/** The request as its text, if it is readable at all, and the answer without the signature, which the venue has. */
function entryOf({ canonical, scheme }: SignRequest, result: SignResult | undefined, atMs: number) {
  const isUnreadable = result?.kind === 'refused' && result.code === 'unreadable';
  const asked = isUnreadable ? { bytes: canonical.length } : textOf(canonical);
  const answer =
    result?.kind === 'signed'
      ? { signed: Buffer.from(result.digest).toString('hex') }
      : { refused: result?.code, text: result?.text };
  const entry: AuditEntry = {
    ...{ atMs, who: 'bridge', what: 'sign', subject: scheme, why: '' },
    ...{ before: asked, after: answer },
  };
  return entry;
}

function textOf(canonical: Uint8Array): string {
  return Buffer.from(canonical.buffer, canonical.byteOffset, canonical.length).toString();
}

interface SignerMetricsParts {
  readonly core: Pick<SignerCore, 'anchor' | 'isLedgerReady' | 'notReady'>;
  readonly audit: Pick<RequestAudit, 'head'>;
  readonly connections: () => number;
  /** Connections that ended because of what the bridge sent, or of a fault. */
  readonly ended: () => number;
  /** Requests by their answer: `signed` or the code of a refusal. */
  readonly answers: ReadonlyMap<string, number>;
  /** From a frame of requests to its answer. */
  readonly latency: Latency;
}

/** They name no key and no account, because `/metrics` needs no login. */
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
  const ending = 'Connections that were ended because of what a bridge sent, or of a fault.';
  const recording = '1 if the ledger takes records, so that orders are signed.';
  const rows: readonly (readonly [name: string, help: string, read: () => number])[] = [
    ['signer_connections', 'Connections of bridges.', connections],
    ['signer_connections_ended_total', ending, ended],
    [
      'signer_ready',
      '1 if nothing keeps it from signing.',
      () => Number(core.notReady.length === 0),
    ],
    ['signer_ledger_ready', recording, () => Number(core.isLedgerReady)],
    ['signer_ledger_entries', 'Entries that the ledger ever had.', () => core.anchor.count],
    ['audit_records', 'Records of the audit chain.', () => audit.head.position],
  ];
  for (const [name, help, read] of rows) metrics.watch({ name, help }, read);
  return metrics;
}
