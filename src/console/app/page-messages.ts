/** Messages of all sessions: searched by session, type, tag, text and time; decoded, compared, downloaded. */
import { html, useState } from 'htm/preact';
import type { FieldRow, MessageRow } from '../message-view.ts';
import { useLoaded } from './api.ts';
import { useFilters } from './filters.ts';
import { clockTime, dateTime, grouped, peerOf, words } from './format.ts';
import {
  Choice,
  type Column,
  Moment,
  NotYet,
  Panel,
  Search,
  SessionChoice,
  Table,
  TablePanel,
} from './parts.ts';

const columns: readonly Column<MessageRow>[] = [
  ['Time', ({ atUs }) => clockTime(atUs / 1_000, 6)],
  [
    'Direction',
    ({ direction: to }) => html`<span class=${to}>${to === 'in' ? '→ in' : '← out'}</span>`,
  ],
  ['Session', ({ session }) => peerOf(session)],
  ['Type', ({ type, typeName }) => (typeName === '' ? type : `${typeName} (${type})`)],
  ['Seq', ({ seq }) => seq ?? '—', 'number'],
  ['Message', ({ text }) => html`<code class="line">${text}</code>`, 'wide'],
];

const filterNames = [
  'session',
  'direction',
  'type',
  'tag',
  'value',
  'fromMs',
  'toMs',
  'beforeId',
] as const;

export function Messages() {
  const { fields, narrow, set } = useFilters(filterNames, 'beforeId');
  const { beforeId: before, tag } = fields;
  const query = { ...fields, tag: /^\d+$/.test(tag) ? tag : '' };
  const { error, value } = useLoaded('/api/messages', query, before === '' ? ['messages'] : []);
  const { dropped = 0, kept = 0, rows = [] } = value ?? {};
  return html`<${TablePanel} label="Messages" aside=${html`<span class="muted">${grouped(String(kept))} records kept${
    dropped > 0 ? `, ${dropped} dropped` : ''
  }</span>`}
    columns=${columns} rows=${value?.rows} error=${error} keyOf=${({ id }: MessageRow) => String(id)}
    href=${({ id }: MessageRow) => `#/message/${id}`} empty="No message matches this search."
    steps=${[
      ['Latest', before !== '' && (() => set({ beforeId: '' }))],
      ['Older', rows.length >= 100 && (() => set({ beforeId: String(rows.at(-1)?.id) }))],
    ]}
    filters=${html`<${SessionChoice} value=${fields.session} set=${narrow('session')} />
      <${Choice} label="Direction" value=${fields.direction} set=${narrow('direction')} options=${[['', 'both'], ['in', 'in'], ['out', 'out']]} />
      <${Search} label="MsgType(35)" value=${fields.type} set=${narrow('type')} />
      <${Search} label="Tag" value=${tag} set=${narrow('tag')} />
      <${Search} label="Value or text" value=${fields.value} set=${narrow('value')} />
      <${Moment} label="From" value=${fields.fromMs} set=${narrow('fromMs')} />
      <${Moment} label="To" value=${fields.toMs} set=${narrow('toMs')} />`} />`;
}

/** A message field by field; if another one is selected, with its fields too and the differences marked. */
export function MessagePage({ id, other }: { id: string; other: string | undefined }) {
  const { error, value } = useLoaded('/api/message', { id });
  const compared = useLoaded('/api/message', { id: other ?? id }).value;
  const [typed, setTyped] = useState(other ?? '');
  if (value === undefined) return html`<${NotYet} title="Message" error=${error} />`;
  const { fields, message } = value;
  const theirs = other === undefined ? undefined : compared?.fields;
  return html`<${Panel} title=${`${message.typeName || message.type} ${message.direction === 'in' ? 'from' : 'to'} ${peerOf(message.session)}`}
    aside=${html`<a href=${`/api/message/raw?id=${id}`} download>Download</a>`}>
    <p class="muted">${dateTime(message.atUs / 1_000)} UTC, number ${message.seq ?? '—'}, record ${message.id}. Secrets of a logon are stars.</p>
    <form class="filters" onSubmit=${(event: Event) => {
      event.preventDefault();
      location.hash = typed === '' ? `#/message/${id}` : `#/message/${id}/${typed}`;
    }}><label class="field"><span>Compare with record</span><input type="number" min="1" value=${typed}
      onInput=${(event: InputEvent) => setTyped((event.target as HTMLInputElement).value)} /></label><button class="plain">Compare</button>
      <${Before} of=${message} /></form>
    <${Table} label="Fields" columns=${fieldColumns(theirs)} rows=${merged(fields, theirs)} keyOf=${(row: Compared) => row.key} empty="Nothing to decode." />
    <pre>${message.text}</pre><//>`;
}

/** A message is usually compared with the previous one of the same kind. */
function Before({ of: { direction, id, session, type } }: { of: MessageRow }) {
  const query = { session, direction, type, beforeId: String(id), limit: '1' };
  const [found] = useLoaded('/api/messages', query).value?.rows ?? [];
  return (
    found &&
    html`<a href=${`#/message/${id}/${found.id}`}>with the previous one of its kind, ${clockTime(found.atUs / 1_000)}</a>`
  );
}

interface Compared extends FieldRow {
  readonly key: string;
  readonly other: string | undefined;
}

/** The fields of both messages, by tag and occurrence, in the order of the first. */
function merged(fields: readonly FieldRow[], theirs: readonly FieldRow[] | undefined): Compared[] {
  const keyed = (rows: readonly FieldRow[]) => {
    const seen = new Map<string, number>();
    return rows.map((row) => {
      const name = `${row.tag} ${row.tag === 0 ? row.name : ''}`;
      const count = seen.get(name) ?? 0;
      seen.set(name, count + 1);
      return [`${name} ${count}`, row] as const;
    });
  };
  const others = new Map(keyed(theirs ?? []));
  const own = keyed(fields).map(([key, row]) => ({ ...row, key, other: others.get(key)?.value }));
  const keys = new Set(own.map(({ key }) => key));
  const missing = [...others].filter(([key]) => !keys.has(key));
  return [...own, ...missing.map(([key, row]) => ({ ...row, key, value: '', other: row.value }))];
}

function fieldColumns(theirs: readonly FieldRow[] | undefined): Column<Compared>[] {
  const isOther = (row: Compared) => theirs !== undefined && row.value !== (row.other ?? '');
  const shown = (row: Compared, value: string) =>
    html`<code class=${isOther(row) ? 'differs' : ''}>${value}</code>`;
  const other: Column<Compared> = ['Other', (row) => shown(row, row.other ?? ''), 'long'];
  return [
    ['Tag', ({ tag }) => (tag === 0 ? '' : tag)],
    ['Name', ({ name }) => name],
    ['Value', (row) => shown(row, row.value), 'long'],
    ...(theirs === undefined ? [] : [other]),
    ['Meaning', ({ meaning }) => words(meaning).toLowerCase()],
  ];
}
