/** What the bridge reported to its operators, and what operators did to the bridge. */
import { html, useState } from 'htm/preact';
import type { AuditRecord } from '../../gateway/audit-chain.ts';
import type { Told } from '../alarm-list.ts';
import { useLoaded } from './api.ts';
import { dateTime, words } from './format.ts';
import { Choice, type Column, State, TablePanel } from './parts.ts';

const columns: readonly Column<Told>[] = [
  ['Last', ({ atMs }) => dateTime(atMs)],
  ['First', ({ firstMs }) => dateTime(firstMs), 'wide'],
  ['Kind', ({ level }) => html`<${State} tone=${level === 'alarm' ? 'bad' : 'quiet'}>${level}<//>`],
  ['Times', ({ times }) => times, 'number'],
  ['Text', ({ text }) => text, 'long'],
];

export function Alarms() {
  const [level, setLevel] = useState('');
  const { error, value } = useLoaded('/api/alarms', { level }, ['alarms']);
  return html`<${TablePanel} label="Alarms and notices" columns=${columns} rows=${value} error=${error}
    keyOf=${({ number }: Told) => String(number)} empty="Nothing was reported since the start."
    filters=${html`<${Choice} label="Kind" value=${level} set=${setLevel}
      options=${[['', 'all'], ['alarm', 'alarms'], ['notice', 'notices']]} />`} />`;
}

const auditColumns: readonly Column<AuditRecord>[] = [
  ['#', ({ position }) => position, 'number'],
  ['Time', ({ atMs }) => dateTime(atMs)],
  ['Who', ({ who }) => html`<strong>${who}</strong>`],
  ['What', ({ what }) => words(what)],
  ['To', ({ subject }) => subject],
  ['Why', ({ why }) => why, 'long'],
  [
    'Before and after',
    ({ after, before }) =>
      html`<details><summary>show</summary><pre>${JSON.stringify(before, null, 1)}</pre><pre>${JSON.stringify(after, null, 1)}</pre></details>`,
  ],
  ['Hash', ({ hash }) => html`<span class="id" title=${hash}>${hash.slice(0, 12)}</span>`, 'wide'],
];

export function AuditPage() {
  const { error, value } = useLoaded('/api/audit', {}, ['audit']);
  return html`<${TablePanel} label="Audit chain" aside=${html`<span class="muted">head <code class="id">${value?.head ?? ''}</code></span>`}
    columns=${auditColumns} rows=${value?.records} error=${error}
    keyOf=${({ position }: AuditRecord) => String(position)} empty="Nobody has done anything yet.">
    <p class="muted">Each record holds the hash of the one before it. Keep the head elsewhere; <code>causeway audit verify --head HASH</code> proves that it is still in the chain.</p><//>`;
}
