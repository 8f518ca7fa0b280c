/** Compares a repeated certification with an earlier one. */
import type { ComparedRun } from './run-folder.ts';

export type Comparison = ReturnType<typeof compare>;

/** `facts` are the facts of the run that differ: versions, hashes. */
export function compare(before: ComparedRun, after: ComparedRun) {
  const facts = [
    ['software', before.identity.software, after.identity.software],
    ['version', before.identity.version, after.identity.version],
    ['SenderCompID', before.identity.senderCompId, after.identity.senderCompId],
    ['TargetCompID', before.identity.targetCompId, after.identity.targetCompId],
    ['direction', before.direction, after.direction],
    ['Causeway', before.causeway, after.causeway],
    ['catalogue', before.catalogueHash, after.catalogueHash],
    ['dictionary', before.dictionaryHash, after.dictionaryHash],
    ['rules of engagement', before.rulesHash ?? 'none', after.rulesHash ?? 'none'],
  ] as const;
  const ids = new Set([...before.scenarios, ...after.scenarios].map(({ id }) => id));
  const changes = [...ids].flatMap((id) => {
    const then = before.scenarios.find((one) => one.id === id);
    const now = after.scenarios.find((one) => one.id === id);
    if (then?.outcome === now?.outcome) return [];
    const title = now?.title ?? then?.title ?? '';
    return [{ id, title, before: then?.outcome ?? 'absent', after: now?.outcome ?? 'absent' }];
  });
  return {
    facts: facts
      .filter(([, then, now]) => then !== now)
      .map(([name, then, now]) => ({ name, before: then, after: now })),
    changes,
  };
}

export function comparisonText({ facts, changes }: Comparison): string {
  const lines = [
    ...facts.map(({ name, before, after }) => `${name}: ${before} -> ${after}`),
    ...changes.map(({ id, title, before, after }) => `${id} ${before} -> ${after}  ${title}`),
  ];
  return lines.length === 0 ? 'nothing has changed' : lines.join('\n');
}
