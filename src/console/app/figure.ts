/** Amounts whose digits are displayed in groups of three, but copied as FIX needs them: 40000.5 instead of 40 000.5. */
import { html } from 'htm/preact';

export function Figure({ of }: { of: string }) {
  const [whole = '', digits] = of.split('.');
  const groups = whole.replace(/\B(?=(\d{3})+(?!\d))/g, ' ').split(' ');
  const tail = digits === undefined ? '' : `.${digits}`;
  return html`<span class="fig">${groups.map((group) => html`<span>${group}</span>`)}${tail}</span>`;
}
