/** The sessions of both lanes: where each stands, and what an operator may do with it. */
import { html, useState } from 'htm/preact';
import type { SessionRow } from '../../gateway/console-view.ts';
import { type Me, useLoaded } from './api.ts';
import { Sparkline } from './chart.ts';
import { ago, clockTime, peerOf } from './format.ts';
import { ActDialog, type Asked, type Column, Fault, Panel, State, Table, Word } from './parts.ts';

type Row = SessionRow & { readonly latencyUs: readonly (number | null)[] };

const columns: readonly Column<Row>[] = [
  {
    head: 'Session',
    cell: (row) =>
      html`<strong title=${row.name}>${peerOf(row.name)}</strong> <span class="lane">${row.lane}</span>`,
  },
  {
    head: 'State',
    cell: (row) => html`<${Word} word=${row.isStopped ? 'stopped' : row.phase} />
      ${row.isSlow && html` <${State} tone="bad">slow reader<//>`}`,
  },
  { head: 'Role', cell: ({ clientRole }) => clientRole, isWide: true },
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

export function Sessions({ me }: { me: Me }) {
  const {
    again,
    error,
    value = [],
  } = useLoaded<readonly Row[]>('/api/sessions', ['sessions'], 2_000);
  const [asked, setAsked] = useState<Asked>();
  const [told, setTold] = useState('');
  const act: Column<Row> = {
    head: 'Act',
    cell: (row) =>
      html`<select aria-label=${`Act on ${peerOf(row.name)}`} value="" onChange=${(
        event: Event,
      ) => {
        const select = event.target as HTMLSelectElement;
        setAsked(actOn(row, select.value));
        select.value = '';
      }}><option value="">…</option>${actsOf(row).map(([name, text]) => html`<option value=${name}>${text}</option>`)}</select>`,
  };
  return html`<${Panel} title="Sessions" aside=${html`<span role="status">${told}</span>`}>
    <${Fault} text=${error} />
    <${Table} label="Sessions" columns=${me.mayAct ? [...columns, act] : columns} rows=${value}
      keyOf=${({ name }: Row) => name} empty="No session is configured." />
    <${ActDialog} asked=${asked} close=${(text: string) => {
      setAsked(undefined);
      setTold(text);
      again();
    }} /><//>`;
}

const acts: Readonly<Record<string, readonly [text: string, what: string, isDangerous?: true]>> = {
  start: ['Start', 'The client may log on again.'],
  stop: [
    'Stop',
    'The client is logged out, and nobody may log on until the session is started.',
    true,
  ],
  logout: ['Force logout', 'The client is logged out and may come back at once.'],
  test_request: ['Test request', 'The client must answer with a heartbeat.'],
  set_numbers: [
    'Set numbers',
    'Both sides must agree on these numbers. Kept messages are dropped.',
    true,
  ],
  reset: ['Reset to 1', 'Both numbers become 1. Kept messages are dropped.', true],
};

/** What makes sense in the state of the session. */
function actsOf({ isStopped, phase }: Row): [string, string][] {
  const isDown = phase === 'down';
  const names = [
    ...(isStopped ? ['start'] : ['stop']),
    ...(isDown ? ['set_numbers', 'reset'] : ['logout', 'test_request']),
  ];
  return names.map((name) => [name, acts[name]?.[0] ?? name]);
}

function actOn({ name, nextIn, nextOut }: Row, act: string): Asked | undefined {
  const [text, what, isDangerous = false] = acts[act] ?? [];
  if (text === undefined || what === undefined) return undefined;
  return {
    title: `${text}: ${peerOf(name)}`,
    text: what,
    act: { act, session: name },
    button: text,
    isDangerous,
    ...(act === 'set_numbers' && { numbers: { nextIn, nextOut } }),
  };
}
