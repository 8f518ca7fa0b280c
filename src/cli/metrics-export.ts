/**
 * Sends the metrics of `/metrics` to an OpenTelemetry collector with OpenTelemetry's own SDK. Each export reads the
 * registry that Prometheus reads, so every metric is defined once and has the same name in both. The SDK runs one
 * export at a time and does not retry: the values are cumulative, so the next export includes everything.
 */
import type { HrTime } from '@opentelemetry/api';
import type {
  DataPoint,
  Histogram,
  MetricData,
  PushMetricExporter,
} from '@opentelemetry/sdk-metrics';
import type { LoadedConfig } from '../gateway/config/config-file.ts';
import type { MetricFamily, Metrics } from '../runtime/metrics.ts';
import type { WriteNotice } from '../runtime/operator-line.ts';
import { collectorTimeoutMs, installed, resourceAttributes, stopWithin } from './opentelemetry.ts';

const packages = ['api', 'exporter-metrics-otlp-http', 'resources', 'sdk-metrics'];

/** Undefined if `metricsExport` is not configured. */
export async function openMetricsExport(loaded: LoadedConfig, notice: WriteNotice) {
  const { metricsExport } = loaded.config;
  if (metricsExport === undefined) return undefined;
  const [otlp, resources, sdk] = await installed(loaded.at(['metricsExport']), packages, () =>
    Promise.all([
      import('@opentelemetry/exporter-metrics-otlp-http'),
      import('@opentelemetry/resources'),
      import('@opentelemetry/sdk-metrics'),
    ]),
  );
  const { everySeconds, url } = metricsExport;
  const exportIntervalMillis = everySeconds * 1_000;
  const exportTimeoutMillis = Math.min(collectorTimeoutMs, exportIntervalMillis);
  let stop = (): Promise<void> => Promise.resolve();
  /** Exports `metrics` from now on; `instance` distinguishes the shards and nodes of a cluster. */
  const start = (metrics: Metrics, instance?: string): void => {
    const exporter = new otlp.OTLPMetricExporter({ url, timeoutMillis: exportTimeoutMillis });
    reportFailures(exporter, new URL(url).origin, notice);
    const resource = resources.resourceFromAttributes(resourceAttributes(loaded, instance));
    const scope = { name: 'causeway' };
    const startTime = hrTime(Date.now());
    const collect = async () => {
      const found = await dataOf(metrics, startTime, sdk);
      return {
        resourceMetrics: { resource, scopeMetrics: [{ scope, metrics: found }] },
        errors: [],
      };
    };
    const reader = new sdk.PeriodicExportingMetricReader({
      ...{ exporter, exportIntervalMillis, exportTimeoutMillis, metricProducers: [{ collect }] },
    });
    const provider = new sdk.MeterProvider({ resource, readers: [reader] });
    stop = () => provider.shutdown();
  };
  /** `stop` exports once more, for a limited time. */
  return { start, stop: () => stopWithin(stop()) };
}

/** Writes one line to the log when exports start to fail, and one when they succeed again. */
function reportFailures(exporter: PushMetricExporter, to: string, notice: WriteNotice): void {
  const send = exporter.export.bind(exporter);
  let isFailing = false;
  exporter.export = (metrics, done) =>
    send(metrics, (result) => {
      const { error } = result;
      if ((error !== undefined) !== isFailing) {
        isFailing = error !== undefined;
        const text = isFailing
          ? `metrics cannot be exported to ${to}: ${error?.message}`
          : `metrics are exported to ${to} again`;
        notice(text, { event: 'metrics_export' });
      }
      done(result);
    });
}

type Sdk = typeof import('@opentelemetry/sdk-metrics');

async function dataOf(metrics: Metrics, startTime: HrTime, sdk: Sdk): Promise<MetricData[]> {
  const data: MetricData[] = [];
  for await (const { help, name, type, values } of metrics.families()) {
    const endTime = hrTime(Date.now());
    const point = <T>(attributes: Record<string, string>, value: T): DataPoint<T> => ({
      ...{ startTime, endTime, attributes, value },
    });
    const numbers = () =>
      // JSON has no NaN, and a collector might refuse the whole export because of it.
      values
        .filter(({ value }) => Number.isFinite(value))
        .map(({ labels, value }) => point(labels, value));
    const shared = {
      // The names contain their units.
      descriptor: { name, description: help, unit: '', valueType: 1 },
      aggregationTemporality: sdk.AggregationTemporality.CUMULATIVE,
    };
    const { DataPointType: points } = sdk;
    if (type === 'counter') {
      data.push({ ...shared, dataPointType: points.SUM, isMonotonic: true, dataPoints: numbers() });
    } else if (type === 'gauge') {
      data.push({ ...shared, dataPointType: points.GAUGE, dataPoints: numbers() });
    } else {
      const dataPoints = histogramsIn(name, values).map(([labels, one]) => point(labels, one));
      data.push({ ...shared, dataPointType: points.HISTOGRAM, dataPoints });
    }
  }
  return data;
}

/** Prometheus buckets are cumulative; OpenTelemetry counts each value once. */
function histogramsIn(
  name: string,
  values: MetricFamily['values'],
): readonly (readonly [Record<string, string>, Histogram])[] {
  const byLabels = Map.groupBy(values, ({ labels: { le: _, ...labels } }) =>
    JSON.stringify(labels),
  );
  return [...byLabels].map(([key, parts]) => {
    const buckets = parts.filter(({ metricName }) => metricName === `${name}_bucket`);
    const boundaries = buckets.map(({ labels: { le } }) => Number(le)).filter(Number.isFinite);
    const counts = buckets.map(({ value }, at) => value - (buckets[at - 1]?.value ?? 0));
    const part = (end: string) =>
      parts.find(({ metricName }) => metricName === name + end)?.value ?? 0;
    const histogram = { buckets: { boundaries, counts }, sum: part('_sum'), count: part('_count') };
    return [JSON.parse(key) as Record<string, string>, histogram];
  });
}

function hrTime(ms: number): HrTime {
  return [Math.floor(ms / 1_000), (ms % 1_000) * 1_000_000];
}
