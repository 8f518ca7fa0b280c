/** The live blotter, and the search for an order. */
import { html } from 'htm/preact';
import type { FoundOrders, OrderRow } from '../../gateway/order-search.ts';
import { queryOf, useLoaded } from './api.ts';
import { type Filters, useFilters } from './filters.ts';
import { clockTime, grouped, peerOf, shownOf, words } from './format.ts';
import { Choice, type Column, Moment, Search, State, TablePanel, Word } from './parts.ts';
import { SessionChoice } from './session-choice.ts';

const columns: readonly Column<OrderRow>[] = [
  ['ClOrdID', ({ clOrdId }) => html`<span class="id">${clOrdId}</span>`],
  ['Status', (order) => html`<${OrderState} order=${order} />`],
  ['Symbol', ({ symbol }) => symbol],
  ['Side', ({ side }) => html`<span class=${side === 'Buy' ? 'buy' : 'sell'}>${side}</span>`],
  ['Quantity', ({ qty }) => grouped(qty), 'number'],
  ['Price', ({ price }) => (price === null ? 'market' : grouped(price)), 'number'],
  ['Filled', ({ cumQty }) => grouped(cumQty), 'number'],
  ['Leaves', ({ leavesQty }) => grouped(leavesQty), 'number wide'],
  ['Average', ({ avgPx }) => (avgPx === null ? '—' : grouped(avgPx)), 'number wide'],
  ['Type', ({ ordType, timeInForce }) => `${words(ordType)}, ${timeInForce}`, 'wide'],
  ['Account', ({ account }) => account, 'wide'],
  ['Session', ({ session }) => peerOf(session), 'wide'],
  ['Last changed', ({ changedMs }) => clockTime(changedMs)],
];

const filterNames = ['text', 'state', 'session', 'fromMs', 'toMs', 'before'] as const;

export function Orders() {
  const { fields, narrow, set } = useFilters(filterNames, 'before');
  // A search reads the names of all orders, and a page of older ones is a look back: neither is repeated at each change.
  const isLive = fields.text === '' && fields.before === '';
  const { error, value } = useLoaded(
    '/api/orders',
    fields,
    isLive ? ['orders'] : [],
    isLive ? undefined : 3_000,
  );
  return html`<${TablePanel} label="Orders" aside=${html`<span class="muted">${shownOf(value?.rows.length ?? 0, value?.newer ?? 0, value?.count ?? 0)}</span>`}
    columns=${columns} rows=${value?.rows} error=${error} keyOf=${({ key }: OrderRow) => key}
    href=${({ key }: OrderRow) => `#/order/${encodeURIComponent(key)}`} empty=${html`<${NoOrders} fields=${fields} />`}
    steps=${[
      ['Latest', fields.before !== '' && (() => set({ before: '' }))],
      ['Older', older(value, (before) => set({ before }))],
    ]}
    filters=${html`<${Search} label="ClOrdID, OrderID, account, symbol" value=${fields.text} set=${narrow('text')} />
      <${Choice} label="State" value=${fields.state} set=${narrow('state')}
        options=${[['', 'all'], ['open', 'open'], ['ended', 'ended']]} />
      <${SessionChoice} value=${fields.session} set=${narrow('session')} />
      <${Moment} label="From" value=${fields.fromMs} set=${narrow('fromMs')} />
      <${Moment} label="To" value=${fields.toMs} set=${narrow('toMs')} />`} />`;
}

/** To the orders beyond these, where there are any. */
function older(found: FoundOrders | undefined, go: (before: string) => void): false | (() => void) {
  const last = found?.rows.at(-1);
  if (last === undefined || found === undefined) return false;
  if (found.newer + found.rows.length >= found.count) return false;
  return () => go(`${last.changedMs}:${last.key}`);
}

/** An unknown outcome matters more than the status that the client was last sent. */
export function OrderState({ order: { isUnknown, status } }: { order: OrderRow }) {
  return isUnknown
    ? html`<${State} tone="bad">outcome unknown<//>`
    : html`<${Word} word=${status} />`;
}

/** What the bridge refused never became an order, so whoever searches for it here is sent to the messages. */
function NoOrders({ fields }: { fields: Filters<(typeof filterNames)[number]>['fields'] }) {
  const { text } = fields;
  if (Object.values(fields).every((value) => value === '')) return html`No orders yet.`;
  if (text === '') return html`No order matches this search.`;
  const messages = `#/messages${queryOf({ value: text })}`;
  return html`No order matches this search. What was refused at once never became an order: <a href=${messages}>look for “${text}” in the messages</a>.`;
}
