/** The sessions of both protocols: state, since when and why, and throughput. */
import { html } from 'htm/preact';
import type { Answers } from '../routes.ts';
import { useLoaded } from './api.ts';
import { useFilters } from './filters.ts';
import { ago, dateTime, duration, momentText, peerOf, rate, shownOf } from './format.ts';
import { type Column, Search, State, TablePanel, Word } from './parts.ts';

export type Row = Answers['/api/session'];

const columns: readonly Column<Row>[] = [
  ['Session', ({ name }) => html`<strong title=${name}>${peerOf(name)}</strong>`],
  ['State', (row) => html`<${SessionState} row=${row} />`],
  [
    'Since',
    ({ sinceMs }) =>
      sinceMs !== null && html`<time title=${ago(sinceMs)}>${momentText(sinceMs)}</time>`,
  ],
  ['Why', ({ why }) => why, 'long'],
  ['Hours', (row) => hoursText(row)],
  ['Replies per minute', ({ latest }) => rate(latest.perMinute), 'number'],
  ['p99 ≤', ({ latest }) => latest.p99Us !== null && duration(latest.p99Us), 'number'],
  ['Open orders', ({ openOrders }) => openOrders, 'number'],
  ['Next in', ({ nextIn }) => nextIn, 'number wide'],
  ['Next out', ({ nextOut }) => nextOut, 'number wide'],
  [
    'Last received',
    ({ lastReceivedMs }) =>
      lastReceivedMs > 0 &&
      html`<time title=${dateTime(lastReceivedMs)}>${ago(lastReceivedMs)}</time>`,
    'wide',
  ],
];

/** When a session with hours next opens or closes. */
export function hoursText({ hours: { changesMs, isOpen } }: Row): string {
  if (changesMs === null) return isOpen ? '' : 'closed';
  return `${isOpen ? 'closes' : 'opens'} ${momentText(changesMs)}`;
}

export function Sessions() {
  const { fields, narrow, set } = useFilters(['text', 'after'], 'after');
  const { error, value } = useLoaded('/api/sessions', fields, ['sessions'], 2_000);
  const { count, earlier, rows } = value ?? { count: 0, earlier: 0, rows: [] };
  const last = rows.at(-1);
  const hasMore = last !== undefined && earlier + rows.length < count;
  return html`<${TablePanel} label="Sessions" aside=${html`<span class="muted">${shownOf(rows.length, earlier, count)}</span>`}
    columns=${columns} rows=${value?.rows} error=${error} keyOf=${({ name }: Row) => name}
    href=${({ name }: Row) => `#/session/${encodeURIComponent(name)}`} empty="No session has such a name."
    steps=${[
      ['First', fields.after !== '' && (() => set({ after: '' }))],
      ['Next', hasMore && (() => set({ after: last.name }))],
    ]}
    filters=${html`<${Search} label="Name" value=${fields.text} set=${narrow('text')} />`} />`;
}

export function SessionState({ row }: { row: Row }) {
  const { hours, isSlow, isStopped, phase } = row;
  const word = isStopped ? 'stopped' : phase === 'down' && !hours.isOpen ? 'closed' : phase;
  return html`<${Word} word=${word} />${isSlow && html` <${State} tone="bad">slow reader<//>`}`;
}
