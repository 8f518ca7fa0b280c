/** The sessions of both lanes: where each stands. */
import { html } from 'htm/preact';
import type { SessionRow } from '../../gateway/console-view.ts';
import { useLoaded } from './api.ts';
import { ago, clockTime, peerOf } from './format.ts';
import { type Column, Fault, Panel, State, Table, Waiting, Word } from './parts.ts';
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

export function Sessions() {
  const { error, value } = useLoaded<readonly Row[]>('/api/sessions', ['sessions'], 2_000);
  return html`<${Panel} title="Sessions">
    <${Fault} text=${error} />
    ${
      value === undefined
        ? html`<${Waiting} />`
        : html`<${Table} label="Sessions" columns=${columns} rows=${value} keyOf=${({ name }: Row) => name}
      href=${({ name }: Row) => `#/session/${encodeURIComponent(name)}`} empty="No session is configured." />`
    }<//>`;
}

export function SessionState({ row: { isSlow, isStopped, phase } }: { row: Row }) {
  return html`<${Word} word=${isStopped ? 'stopped' : phase} />${
    isSlow && html` <${State} tone="bad">slow reader<//>`
  }`;
}
