/** The sessions of both protocols: state, since when and why, and throughput. */
import { html } from 'htm/preact';
import type { Answers } from '../routes.ts';
import { type Me, mayDo, queryOf, useLoaded } from './api.ts';
import { Chart } from './chart.ts';
import { useFilters, useRange } from './filters.ts';
import { ago, clockTime, dateTime, duration, momentText, peerOf, rate, shownOf } from './format.ts';
import { HopPanel } from './hop-panel.ts';
import {
  type Asked,
  type Column,
  Facts,
  Fault,
  NotYet,
  Panel,
  Search,
  State,
  TablePanel,
  useActs,
  Word,
} from './parts.ts';

type Row = Answers['/api/session'];

const columns: readonly Column<Row>[] = [
  ['Session', ({ name }) => html`<strong title=${name}>${peerOf(name)}</strong>`],
  ['State', (row) => html`<${SessionState} row=${row} />`],
  [
    'Since',
    ({ sinceMs }) =>
      sinceMs !== null && html`<time title=${ago(sinceMs)}>${momentText(sinceMs)}</time>`,
  ],
  ['Why', ({ why }) => why, 'long'],
  ['Hours', (row) => hoursText(row)],
  ['Replies per minute', ({ latest }) => rate(latest.perMinute), 'number'],
  ['p99 ≤', ({ latest }) => latest.p99Us !== null && duration(latest.p99Us), 'number'],
  ['Open orders', ({ openOrders }) => openOrders, 'number'],
  ['Next in', ({ nextIn }) => nextIn, 'number wide'],
  ['Next out', ({ nextOut }) => nextOut, 'number wide'],
  [
    'Last received',
    ({ lastReceivedMs }) =>
      lastReceivedMs > 0 &&
      html`<time title=${dateTime(lastReceivedMs)}>${ago(lastReceivedMs)}</time>`,
    'wide',
  ],
];

/** When a session with hours next opens or closes. */
function hoursText({ hours: { changesMs, isOpen } }: Row): string {
  if (changesMs === null) return isOpen ? '' : 'closed';
  return `${isOpen ? 'closes' : 'opens'} ${momentText(changesMs)}`;
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

function SessionState({ row }: { row: Row }) {
  const { hours, isSlow, isStopped, phase } = row;
  const word = isStopped ? 'stopped' : phase === 'down' && !hours.isOpen ? 'closed' : phase;
  return html`<${Word} word=${word} />${isSlow && html` <${State} tone="bad">slow reader<//>`}`;
}

/** One session: everything known about it, and an operator's possible actions. */
export function SessionPage({ name, me }: { name: string; me: Me }) {
  const { again, error, value: row } = useLoaded('/api/session', { name }, ['sessions'], 2_000);
  const acts = useActs(again);
  if (row === undefined) return html`<${NotYet} title="Session" error=${error} />`;
  const of = queryOf({ session: name });
  return html`
    <${Panel} title=${peerOf(name)} aside=${html`<a href="#/sessions">all sessions</a>`}>
      <${Fault} text=${error} />
      <${Facts} facts=${factsOf(row)} />
      <p class="links"><a href=${`#/orders${of}`}>Orders of this session</a> <a href=${`#/messages${of}`}>Messages of this session</a></p>
    <//>
    <${SessionFlow} name=${name} />
    ${mayDo(me, 'operate') && html`<${Actions} row=${row} ask=${acts.ask} result=${acts.result} />`}
    ${acts.dialog}`;
}

/** The session's latency and throughput. */
export function SessionFlow({ name }: { name: string }) {
  const { choice, range } = useRange();
  const { error, value } = useLoaded('/api/session-flow', { name, range }, [], 10_000);
  const { boundsUs = [], series } = value ?? {};
  return html`<${Panel} title="Latency and replies" aside=${choice}><${Fault} text=${error} />${
    series &&
    html`<${Chart} title="Replies per minute" stepMs=${series.stepMs} endMs=${series.endMs} format=${rate}
          lines=${[{ name: 'replies', tone: 'good', values: series.perMinute }]} />`
  }${series === null && html`<p class="empty">No reply was counted yet. Latencies are kept for the 2,000 sessions that were active last.</p>`}<//>
  ${series?.hops.map((hop) => html`<${HopPanel} hop=${hop} boundsUs=${boundsUs} stepMs=${series.stepMs} endMs=${series.endMs} />`)}`;
}

/** Counts that are usually 0 are displayed only if they are not. */
function factsOf(row: Row): [string, unknown][] {
  const { address, counts, held, lastReceivedMs, limits, openOrders, queued, unreadBytes } = row;
  const set = Object.entries(limits).filter(([, limit]) => limit !== undefined);
  const rare: [string, number][] = [
    ['Gaps', counts.gaps],
    ['Resends', counts.resends],
    ['Rejected by the client', counts.rejects],
    ['Waiting beyond a gap', queued],
    ['Held for a logon', held],
    ['Unread bytes', unreadBytes],
  ];
  return [
    ['State', html`<${SessionState} row=${row} />`],
    [
      'Since',
      row.sinceMs === null
        ? 'no logon since the start'
        : `${dateTime(row.sinceMs)}, ${ago(row.sinceMs)}`,
    ],
    ['Why', row.why || '—'],
    ['Hours', hoursText(row) || 'always open'],
    ['Next in', row.nextIn],
    ['Next out', row.nextOut],
    [
      'Last received',
      lastReceivedMs === 0 ? '—' : `${clockTime(lastReceivedMs)}, ${ago(lastReceivedMs)}`,
    ],
    ['Address', address ?? '—'],
    ['Open orders', openOrders],
    ...rare.filter(([, count]) => count > 0),
    ['Protocol and role', `${row.lane}, ${row.clientRole}`],
    ['Users', row.users.join(', ') || '—'],
    ['Accounts', row.accounts.join(', ') || '—'],
    ['Limits', set.map(([limit, value]) => `${limit} ${value}`).join(', ') || 'none'],
    ['Name', html`<code>${row.name}</code>`],
  ];
}

function Actions(props: { row: Row; ask: (asked: Asked) => void; result: string }) {
  const { ask, row, result } = props;
  return html`<${Panel} title="Actions" aside=${html`<span role="status">${result}</span>`}>
    <ul class="acts">${actions
      .filter(({ when }) => when(row))
      .map(
        (act) => html`<li><button class=${act.isDangerous ? 'plain risky' : 'plain'}
        onClick=${() => ask(askedOf(row, act))}>${act.text}…</button> <span>${act.what}</span></li>`,
      )}</ul><//>`;
}

interface Action {
  readonly name: string;
  readonly text: string;
  readonly what: string;
  readonly isDangerous: boolean;
  /** Whether the action makes sense in the session's state. */
  readonly when: (row: Row) => boolean;
}

const safe = action(false);
const dangerous = action(true);
const actions: readonly Action[] = [
  safe('start', 'Start', 'The client may log on again.', ({ isStopped }) => isStopped),
  safe(
    'test_request',
    'Test request',
    'The client must answer with a heartbeat.',
    ({ lane, phase }) => lane === 'fix' && phase === 'active',
  ),
  safe(
    'logout',
    'Force logout',
    'The client is logged out and may log on again at once.',
    ({ phase }) => phase !== 'down',
  ),
  dangerous(
    'stop',
    'Stop',
    'The client is logged out and cannot log on until the session is started.',
    ({ isStopped }) => !isStopped,
  ),
  dangerous(
    'set_numbers',
    'Set numbers',
    'Both sides must agree on the next numbers. Kept messages are dropped.',
    isDown,
  ),
  dangerous('reset', 'Reset to 1', 'Both numbers become 1. Kept messages are dropped.', isDown),
];

function isDown({ phase }: Row): boolean {
  return phase === 'down';
}

function action(isDangerous: boolean) {
  return (name: string, text: string, what: string, when: Action['when']): Action => {
    return { name, text, what, isDangerous, when };
  };
}

function askedOf({ name, nextIn, nextOut }: Row, act: Action): Asked {
  return {
    title: `${act.text}: ${peerOf(name)}`,
    text: act.what,
    act: { act: act.name, session: name },
    button: act.text,
    isDangerous: act.isDangerous,
    ...(act.name === 'set_numbers' && {
      fields: [
        { name: 'nextIn', label: 'Next in', value: nextIn },
        { name: 'nextOut', label: 'Next out', value: nextOut },
      ],
    }),
  };
}
