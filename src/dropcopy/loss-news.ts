/** What a reader is told in News(B), over either protocol: that it cannot have something (docs/DROPCOPY.md, "Delivery"). */
import type { News } from '../domain/answer.ts';
import type { Said } from './said.ts';

export function lossNews(said: Extract<Said, { kind: 'lost' | 'gap' }>): News {
  const { account } = said;
  if (said.kind === 'gap') {
    const lines = said.copy.lines.map((line) => `${account}: ${line}`);
    return { kind: 'news', headline: 'Executions lost', lines };
  }
  const { from, to } = said;
  const text = `${account}: copies ${from} to ${to} (${to - from + 1}) are no longer kept and were not sent`;
  return { kind: 'news', headline: 'Drop copies lost', lines: [text] };
}
