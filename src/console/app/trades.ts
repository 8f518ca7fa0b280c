/** The trades of an order, which an operator can bust or correct. */
import { html } from 'htm/preact';
import type { TradeRow } from '../../gateway/view/order-row.ts';
import { type Asked, type Column, Figure, State, TablePanel } from './parts.ts';

interface TradesProps {
  readonly order: string;
  readonly trades: readonly TradeRow[];
  /** Undefined for a user who may only view. */
  readonly ask: ((asked: Asked) => void) | undefined;
}

export function Trades({ ask, order, trades }: TradesProps) {
  if (trades.length === 0) return null;
  const cell = (row: TradeRow) =>
    !row.isBusted &&
    html`<span class="row-acts"><button class="plain risky" onClick=${() => ask?.(busting(order, row))}>Bust…</button>
    <button class="plain risky" onClick=${() => ask?.(correcting(order, row))}>Correct…</button></span>`;
  const acting: readonly Column<TradeRow>[] = ask === undefined ? [] : [['Actions', cell]];
  return html`<${TablePanel} label="Trades" columns=${[...columns, ...acting]} rows=${trades.toReversed()} error="" empty=""
    keyOf=${({ execId }: TradeRow) => execId} />`;
}

const columns: readonly Column<TradeRow>[] = [
  ['ExecID', ({ execId }) => html`<span class="id">${execId}</span>`],
  ['Quantity', ({ qty }) => html`<${Figure} of=${qty} />`, 'number'],
  ['Price', ({ price }) => html`<${Figure} of=${price} />`, 'number'],
  ['State', (row) => stateOf(row)],
];

function stateOf({ execId, firstExecId, isBusted }: TradeRow) {
  if (execId === firstExecId) return '';
  const word = isBusted ? 'busted' : 'corrected';
  return html`<${State} tone=${isBusted ? 'bad' : 'warn'}>${word}<//> <span class="id">${firstExecId}</span>`;
}

function busting(order: string, { execId, price, qty }: TradeRow): Asked {
  return {
    title: `Bust the trade ${execId}`,
    text: `${qty} at ${price} is taken back: the client and the copy readers of this bridge get 150=H. This cannot be undone, and the venue is not informed.`,
    act: { act: 'bust', order, execId },
    button: 'Bust the trade',
    isDangerous: true,
    confirm: 'BUST',
  };
}

function correcting(order: string, { execId, price, qty }: TradeRow): Asked {
  return {
    title: `Correct the trade ${execId}`,
    text: 'The client and the copy readers of this bridge get 150=G. The venue is not informed.',
    act: { act: 'correct', order, execId },
    button: 'Correct the trade',
    isDangerous: true,
    fields: [
      { name: 'qty', label: 'Quantity', value: qty },
      { name: 'price', label: 'Price', value: price },
    ],
  };
}
