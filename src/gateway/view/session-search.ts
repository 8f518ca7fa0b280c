/** The session search of the console: by a part of the name, sorted by name, a page at a time. */

export interface SessionSearch {
  /** A part of the name; case is ignored. */
  readonly text?: string | undefined;
  /** The last name of the previous page. */
  readonly after?: string | undefined;
  readonly limit: number;
}

export interface FoundSessions<Row> {
  /** The number of matches, shown or not. */
  readonly count: number;
  /** The number of matches before these rows. */
  readonly earlier: number;
  readonly rows: readonly Row[];
}

export function pageOf<Row extends { readonly name: string }>(
  all: readonly Row[],
  { after, limit, text = '' }: SessionSearch,
): FoundSessions<Row> {
  const sought = text.toLowerCase();
  const found = all.filter(({ name }) => name.toLowerCase().includes(sought));
  found.sort((a, b) => (a.name < b.name ? -1 : 1));
  const earlier =
    after === undefined ? 0 : found.reduce((sum, { name }) => sum + Number(name <= after), 0);
  return { count: found.length, earlier, rows: found.slice(earlier, earlier + limit) };
}
