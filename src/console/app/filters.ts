/** The filters of a page. They are part of the address, so that a search can be saved and shared. */
import { useEffect, useState } from 'htm/preact';
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

/** Calls `changed` whenever the address changes. */
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
