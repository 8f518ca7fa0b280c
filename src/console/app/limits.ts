/** The limits of accounts and sessions: their usage, and who changed them. */
import { html } from 'htm/preact';
import type { AccountRow, SessionRow } from '../../gateway/console-view.ts';
import { type Me, mayDo } from './api.ts';
import { momentText, peerOf } from './format.ts';
import { type Asked, type Column, Figure, TablePanel } from './parts.ts';

interface LimitRow
  extends Pick<SessionRow, 'limits' | 'changed' | 'openOrders' | 'ordersInLastSecond'> {
  readonly target: { readonly kind: 'account' | 'session'; readonly name: string };
  readonly who: string;
}

export function Limits(props: {
  me: Me;
  accounts: readonly AccountRow[];
  sessions: readonly SessionRow[];
  ask: (asked: Asked) => void;
}) {
  const { accounts, ask, me, sessions } = props;
  const rows: LimitRow[] = [
    ...accounts.map((row) => rowOf('account', row, row.name)),
    ...sessions
      .filter(({ clientRole }) => clientRole === 'order-entry')
      .map((row) => rowOf('session', row, peerOf(row.name))),
  ];
  const cell = (row: LimitRow) =>
    html`<span class="row-acts"><button class="plain" onClick=${() => ask(changeOf(row))}>Change</button>${
      row.changed !== null &&
      html`<button class="plain" onClick=${() => ask(resetOf(row))}>Reset</button>`
    }</span>`;
  const changing: Column<LimitRow>[] = mayDo(me, 'administer') ? [['Actions', cell]] : [];
  return html`<${TablePanel} label="Limits and use" columns=${[...columns, ...changing]} rows=${rows} error=""
    aside=${html`<span class="muted">a limit of a session and one of its account both apply</span>`}
    keyOf=${({ who }: LimitRow) => who} empty="There are no accounts or sessions." />`;
}

function rowOf(kind: 'account' | 'session', row: AccountRow | SessionRow, name: string): LimitRow {
  return { ...row, target: { kind, name: row.name }, who: `${kind} ${name}` };
}

const noLimit = html`<span class="muted">no limit</span>`;

const columns: readonly Column<LimitRow>[] = [
  ['Of', ({ who }) => html`<strong>${who}</strong>`],
  [
    'Open orders',
    ({ limits, openOrders }) =>
      html`<${Use} used=${openOrders} most=${limits.maxOpenOrders} what="open orders" />`,
  ],
  [
    'Orders per second',
    ({ limits: { ordersPerSecond: most }, ordersInLastSecond: used }) =>
      html`<${Use} used=${used} most=${most} what="orders in the last second" />`,
  ],
  ['Order quantity', ({ limits }) => amount(limits.maxOrderQty), 'number'],
  ['Notional', ({ limits }) => amount(limits.maxNotional), 'number'],
  ['Collar, bps', ({ limits }) => limits.priceCollarBps ?? noLimit, 'number'],
  ['Repeats per second', ({ limits }) => limits.maxDuplicatesPerSecond ?? noLimit, 'number'],
  [
    'Changed',
    ({ changed }) =>
      changed !== null &&
      html`<span title=${changed.why}>by ${changed.who}, ${momentText(changed.sinceMs)}</span>`,
  ],
];

function amount(most: string | undefined) {
  return most === undefined ? noLimit : html`<${Figure} of=${most} />`;
}

function Use({ most, used, what }: { used: number; most: number | undefined; what: string }) {
  if (most === undefined) return html`${used}, ${noLimit}`;
  const text = `${used} of ${most}`;
  return html`<span class="share"><meter min="0" max=${most} low=${most * 0.8} high=${most * 0.95} optimum="0" value=${used}
    aria-label=${`${text} ${what}`}></meter> ${text}</span>`;
}

function changeOf({ limits, target, who }: LimitRow): Asked {
  const field = (name: keyof LimitRow['limits'], label: string) => {
    const value = String(limits[name] ?? '');
    return { name, label: `${label} (empty: no limit)`, value, isOptional: true };
  };
  return {
    title: `Change the limits of ${who}`,
    text: 'They apply at once, and stay after a reload or restart until they are changed again or reset to the configuration.',
    act: { act: 'set_limits', target },
    fields: [
      field('maxOpenOrders', 'Open orders'),
      field('ordersPerSecond', 'Orders per second'),
      field('maxOrderQty', 'Order quantity'),
      field('maxNotional', 'Notional'),
      field('priceCollarBps', 'Collar, bps'),
      field('maxDuplicatesPerSecond', 'Repeats per second'),
    ],
    button: 'Change the limits',
    isDangerous: true,
  };
}

function resetOf({ target, who }: LimitRow): Asked {
  return {
    title: `Reset the limits of ${who}`,
    text: 'The limits of the configuration apply again.',
    act: { act: 'reset_limits', target },
    button: 'Reset',
    isDangerous: true,
  };
}
