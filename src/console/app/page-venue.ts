/** The venue as the bridge sees it: gate, markets, streams, limits, and the nonces of each account as a picture. */
import { html } from 'htm/preact';
import type { AccountRow } from '../../gateway/console-view.ts';
import { useLoaded } from './api.ts';
import { short, words } from './format.ts';
import { type Column, Facts, NotYet, Panel, State, TablePanel, Word } from './parts.ts';

const letterTexts: Readonly<Record<string, string>> = {
  f: 'free',
  r: 'reserved',
  s: 'sent',
  '?': 'unknown',
  u: 'used',
  x: 'expired',
};

const count = (name: string) => (row: AccountRow) => row.stream[name] ?? 0;
const columns: readonly Column<AccountRow>[] = [
  ['Account', ({ account, name }) => html`<strong title=${account}>${name}</strong>`],
  ['State', ({ reason, state }) => html`<span title=${reason}><${Word} word=${state} /></span>`],
  [
    'Stream',
    ({ isStreamLive }) =>
      html`<${State} tone=${isStreamLive ? 'good' : 'bad'}>${isStreamLive ? 'live' : 'not live'}<//>`,
  ],
  ['Lag', count('lag'), 'number'],
  ['Delivered', count('delivered'), 'number'],
  ['Recovered', count('recovered'), 'number'],
  ['Gap-fills asked', count('gapFills'), 'number wide'],
  ['Duplicates', count('duplicates'), 'number wide'],
  ['Reordered', count('reordered'), 'number wide'],
  ['In flight', ({ inFlight }) => inFlight, 'number'],
  ['Queued', ({ queued }) => queued, 'number'],
  ['Open orders', ({ openOrders }) => openOrders, 'number'],
];

export function Venue() {
  const { error, value } = useLoaded('/api/venue', {}, ['venue', 'orders'], 2_000);
  if (value === undefined) return html`<${NotYet} title="Venue" error=${error} />`;
  const isOpen = value.state === 'open';
  return html`
    <${Panel} title="Gate" aside=${html`<${State} tone=${isOpen ? 'good' : 'bad'}>${words(value.state)}<//>`}>
      <p>${isOpen ? 'Orders may be placed.' : `Orders are refused, cancels go: ${value.reason}`}</p>
      <${Facts} facts=${Object.entries(value.batch).map(([name, limit]) => [limitTexts[name] ?? name, limitText(limit)])} />
    <//>
    <${TablePanel} label="Accounts" aside=${html`<span class="muted">recovered: events that only a gap-fill brought; one is requested regularly, even when nothing is missing</span>`}
      columns=${columns} rows=${value.accounts} error=${error} keyOf=${({ name }: AccountRow) => name} empty="No account is configured." />
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

function limitText(limit: unknown): string {
  return typeof limit === 'boolean' ? (limit ? 'yes' : 'no') : String(limit);
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
