/**
 * Traces orders with OpenTelemetry's own SDK: one span for an order from its bytes to the venue's answer, and one for
 * each hop. The operator installs the packages (docs/DEPENDENCIES.md), which load only if needed.
 */

import type { HopTimes } from '../gateway/account/hops.ts';
import { nobody, type Observer } from '../gateway/account/observer.ts';
import type { LoadedConfig } from '../gateway/config/config-file.ts';
import { nowUs } from '../runtime/latency.ts';
import { collectorTimeoutMs, installed, resourceAttributes, stopWithin } from './opentelemetry.ts';

/** The maximum number of spans that wait for the collector; others are dropped. */
const queuedSpans = 2_048;
const packages = ['api', 'exporter-trace-otlp-http', 'resources', 'sdk-trace'];

/** Undefined if tracing is not configured. */
export async function openTracing(loaded: LoadedConfig) {
  const { tracing } = loaded.config;
  if (tracing === undefined) return undefined;
  const [api, otlp, resources, sdk] = await installed(loaded.at(['tracing']), packages, () =>
    Promise.all([
      import('@opentelemetry/api'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/resources'),
      import('@opentelemetry/sdk-trace'),
    ]),
  );
  const exporter = new otlp.OTLPTraceExporter({
    url: tracing.url,
    timeoutMillis: collectorTimeoutMs,
  });
  const provider = new sdk.TracerProvider({
    resource: resources.resourceFromAttributes(resourceAttributes(loaded)),
    sampler: new sdk.TraceIdRatioBasedSampler(tracing.ratio),
    spanProcessors: [
      new sdk.BatchSpanProcessor({
        exporter,
        maxQueueSize: queuedSpans,
        exportTimeoutMillis: collectorTimeoutMs,
      }),
    ],
  });
  const tracer = provider.getTracer('causeway');
  const { ROOT_CONTEXT, trace } = api;
  const passed = (hash: string, times: HopTimes): void => {
    const { answeredUs, recordedUs, sentUs, signedUs, startedUs } = times;
    // The Unix time of the monotonic clock's zero.
    const zeroMs = Date.now() - nowUs() / 1_000;
    const timeOf = (us: number) => zeroMs + us / 1_000;
    const root = tracer.startSpan('order', { startTime: timeOf(startedUs) }, ROOT_CONTEXT);
    if (root.isRecording()) {
      root.setAttribute('causeway.action_hash', hash);
      const within = trace.setSpan(ROOT_CONTEXT, root);
      const hops = [
        ['record', startedUs, recordedUs],
        ['sign', recordedUs, signedUs],
        ['send', signedUs, sentUs],
        ['answer', sentUs, answeredUs],
      ] as const;
      for (const [name, fromUs, toUs] of hops) {
        tracer.startSpan(name, { startTime: timeOf(fromUs) }, within).end(timeOf(toUs));
      }
    }
    root.end(timeOf(answeredUs));
  };
  return {
    observer: { ...nobody, passed } as Observer,
    /** Sends the remaining samples, for a limited time. */
    stop: () => stopWithin(provider.shutdown()),
  };
}
