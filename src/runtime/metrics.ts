/** What operators scrape: counters, gauges and latencies, in one registry handed in where it is needed. */
import { setImmediate } from 'node:timers/promises';
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { type Latency, latencyBoundsUs } from './latency.ts';

const prefix = 'causeway_';

export interface Metric<Name extends string> {
  readonly name: string;
  readonly help: string;
  readonly labelNames?: readonly Name[];
}

/** One number of a metric; a histogram is several, with the names `…_bucket`, `…_sum` and `…_count`. */
export interface MetricValue {
  readonly metricName?: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface MetricFamily {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly values: readonly MetricValue[];
}

export class Metrics {
  readonly #registry = new Registry();
  readonly #refresh: () => Promise<void>;

  /** `refresh` is called before each reading of all metrics. */
  constructor(refresh = () => Promise.resolve()) {
    this.#refresh = refresh;
  }

  /** Memory, event loop delay, garbage collection and the like of this process. */
  watchProcess(): void {
    collectDefaultMetrics({ register: this.#registry, prefix });
  }

  /** What goes up and down, asked when it is scraped. */
  watch(metric: Metric<never>, read: () => number): void {
    this.watchLabels(metric, () => new Map([['', read()]]));
  }

  /** What only grows, counted elsewhere; the name ends so. */
  watchTotal(metric: Metric<never>, read: () => number): void {
    this.watchTotals(metric, () => new Map([['', read()]]));
  }

  /** A gauge of several values, by the value of its one label. */
  watchLabels<Name extends string>(
    metric: Metric<Name>,
    read: () => ReadonlyMap<string, number>,
  ): void {
    new Gauge({
      ...this.#options(metric),
      collect() {
        this.reset();
        for (const [value, count] of read()) this.set(labelled(metric, value), count);
      },
    });
  }

  /** Several that only grow, by the value of their one label. */
  watchTotals<Name extends string>(
    metric: Metric<Name>,
    read: () => ReadonlyMap<string, number>,
  ): void {
    if (!metric.name.endsWith('_total')) throw new Error(`${metric.name} must end with _total`);
    new Counter({
      ...this.#options(metric),
      collect() {
        this.reset();
        for (const [value, count] of read()) this.inc(labelled(metric, value), count);
      },
    });
  }

  /** Latencies that were counted elsewhere, as one histogram of microseconds, by the value of its one label. */
  watchLatencies<Name extends string>(
    metric: Metric<Name>,
    read: () => readonly (readonly [value: string, latency: Latency])[],
  ): void {
    if (!metric.name.endsWith('_us')) throw new Error(`${metric.name} must end with its unit, _us`);
    const { help, name } = this.#options(metric);
    const get = () => ({
      name,
      help,
      type: 'histogram',
      aggregator: 'sum',
      values: read().flatMap(([value, latency]) =>
        histogramValues(name, labelled(metric, value), latency),
      ),
    });
    // The registry asks nothing more of a metric than its name and this.
    this.#registry.registerMetric({ name, get } as unknown as Gauge);
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  async text(): Promise<string> {
    const texts: string[] = [];
    for await (const name of this.#names()) {
      texts.push(await this.#registry.getSingleMetricAsString(name));
    }
    return `${texts.join('\n\n')}\n`;
  }

  /** The values that `text` writes. */
  async *families(): AsyncGenerator<MetricFamily> {
    for await (const name of this.#names()) {
      const metric = this.#registry.getSingleMetric(name) as Gauge;
      // Its types leave out that each kind is named by a word.
      yield (await metric.get()) as unknown as MetricFamily;
    }
  }

  /** One metric in each round of the event loop, so that an order waits for one of them and not for all. */
  async *#names(): AsyncGenerator<string> {
    await this.#refresh();
    for (const { name } of this.#registry.getMetricsAsArray()) {
      yield name;
      await setImmediate();
    }
  }

  #options({ name, help, labelNames = [] }: Metric<string>) {
    return { name: prefix + name, help, labelNames: [...labelNames], registers: [this.#registry] };
  }
}

/** The value of the one label of a metric, where it has one. */
function labelled(
  { labelNames: [label] = [] }: Metric<string>,
  value: string,
): Record<string, string> {
  return label === undefined ? {} : { [label]: value };
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
