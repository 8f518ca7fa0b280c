/** The latency of one hop in a time range: over time, and as a distribution. */
import { html } from 'htm/preact';
import type { LatencySeries } from '../latency-series.ts';
import { Chart, quantileLines } from './chart.ts';
import { duration } from './format.ts';
import { HistogramChart } from './histogram.ts';
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
