/** The venue as the bridge sees it: gate, markets, streams, limits, and the nonces of each account as a picture. */
import { html } from 'htm/preact';
import type { AccountRow, VenueState } from '../../gateway/console-view.ts';
import { useLoaded } from './api.ts';
import { short, words } from './format.ts';
import { type Column, NotYet, Panel, State, Table, Word } from './parts.ts';

const letterTexts: Readonly<Record<string, string>> = {
  f: 'free',
  r: 'reserved',
  s: 'sent',
  '?': 'unknown',
  u: 'used',
  x: 'expired',
};

const columns: readonly Column<AccountRow>[] = [
  { head: 'Account', cell: ({ account, name }) => html`<strong title=${account}>${name}</strong>` },
  {
    head: 'State',
    cell: ({ reason, state }) => html`<span title=${reason}><${Word} word=${state} /></span>`,
  },
  {
    head: 'Stream',
    cell: ({ isStreamLive }) =>
      html`<${State} tone=${isStreamLive ? 'good' : 'bad'}>${isStreamLive ? 'live' : 'not live'}<//>`,
  },
  { head: 'Lag', cell: ({ stream }) => countOf(stream, 'lag'), isNumber: true },
  { head: 'Delivered', cell: ({ stream }) => countOf(stream, 'delivered'), isNumber: true },
  { head: 'Recovered', cell: ({ stream }) => countOf(stream, 'recovered'), isNumber: true },
  {
    head: 'Gap-fills asked',
    cell: ({ stream }) => countOf(stream, 'gapFills'),
    isNumber: true,
    isWide: true,
  },
  {
    head: 'Duplicates',
    cell: ({ stream }) => countOf(stream, 'duplicates'),
    isNumber: true,
    isWide: true,
  },
  {
    head: 'Reordered',
    cell: ({ stream }) => countOf(stream, 'reordered'),
    isNumber: true,
    isWide: true,
  },
  { head: 'In flight', cell: ({ inFlight }) => inFlight, isNumber: true },
  { head: 'Queued', cell: ({ queued }) => queued, isNumber: true },
  { head: 'Open orders', cell: ({ openOrders }) => openOrders, isNumber: true },
];

export function Venue() {
  const { error, value } = useLoaded<VenueState>('/api/venue', ['venue', 'orders'], 2_000);
  if (value === undefined) return html`<${NotYet} title="Venue" error=${error} />`;
  const isOpen = value.state === 'open';
  return html`
    <${Panel} title="Gate" aside=${html`<${State} tone=${isOpen ? 'good' : 'bad'}>${words(value.state)}<//>`}>
      <p>${isOpen ? 'Orders may be placed.' : `Orders are refused, cancels go: ${value.reason}`}</p>
      <dl class="facts">${Object.entries(value.batch).map(
        ([name, limit]) =>
          html`<div><dt>${limitTexts[name] ?? name}</dt><dd>${limit === true ? 'yes' : limit === false ? 'no' : String(limit)}</dd></div>`,
      )}</dl>
    <//>
    <${Panel} title="Accounts" aside=${html`<span class="muted">recovered: events that only a gap-fill brought; it is asked now and then, also when nothing is missing</span>`}><${Table} label="Accounts at the venue" columns=${columns} rows=${value.accounts}
      keyOf=${({ name }: AccountRow) => name} empty="No account is configured." /><//>
    <${Panel} title="Nonce windows" aside=${html`<ul class="legend">${Object.entries(
      letterTexts,
    ).map(
      ([letter, text]) =>
        html`<li><i class=${`nonce ${text}`} data-letter=${letter}></i>${text}</li>`,
    )}</ul>`}>${value.accounts.map((account) => html`<${NonceWindow} account=${account} />`)}<//>
    <${Panel} title="Markets"><ul class="chips">${value.markets.map(
      ({ isHalted, kind, symbol }) =>
        html`<li title=${kind}><${State} tone=${isHalted ? 'bad' : 'good'}>${symbol}${isHalted ? ' halted' : ''}<//></li>`,
    )}</ul><//>`;
}

function countOf(stream: AccountRow['stream'], name: string): number {
  return stream[name] ?? 0;
}

const limitTexts: Readonly<Record<string, string>> = {
  jsonEnabled: 'batches taken',
  actions: 'actions a batch',
  legs: 'legs a quote',
  inFlight: 'requests at once',
};

const nonceColumns = 64;
const nonceSize = 10;

/** Each nonce from the floor on is a square; runs of one state are one shape, so that the picture stays small. */
function NonceWindow({ account }: { account: AccountRow }) {
  const { floor, isLatched, window } = account.nonces;
  const counts = Object.entries(letterTexts).flatMap(([letter, text]) => {
    const count = [...window].filter((one) => one === letter).length;
    return count > 0 && letter !== 'f' ? [`${count} ${text}`] : [];
  });
  const rows = Math.ceil(window.length / nonceColumns);
  return html`<figure class="nonces"><figcaption><strong>${account.name}</strong> ${short(account.account)}, floor ${floor ?? 'not known'}
    ${isLatched && html` <${State} tone="bad">waits for a person<//>`}</figcaption>
    <svg viewBox=${`0 0 ${nonceColumns * nonceSize} ${rows * nonceSize}`} role="img"
      aria-label=${`Nonces of ${account.name} from ${floor ?? 0}: ${counts.join(', ') || 'all free'}`}>
      ${[...window].map(
        (
          letter,
          index,
        ) => html`<rect class=${letterTexts[letter]} x=${(index % nonceColumns) * nonceSize + 1}
        y=${Math.floor(index / nonceColumns) * nonceSize + 1} width=${nonceSize - 2} height=${nonceSize - 2}><title>${`${(floor ?? 0) + index} ${letterTexts[letter]}`}</title></rect>`,
      )}
    </svg><p class="muted">${counts.join(', ') || 'all free'}</p></figure>`;
}
