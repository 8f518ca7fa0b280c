/** The first page: is everything OK, since when, and what changed. */
import { html } from 'htm/preact';
import type { AlarmRow } from '../alarm-list.ts';
import type { Answers } from '../routes.ts';
import { type Me, useLoaded } from './api.ts';
import { ApprovalPanel } from './approvals.ts';
import { Chart, quantileLines } from './chart.ts';
import { useRange } from './filters.ts';
import { ago, dateTime, duration, peerOf, rate, words } from './format.ts';
import { alarmActions } from './page-alarms.ts';
import { type Column, Facts, Fault, NotYet, Panel, State, TablePanel, useActs } from './parts.ts';

type Lost = Answers['/api/lost'][number];
type Change = Answers['/api/changes'][number];

const lostColumns: readonly Column<Lost>[] = [
  ['Session', ({ name }) => html`<strong title=${name}>${peerOf(name)}</strong>`],
  ['Down since', ({ sinceMs }) => (sinceMs === null ? 'the start' : dateTime(sinceMs))],
  ['Why', ({ why }) => why || '—', 'long'],
  ['Open orders', ({ openOrders }) => openOrders, 'number'],
];

const changeColumns: readonly Column<Change>[] = [
  ['Time', ({ atMs }) => dateTime(atMs)],
  [
    'What',
    ({ level, what }) => (level === 'alarm' ? html`<${State} tone="bad">${what}<//>` : what),
    'long',
  ],
  ['Who', ({ who }) => who ?? ''],
];

export function Overview({ me }: { me: Me }) {
  const { error, value } = useLoaded('/api/overview', {}, ['venue', 'sessions', 'alarms'], 10_000);
  const lost = useLoaded('/api/lost', {}, ['sessions'], 10_000);
  const alarms = useLoaded('/api/alarms', { level: 'alarm' }, ['alarms']);
  const changes = useLoaded('/api/changes', {}, ['alarms', 'audit']);
  const acts = useActs(alarms.again);
  if (value === undefined) return html`<${NotYet} title="Overview" error=${error} />`;
  const open = alarms.value?.filter(({ acknowledged }) => acknowledged === null) ?? [];
  return html`
    <${Verdict} value=${value} lost=${lost.value ?? []} open=${open} error=${error} />
    <${ApprovalPanel} me=${me} />
    ${
      (lost.value ?? []).length > 0 &&
      html`<${TablePanel} label="Sessions that should be up" aside=${html`<span class="muted">they were logged on, and their hours have not ended</span>`}
      columns=${lostColumns} rows=${lost.value} error=${lost.error} keyOf=${({ name }: Lost) => name}
      href=${({ name }: Lost) => `#/session/${encodeURIComponent(name)}`} empty="" />`
    }
    ${
      open.length > 0 &&
      html`<${TablePanel} label="Alarms to acknowledge" aside=${html`<span role="status">${acts.result}</span> <a href="#/alarms">all alarms</a>`}
      columns=${alarmActions(me, acts.ask)} rows=${open.slice(0, 10)} error=${alarms.error} keyOf=${({ id }: AlarmRow) => String(id)} empty="" />`
    }
    <${FlowPanel} />
    <${TablePanel} label="What changed" columns=${changeColumns} rows=${changes.value?.slice(0, 15)} error=${changes.error}
      aside=${html`<a href="#/alarms">alarms and notices</a>, <a href="#/audit">audit chain</a>`}
      keyOf=${(row: Change) => `${row.atMs} ${row.what}`} empty="Nothing has changed since the start." />
    ${acts.dialog}`;
}

/** One sentence about whether an operator has to act. */
function Verdict(props: {
  value: Answers['/api/overview'];
  lost: readonly Lost[];
  open: readonly AlarmRow[];
  error: string;
}) {
  const { error, lost, open, value } = props;
  const { environment, kills, loggedOn, notReady, sessions, sinceMs, startedMs, venue } = value;
  const isReady = notReady.length === 0;
  const isQuiet = lost.length === 0 && open.length === 0 && kills.length === 0;
  const tone = isReady ? (isQuiet ? 'good' : 'warn') : 'bad';
  const text = isReady
    ? isQuiet
      ? 'Everything is OK'
      : 'Orders are accepted, but something needs attention'
    : 'Orders are not accepted';
  return html`<section class=${`panel verdict ${tone}`}><h2><${State} tone=${tone}>${text}<//></h2>
    <p>${isReady ? 'Ready' : notReady.join('; ')} since <strong>${dateTime(sinceMs)}</strong> UTC (${ago(sinceMs)}).
      The bridge started ${ago(startedMs)}, ${dateTime(startedMs)}.</p>
    <${Fault} text=${error} />
    <${Facts} facts=${[
      ['Venue', html`<a href="#/venue">${words(venue)}</a>`],
      ['Sessions logged on', html`<a href="#/sessions">${loggedOn} of ${sessions}</a>`],
      [
        'Should be up',
        html`${lost.length === 0 ? 'all are' : lost.length === 1 ? '1 is down' : `${lost.length} are down`}`,
      ],
      ['Alarms to acknowledge', html`<a href="#/alarms">${open.length}</a>`],
      [
        'Kill switches',
        html`<a href="#/risk">${kills.length === 0 ? 'off' : `${kills.length} on`}</a>`,
      ],
      ['Environment', environment],
    ]} /></section>`;
}

function FlowPanel() {
  const { choice, range } = useRange();
  const flow = useLoaded('/api/flow', { range }, [], 10_000);
  const latency = useLoaded('/api/latency', { range }, [], 10_000);
  const { endMs = 0, stepMs = 1 } = flow.value ?? {};
  const hop = (name: string) => latency.value?.hops.find((one) => one.hop === name);
  const { flows, loggedOn = [], notReady = [] } = flow.value ?? {};
  const time = { stepMs, endMs };
  return html`<${Panel} title="Flow and latency" aside=${choice}><${Fault} text=${flow.error || latency.error} />
    ${
      flow.value &&
      html`<div class="charts">
      <${Chart} title="Order flow, per minute" ...${time} format=${rate} lines=${[
        { name: 'commands', tone: 'accent', values: flows?.commands ?? [] },
        { name: 'reports', tone: 'good', values: flows?.reports ?? [] },
      ]} />
      <${Chart} title="Refusals, per minute" ...${time} format=${rate} lines=${[{ name: 'refused', tone: 'bad', values: flows?.refusals ?? [] }]} />
      <${Chart} title="Client to venue request" ...${time} format=${duration} lines=${quantileLines(hop('inbound'))} />
      <${Chart} title="Venue event to report" ...${time} format=${duration} lines=${quantileLines(hop('report'))} />
      <${Chart} title="Sessions logged on" ...${time} isWhole format=${String} lines=${[{ name: 'sessions', tone: 'accent', values: loggedOn }]} />
      <${Chart} title="Not ready, share of the time" ...${time} format=${(share: number) => `${Math.round(100 * share)} %`}
        lines=${[{ name: 'not ready', tone: 'bad', values: notReady }]} />
    </div>`
    }<//>`;
}
