/** What operators scrape: counters, gauges and latencies, in one registry handed in where it is needed. */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { type Latency, latencyBoundsUs } from './latency.ts';

const prefix = 'causeway_';

/** From a bare loop on loopback to a venue that hangs: 10 µs to 10 s. */
const latencyBucketsUs = [
  10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000, 200_000, 500_000,
  1_000_000, 2_000_000, 5_000_000, 10_000_000,
];

export type Labels<Name extends string> = { readonly [name in Name]: string };

export interface Metric<Name extends string> {
  readonly name: string;
  readonly help: string;
  readonly labelNames?: readonly Name[];
}

export class Metrics {
  readonly #registry = new Registry();

  /** Memory, event loop delay, garbage collection and the like of this process. */
  watchProcess(): void {
    collectDefaultMetrics({ register: this.#registry, prefix });
  }

  counter<Name extends string = never>(metric: Metric<Name>): Counter<Name> {
    return new Counter(this.#options(metric));
  }

  gauge<Name extends string = never>(metric: Metric<Name>): Gauge<Name> {
    return new Gauge(this.#options(metric));
  }

  /** A gauge that is asked when it is scraped. */
  watch(metric: Metric<never>, read: () => number): void {
    new Gauge({
      ...this.#options(metric),
      collect() {
        this.set(read());
      },
    });
  }

  /** In microseconds; the name ends so. */
  latency<Name extends string = never>(metric: Metric<Name>): Histogram<Name> {
    if (!metric.name.endsWith('_us')) throw new Error(`${metric.name} must end with its unit, _us`);
    return new Histogram({ ...this.#options(metric), buckets: latencyBucketsUs });
  }

  /** A gauge of several values, by the value of its one label. */
  watchLabels<Name extends string>(
    metric: Metric<Name>,
    read: () => ReadonlyMap<string, number>,
  ): void {
    const [label = ''] = metric.labelNames ?? [];
    new Gauge({
      ...this.#options<string>(metric),
      collect() {
        this.reset();
        for (const [value, count] of read()) this.set({ [label]: value }, count);
      },
    });
  }

  /** Latencies that were counted elsewhere, as one histogram, by the value of its one label. */
  watchLatencies<Name extends string>(
    metric: Metric<Name>,
    read: () => readonly (readonly [value: string, latency: Latency])[],
  ): void {
    const [label = ''] = metric.labelNames ?? [];
    const { help, name } = this.#options(metric);
    const get = () => ({
      name,
      help,
      type: 'histogram',
      aggregator: 'sum',
      values: read().flatMap(([value, latency]) =>
        histogramValues(name, { [label]: value }, latency),
      ),
    });
    // The registry asks nothing more of a metric than its name and this.
    this.#registry.registerMetric({ name, get } as unknown as Gauge);
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  text(): Promise<string> {
    return this.#registry.metrics();
  }

  #options<Name extends string>({ name, help, labelNames = [] }: Metric<Name>) {
    return { name: prefix + name, help, labelNames: [...labelNames], registers: [this.#registry] };
  }
}

function histogramValues(name: string, labels: Record<string, string>, latency: Latency) {
  let below = 0;
  const buckets = latencyBoundsUs.map((bound, step) => {
    below += latency.counts[step] ?? 0;
    return { metricName: `${name}_bucket`, labels: { ...labels, le: String(bound) }, value: below };
  });
  return [
    ...buckets,
    { metricName: `${name}_bucket`, labels: { ...labels, le: '+Inf' }, value: latency.count },
    { metricName: `${name}_sum`, labels, value: latency.sumUs },
    { metricName: `${name}_count`, labels, value: latency.count },
  ];
}

/** Whole microseconds since `startNs`, as `process.hrtime.bigint()` gave it. */
export function elapsedUs(startNs: bigint): number {
  return Number((process.hrtime.bigint() - startNs) / 1_000n);
}
