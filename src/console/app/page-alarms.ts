/** What the bridge said to people, and what people did to the bridge. */
import { html, useState } from 'htm/preact';
import type { AuditRecord } from '../../gateway/audit-chain.ts';
import type { Told } from '../alarm-list.ts';
import { queryOf, useLoaded } from './api.ts';
import { dateTime } from './format.ts';
import { Choice, type Column, Fault, Panel, State, Table } from './parts.ts';

const columns: readonly Column<Told>[] = [
  { head: 'Last', cell: ({ atMs }) => dateTime(atMs) },
  { head: 'First', cell: ({ firstMs }) => dateTime(firstMs), isWide: true },
  {
    head: 'Kind',
    cell: ({ level }) => html`<${State} tone=${level === 'alarm' ? 'bad' : 'quiet'}>${level}<//>`,
  },
  { head: 'Times', cell: ({ times }) => times, isNumber: true },
  { head: 'Text', cell: ({ text }) => text, isLong: true },
];

export function Alarms() {
  const [level, setLevel] = useState('');
  const { error, value = [] } = useLoaded<readonly Told[]>(`/api/alarms${queryOf({ level })}`, [
    'alarms',
  ]);
  return html`<${Panel} title="Alarms and notices">
    <div class="filters"><${Choice} label="Kind" value=${level} set=${setLevel}
      options=${[['', 'all'], ['alarm', 'alarms'], ['notice', 'notices']]} /></div>
    <${Fault} text=${error} />
    <${Table} label="Alarms and notices" columns=${columns} rows=${value} keyOf=${({ number }: Told) => String(number)}
      empty="Nothing was told since the start." /><//>`;
}

interface Audit {
  readonly head: string;
  readonly length: number;
  readonly records: readonly AuditRecord[];
}

const auditColumns: readonly Column<AuditRecord>[] = [
  { head: '#', cell: ({ position }) => position, isNumber: true },
  { head: 'Time', cell: ({ atMs }) => dateTime(atMs) },
  { head: 'Who', cell: ({ who }) => html`<strong>${who}</strong>` },
  { head: 'What', cell: ({ what }) => what.replaceAll('_', ' ') },
  { head: 'To', cell: ({ subject }) => subject },
  { head: 'Why', cell: ({ why }) => why, isLong: true },
  {
    head: 'Before and after',
    cell: ({ after, before }) =>
      html`<details><summary>show</summary><pre>${JSON.stringify(before, null, 1)}</pre><pre>${JSON.stringify(after, null, 1)}</pre></details>`,
  },
  {
    head: 'Hash',
    cell: ({ hash }) => html`<span class="id" title=${hash}>${hash.slice(0, 12)}</span>`,
    isWide: true,
  },
];

export function AuditPage() {
  const { error, value } = useLoaded<Audit>('/api/audit', ['audit']);
  return html`<${Panel} title="Audit chain" aside=${html`<span class="muted">head <code class="id">${value?.head ?? ''}</code></span>`}>
    <${Fault} text=${error} />
    <p class="muted">Each record holds the hash of the one before it. Keep the head elsewhere; <code>causeway audit verify --head HASH</code> proves that it is still in the chain.</p>
    <${Table} label="Audit chain" columns=${auditColumns} rows=${value?.records ?? []} keyOf=${({ position }: AuditRecord) => String(position)}
      empty="Nobody has done anything yet." /><//>`;
}
