/** The live blotter, and the search for an order. */
import { html, useState } from 'htm/preact';
import type { OrderSort } from '../../gateway/view/latest-orders.ts';
import type { OrderRow } from '../../gateway/view/order-row.ts';
import type { FoundOrders } from '../../gateway/view/order-search.ts';
import { ask, type Me, mayDo, queryOf, textOf, useLoaded } from './api.ts';
import { csvOf, save } from './csv.ts';
import { type Filters, useFilters } from './filters.ts';
import { dateTime, momentText, peerOf, shownOf, words } from './format.ts';
import { useKept } from './kept.ts';
import {
  type Asked,
  Choice,
  type Column,
  Figure,
  Moment,
  Search,
  SessionChoice,
  State,
  TablePanel,
  useActs,
  Word,
} from './parts.ts';

/** A column with its name, what sorts it, and its text in a file. */
interface OrderColumn {
  readonly column: Column<OrderRow>;
  readonly text: (row: OrderRow) => string;
}

/** A member of an order: as it is in a file, and as `shown` on the page. */
function field<Name extends keyof OrderRow>(
  head: string,
  name: Name,
  look: string,
  sort?: OrderSort,
  shown: (value: OrderRow[Name], order: OrderRow) => unknown = (value) => value,
): OrderColumn {
  const cell = (order: OrderRow) => shown(order[name], order);
  return { column: [head, cell, look, sort], text: (order) => String(order[name] ?? '') };
}

/** A figure of an order; for an order without one, the page and the file have `none`. */
function figure(
  head: string,
  name: 'qty' | 'price' | 'cumQty' | 'leavesQty' | 'avgPx',
  look: string,
  sort?: OrderSort,
  none = '',
): OrderColumn {
  const cell = ({ [name]: value }: OrderRow) =>
    value === null ? none : html`<${Figure} of=${value} />`;
  return { column: [head, cell, look, sort], text: (order) => order[name] ?? none };
}

const idOf = (id: string | null) => html`<span class="id">${id}</span>`;
const sideOf = (side: OrderRow['side']) =>
  html`<span class=${side === 'Buy' ? 'buy' : 'sell'}>${side}</span>`;
const typeOf = ({ ordType, timeInForce }: OrderRow) => `${words(ordType)}, ${timeInForce}`;

const all: readonly OrderColumn[] = [
  field('ClOrdID', 'clOrdId', '', 'clOrdId', idOf),
  field('Status', 'status', 'bare', 'status', (_, order) => html`<${OrderState} order=${order} />`),
  field('Side', 'side', 'bare', 'side', sideOf),
  figure('Quantity', 'qty', 'number bare', 'qty'),
  field('Symbol', 'symbol', 'bare', 'symbol'),
  figure('Price', 'price', 'number at', 'price', 'market'),
  figure('Filled', 'cumQty', 'number wide', 'cumQty'),
  figure('Leaves', 'leavesQty', 'number wide', 'leavesQty'),
  figure('Average', 'avgPx', 'number wide'),
  { column: ['Type', typeOf, 'wide'], text: typeOf },
  field('Account', 'account', 'wide', 'account'),
  field('Session', 'session', 'wide', 'session', peerOf),
  field('Reason', 'reason', 'long wide', undefined, (reason, order) => {
    if (reason === '') return '';
    return order.status === 'rejected'
      ? html`<span class="reason">${reason}</span>`
      : html`<span class="reason muted">${refusedText(order)}: ${reason}</span>`;
  }),
  field('OrderID', 'orderId', 'wide', undefined, idOf),
  {
    column: [
      'Accepted / replaced',
      ({ changedMs: atMs }) => html`<time title=${dateTime(atMs)}>${momentText(atMs)}</time>`,
      'bare',
      'changed',
    ],
    text: ({ changedMs }) => new Date(changedMs).toISOString(),
  },
];

const heads = all.map(({ column: [head] }) => head);
const usuallyHidden = ['Leaves', 'OrderID'];

const filterNames = [
  'text',
  'state',
  'session',
  'fromMs',
  'toMs',
  'sort',
  'isRising',
  'before',
] as const;
type Fields = Filters<(typeof filterNames)[number]>['fields'];

export function Orders({ me }: { me: Me }) {
  const { fields, narrow, set } = useFilters(filterNames, 'before');
  const [hidden, hide] = useKept('orders.hidden', usuallyHidden);
  const [isDense, setDense] = useKept('orders.dense', false);
  const [chosen, choose] = useState<ReadonlySet<string>>(new Set());
  // A search reads all orders, and a page of older orders is a look back: neither is repeated at each change.
  const isLive = fields.text === '' && fields.before === '' && fields.sort === '';
  const { again, error, value } = useLoaded(
    '/api/orders',
    fields,
    isLive ? ['orders'] : [],
    isLive ? undefined : 3_000,
  );
  const acts = useActs(() => {
    choose(new Set());
    again();
  });
  const open = (value?.rows ?? []).filter(({ isOpen, key }) => isOpen && chosen.has(key));
  const columns = [
    ...(mayDo(me, 'operate') ? [choosing(chosen, choose)] : []),
    ...all.map(({ column }) => column).filter(([head]) => !hidden.includes(head)),
  ];
  const sort = {
    by: fields.sort || 'changed',
    isRising: fields.isRising === '1',
    set: (by: string, isRising: boolean) =>
      set({ sort: by, isRising: isRising ? '1' : '', before: '' }),
  };
  return html`<${TablePanel} label="Orders" columns=${columns} rows=${value?.rows} error=${error} keyOf=${({ key }: OrderRow) => key}
    sort=${sort} look=${`compact${isDense ? ' dense' : ''}`} link=${mayDo(me, 'operate') ? 1 : 0}
    aside=${html`<span role="status">${acts.result}</span> <span class="muted">${shownOf(value?.rows.length ?? 0, value?.newer ?? 0, value?.count ?? 0)}</span>`}
    href=${({ key }: OrderRow) => `#/order/${encodeURIComponent(key)}`} empty=${html`<${NoOrders} fields=${fields} />`}
    steps=${[
      ['First page', fields.before !== '' && (() => set({ before: '' }))],
      ['Next page', value?.next && (() => set({ before: placeOf(value.next) }))],
    ]}
    filters=${html`<${Search} label="ClOrdID, OrderID, account, symbol" value=${fields.text} set=${narrow('text')} />
      <${Choice} label="State" value=${fields.state} set=${narrow('state')}
        options=${[['', 'all'], ['open', 'open'], ['ended', 'ended'], ['rejected', 'rejected']]} />
      <${SessionChoice} value=${fields.session} set=${narrow('session')} />
      <${Moment} label="From" value=${fields.fromMs} set=${narrow('fromMs')} />
      <${Moment} label="To" value=${fields.toMs} set=${narrow('toMs')} />`}>
    <div class="tools">${
      open.length > 0 &&
      html`<button class="danger" onClick=${() => acts.ask(canceling(open))}>Cancel ${open.length}…</button>`
    }
      <details class="menu"><summary>Columns</summary><div>${heads.slice(1).map(
        (head) =>
          html`<label class="choice"><input type="checkbox" checked=${!hidden.includes(head)}
          onChange=${() => hide(hidden.includes(head) ? hidden.filter((one) => one !== head) : [...hidden, head])} /> ${head}</label>`,
      )}</div></details>
      <label class="choice"><input type="checkbox" checked=${isDense} onChange=${() => setDense(!isDense)} /> Dense</label>
      <${Export} fields=${fields} /></div><//>${acts.dialog}`;
}

function choosing(
  chosen: ReadonlySet<string>,
  choose: (keys: ReadonlySet<string>) => void,
): Column<OrderRow> {
  const toggled = (key: string) => {
    const now = new Set(chosen);
    if (!now.delete(key)) now.add(key);
    return now;
  };
  const cell = ({ clOrdId, isOpen, key }: OrderRow) =>
    isOpen &&
    html`<input type="checkbox" aria-label=${`Select ${clOrdId}`} checked=${chosen.has(key)} onChange=${() => choose(toggled(key))} />`;
  return ['', cell, 'wide'];
}

export function canceling(orders: readonly OrderRow[]): Asked {
  const names = orders
    .slice(0, 5)
    .map(({ clOrdId }) => clOrdId)
    .join(', ');
  return {
    title: orders.length === 1 ? `Cancel order ${names}` : `Cancel ${orders.length} orders`,
    text: `${names}${orders.length > 5 ? ' and others' : ''}: the client gets an unsolicited cancel. An order that is filled first stays filled.`,
    act: { act: 'cancel', orders: orders.map(({ key }) => key) },
    button: orders.length === 1 ? 'Cancel the order' : 'Cancel the orders',
    isDangerous: true,
  };
}

const maxExported = 10_000;
const atOnce = 500;

/** The end of a page of orders as a parameter, empty after the last page. */
function placeOf(next: FoundOrders['next']): string {
  return next === null ? '' : `${encodeURIComponent(next.value)}:${next.key}`;
}

/** Everything that the filters find, up to a limit, page by page, so that no single request is large. */
function Export({ fields }: { fields: Fields }) {
  const [state, setState] = useState('');
  const run = async () => {
    try {
      const rows: OrderRow[] = [];
      let before = '';
      do {
        const query = queryOf({ ...fields, before, limit: String(atOnce) });
        const found = await ask<FoundOrders>(`/api/orders${query}`);
        rows.push(...found.rows);
        setState(`${rows.length} of ${found.count}`);
        before = placeOf(found.next);
      } while (before !== '' && rows.length < maxExported);
      save(
        `orders-${new Date().toISOString().slice(0, 19).replaceAll(':', '')}.csv`,
        csvOf(
          heads,
          rows.map((row) => all.map(({ text }) => text(row))),
        ),
      );
      setState(
        before === ''
          ? `${rows.length} exported`
          : `the first ${rows.length} exported; narrow the search for the rest`,
      );
    } catch (error) {
      setState(textOf(error));
    }
  };
  return html`<button class="plain" onClick=${run}>Export CSV</button> <span class="muted" role="status">${state}</span>`;
}

/** The reason of an order that was not rejected is that of a request for it, such as a cancel that came too late. */
export function refusedText({ status }: OrderRow): string {
  return status === 'rejected' ? 'Refused' : 'Last request refused';
}

/** An unknown outcome matters more than the status that the client was last sent. */
export function OrderState({ order: { isUnknown, status } }: { order: OrderRow }) {
  return isUnknown
    ? html`<${State} tone="bad">outcome unknown<//>`
    : html`<${Word} word=${status} />`;
}

/** Orders that were refused before the bridge started are only in the messages. */
function NoOrders({ fields }: { fields: Fields }) {
  const { text } = fields;
  if (Object.values(fields).every((value) => value === '')) return html`No orders yet.`;
  if (text === '') return html`No order matches this search.`;
  const messages = `#/messages${queryOf({ value: text })}`;
  return html`No order matches this search. Orders that the bridge refused before it last started are only in the messages: <a href=${messages}>look for “${text}” there</a>.`;
}
