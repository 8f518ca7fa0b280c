/** The latency of one hop in a time range: over time, and as a distribution. */
import { html } from 'htm/preact';
import type { LatencySeries } from '../latency-series.ts';
import { Chart, quantileLines, ticksTo } from './chart.ts';
import { duration } from './format.ts';
import { Panel } from './parts.ts';

interface HopPanelProps {
  hop: LatencySeries & { readonly hop: string; readonly text: string };
  boundsUs: readonly number[];
  stepMs: number;
  endMs: number;
}

export function HopPanel({ boundsUs, endMs, hop, stepMs }: HopPanelProps) {
  const { count, counts, p50Us, p99Us } = hop;
  const label = `${hop.hop}: ${count} observations, half below ${duration(p50Us)}, 99 of 100 below ${duration(p99Us)}`;
  return html`<${Panel} title=${`Hop ${hop.hop}`} aside=${html`<span class="muted">${hop.text}</span>`}>${
    count === 0
      ? html`<p class="empty">Nothing passed this hop in this time.</p>`
      : html`<div class="charts"><${Chart} title="Over time" stepMs=${stepMs} endMs=${endMs} format=${duration} lines=${quantileLines(hop)} /><figure class="over-time"><figcaption><h3>Distribution</h3></figcaption><${HistogramChart} counts=${counts} boundsUs=${boundsUs} label=${label} /></figure></div>`
  }<//>`;
}

interface Histogram {
  readonly boundsUs: readonly number[];
  readonly counts: readonly number[];
  readonly label: string;
}

const width = 480;
const left = 54;
const right = 20;
const height = 104;
const maxLabels = 6;

/** The steps with counts, and two more on either side. */
function HistogramChart({ counts, boundsUs, label }: Histogram) {
  const first = Math.max(0, counts.findIndex((count) => count > 0) - 2);
  const last = Math.min(boundsUs.length - 1, counts.findLastIndex((count) => count > 0) + 2);
  const shown = counts.slice(first, last + 1);
  const ticks = ticksTo(Math.max(1, ...shown), true);
  const top = ticks.at(-1) ?? 1;
  const bar = (width - left - right) / shown.length;
  const every = Math.ceil(shown.length / maxLabels);
  const y = (count: number) => 8 + height * (1 - count / top);
  return html`<svg class="chart" viewBox=${`0 0 ${width} ${height + 26}`} role="img" aria-label=${label}>
    ${ticks.map((tick) => html`<line x1=${left} x2=${width} y1=${y(tick)} y2=${y(tick)} /><text class="tick" x=${left - 6} y=${y(tick) + 4}>${tick}</text>`)}
    ${shown.map((count, index) => {
      const x = left + index * bar;
      const text = index % every === 0 && duration(boundsUs[first + index] ?? 0);
      return html`<rect class="done" x=${x + 1} y=${y(count)} width=${Math.max(1, bar - 2)} height=${y(0) - y(count)} />
      ${text && html`<text x=${x + bar / 2} y=${height + 22}>${text}</text>`}`;
    })}</svg>`;
}
