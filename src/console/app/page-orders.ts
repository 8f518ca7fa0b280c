/** The live blotter, and the search for an order. */
import { html, useState } from 'htm/preact';
import type { OrderSort } from '../../gateway/latest-orders.ts';
import type { FoundOrders, OrderRow } from '../../gateway/order-search.ts';
import { ask, type Me, mayDo, queryOf, textOf, useLoaded } from './api.ts';
import { csvOf, save } from './csv.ts';
import { Figure } from './figure.ts';
import { type Filters, useFilters } from './filters.ts';
import { dateTime, momentText, peerOf, shownOf, words } from './format.ts';
import { useKept } from './kept.ts';
import {
  type Asked,
  Choice,
  type Column,
  Moment,
  Search,
  State,
  TablePanel,
  useActs,
  Word,
} from './parts.ts';
import { SessionChoice } from './session-choice.ts';

/** A column with its name, what sorts it, and its text in a file. */
interface OrderColumn {
  readonly column: Column<OrderRow>;
  readonly text: (row: OrderRow) => string;
}

function column(
  head: string,
  text: OrderColumn['text'],
  cell: Column<OrderRow>[1],
  look: Column<OrderRow>[2] = '',
  sort?: OrderSort,
): OrderColumn {
  return { column: [head, cell, look, sort], text };
}

const all: readonly OrderColumn[] = [
  column(
    'ClOrdID',
    ({ clOrdId }) => clOrdId,
    ({ clOrdId }) => html`<span class="id">${clOrdId}</span>`,
    '',
    'clOrdId',
  ),
  column(
    'Status',
    ({ status }) => status,
    (order) => html`<${OrderState} order=${order} />`,
    'bare',
    'status',
  ),
  column(
    'Side',
    ({ side }) => side,
    ({ side }) => html`<span class=${side === 'Buy' ? 'buy' : 'sell'}>${side}</span>`,
    'bare',
    'side',
  ),
  column(
    'Quantity',
    ({ qty }) => qty,
    ({ qty }) => html`<${Figure} of=${qty} />`,
    'number bare',
    'qty',
  ),
  column(
    'Symbol',
    ({ symbol }) => symbol,
    ({ symbol }) => symbol,
    'bare',
    'symbol',
  ),
  column(
    'Price',
    ({ price }) => price ?? 'market',
    ({ price }) => (price === null ? 'market' : html`<${Figure} of=${price} />`),
    'number at',
    'price',
  ),
  column(
    'Filled',
    ({ cumQty }) => cumQty,
    ({ cumQty }) => html`<${Figure} of=${cumQty} />`,
    'number wide',
    'cumQty',
  ),
  column(
    'Leaves',
    ({ leavesQty }) => leavesQty,
    ({ leavesQty }) => html`<${Figure} of=${leavesQty} />`,
    'number wide',
    'leavesQty',
  ),
  column(
    'Average',
    ({ avgPx }) => avgPx ?? '',
    ({ avgPx }) => avgPx !== null && html`<${Figure} of=${avgPx} />`,
    'number wide',
  ),
  column(
    'Type',
    ({ ordType, timeInForce }) => `${words(ordType)}, ${timeInForce}`,
    ({ ordType, timeInForce }) => `${words(ordType)}, ${timeInForce}`,
    'wide',
  ),
  column(
    'Account',
    ({ account }) => account,
    ({ account }) => account,
    'wide',
    'account',
  ),
  column(
    'Session',
    ({ session }) => session,
    ({ session }) => peerOf(session),
    'wide',
    'session',
  ),
  column(
    'Reason',
    ({ reason }) => reason,
    ({ reason }) => reason && html`<span class="reason">${reason}</span>`,
    'long wide',
  ),
  column(
    'OrderID',
    ({ orderId }) => orderId ?? '',
    ({ orderId }) => html`<span class="id">${orderId ?? ''}</span>`,
    'wide',
  ),
  column(
    'Changed',
    ({ changedMs }) => new Date(changedMs).toISOString(),
    ({ changedMs }) => html`<time title=${dateTime(changedMs)}>${momentText(changedMs)}</time>`,
    'bare',
    'changed',
  ),
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
      [
        'Next page',
        value?.next &&
          (() =>
            set({ before: `${encodeURIComponent(value.next?.value ?? '')}:${value.next?.key}` })),
      ],
    ]}
    filters=${html`<${Search} label="ClOrdID, OrderID, account, symbol" value=${fields.text} set=${narrow('text')} />
      <${Choice} label="State" value=${fields.state} set=${narrow('state')}
        options=${[['', 'all'], ['open', 'open'], ['ended', 'ended']]} />
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

const mostExported = 10_000;
const atOnce = 500;

/** Everything that the filters find, up to a limit, page by page, so that no single request is large. */
function Export({ fields }: { fields: Fields }) {
  const [state, setState] = useState('');
  const run = async () => {
    try {
      const rows: OrderRow[] = [];
      let before = '';
      do {
        const query = queryOf({ ...fields, before, limit: String(atOnce) });
        const found = await ask<FoundOrders>(`/api/orders${query}`, {});
        rows.push(...found.rows);
        setState(`${rows.length} of ${found.count}`);
        before =
          found.next === null ? '' : `${encodeURIComponent(found.next.value)}:${found.next.key}`;
      } while (before !== '' && rows.length < mostExported);
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

/** An unknown outcome matters more than the status that the client was last sent. */
export function OrderState({ order: { isUnknown, status } }: { order: OrderRow }) {
  return isUnknown
    ? html`<${State} tone="bad">outcome unknown<//>`
    : html`<${Word} word=${status} />`;
}

/** A refused request never became an order, so a search for it leads to the messages. */
function NoOrders({ fields }: { fields: Fields }) {
  const { text } = fields;
  if (Object.values(fields).every((value) => value === '')) return html`No orders yet.`;
  if (text === '') return html`No order matches this search.`;
  const messages = `#/messages${queryOf({ value: text })}`;
  return html`No order matches this search. What was refused at once never became an order: <a href=${messages}>look for “${text}” in the messages</a>.`;
}
