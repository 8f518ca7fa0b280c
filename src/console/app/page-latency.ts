/** Where the time of an order goes: a histogram a hop. */
import { html } from 'htm/preact';
import { useLoaded } from './api.ts';
import { duration } from './format.ts';
import { HistogramChart } from './histogram.ts';
import { Fault, Panel } from './parts.ts';

export function LatencyPage() {
  const { error, value } = useLoaded('/api/latency', {}, [], 5_000);
  return html`<${Panel} title="Latency, hop by hop" aside=${html`<span class="muted">since the start, every 5 s</span>`}>
    <${Fault} text=${error} />
    <div class="grid">${value?.hops.map(
      ({
        count,
        counts,
        hop,
        meanUs,
        p50Us,
        p99Us,
        text,
      }) => html`<article key=${hop}><h3>${hop}</h3><p class="muted">${text}</p>
        <dl class="facts"><div><dt>count</dt><dd>${count}</dd></div><div><dt>mean</dt><dd>${duration(meanUs)}</dd></div>
        <div><dt>p50</dt><dd>≤ ${duration(p50Us)}</dd></div><div><dt>p99</dt><dd>≤ ${duration(p99Us)}</dd></div></dl>
        ${
          count === 0
            ? html`<p class="empty">Nothing has passed here yet.</p>`
            : html`<${HistogramChart} counts=${counts} boundsUs=${value.boundsUs}
          label=${`${hop}: ${count} observations, half below ${duration(p50Us)}, 99 of 100 below ${duration(p99Us)}`} />`
        }</article>`,
    )}</div><//>`;
}
