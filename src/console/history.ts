/**
 * Order flow, refusals and latency over time, for the console's charts. Each range is a ring of 360 steps of equal
 * length, so memory does not grow with time or throughput.
 */

import { type Hop, hopNames, hopTexts } from '../gateway/account/hops.ts';
import type { ConsoleView } from '../gateway/console-view.ts';
import type { Clock } from '../runtime/clock.ts';
import { entryOf } from '../runtime/entry-of.ts';
import {
  addGrowth,
  copyLatency,
  type LatencySeries,
  latencySeries,
  latencyWidth,
  type Series,
} from './latency-series.ts';
import { addTo, type Cells, cellOf, TimeRing } from './time-ring.ts';

export const ranges = { '12m': 2_000, '1h': 10_000, '24h': 240_000, '7d': 1_680_000 } as const;
export type Range = keyof typeof ranges;
const rangeNames = Object.keys(ranges) as readonly Range[];
const steps = 360;

const hops: readonly (Hop | 'commit')[] = [...hopNames, 'commit'];
const texts = { ...hopTexts, commit: 'from the end of a transaction until it is durable' };
/** Counters that only increase; each step contains the increase. */
const flows = ['commands', 'requests', 'reports', 'refusals'] as const;
/** The number of samples in a step, and of those in which the bridge was not ready. */
const looks = ['looks', 'notReady', 'loggedOn'] as const;
const firstHop = flows.length + looks.length;
const width = firstHop + hops.length * latencyWidth;
/** The bridge is sampled every two seconds. */
export const lookMs = 2_000;
export const lookMinutes = lookMs / 60_000;

type HopSeries = LatencySeries & { readonly hop: Hop | 'commit'; readonly text: string };

export class History {
  readonly #view: ConsoleView;
  readonly #clock: Clock;
  readonly #rings = ringsOf(width);
  readonly #before = new Float64Array(width);
  /** Computed once for all pages between two samples. */
  readonly #latencies = new Map<Range, readonly HopSeries[]>();

  constructor(view: ConsoleView, clock: Clock) {
    this.#view = view;
    this.#clock = clock;
    // Events before the first sample belong to no step.
    this.#read(this.#before);
  }

  /** Adds everything since the last sample. */
  look(loggedOn: number): void {
    const { wallMs } = this.#clock.now();
    const now = new Float64Array(width);
    this.#read(now);
    const rows = rangeNames.map((name) => this.#rings[name].at(wallMs));
    for (const row of rows) addGrowth(row, 0, now, this.#before);
    this.#before.set(now);
    this.#latencies.clear();
    for (const row of rows) {
      addTo(row, flows.length, 1);
      addTo(row, flows.length + 1, Number(this.#view.notReady.length > 0));
      addTo(row, flows.length + 2, loggedOn);
    }
  }

  /** The length of a range's steps, and the end of the last one. */
  span(range: Range) {
    const ring = this.#rings[range];
    ring.at(this.#clock.now().wallMs);
    return { stepMs: ranges[range], endMs: ring.endMs };
  }

  flow(range: Range) {
    const rows = this.#rings[range].rows(this.#clock.now().wallMs);
    const looked = (read: (row: Cells, count: number) => number): Series =>
      rows.map((row) => {
        const count = cellOf(row, flows.length);
        return count === 0 ? null : read(row, count);
      });
    return {
      ...this.span(range),
      /** Per minute of the time during which the bridge ran. */
      flows: Object.fromEntries(
        flows.map((name, at) => [
          name,
          looked((row, count) => cellOf(row, at) / (count * lookMinutes)),
        ]),
      ) as Record<(typeof flows)[number], Series>,
      /** The share of the step in which the bridge was not ready. */
      notReady: looked((row, count) => cellOf(row, flows.length + 1) / count),
      loggedOn: looked((row, count) => Math.round(cellOf(row, flows.length + 2) / count)),
    };
  }

  latency(range: Range): readonly HopSeries[] {
    return entryOf(this.#latencies, range, () => this.#latency(range));
  }

  #latency(range: Range): readonly HopSeries[] {
    const rows = this.#rings[range].rows(this.#clock.now().wallMs);
    return hops.map((hop, index) => ({
      ...{ hop, text: texts[hop], ...latencySeries(rows, firstHop + index * latencyWidth) },
    }));
  }

  #read(into: Float64Array): void {
    const { latencies, rejects } = this.#view;
    const all = { ...latencies.hops, commit: latencies.commits };
    into[0] = all.command.count;
    into[1] = all.send.count;
    into[2] = all.report.count;
    into[3] = [...rejects.values()].reduce((sum, count) => sum + count, 0);
    for (const [index, hop] of hops.entries()) {
      copyLatency(all[hop], into, firstHop + index * latencyWidth);
    }
  }
}

function ringsOf(width: number): Readonly<Record<Range, TimeRing>> {
  return Object.fromEntries(
    rangeNames.map((name) => [
      name,
      new TimeRing(ranges[name], width, new Float64Array(steps * width)),
    ]),
  ) as Record<Range, TimeRing>;
}
