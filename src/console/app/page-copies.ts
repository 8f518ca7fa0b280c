/** The drop-copy readers: the position of each, and the totals by which it can check that it has everything. */
import { html } from 'htm/preact';
import type { ReaderRow } from '../../gateway/console-view.ts';
import { queryOf, useLoaded } from './api.ts';
import { peerOf } from './format.ts';
import { type Column, State, TablePanel } from './parts.ts';

const readerColumns: readonly Column<ReaderRow>[] = [
  ['Reader', ({ name }) => html`<strong title=${name}>${peerOf(name)}</strong>`],
  ['State', (row) => html`<${Progress} row=${row} />`],
  ['Not sent', ({ behind }) => behind, 'number'],
  ['Not acknowledged', ({ unacknowledged }) => unacknowledged, 'number'],
  ['Replays under way', ({ asked }) => asked, 'number'],
  ['Sees', seen],
  [
    'Look at',
    ({ name }) => html`<a href=${`#/messages${queryOf({ session: name })}`}>messages</a>`,
  ],
];

interface Total {
  readonly reader: string;
  readonly of: ReaderRow['accounts'][number];
}

const totalColumns: readonly Column<Total>[] = [
  ['Reader', ({ reader }) => peerOf(reader)],
  ['Account', ({ of }) => of.account],
  ['Copies today', ({ of }) => of.count, 'number'],
  ['Trades', ({ of }) => of.trades, 'number'],
  ['Busts', ({ of }) => of.busts, 'number'],
  ['Corrections', ({ of }) => of.corrections, 'number'],
  ['Lost to retention', ({ of }) => of.lost, 'number'],
  ['Acknowledged to', ({ of }) => of.acknowledged, 'number'],
  [
    'Running hash',
    ({ of }) => !/^0+$/.test(of.hash) && html`<span class="id">${of.hash}</span>`,
    'long',
  ],
];

export function CopiesPage() {
  const { error, value } = useLoaded('/api/copies', {}, ['orders'], 2_000);
  const totals = value?.flatMap(({ accounts, name }) =>
    accounts.map((of) => ({ reader: name, of })),
  );
  return html`
    <${TablePanel} label="Readers" columns=${readerColumns} rows=${value} error=${error} keyOf=${({ name }: ReaderRow) => name}
      href=${({ name }: ReaderRow) => `#/session/${encodeURIComponent(name)}`} empty="No session reads drop copies." />
    <${TablePanel} label="Totals" aside=${html`<span class="muted">of the drop-copy day, as they were sent to the reader</span>`}
      columns=${totalColumns} rows=${totals} error="" keyOf=${({ of, reader }: Total) => `${reader} ${of.account}`} empty="No account is copied." />`;
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
