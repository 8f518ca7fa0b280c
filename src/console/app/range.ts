/** Selects the time range of charts; it is part of the address. */
import { html } from 'htm/preact';
import type { Range } from '../history.ts';
import { useFilters } from './filters.ts';

const texts: Readonly<Record<Range, string>> = {
  '12m': '12 minutes',
  '1h': '1 hour',
  '24h': '24 hours',
  '7d': '7 days',
};

export function useRange(): { readonly range: Range; readonly choice: unknown } {
  const { fields, set } = useFilters(['range']);
  const range = Object.hasOwn(texts, fields.range) ? (fields.range as Range) : '1h';
  const choice = html`<div class="tabs" role="group" aria-label="Time range">${Object.entries(
    texts,
  ).map(
    ([name, text]) =>
      html`<button class="plain" aria-pressed=${name === range} onClick=${() => set({ range: name })}>${text}</button>`,
  )}</div>`;
  return { range, choice };
}
