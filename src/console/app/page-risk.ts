/** Limits, refusals, the kill switch, and accounts that the venue has closed. */
import { html, useState } from 'htm/preact';
import type { AccountRow, SessionRow } from '../../gateway/console-view.ts';
import type { Kill, KillScope } from '../../gateway/kill-switch.ts';
import type { Answers } from '../routes.ts';
import { type Me, useLoaded } from './api.ts';
import { dateTime, peerOf } from './format.ts';
import {
  type Asked,
  Choice,
  type Column,
  NotYet,
  Panel,
  State,
  TablePanel,
  useActs,
  Word,
} from './parts.ts';

interface LimitRow {
  readonly who: string;
  readonly limits: SessionRow['limits'];
  readonly openOrders: number;
}

const limitColumns: readonly Column<LimitRow>[] = [
  ['Of', ({ who }) => who],
  ['Order quantity', ({ limits }) => limits.maxOrderQty ?? '—', 'number'],
  ['Notional', ({ limits }) => limits.maxNotional ?? '—', 'number'],
  ['Collar, bps', ({ limits }) => limits.priceCollarBps ?? '—', 'number'],
  ['Orders per second', ({ limits }) => limits.ordersPerSecond ?? '—', 'number'],
  ['Repeats per second', ({ limits }) => limits.maxDuplicatesPerSecond ?? '—', 'number'],
  [
    'Open orders',
    ({ limits, openOrders: n }) => `${n} of ${limits.maxOpenOrders ?? '∞'}`,
    'number',
  ],
];

type Reject = Answers['/api/risk']['rejects'][number];

const rejectColumns: readonly Column<Reject>[] = [
  ['Code', ({ code }) => html`<code>${code}</code>`],
  ['Count', ({ count }) => count, 'number'],
];

export function RiskPage({ me }: { me: Me }) {
  const topics = ['venue', 'orders', 'audit'] as const;
  const { again, error, value } = useLoaded('/api/risk', {}, topics, 5_000);
  const acts = useActs(again);
  if (value === undefined) return html`<${NotYet} title="Risk" error=${error} />`;
  const { accounts, kills, rejects, sessions } = value;
  const limits: LimitRow[] = [
    ...accounts.map((account) => ({ ...account, who: `account ${account.name}` })),
    ...sessions.map((session) => ({ ...session, who: `session ${peerOf(session.name)}` })),
  ];
  return html`
    <${KillPanel} me=${me} kills=${kills} accounts=${accounts} sessions=${sessions} ask=${acts.ask} result=${acts.result} />
    <${TablePanel} label="Accounts" columns=${accountColumns(me, acts.ask)} rows=${accounts} error=${error}
      keyOf=${({ name }: AccountRow) => name} empty="No account is configured." />
    <${TablePanel} label="Limits" columns=${limitColumns} rows=${limits} error=""
      keyOf=${({ who }: LimitRow) => who} empty="There are no limits." />
    <${TablePanel} label="Refusals since the start" columns=${rejectColumns} rows=${rejects} error=""
      keyOf=${({ code }: Reject) => code} empty="Nothing was refused." />
    ${acts.dialog}`;
}

function KillPanel(props: {
  me: Me;
  kills: readonly Kill[];
  accounts: readonly AccountRow[];
  sessions: readonly SessionRow[];
  ask: (asked: Asked) => void;
  result: string;
}) {
  const { accounts, ask, kills, me, sessions, result } = props;
  const [of, setOf] = useState('all');
  const options: [string, string][] = [
    ['all', 'everything'],
    ...accounts.map(({ name }): [string, string] => [`account ${name}`, `account ${name}`]),
    ...sessions.map(({ name }): [string, string] => [`session ${name}`, `session ${peerOf(name)}`]),
  ];
  return html`<${Panel} title="Kill switch" aside=${html`<span role="status">${result}</span>`}>
    ${
      kills.length === 0
        ? html`<p><${State} tone="good">off<//> Orders are taken from everybody.</p>`
        : html`<ul class="kills">${kills.map(
            (
              kill,
            ) => html`<li><${State} tone="bad">on<//> <strong>${scopeName(kill.scope)}</strong> since ${dateTime(kill.sinceMs)}: ${kill.reason}
        ${me.mayAct && html` <button class="plain" onClick=${() => ask(releaseOf(kill.scope))}>Release</button>`}</li>`,
          )}</ul>`
    }
    ${
      me.mayAct &&
      html`<div class="filters"><${Choice} label="Stop trading of" value=${of} options=${options} set=${setOf} />
      <button class="danger" onClick=${() => ask(killOf(scopeOf(of)))}>Kill switch…</button></div>`
    }<//>`;
}

function accountColumns(me: Me, ask: (asked: Asked) => void): Column<AccountRow>[] {
  const columns: Column<AccountRow>[] = [
    ['Account', ({ name }) => html`<strong>${name}</strong>`],
    ['State', ({ state }) => html`<${Word} word=${state} />`],
    ['Why', ({ reason }) => reason || '—'],
  ];
  if (!me.mayAct) return columns;
  const cell = ({ name, state, nonces }: AccountRow) =>
    state === 'open' && !nonces.isLatched
      ? '—'
      : html`<button class="plain" onClick=${() => ask(reopenOf(name))}>Reopen</button>`;
  return [...columns, ['Action', cell]];
}

function scopeOf(text: string): KillScope {
  const [kind = '', ...name] = text.split(' ');
  return kind === 'account' || kind === 'session'
    ? { kind, name: name.join(' ') }
    : { kind: 'all' };
}

function scopeName(scope: KillScope): string {
  return scope.kind === 'all' ? 'everything' : `${scope.kind} ${peerOf(scope.name)}`;
}

function killOf(scope: KillScope): Asked {
  return {
    title: `Kill switch: ${scopeName(scope)}`,
    text: 'New orders are refused from now on and open orders are canceled. A restart does not release it.',
    act: { act: 'kill', scope },
    button: 'Stop trading',
    isDangerous: true,
    confirm: 'KILL',
  };
}

function releaseOf(scope: KillScope): Asked {
  return {
    title: `Release: ${scopeName(scope)}`,
    text: 'New orders are taken again. What was canceled stays canceled.',
    act: { act: 'release', scope },
    button: 'Release',
  };
}

function reopenOf(account: string): Asked {
  return {
    title: `Reopen account ${account}`,
    text: 'The venue had refused its orders, or its nonces went backward. Make sure that the cause is gone.',
    act: { act: 'reopen', account },
    button: 'Reopen',
  };
}
