/** The kill switch, limits with their usage, refusals, and accounts that the venue has closed. */
import { html, useState } from 'htm/preact';
import type { AccountRow, SessionRow } from '../../gateway/console-view.ts';
import type { Kill, KillScope } from '../../gateway/gate/kill-switch.ts';
import type { Answers } from '../routes.ts';
import { type Me, mayDo, queryOf, useLoaded } from './api.ts';
import { ApprovalPanel } from './approvals.ts';
import { dateTime, momentText, peerOf, scopeName } from './format.ts';
import { Limits } from './limits.ts';
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

type Refusal = Answers['/api/risk']['refusals'][number];

const refusalColumns: readonly Column<Refusal>[] = [
  ['Time', ({ atMs }) => momentText(atMs)],
  ['Code', ({ code }) => html`<code>${code}</code>`],
  ['Reason', ({ text }) => text, 'long'],
  ['Session', ({ session }) => peerOf(session)],
  [
    'ClOrdID',
    ({ clOrdId }) =>
      html`<a class="id" href=${`#/orders${queryOf({ text: clOrdId })}`}>${clOrdId}</a>`,
  ],
];

export function RiskPage({ me }: { me: Me }) {
  const { again, error, value } = useLoaded('/api/risk', {}, ['venue', 'orders', 'audit'], 5_000);
  const acts = useActs(again);
  if (value === undefined) return html`<${NotYet} title="Risk" error=${error} />`;
  const { accounts, kills, refusals, rejects, sessions } = value;
  const closed = accounts.filter(({ nonces, state }) => state !== 'open' || nonces.isLatched);
  return html`
    <${KillPanel} me=${me} kills=${kills} accounts=${accounts} sessions=${sessions} ask=${acts.ask} result=${acts.result} />
    <${ApprovalPanel} me=${me} />
    ${
      closed.length > 0 &&
      html`<${TablePanel} label="Accounts that are not open" columns=${accountColumns(me, acts.ask)} rows=${closed} error=${error}
      keyOf=${({ name }: AccountRow) => name} empty="" />`
    }
    <${Limits} me=${me} accounts=${accounts} sessions=${sessions} ask=${acts.ask} />
    <${TablePanel} label="Latest refusals" columns=${refusalColumns} rows=${refusals.slice(0, 50)} error=""
      aside=${html`<span class="muted">since the start: ${rejects.map(({ code, count }) => `${count} ${code}`).join(', ') || 'none'}</span>`}
      keyOf=${(row: Refusal) => `${row.atMs} ${row.clOrdId} ${row.code}`} empty="Nothing was refused." />
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
        ? html`<p><${State} tone="good">off<//> Orders are accepted from everybody.</p>`
        : html`<ul class="kills">${kills.map(
            (
              kill,
            ) => html`<li><${State} tone="bad">on<//> <strong>${scopeName(kill.scope)}</strong> since ${dateTime(kill.sinceMs)}: ${kill.reason}
        ${mayDo(me, 'operate') && html` <button class="plain" onClick=${() => ask(releaseOf(kill.scope))}>Release</button>`}</li>`,
          )}</ul>`
    }
    ${
      mayDo(me, 'operate') &&
      html`<div class="filters"><${Choice} label="Scope" value=${of} options=${options} set=${setOf} />
      <button class="danger" onClick=${() => ask(killOf(scopeOf(of)))}>Kill switch…</button>
      <button class="plain risky" onClick=${() => ask(massCancelOf(scopeOf(of)))}>Mass cancel…</button></div>`
    }<//>`;
}

function accountColumns(me: Me, ask: (asked: Asked) => void): Column<AccountRow>[] {
  const columns: Column<AccountRow>[] = [
    ['Account', ({ name }) => html`<strong>${name}</strong>`],
    ['State', ({ state }) => html`<${Word} word=${state} />`],
    [
      'Why',
      ({ nonces, reason }) => (nonces.isLatched ? 'its nonces wait for a person' : reason),
      'long',
    ],
  ];
  if (!mayDo(me, 'operate')) return columns;
  const cell = ({ name }: AccountRow) =>
    html`<button class="plain" onClick=${() => ask(reopenOf(name))}>Reopen</button>`;
  return [...columns, ['Action', cell]];
}

function scopeOf(text: string): KillScope {
  const [kind = '', ...name] = text.split(' ');
  return kind === 'account' || kind === 'session'
    ? { kind, name: name.join(' ') }
    : { kind: 'all' };
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

function massCancelOf(scope: KillScope): Asked {
  return {
    title: `Mass cancel: ${scopeName(scope)}`,
    text: 'All open orders in this scope are canceled. New orders are still accepted; the kill switch refuses those, too.',
    act: { act: 'mass_cancel', scope },
    button: 'Cancel all orders',
    isDangerous: true,
  };
}

function releaseOf(scope: KillScope): Asked {
  return {
    title: `Release: ${scopeName(scope)}`,
    text: 'New orders are accepted again. What was canceled stays canceled.',
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
