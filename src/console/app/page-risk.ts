/** Limits, refusals, the kill switch, and accounts that the venue has closed. */
import { html, useState } from 'htm/preact';
import type { AccountRow, SessionRow } from '../../gateway/console-view.ts';
import type { Kill, KillScope } from '../../gateway/kill-switch.ts';
import { type Me, useLoaded } from './api.ts';
import { dateTime, peerOf } from './format.ts';
import {
  ActDialog,
  type Asked,
  Choice,
  type Column,
  NotYet,
  Panel,
  State,
  Table,
  Word,
} from './parts.ts';

interface Risk {
  readonly kills: readonly Kill[];
  readonly accounts: readonly AccountRow[];
  readonly sessions: readonly SessionRow[];
  readonly rejects: readonly { readonly code: string; readonly count: number }[];
}

interface LimitRow {
  readonly who: string;
  readonly limits: SessionRow['limits'];
  readonly openOrders: number;
}

const limitColumns: readonly Column<LimitRow>[] = [
  { head: 'Of', cell: ({ who }) => who },
  { head: 'Order quantity', cell: ({ limits }) => limits.maxOrderQty ?? '—', isNumber: true },
  { head: 'Notional', cell: ({ limits }) => limits.maxNotional ?? '—', isNumber: true },
  { head: 'Collar, bps', cell: ({ limits }) => limits.priceCollarBps ?? '—', isNumber: true },
  { head: 'Orders a second', cell: ({ limits }) => limits.ordersPerSecond ?? '—', isNumber: true },
  {
    head: 'Repeats a second',
    cell: ({ limits }) => limits.maxDuplicatesPerSecond ?? '—',
    isNumber: true,
  },
  {
    head: 'Open orders',
    cell: ({ limits, openOrders }) => `${openOrders} of ${limits.maxOpenOrders ?? '∞'}`,
    isNumber: true,
  },
];

export function RiskPage({ me }: { me: Me }) {
  const { again, error, value } = useLoaded<Risk>('/api/risk', ['venue', 'orders', 'audit'], 5_000);
  const [asked, setAsked] = useState<Asked>();
  const [told, setTold] = useState('');
  if (value === undefined) return html`<${NotYet} title="Risk" error=${error} />`;
  const { accounts, kills, rejects, sessions } = value;
  const limits: LimitRow[] = [
    ...accounts.map(({ limits, name, openOrders }) => ({
      who: `account ${name}`,
      limits,
      openOrders,
    })),
    ...sessions.map(({ limits, name, openOrders }) => ({
      who: `session ${peerOf(name)}`,
      limits,
      openOrders,
    })),
  ];
  return html`
    <${KillPanel} me=${me} kills=${kills} accounts=${accounts} sessions=${sessions} ask=${setAsked} told=${told} />
    <${Panel} title="Accounts"><${Table} label="Accounts" columns=${accountColumns(me, setAsked)} rows=${accounts}
      keyOf=${({ name }: AccountRow) => name} empty="No account is configured." /><//>
    <${Panel} title="Limits"><${Table} label="Limits" columns=${limitColumns} rows=${limits}
      keyOf=${({ who }: LimitRow) => who} empty="There are no limits." /><//>
    <${Panel} title="Refusals since the start"><${Table} label="Refusals" rows=${rejects} keyOf=${({ code }: { code: string }) => code}
      columns=${[
        { head: 'Code', cell: ({ code }: { code: string }) => html`<code>${code}</code>` },
        { head: 'Count', cell: ({ count }: { count: number }) => count, isNumber: true },
      ]} empty="Nothing was refused." /><//>
    <${ActDialog} asked=${asked} close=${(text: string) => {
      setAsked(undefined);
      setTold(text);
      again();
    }} />`;
}

function KillPanel(props: {
  me: Me;
  kills: readonly Kill[];
  accounts: readonly AccountRow[];
  sessions: readonly SessionRow[];
  ask: (asked: Asked) => void;
  told: string;
}) {
  const { accounts, ask, kills, me, sessions, told } = props;
  const [of, setOf] = useState('all');
  const options: [string, string][] = [
    ['all', 'everything'],
    ...accounts.map(({ name }): [string, string] => [`account ${name}`, `account ${name}`]),
    ...sessions.map(({ name }): [string, string] => [`session ${name}`, `session ${peerOf(name)}`]),
  ];
  return html`<${Panel} title="Kill switch" aside=${html`<span role="status">${told}</span>`}>
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
    { head: 'Account', cell: ({ name }) => html`<strong>${name}</strong>` },
    { head: 'State', cell: ({ state }) => html`<${Word} word=${state} />` },
    { head: 'Why', cell: ({ reason }) => reason || '—' },
  ];
  if (!me.mayAct) return columns;
  const cell = ({ name, state, nonces }: AccountRow) =>
    state === 'open' && !nonces.isLatched
      ? '—'
      : html`<button class="plain" onClick=${() => ask(reopenOf(name))}>Reopen</button>`;
  return [...columns, { head: 'Act', cell }];
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
    text: 'The venue had refused its orders, or its nonces went backward. Make sure that the reason is over.',
    act: { act: 'reopen', account },
    button: 'Reopen',
  };
}
