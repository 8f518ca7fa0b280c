/** Messages of all sessions: found by session, type, tag, text and time; decoded, compared, taken away. */
import { html, useState } from 'htm/preact';
import type { FieldRow, MessageRow } from '../message-view.ts';
import { queryOf, useLoaded } from './api.ts';
import { useFilters } from './filters.ts';
import { clockTime, dateTime, grouped, peerOf } from './format.ts';
import {
  Choice,
  type Column,
  Fault,
  Moment,
  NotYet,
  Panel,
  Search,
  Table,
  Waiting,
} from './parts.ts';

interface Found {
  readonly rows: readonly MessageRow[];
  readonly kept: number;
  readonly dropped: number;
}

const columns: readonly Column<MessageRow>[] = [
  { head: 'Time', cell: ({ atUs }) => clockTime(atUs / 1_000, 6) },
  {
    head: 'Way',
    cell: ({ direction }) =>
      html`<span class=${direction}>${direction === 'in' ? '→ in' : '← out'}</span>`,
  },
  { head: 'Session', cell: ({ session }) => peerOf(session) },
  {
    head: 'Type',
    cell: ({ type, typeName }) => (typeName === '' ? type : `${typeName} (${type})`),
  },
  { head: 'Seq', cell: ({ seq }) => seq ?? '—', isNumber: true },
  { head: 'Message', cell: ({ text }) => html`<code class="line">${text}</code>`, isWide: true },
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
  const { fields, set } = useFilters(filterNames);
  const { beforeId: before, tag } = fields;
  const query = { ...fields, tag: /^\d+$/.test(tag) ? tag : '' };
  /** Another search begins with the latest again. */
  const narrow = (name: (typeof filterNames)[number]) => (value: string) =>
    set({ [name]: value, beforeId: '' });
  const found = useLoaded<Found>(
    `/api/messages${queryOf(query)}`,
    before === '' ? ['messages'] : [],
  );
  const sessions = useLoaded<readonly string[]>('/api/session-names').value ?? [];
  const { dropped = 0, kept = 0, rows = [] } = found.value ?? {};
  const last = rows.at(-1)?.id;
  return html`<${Panel} title="Messages" aside=${html`<span class="muted">${grouped(String(kept))} records kept${
    dropped > 0 ? `, ${dropped} dropped` : ''
  }</span>`}>
    <form class="filters" onSubmit=${(event: Event) => event.preventDefault()}>
      <${Choice} label="Session" value=${fields.session} set=${narrow('session')}
        options=${[['', 'all'], ...sessions.map((name) => [name, peerOf(name)])]} />
      <${Choice} label="Way" value=${fields.direction} set=${narrow('direction')} options=${[['', 'both'], ['in', 'in'], ['out', 'out']]} />
      <${Search} label="MsgType(35)" value=${fields.type} set=${narrow('type')} />
      <${Search} label="Tag" value=${tag} set=${narrow('tag')} />
      <${Search} label="Value or text" value=${fields.value} set=${narrow('value')} />
      <${Moment} label="From" value=${fields.fromMs} set=${narrow('fromMs')} />
      <${Moment} label="To" value=${fields.toMs} set=${narrow('toMs')} />
    </form>
    <${Fault} text=${found.error} />
    ${
      found.value === undefined
        ? html`<${Waiting} />`
        : html`<${Table} label="Messages" columns=${columns} rows=${rows} keyOf=${({ id }: MessageRow) => String(id)}
      href=${({ id }: MessageRow) => `#/message/${id}`} empty="No message answers this search." />`
    }
    <div class="buttons">${before !== '' && html`<button class="plain" onClick=${() => set({ beforeId: '' })}>Latest</button>`}
      ${rows.length >= 100 && html`<button class="plain" onClick=${() => set({ beforeId: String(last) })}>Older</button>`}</div><//>`;
}

interface Decoded {
  readonly message: MessageRow;
  readonly fields: readonly FieldRow[];
}

/** A message field by field; beside it another one, where one is named, with what differs marked. */
export function MessagePage({ id, other }: { id: string; other: string | undefined }) {
  const { error, value } = useLoaded<Decoded>(`/api/message?id=${id}`);
  const compared = useLoaded<Decoded>(`/api/message?id=${other ?? id}`).value;
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

/** The message of the same kind before this one is what one mostly compares it with. */
function Before({ of: { direction, id, session, type } }: { of: MessageRow }) {
  const query = queryOf({ session, direction, type, beforeId: String(id), limit: '1' });
  const [found] = useLoaded<Found>(`/api/messages${query}`).value?.rows ?? [];
  return (
    found &&
    html`<a href=${`#/message/${id}/${found.id}`}>with the one of its kind before it, ${clockTime(found.atUs / 1_000)}</a>`
  );
}

interface Compared extends FieldRow {
  readonly key: string;
  readonly other: string | undefined;
}

/** The fields of both, by tag and place of its occurrence, in the order of the first. */
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
  return [
    { head: 'Tag', cell: ({ tag }) => (tag === 0 ? '' : tag) },
    { head: 'Name', cell: ({ name }) => name },
    {
      head: 'Value',
      isLong: true,
      cell: (row) => html`<code class=${isOther(row) ? 'differs' : ''}>${row.value}</code>`,
    },
    ...(theirs === undefined
      ? []
      : [
          {
            head: 'Other',
            isLong: true,
            cell: (row: Compared) =>
              html`<code class=${isOther(row) ? 'differs' : ''}>${row.other ?? ''}</code>`,
          },
        ]),
    { head: 'Meaning', cell: ({ meaning }) => meaning.replaceAll('_', ' ').toLowerCase() },
  ];
}
