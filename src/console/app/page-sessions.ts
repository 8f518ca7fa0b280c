/** The sessions of both protocols and the state of each. */
import { html } from 'htm/preact';
import type { Answers } from '../routes.ts';
import { useLoaded } from './api.ts';
import { useFilters } from './filters.ts';
import { ago, clockTime, peerOf, shownOf } from './format.ts';
import { type Column, Search, State, TablePanel, Word } from './parts.ts';
import { Sparkline } from './sparkline.ts';

export type Row = Answers['/api/session'];

const columns: readonly Column<Row>[] = [
  ['Session', ({ name }) => html`<strong title=${name}>${peerOf(name)}</strong>`],
  ['State', (row) => html`<${SessionState} row=${row} />`],
  ['Lane', ({ lane }) => lane],
  ['For', ({ clientRole }) => clientRole, 'wide'],
  ['Next in', ({ nextIn }) => nextIn, 'number'],
  ['Next out', ({ nextOut }) => nextOut, 'number'],
  ['Gaps', ({ counts }) => counts.gaps, 'number wide'],
  ['Resends', ({ counts }) => counts.resends, 'number wide'],
  ['Waiting', ({ held, queued }) => held + queued, 'number wide'],
  ['Open orders', ({ openOrders }) => openOrders, 'number'],
  [
    'Last received',
    ({ lastHeardMs }) => html`<time title=${ago(lastHeardMs)}>${clockTime(lastHeardMs, 0)}</time>`,
  ],
  ['Address', ({ address }) => address ?? '—', 'wide'],
  ['Answer time', (row) => html`<${AnswerTime} row=${row} />`],
];

export function AnswerTime({ row, isLarge }: { row: Row; isLarge?: boolean }) {
  const label = `Answer time of ${peerOf(row.name)}`;
  return html`<${Sparkline} values=${row.latencyUs} label=${label} isLarge=${isLarge} />`;
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

export function SessionState({ row: { isSlow, isStopped, phase } }: { row: Row }) {
  return html`<${Word} word=${isStopped ? 'stopped' : phase} />${
    isSlow && html` <${State} tone="bad">slow reader<//>`
  }`;
}
