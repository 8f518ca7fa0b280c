/** Sessions as somebody who watches looks for them: by a part of the name, in the order of the names, a page at a time. */

export interface SessionSearch {
  /** A part of the name, in any case. */
  readonly text?: string | undefined;
  /** The last name of the page before. */
  readonly after?: string | undefined;
  readonly limit: number;
}

export interface FoundSessions<Row> {
  /** How many answer the search, shown or not. */
  readonly count: number;
  /** How many of them stand before these rows. */
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
