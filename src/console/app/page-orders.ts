/** The live blotter, and the search for an order. */
import { html, useState } from 'htm/preact';
import type { FoundOrders, OrderRow, SessionRow } from '../../gateway/console-view.ts';
import { queryOf, useLoaded } from './api.ts';
import { useFilters } from './filters.ts';
import { clockTime, grouped, peerOf } from './format.ts';
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
  const { fields, set } = useFilters(['text', 'state', 'session', 'fromMs', 'toMs']);
  const [limit, setLimit] = useState(firstLimit);
  const query = queryOf({ ...fields, limit: String(limit) });
  // A search for text reads the names of all orders, which is too much work for every change of one.
  const isSearch = fields.text !== '';
  const { error, value } = useLoaded<FoundOrders>(
    `/api/orders${query}`,
    isSearch ? [] : ['orders'],
    isSearch ? 3_000 : undefined,
  );
  const sessions = useLoaded<readonly SessionRow[]>('/api/sessions').value ?? [];
  const { count = 0, rows = [] } = value ?? {};
  return html`<${Panel} title="Orders" aside=${html`<span class="muted">${rows.length} of ${grouped(String(count))}</span>`}>
    <form class="filters" onSubmit=${(event: Event) => event.preventDefault()}>
      <${Search} label="ClOrdID, OrderID, account, symbol" value=${fields.text} set=${(text: string) => set({ text })} />
      <${Choice} label="State" value=${fields.state} set=${(state: string) => set({ state })}
        options=${[['', 'all'], ['open', 'open'], ['ended', 'ended']]} />
      <${Choice} label="Session" value=${fields.session} set=${(session: string) => set({ session })}
        options=${[['', 'all'], ...sessions.map(({ name }) => [name, peerOf(name)])]} />
      <${Moment} label="From" value=${fields.fromMs} set=${(fromMs: string) => set({ fromMs })} />
      <${Moment} label="To" value=${fields.toMs} set=${(toMs: string) => set({ toMs })} />
    </form>
    <${Fault} text=${error} />
    ${
      value === undefined
        ? html`<${Waiting} />`
        : html`<${Table} label="Orders" columns=${columns} rows=${rows} keyOf=${({ key }: OrderRow) => key}
      href=${({ key }: OrderRow) => `#/order/${encodeURIComponent(key)}`}
      empty=${html`<${NoOrders} text=${fields.text} />`} />`
    }
    <${More} shown=${rows.length} count=${count} more=${() => setLimit(mostRows)} /><//>`;
}

/** Where the outcome is not known, that says more than the status that the client was last told. */
export function OrderState({ order: { isUnknown, status } }: { order: OrderRow }) {
  return isUnknown
    ? html`<${State} tone="bad">outcome unknown<//>`
    : html`<${Word} word=${status} />`;
}

const firstLimit = 100;
/** As many as the server gives at once. */
const mostRows = 500;

/** What the bridge refused has never become an order, so one who looks for it here is shown the way. */
function NoOrders({ text }: { text: string }) {
  if (text === '') return html`No orders yet.`;
  const messages = `#/messages${queryOf({ value: text })}`;
  return html`No order answers this search. What was refused at once never became an order: <a href=${messages}>look for “${text}” in the messages</a>.`;
}

function More(props: { shown: number; count: number; more: () => void }) {
  const { count, more, shown } = props;
  if (shown >= count) return null;
  return html`<div class="buttons">${
    shown < mostRows
      ? html`<button class="plain" onClick=${more}>Show ${Math.min(mostRows, count)}</button>`
      : html`<span class="muted">These are the latest; narrow the search for the rest.</span>`
  }</div>`;
}
