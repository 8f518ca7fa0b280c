/** The live blotter, and the search for an order. */
import { html } from 'htm/preact';
import type { FoundOrders, OrderRow } from '../../gateway/order-search.ts';
import { queryOf, useLoaded } from './api.ts';
import { type Filters, useFilters } from './filters.ts';
import { clockTime, grouped, peerOf, shownOf } from './format.ts';
import {
  Choice,
  type Column,
  Fault,
  Moment,
  Panel,
  Search,
  State,
  Table,
  Waiting,
  Word,
} from './parts.ts';

const columns: readonly Column<OrderRow>[] = [
  { head: 'ClOrdID', cell: ({ clOrdId }) => html`<span class="id">${clOrdId}</span>` },
  { head: 'Status', cell: (order) => html`<${OrderState} order=${order} />` },
  { head: 'Symbol', cell: ({ symbol }) => symbol },
  {
    head: 'Side',
    cell: ({ side }) => html`<span class=${side === 'Buy' ? 'buy' : 'sell'}>${side}</span>`,
  },
  { head: 'Quantity', cell: ({ qty }) => grouped(qty), isNumber: true },
  {
    head: 'Price',
    cell: ({ price }) => (price === null ? 'market' : grouped(price)),
    isNumber: true,
  },
  { head: 'Filled', cell: ({ cumQty }) => grouped(cumQty), isNumber: true },
  { head: 'Leaves', cell: ({ leavesQty }) => grouped(leavesQty), isNumber: true, isWide: true },
  {
    head: 'Average',
    cell: ({ avgPx }) => (avgPx === null ? '—' : grouped(avgPx)),
    isNumber: true,
    isWide: true,
  },
  {
    head: 'Type',
    cell: ({ ordType, timeInForce }) => `${ordType.replaceAll('_', ' ')}, ${timeInForce}`,
    isWide: true,
  },
  { head: 'Account', cell: ({ account }) => account, isWide: true },
  { head: 'Session', cell: ({ session }) => peerOf(session), isWide: true },
  { head: 'Terms since', cell: ({ changedMs }) => clockTime(changedMs) },
];

export function Orders() {
  const { fields, set } = useFilters(filterNames);
  /** Another search begins with the latest again. */
  const narrow = (name: (typeof filterNames)[number]) => (value: string) =>
    set({ [name]: value, before: '' });
  // A search reads the names of all orders, and a page of older ones is a look back: no work for every change of one.
  const isLive = fields.text === '' && fields.before === '';
  const { error, value } = useLoaded<FoundOrders>(
    `/api/orders${queryOf(fields)}`,
    isLive ? ['orders'] : [],
    isLive ? undefined : 3_000,
  );
  const sessions = useLoaded<readonly string[]>('/api/session-names').value ?? [];
  const { count, newer, rows } = value ?? { count: 0, newer: 0, rows: [] };
  return html`<${Panel} title="Orders" aside=${html`<span class="muted">${shownOf(rows.length, newer, count)}</span>`}>
    <form class="filters" onSubmit=${(event: Event) => event.preventDefault()}>
      <${Search} label="ClOrdID, OrderID, account, symbol" value=${fields.text} set=${narrow('text')} />
      <${Choice} label="State" value=${fields.state} set=${narrow('state')}
        options=${[['', 'all'], ['open', 'open'], ['ended', 'ended']]} />
      <${Choice} label="Session" value=${fields.session} set=${narrow('session')}
        options=${[['', 'all'], ...sessions.map((name) => [name, peerOf(name)])]} />
      <${Moment} label="From" value=${fields.fromMs} set=${narrow('fromMs')} />
      <${Moment} label="To" value=${fields.toMs} set=${narrow('toMs')} />
    </form>
    <${Fault} text=${error} />
    ${
      value === undefined
        ? html`<${Waiting} />`
        : html`<${Table} label="Orders" columns=${columns} rows=${rows} keyOf=${({ key }: OrderRow) => key}
      href=${({ key }: OrderRow) => `#/order/${encodeURIComponent(key)}`}
      empty=${html`<${NoOrders} fields=${fields} />`} />`
    }
    <${PageSteps} found=${value} before=${fields.before} go=${(before: string) => set({ before })} /><//>`;
}

const filterNames = ['text', 'state', 'session', 'fromMs', 'toMs', 'before'] as const;

/** Where the outcome is not known, that says more than the status that the client was last told. */
export function OrderState({ order: { isUnknown, status } }: { order: OrderRow }) {
  return isUnknown
    ? html`<${State} tone="bad">outcome unknown<//>`
    : html`<${Word} word=${status} />`;
}

/** What the bridge refused has never become an order, so one who looks for it here is shown the way. */
function NoOrders({ fields }: { fields: Filters<(typeof filterNames)[number]>['fields'] }) {
  const { text } = fields;
  if (Object.values(fields).every((value) => value === '')) return html`No orders yet.`;
  if (text === '') return html`No order answers this search.`;
  const messages = `#/messages${queryOf({ value: text })}`;
  return html`No order answers this search. What was refused at once never became an order: <a href=${messages}>look for “${text}” in the messages</a>.`;
}

function PageSteps(props: {
  found: FoundOrders | undefined;
  before: string;
  go: (before: string) => void;
}) {
  const { before, found, go } = props;
  const last = found?.rows.at(-1);
  const isEnd = found === undefined || found.newer + found.rows.length >= found.count;
  return html`<div class="buttons">${before !== '' && html`<button class="plain" onClick=${() => go('')}>Latest</button>`}
    ${!isEnd && last && html`<button class="plain" onClick=${() => go(`${last.changedMs}:${last.key}`)}>Older</button>`}</div>`;
}
