/** The metrics that operators scrape: counters, gauges and latencies, in one injected registry. */
import { setImmediate } from 'node:timers/promises';
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { type Latency, latencyBoundsUs } from './latency.ts';

const prefix = 'causeway_';

export interface Metric<Name extends string> {
  readonly name: string;
  readonly help: string;
  readonly labelNames?: readonly Name[];
}

/** One value of a metric; a histogram has several, named `…_bucket`, `…_sum` and `…_count`. */
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

  /** `refresh` is called before each read of all metrics. */
  constructor(refresh = () => Promise.resolve()) {
    this.#refresh = refresh;
  }

  /** Adds memory, event loop delay, garbage collection and similar metrics of this process. */
  watchProcess(): void {
    collectDefaultMetrics({ register: this.#registry, prefix });
  }

  /** Adds a value that is read when it is scraped: a counter if its name ends in `_total`, otherwise a gauge. */
  watch(metric: Metric<never>, read: () => number): void {
    this.watchLabels(metric, () => new Map([['', read()]]));
  }

  /** Adds a metric with one label, with a value for each value of the label. */
  watchLabels<Name extends string>(
    metric: Metric<Name>,
    read: () => ReadonlyMap<string, number>,
  ): void {
    const collect = function (this: Counter | Gauge) {
      this.reset();
      for (const [value, count] of read()) this.inc(labelled(metric, value), count);
    };
    const options = { ...this.#options(metric), collect };
    if (metric.name.endsWith('_total')) new Counter(options);
    else new Gauge(options);
  }

  /** Adds latencies that were counted elsewhere as one histogram in microseconds, by the value of its label. */
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
    // The registry needs only a metric's name and `get`.
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
      // The registry's types do not include that each kind is identified by a word.
      yield (await metric.get()) as unknown as MetricFamily;
    }
  }

  /** Reads one metric in each round of the event loop, so that an order waits for only one of them. */
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

/** The value of a metric's only label, if it has one. */
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
