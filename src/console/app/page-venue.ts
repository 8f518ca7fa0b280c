/** The venue from the bridge's point of view: gate, markets, and each account's stream, requests and nonces. */
import { html } from 'htm/preact';
import type { AccountRow } from '../../gateway/console-view.ts';
import { useLoaded } from './api.ts';
import { useFilters } from './filters.ts';
import { short, words } from './format.ts';
import { type Column, Facts, NotYet, Panel, Search, State, TablePanel, Word } from './parts.ts';

const letterTexts: Readonly<Record<string, string>> = {
  f: 'free',
  r: 'reserved',
  s: 'sent',
  '?': 'unknown',
  u: 'used',
  x: 'expired',
};

const count = (name: string) => (row: AccountRow) => row.stream[name] || '';
const columns: readonly Column<AccountRow>[] = [
  ['Account', ({ account, name }) => html`<strong title=${account}>${name}</strong>`],
  ['State', ({ reason, state }) => html`<span title=${reason}><${Word} word=${state} /></span>`],
  [
    'Stream',
    ({ isStreamLive }) =>
      html`<${State} tone=${isStreamLive ? 'good' : 'bad'}>${isStreamLive ? 'live' : 'not live'}<//>`,
  ],
  ['Lag', count('lag'), 'number'],
  ['Recovered', count('recovered'), 'number'],
  ['In flight', ({ inFlight }) => inFlight || '', 'number'],
  ['Queued', ({ queued }) => queued || '', 'number'],
  ['Wait for a nonce', ({ waiting }) => waiting || '', 'number'],
  ['Open orders', ({ openOrders }) => openOrders || '', 'number'],
  ['Key', ({ key }) => html`<span title=${key ?? ''}>${key?.slice(0, 10) ?? ''}</span>`],
  ['Nonce floor', ({ nonces }) => nonces.floor ?? 'unknown', 'number'],
  ['Nonces above the floor', (row) => html`<${NonceStrip} row=${row} />`],
];

export function Venue() {
  const { fields, narrow } = useFilters(['text', 'account']);
  const { error, value } = useLoaded('/api/venue', {}, ['venue', 'orders'], 2_000);
  if (value === undefined) return html`<${NotYet} title="Venue" error=${error} />`;
  const isOpen = value.state === 'open';
  const sought = fields.text.toLowerCase();
  const rows = value.accounts
    .filter(({ account, name }) => `${name} ${account}`.toLowerCase().includes(sought))
    .toSorted((a, b) => trouble(b) - trouble(a));
  const chosen = value.accounts.find(({ name }) => name === fields.account);
  const halted = value.markets.filter(({ isHalted }) => isHalted);
  return html`
    <${Panel} title="Venue" aside=${html`<${State} tone=${isOpen ? 'good' : 'bad'}>${words(value.state)}<//>`}>
      <p>${isOpen ? 'Orders may be placed.' : `Orders are refused, cancels are sent: ${value.reason}`}</p>
      <${Facts} facts=${[
        ['Markets', value.markets.length],
        ['Halted', halted.length === 0 ? 'none' : halted.map(({ symbol }) => symbol).join(', ')],
        ...Object.entries(value.batch).map(([name, limit]) => [
          limitTexts[name] ?? name,
          limitText(limit),
        ]),
      ]} />
    <//>
    <${TablePanel} label="Accounts" columns=${columns} rows=${rows} error=${error} keyOf=${({ name }: AccountRow) => name}
      href=${({ name }: AccountRow) => `#/venue?account=${encodeURIComponent(name)}`} empty="No account has such a name."
      aside=${html`<ul class="legend">${Object.values(letterTexts)
        .slice(1)
        .map((text) => html`<li><i class=${`nonce ${text}`}></i>${text}</li>`)}</ul>`}
      filters=${value.accounts.length > 8 && html`<${Search} label="Account" value=${fields.text} set=${narrow('text')} />`} />
    ${chosen && html`<${Panel} title=${`Nonces of ${chosen.name}`}><${NonceWindow} account=${chosen} /><//>`}`;
}

/** Accounts that need attention come first; otherwise the order does not change. */
function trouble({ isStreamLive, nonces, state }: AccountRow): number {
  if (nonces.isLatched) return 4;
  if (state !== 'open') return 3;
  if (!isStreamLive) return 2;
  return nonces.window.includes('?') ? 1 : 0;
}

function limitText(limit: unknown): string {
  return typeof limit === 'boolean' ? (limit ? 'yes' : 'no') : String(limit);
}

const limitTexts: Readonly<Record<string, string>> = {
  jsonEnabled: 'Batches accepted',
  actions: 'Actions per batch',
  legs: 'Legs per quote',
  inFlight: 'Requests at once',
};

/** `3 sent, 1 unknown`: the number in each state, without free nonces. */
function countsOf({ nonces }: AccountRow): string {
  const counts = Object.entries(letterTexts).flatMap(([letter, text]) => {
    const count = [...nonces.window].filter((one) => one === letter).length;
    return count > 0 && letter !== 'f' ? [`${count} ${text}`] : [];
  });
  return counts.join(', ') || 'all free';
}

/** The whole window in one line, so that fifty accounts fit on a screen; neighbors in one state are one segment. */
function NonceStrip({ row }: { row: AccountRow }) {
  const { isLatched, window } = row.nonces;
  const text = countsOf(row);
  return html`<span class="strip-line"><svg viewBox=${`0 0 ${window.length || 1} 8`} preserveAspectRatio="none" role="img" aria-label=${`Nonces of ${row.name}: ${text}`}>
    ${[...window.matchAll(/(.)\1*/g)].map(({ 0: run, 1: letter = '', index }) => html`<rect class=${letterTexts[letter]} x=${index} width=${run.length} height="8" />`)}</svg>
    ${isLatched ? html`<${State} tone="bad">waits for a person<//>` : html`<span class="muted">${text}</span>`}</span>`;
}

const nonceColumns = 64;
const nonceSize = 10;

/** Each nonce from the floor on is a square. */
function NonceWindow({ account }: { account: AccountRow }) {
  const { floor, window } = account.nonces;
  const rows = Math.ceil(window.length / nonceColumns);
  return html`<figure class="nonces"><figcaption>${short(account.account)}, floor ${floor ?? 'not known'}: ${countsOf(account)}</figcaption>
    <svg viewBox=${`0 0 ${nonceColumns * nonceSize} ${rows * nonceSize}`} role="img" aria-label=${`Each nonce of ${account.name} from ${floor ?? 0}`}>
      ${[...window].map(
        (
          letter,
          index,
        ) => html`<rect class=${letterTexts[letter]} x=${(index % nonceColumns) * nonceSize + 1}
        y=${Math.floor(index / nonceColumns) * nonceSize + 1} width=${nonceSize - 2} height=${nonceSize - 2}><title>${`${(floor ?? 0) + index} ${letterTexts[letter]}`}</title></rect>`,
      )}
    </svg></figure>`;
}
