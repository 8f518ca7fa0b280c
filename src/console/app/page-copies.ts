/** The readers of drop copies: how far each is, and the totals by which it can tell that it has everything. */
import { html } from 'htm/preact';
import type { ReaderRow } from '../../gateway/copy-view.ts';
import { useLoaded } from './api.ts';
import { peerOf } from './format.ts';
import { type Column, Fault, Panel, State, Table } from './parts.ts';

interface Row extends Omit<ReaderRow, 'accounts'> {
  readonly of: ReaderRow['accounts'][number];
}

const columns: readonly Column<Row>[] = [
  { head: 'Reader', cell: ({ name }) => html`<strong title=${name}>${peerOf(name)}</strong>` },
  { head: 'Account', cell: ({ of }) => of.account },
  { head: 'State', cell: (row) => html`<${Progress} row=${row} />` },
  { head: 'Copies today', cell: ({ of }) => of.count, isNumber: true },
  { head: 'Trades', cell: ({ of }) => of.trades, isNumber: true },
  { head: 'Lost to retention', cell: ({ of }) => of.lost, isNumber: true },
  { head: 'Not sent', cell: ({ behind }) => behind, isNumber: true },
  { head: 'Not acknowledged', cell: ({ unacknowledged }) => unacknowledged, isNumber: true },
  { head: 'Sees', cell: (row) => seen(row), isWide: true },
  {
    head: 'Running hash',
    cell: ({ of }) => html`<span class="id" title=${of.hash}>${of.hash.slice(0, 12)}</span>`,
    isWide: true,
  },
];

export function CopiesPage() {
  const { error, value = [] } = useLoaded<readonly ReaderRow[]>('/api/copies', ['orders'], 2_000);
  const rows = value.flatMap(({ accounts, ...reader }) =>
    accounts.map((of) => ({ ...reader, of })),
  );
  return html`<${Panel} title="Drop copies" aside=${html`<span class="muted">totals since midnight UTC, as the reader was told</span>`}>
    <${Fault} text=${error} />
    <${Table} label="Drop copies" columns=${columns} rows=${rows} keyOf=${({ name, of }: Row) => `${name} ${of.account}`}
      empty="No session reads drop copies." /><//>`;
}

function Progress({ row: { behind, isHeldUp } }: { row: Row }) {
  if (isHeldUp) return html`<${State} tone="bad">held up<//>`;
  return behind > 0
    ? html`<${State} tone="warn">behind<//>`
    : html`<${State} tone="good">up to date<//>`;
}

function seen({ hasSubscription, seesRequests, symbols }: Row): string {
  const parts = [symbols === null ? 'all markets' : symbols.join(', ')];
  if (seesRequests) parts.push('requests');
  if (hasSubscription) parts.push('subscribed to trades');
  return parts.join('; ');
}
