/** The live blotter, and the search for an order. */
import { html, useState } from 'htm/preact';
import type { OrderRow, SessionRow } from '../../gateway/console-view.ts';
import { queryOf, useLoaded } from './api.ts';
import { clockTime, grouped, peerOf } from './format.ts';
import { Choice, type Column, Fault, Moment, Panel, Search, Table, Word } from './parts.ts';

const columns: readonly Column<OrderRow>[] = [
  { head: 'ClOrdID', cell: ({ clOrdId }) => html`<span class="id">${clOrdId}</span>` },
  { head: 'Status', cell: ({ status }) => html`<${Word} word=${status} />` },
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
  const [text, setText] = useState('');
  const [state, setState] = useState('');
  const [session, setSession] = useState('');
  const [fromMs, setFromMs] = useState('');
  const [toMs, setToMs] = useState('');
  const path = `/api/orders${queryOf({ text, state, session, fromMs, toMs })}`;
  const { error, value = [] } = useLoaded<readonly OrderRow[]>(path, ['orders']);
  const sessions = useLoaded<readonly SessionRow[]>('/api/sessions').value ?? [];
  return html`<${Panel} title="Orders" aside=${html`<span class="muted">${value.length} shown</span>`}>
    <form class="filters" onSubmit=${(event: Event) => event.preventDefault()}>
      <${Search} label="ClOrdID, OrderID, account, symbol" value=${text} set=${setText} />
      <${Choice} label="State" value=${state} set=${setState} options=${[['', 'all'], ['open', 'open'], ['ended', 'ended']]} />
      <${Choice} label="Session" value=${session} set=${setSession}
        options=${[['', 'all'], ...sessions.map(({ name }) => [name, peerOf(name)])]} />
      <${Moment} label="From" value=${fromMs} set=${setFromMs} />
      <${Moment} label="To" value=${toMs} set=${setToMs} />
    </form>
    <${Fault} text=${error} />
    <${Table} label="Orders" columns=${columns} rows=${value} keyOf=${({ key }: OrderRow) => key}
      href=${({ key }: OrderRow) => `#/order/${encodeURIComponent(key)}`}
      empty=${text === '' ? 'No orders yet.' : 'No order answers this search.'} /><//>`;
}
