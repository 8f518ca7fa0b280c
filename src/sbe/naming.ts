/** Converts the names of a schema to TypeScript style. */

/** ClOrdID → clOrdId, MDEntryPx → mdEntryPx, MONTH_YEAR → monthYear. */
export function memberName(...names: readonly string[]): string {
  const [first = '', ...rest] = names.flatMap(words);
  return [first, ...rest.map(capitalized)].join('');
}

export function className(...names: readonly string[]): string {
  return capitalized(memberName(...names));
}

/** RetransmitRequest → retransmit-request. */
export function fileName(name: string): string {
  return words(name).join('-');
}

function words(name: string): string[] {
  const found = name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g) ?? [];
  return found.map((word) => word.toLowerCase());
}

export function capitalized(word: string): string {
  return (word[0] ?? '').toUpperCase() + word.slice(1);
}
