/** The readers of drop copies: how far each is, and the totals by which it can tell that it has everything. */
import { html } from 'htm/preact';
import type { ReaderRow } from '../../gateway/copy-view.ts';
import { queryOf, useLoaded } from './api.ts';
import { peerOf } from './format.ts';
import { type Column, Fault, NotYet, Panel, State, Table } from './parts.ts';

const readerColumns: readonly Column<ReaderRow>[] = [
  { head: 'Reader', cell: ({ name }) => html`<strong title=${name}>${peerOf(name)}</strong>` },
  { head: 'State', cell: (row) => html`<${Progress} row=${row} />` },
  { head: 'Not sent', cell: ({ behind }) => behind, isNumber: true },
  { head: 'Not acknowledged', cell: ({ unacknowledged }) => unacknowledged, isNumber: true },
  { head: 'Replays under way', cell: ({ asked }) => asked, isNumber: true },
  { head: 'Sees', cell: seen },
  {
    head: 'Look at',
    cell: ({ name }) => html`<a href=${`#/messages${queryOf({ session: name })}`}>messages</a>`,
  },
];

interface Total {
  readonly reader: string;
  readonly of: ReaderRow['accounts'][number];
}

const totalColumns: readonly Column<Total>[] = [
  { head: 'Reader', cell: ({ reader }) => peerOf(reader) },
  { head: 'Account', cell: ({ of }) => of.account },
  { head: 'Copies today', cell: ({ of }) => of.count, isNumber: true },
  { head: 'Trades', cell: ({ of }) => of.trades, isNumber: true },
  { head: 'Lost to retention', cell: ({ of }) => of.lost, isNumber: true },
  { head: 'Acknowledged to', cell: ({ of }) => of.acknowledged, isNumber: true },
  {
    head: 'Running hash',
    cell: ({ of }) => html`<span class="id">${of.hash}</span>`,
    isLong: true,
  },
];

export function CopiesPage() {
  const { error, value } = useLoaded<readonly ReaderRow[]>('/api/copies', ['orders'], 2_000);
  if (value === undefined) return html`<${NotYet} title="Drop copies" error=${error} />`;
  const totals = value.flatMap(({ accounts, name }) =>
    accounts.map((of) => ({ reader: name, of })),
  );
  return html`
    <${Panel} title="Readers"><${Fault} text=${error} />
    <${Table} label="Readers" columns=${readerColumns} rows=${value} keyOf=${({ name }: ReaderRow) => name}
      href=${({ name }: ReaderRow) => `#/session/${encodeURIComponent(name)}`} empty="No session reads drop copies." /><//>
    <${Panel} title="Totals" aside=${html`<span class="muted">since midnight UTC, as the reader was told</span>`}>
    <${Table} label="Totals" columns=${totalColumns} rows=${totals} keyOf=${({ of, reader }: Total) => `${reader} ${of.account}`}
      empty="No account is copied." /><//>`;
}

function Progress({ row: { asked, behind, isHeldUp, isHere } }: { row: ReaderRow }) {
  if (!isHere) return html`<${State} tone="quiet">away<//>`;
  if (isHeldUp) return html`<${State} tone="bad">held up<//>`;
  if (asked > 0) return html`<${State} tone="warn">replay<//>`;
  return behind > 0
    ? html`<${State} tone="warn">behind<//>`
    : html`<${State} tone="good">up to date<//>`;
}

function seen({ hasSubscription, seesRequests, symbols }: ReaderRow): string {
  const parts = [symbols === null ? 'all markets' : symbols.join(', ')];
  if (seesRequests) parts.push('requests');
  if (hasSubscription) parts.push('subscribed to trades');
  return parts.join('; ');
}
