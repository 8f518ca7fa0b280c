/** The filters of a page. They are part of the address, so that a search can be saved and shared. */
import { html, useEffect, useState } from 'htm/preact';
import type { Range } from '../history.ts';
import { queryOf } from './api.ts';

type Fields<Name extends string> = Readonly<Record<Name, string>>;

export interface Filters<Name extends string> {
  readonly fields: Fields<Name>;
  set(changed: Partial<Fields<Name>>): void;
  /** Sets one field and returns to the first page of results. */
  narrow(name: Name): (value: string) => void;
}

/** `place` is the field that selects a page of the results. */
export function useFilters<const Name extends string>(
  names: readonly Name[],
  place?: NoInfer<Name>,
): Filters<Name> {
  const [fields, setFields] = useState(() => fieldsOf(names));
  useAddress(() => setFields(fieldsOf(names)));
  const set = (changed: Partial<Fields<Name>>) => {
    // Parameters of other parts of the page stay in the address.
    const all = Object.fromEntries(new URLSearchParams(location.hash.split('?')[1]));
    history.replaceState(null, '', `${pageOf(location.hash)}${queryOf({ ...all, ...changed })}`);
    setFields(fieldsOf(names));
  };
  const first = (place === undefined ? {} : { [place]: '' }) as Partial<Fields<Name>>;
  return { fields, set, narrow: (name) => (value) => set({ ...first, [name]: value }) };
}

export function useAddress(changed: () => void): void {
  useEffect(() => {
    addEventListener('hashchange', changed);
    return () => removeEventListener('hashchange', changed);
  }, []);
}

/** The part of the address that identifies the page, without filters. */
export function pageOf(hash: string): string {
  return hash.split('?')[0] || '#/overview';
}

function fieldsOf<Name extends string>(names: readonly Name[]): Fields<Name> {
  const query = new URLSearchParams(location.hash.split('?')[1]);
  return Object.fromEntries(names.map((name) => [name, query.get(name) ?? ''])) as Fields<Name>;
}

const texts: Readonly<Record<Range, string>> = {
  '12m': '12 minutes',
  '1h': '1 hour',
  '24h': '24 hours',
  '7d': '7 days',
};

/** Selects the time range of charts; it is part of the address. */
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
