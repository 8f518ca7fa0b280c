/** The maker program: the volume and tier of each account, and its quotes against a market maker's obligations. */
import { html } from 'htm/preact';
import type { Answers } from '../routes.ts';
import type { Presence } from '../samples.ts';
import { useLoaded } from './api.ts';
import { grouped } from './format.ts';
import { type Column, NotYet, Panel, State, TablePanel } from './parts.ts';

type Makers = Answers['/api/makers'];

const columns: readonly Column<Presence>[] = [
  ['Market', ({ symbol }) => html`<strong>${symbol}</strong>`],
  ['Account', ({ account }) => account],
  [
    'Now',
    ({ spreadBps }) =>
      html`<${State} tone=${spreadBps === null ? 'warn' : 'good'}>${spreadBps === null ? 'one side' : 'two sides'}<//>`,
  ],
  ['Bid', ({ bid }) => (bid === null ? '—' : grouped(bid)), 'number'],
  ['Depth', ({ bidQty }) => grouped(bidQty), 'number wide'],
  ['Ask', ({ ask }) => (ask === null ? '—' : grouped(ask)), 'number'],
  ['Depth', ({ askQty }) => grouped(askQty), 'number wide'],
  ['Spread, bps', ({ spreadBps }) => spreadBps ?? '—', 'number'],
  ['Two-sided today', (row) => html`<${Share} row=${row} />`],
  ['Last two minutes', (row) => html`<${Strip} row=${row} />`, 'wide'],
];

export function MakersPage() {
  const { error, value } = useLoaded('/api/makers', {}, [], 2_000);
  if (value === undefined) return html`<${NotYet} title="Maker program" error=${error} />`;
  const { accounts, presences, tiers } = value;
  return html`
    <${Panel} title="Volume as a maker, this month" aside=${html`<span class="muted">trades as the venue reported them; tiers from the venue profile, illustrative</span>`}>
      ${accounts.map((row) => html`<${Tier} row=${row} tiers=${tiers} />`)}<//>
    <${TablePanel} label="Quotes by market" aside=${html`<span class="muted">sampled every 2 s since midnight UTC, while the bridge ran</span>`}
      columns=${columns} rows=${presences} error=${error} keyOf=${(row: Presence) => `${row.account} ${row.securityId}`}
      empty="No account has resting orders in any market today." />`;
}

/** Tiers are drawn with equal length, because their volumes differ by powers of ten. */
function Tier({ row, tiers }: { row: Makers['accounts'][number]; tiers: Makers['tiers'] }) {
  const volume = Number(row.volume);
  const parts = tiers.map(({ fromUsd }, index) => {
    const to = tiers[index + 1]?.fromUsd ?? fromUsd * 10;
    return Math.max(0, Math.min(1, (volume - fromUsd) / (to - fromUsd)));
  });
  const label = `${row.account}: ${grouped(row.volume)} USD, rebate ${row.rebateBps} bps`;
  const width = 100 / Math.max(1, tiers.length);
  return html`<figure class="tier"><figcaption><strong>${row.account}</strong> <span class="figure">${grouped(row.volume)} USD</span>,
      rebate ${row.rebateBps} bps${row.nextFromUsd !== null && html`<span class="muted">, next tier from ${grouped(String(row.nextFromUsd))}</span>`}</figcaption>
    <svg viewBox="0 0 100 6" preserveAspectRatio="none" role="img" aria-label=${label}>${parts.map(
      (part, index) =>
        html`<rect class="rail" x=${index * width} width=${width - 0.4} height="6" /><rect class="done" x=${index * width} width=${(width - 0.4) * part} height="6" />`,
    )}</svg><div class="scale">${tiers.map(({ fromUsd, rebateBps }) => html`<span>${grouped(String(fromUsd))}: ${rebateBps} bps</span>`)}</div></figure>`;
}

function Share({ row: { looks, twoSided } }: { row: Presence }) {
  const share = looks === 0 ? 0 : (100 * twoSided) / looks;
  return html`<span class="share"><meter min="0" max="100" value=${share} aria-label=${`${share.toFixed(1)} percent`}></meter> ${share.toFixed(1)} %</span>`;
}

/** One bar per sample, which is high if both sides were quoted. */
function Strip({ row: { spreads, symbol } }: { row: Presence }) {
  const known = spreads.filter((spread) => spread !== null).length;
  return html`<svg class="strip" viewBox="0 0 120 12" width="120" height="12" role="img"
    aria-label=${`${symbol}: both sides in ${known} of the last ${spreads.length} samples`}>${spreads.map(
      (spread, index) =>
        html`<rect class=${spread === null ? 'gap' : 'done'} x=${index * 2} y=${spread === null ? 9 : 0} width="1.5" height=${spread === null ? 3 : 12} />`,
    )}</svg>`;
}
