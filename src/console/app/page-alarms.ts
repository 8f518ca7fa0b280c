/** The bridge's reports to its operators, and how operators handled them. */
import { html } from 'htm/preact';
import type { ConsoleView } from '../../gateway/console-view.ts';
import type { Answers } from '../routes.ts';
import { type Me, mayDo, useLoaded } from './api.ts';
import { useFilters } from './filters.ts';
import { dateTime, words } from './format.ts';
import { type Asked, Choice, type Column, State, TablePanel, useActs } from './parts.ts';

type AlarmRow = Answers['/api/alarms'][number];

const columns: readonly Column<AlarmRow>[] = [
  ['Last', ({ atMs }) => dateTime(atMs)],
  ['First', ({ atMs, firstMs }) => firstMs !== atMs && dateTime(firstMs), 'wide'],
  ['Times', ({ times }) => times > 1 && times, 'number'],
  [
    'Text',
    ({ level, text }) => (level === 'alarm' ? html`<${State} tone="bad">${text}<//>` : text),
    'long',
  ],
  [
    'What to do',
    ({ code, event, runbook }) =>
      runbook && html`<span><code>${event} ${code}</code> in <code>${runbook}</code></span>`,
    'long',
  ],
  ['Assigned to', ({ assignee }) => assignee ?? ''],
  [
    'Acknowledged',
    ({ acknowledged: by }) =>
      by !== null && html`<span title=${by.why}>${by.who}, ${dateTime(by.atMs)}</span>`,
  ],
];

/** The columns of alarms, with this operator's possible actions. */
export function alarmActions(me: Me, ask: (asked: Asked) => void): readonly Column<AlarmRow>[] {
  if (!mayDo(me, 'operate')) return columns;
  const cell = (row: AlarmRow) =>
    row.level === 'alarm' &&
    html`<span class="row-acts">${row.acknowledged === null && html`<button class="plain" onClick=${() => ask(acknowledging(row))}>Acknowledge</button>`}
      <button class="plain" onClick=${() => ask(assigning(row, me))}>Assign</button></span>`;
  return [...columns, ['Actions', cell]];
}

function acknowledging({ id, number, text }: AlarmRow): Asked {
  return {
    title: 'Acknowledge the alarm',
    text: `${text}. When it is raised again, it needs a new acknowledgement.`,
    act: { act: 'acknowledge', alarm: id, number },
    button: 'Acknowledge',
  };
}

function assigning({ assignee, id, text }: AlarmRow, { who }: Me): Asked {
  return {
    title: 'Assign the alarm',
    text,
    act: { act: 'assign', alarm: id },
    fields: [
      { name: 'to', label: 'To (empty for nobody)', value: assignee ?? who, isOptional: true },
    ],
    button: 'Assign',
  };
}

export function Alarms({ me }: { me: Me }) {
  const { fields, set } = useFilters(['level']);
  const level = fields.level === '' ? 'alarm' : fields.level;
  const query = { level: level === 'all' ? '' : level };
  const { again, error, value } = useLoaded('/api/alarms', query, ['alarms']);
  const acts = useActs(again);
  return html`<${TablePanel} label="Alarms" columns=${alarmActions(me, acts.ask)} rows=${value} error=${error}
    aside=${html`<span role="status">${acts.result}</span>`}
    keyOf=${({ id, level: of }: AlarmRow) => `${of} ${id}`} empty=${level === 'alarm' ? 'No alarm was raised.' : 'Nothing was reported.'}
    filters=${html`<${Choice} label="Show" value=${level} set=${(value: string) => set({ level: value })}
      options=${[['alarm', 'alarms'], ['notice', 'notices'], ['all', 'both']]} />`} />${acts.dialog}`;
}

type AuditRecord = Awaited<ReturnType<ConsoleView['auditRecords']>>[number];

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
    'wide',
  ],
];

export function AuditPage() {
  const { error, value } = useLoaded('/api/audit', {}, ['audit']);
  return html`<${TablePanel} label="Audit chain" aside=${html`<span class="muted">head <code class="id">${value?.head ?? ''}</code></span>`}
    columns=${auditColumns} rows=${value?.records} error=${error}
    keyOf=${({ position }: AuditRecord) => String(position)} empty="Nobody has done anything yet.">
    <p class="muted">Each record contains the hash of the one before it. Keep the head on another machine; <code>causeway audit verify --head HASH</code> proves that it is still in the chain.</p><//>`;
}
