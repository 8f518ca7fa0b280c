/** Translates orders and reports of versions before 0.2, which used the venue's names, into today's names. */
type Facts = Readonly<Record<string, unknown>>;

const isFacts = (value: unknown): value is Facts => typeof value === 'object' && value !== null;

/** Translates at any depth; `changed` is applied to each object last. */
export function underTodaysNames(
  value: unknown,
  changed: (facts: Facts) => Facts = (same) => same,
): unknown {
  if (Array.isArray(value)) return value.map((each) => underTodaysNames(each, changed));
  if (!isFacts(value)) return value;
  const isDenial = 'refusal' in value;
  const named = Object.entries(value).map(([name, member]): [string, unknown] => [
    todaysName(name, isDenial),
    underTodaysNames(member, changed),
  ]);
  return changed(Object.fromEntries(named));
}

function todaysName(name: string, isDenial: boolean): string {
  if (name === 'actionHash') return 'venueRef';
  return isDenial && name === 'nonceConsumed' ? 'isSpent' : name;
}
