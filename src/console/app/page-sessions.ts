/** The sessions of both lanes: where each stands. */
import { html } from 'htm/preact';
import type { SessionRow } from '../../gateway/console-view.ts';
import type { FoundSessions } from '../../gateway/session-search.ts';
import { queryOf, useLoaded } from './api.ts';
import { useFilters } from './filters.ts';
import { ago, clockTime, peerOf, shownOf } from './format.ts';
import { type Column, Fault, Panel, Search, State, Table, Waiting, Word } from './parts.ts';
import { Sparkline } from './sparkline.ts';

export type Row = SessionRow & { readonly latencyUs: readonly (number | null)[] };

const columns: readonly Column<Row>[] = [
  { head: 'Session', cell: ({ name }) => html`<strong title=${name}>${peerOf(name)}</strong>` },
  { head: 'State', cell: (row) => html`<${SessionState} row=${row} />` },
  { head: 'Lane', cell: ({ lane }) => lane },
  { head: 'For', cell: ({ clientRole }) => clientRole, isWide: true },
  { head: 'Next in', cell: ({ nextIn }) => nextIn, isNumber: true },
  { head: 'Next out', cell: ({ nextOut }) => nextOut, isNumber: true },
  { head: 'Gaps', cell: ({ counts }) => counts.gaps, isNumber: true, isWide: true },
  { head: 'Resends', cell: ({ counts }) => counts.resends, isNumber: true, isWide: true },
  { head: 'Waiting', cell: ({ held, queued }) => held + queued, isNumber: true, isWide: true },
  { head: 'Open orders', cell: ({ openOrders }) => openOrders, isNumber: true },
  {
    head: 'Last heard',
    cell: ({ lastHeardMs }) =>
      html`<time title=${ago(lastHeardMs)}>${clockTime(lastHeardMs, 0)}</time>`,
  },
  { head: 'Address', cell: ({ address }) => address ?? '—', isWide: true },
  {
    head: 'Answer time',
    cell: ({ latencyUs, name }) =>
      html`<${Sparkline} values=${latencyUs} label=${`Answer time of ${peerOf(name)}`} />`,
  },
];

const filterNames = ['text', 'after'] as const;

export function Sessions() {
  const { fields, set } = useFilters(filterNames);
  const { error, value } = useLoaded<FoundSessions<Row>>(
    `/api/sessions${queryOf(fields)}`,
    ['sessions'],
    2_000,
  );
  const { count, earlier, rows } = value ?? { count: 0, earlier: 0, rows: [] };
  const last = rows.at(-1);
  return html`<${Panel} title="Sessions" aside=${html`<span class="muted">${shownOf(rows.length, earlier, count)}</span>`}>
    <form class="filters" onSubmit=${(event: Event) => event.preventDefault()}>
      <${Search} label="Name" value=${fields.text} set=${(text: string) => set({ text, after: '' })} />
    </form>
    <${Fault} text=${error} />
    ${
      value === undefined
        ? html`<${Waiting} />`
        : html`<${Table} label="Sessions" columns=${columns} rows=${rows} keyOf=${({ name }: Row) => name}
      href=${({ name }: Row) => `#/session/${encodeURIComponent(name)}`} empty="No session has such a name." />`
    }
    <div class="buttons">${fields.after !== '' && html`<button class="plain" onClick=${() => set({ after: '' })}>First</button>`}
      ${last && earlier + rows.length < count && html`<button class="plain" onClick=${() => set({ after: last.name })}>Next</button>`}</div><//>`;
}

export function SessionState({ row: { isSlow, isStopped, phase } }: { row: Row }) {
  return html`<${Word} word=${isStopped ? 'stopped' : phase} />${
    isSlow && html` <${State} tone="bad">slow reader<//>`
  }`;
}
