/** Amounts whose digits are displayed in groups of three, but copied as FIX needs them: 40000.5 instead of 40 000.5. */
import { html } from 'htm/preact';
import { grouped } from './format.ts';

export function Figure({ of }: { of: string }) {
  const groups = grouped(of).split(' ');
  return html`<span class="fig">${groups.map((group) => html`<span>${group}</span>`)}</span>`;
}
