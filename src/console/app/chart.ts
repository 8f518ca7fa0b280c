/** A line chart over time with axes. The values under the pointer are displayed as text next to the title. */
import { html, useState } from 'htm/preact';
import type { LatencySeries } from '../latency-series.ts';
import { clockTime } from './format.ts';

export interface Line {
  readonly name: string;
  /** One value for each step; null leaves a gap. */
  readonly values: readonly (number | null)[];
  readonly tone: 'accent' | 'warn' | 'bad' | 'good' | 'quiet';
}

/** The lines of a chart of latencies. */
export function quantileLines(hop?: Pick<LatencySeries, 'p50s' | 'p99s'>): readonly Line[] {
  return [
    { name: 'p50', tone: 'accent', values: hop?.p50s ?? [] },
    { name: 'p99', tone: 'warn', values: hop?.p99s ?? [] },
  ];
}

interface ChartProps {
  title: string;
  lines: readonly Line[];
  stepMs: number;
  endMs: number;
  format: (value: number) => string;
  /** For units without fractions, such as sessions. */
  isWhole?: boolean;
}

const [width, height] = [480, 130];
const [left, right, top, bottom] = [54, 10, 10, 20];
const [minuteMs, hourMs, dayMs] = [60_000, 3_600_000, 86_400_000];
/** The possible intervals between the times below a chart; the first one that needs at most six labels is used. */
const timeStepsMs = [
  ...[1, 2, 5, 10, 15, 30].map((count) => count * minuteMs),
  ...[1, 2, 3, 6, 12].map((count) => count * hourMs),
  ...[1, 2].map((count) => count * dayMs),
];

export function Chart({ endMs, format, isWhole = false, lines, stepMs, title }: ChartProps) {
  const [at, setAt] = useState<number | undefined>(undefined);
  const steps = lines[0]?.values.length ?? 0;
  if (steps === 0)
    return html`<figure class="over-time"><figcaption><h3>${title}</h3></figcaption><p class="empty">…</p></figure>`;
  const known = lines.flatMap(({ values }) => values.filter((value) => value !== null));
  const ticks = ticksTo(Math.max(isWhole ? 1 : 0, ...known) || 1, isWhole);
  const most = ticks.at(-1) ?? 1;
  const x = (step: number) => left + ((step + 0.5) / steps) * (width - left - right);
  const y = (value: number) => top + (1 - value / most) * (height - top - bottom);
  const last = steps - 1;
  const shown =
    at ??
    Math.max(0, ...lines.map(({ values }) => values.findLastIndex((value) => value !== null)));
  const timeOf = (step: number) => timeText(endMs - (steps - step) * stepMs, steps * stepMs);
  const move = (event: PointerEvent) => {
    const box = (event.currentTarget as Element).getBoundingClientRect();
    const inside = ((event.clientX - box.left) / box.width) * width - left;
    const step = Math.floor((inside / (width - left - right)) * steps);
    setAt(Math.max(0, Math.min(last, step)));
  };
  const texts = lines.map(({ name, values }) => `${name} ${valueText(values[shown], format)}`);
  const startMs = endMs - steps * stepMs;
  const xOf = (atMs: number) => x((atMs - startMs) / stepMs - 0.5);
  return html`<figure class="over-time"><figcaption><h3>${title}</h3> <span class="muted">${timeOf(shown)}</span>
      ${lines.map(({ name, tone, values }) => html`<span class=${`key ${tone}`}>${name} <b>${valueText(values[shown], format)}</b></span>`)}</figcaption>
    <svg class="chart" viewBox=${`0 0 ${width} ${height}`} role="img" aria-label=${`${title}: ${texts.join(', ')}`}
      onPointerMove=${move} onPointerLeave=${() => setAt(undefined)}>
      ${ticks.map((tick) => html`<line x1=${left} x2=${width - right} y1=${y(tick)} y2=${y(tick)} /><text class="tick" x=${left - 6} y=${y(tick) + 4}>${format(tick)}</text>`)}
      ${timesWithin(startMs, endMs).map(({ atMs, text }, index) => html`<text x=${xOf(atMs)} y=${height - 5} class=${index % 2 === 1 ? 'odd' : ''}>${text}</text>`)}
      ${lines.map(({ tone, values }) => runsOf(values).map((run) => html`<polyline class=${tone} points=${pointsOf(run, x, y)} />`))}
      ${at !== undefined && html`<line class="cursor" x1=${x(at)} x2=${x(at)} y1=${top} y2=${height - bottom} />`}
    </svg></figure>`;
}

function valueText(value: number | null | undefined, format: (value: number) => string): string {
  return value === null || value === undefined ? '—' : format(value);
}

type Point = readonly [step: number, value: number];

/** Splits a line at its gaps. */
function runsOf(values: Line['values']): readonly (readonly Point[])[] {
  const runs: Point[][] = [[]];
  for (const [step, value] of values.entries()) {
    if (value === null) runs.push([]);
    else runs.at(-1)?.push([step, value]);
  }
  return runs.filter((run) => run.length > 0);
}

/** A single point becomes a short line, so that it is visible. */
function pointsOf(run: readonly Point[], x: (step: number) => number, y: (v: number) => number) {
  const points = run.map(([step, value]) => `${x(step).toFixed(1)},${y(value).toFixed(1)}`);
  const [[step, value] = [0, 0]] = run;
  return run.length > 1 ? points.join(' ') : `${points[0]} ${x(step) + 1.5},${y(value)}`;
}

/** From 0 in steps of 1, 2 or 5 times a power of ten, at most four of them. */
export function ticksTo(most: number, isWhole: boolean): readonly number[] {
  const power = 10 ** Math.floor(Math.log10(most / 4));
  const fits = [1, 2, 5, 10].map((factor) => factor * power).find((step) => most <= 4 * step);
  const step = Math.max(isWhole ? 1 : 0, fits ?? 10 * power);
  return Array.from({ length: Math.ceil(most / step - 1e-9) + 1 }, (_, index) => index * step);
}

/** The round times (UTC) for the axis, without those whose label would not fit. */
export function timesWithin(
  startMs: number,
  endMs: number,
): readonly { readonly atMs: number; readonly text: string }[] {
  const spanMs = endMs - startMs;
  const stepMs = timeStepsMs.find((step) => spanMs <= 6 * step) ?? 2 * dayMs;
  const firstMs = Math.ceil((startMs + spanMs * 0.03) / stepMs) * stepMs;
  const count = Math.floor((endMs - spanMs * 0.02 - firstMs) / stepMs) + 1;
  return Array.from({ length: Math.max(0, count) }, (_, index) => {
    const atMs = firstMs + index * stepMs;
    const iso = new Date(atMs).toISOString();
    return { atMs, text: stepMs < dayMs ? iso.slice(11, 16) : iso.slice(5, 10) };
  });
}

function timeText(atMs: number, spanMs: number): string {
  const time = clockTime(atMs, 0);
  if (spanMs <= dayMs) return time.slice(0, spanMs < dayMs ? 8 : 5);
  return `${new Date(atMs).toISOString().slice(5, 10)} ${time.slice(0, 5)}`;
}
