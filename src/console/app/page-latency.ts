/** The latency of orders by hop over a time range, for all sessions or one. */
import { html } from 'htm/preact';
import type { Answers } from '../routes.ts';
import { useLoaded } from './api.ts';
import { useFilters, useRange } from './filters.ts';
import { duration } from './format.ts';
import { HopPanel } from './hop-panel.ts';
import { SessionFlow } from './page-sessions.ts';
import { type Column, Panel, SessionChoice, TablePanel } from './parts.ts';

type Latency = Answers['/api/latency'];
type Hop = Latency['hops'][number];

const columns: readonly Column<Hop>[] = [
  ['Hop', ({ hop }) => html`<strong>${hop}</strong>`],
  ['What it measures', ({ text }) => text, 'long'],
  ['Count', ({ count }) => count, 'number'],
  ['Mean', ({ count, meanUs }) => count > 0 && duration(meanUs), 'number'],
  ['p50 ≤', ({ count, p50Us }) => count > 0 && duration(p50Us), 'number'],
  ['p99 ≤', ({ count, p99Us }) => count > 0 && duration(p99Us), 'number'],
];

export function LatencyPage() {
  const { fields, narrow } = useFilters(['session', 'hop']);
  const { choice, range } = useRange();
  const { error, value } = useLoaded('/api/latency', { range }, [], 10_000);
  const hop = value?.hops.find((one) => one.hop === (fields.hop || 'inbound'));
  return html`
    <${TablePanel} label="Latency by hop" aside=${choice} columns=${columns} rows=${value?.hops} error=${error}
      keyOf=${(row: Hop) => row.hop} href=${(row: Hop) => `#/latency?range=${range}&hop=${row.hop}`} empty="" />
    ${value && hop && html`<${HopPanel} hop=${hop} ...${value} />`}
    <${Panel} title="One session"><form class="filters"><${SessionChoice} value=${fields.session} set=${narrow('session')} none="choose a session" /></form><//>
    ${fields.session !== '' && html`<${SessionFlow} key=${fields.session} name=${fields.session} />`}`;
}
