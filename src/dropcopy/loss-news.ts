/** News(B) about lost copies or executions, for both protocols (docs/DROPCOPY.md, "Delivery"). */
import type { News } from '../domain/answer.ts';
import type { MessageOf } from './copy-output.ts';

export function lossNews(message: MessageOf<'lost' | 'gap'>): News {
  const { account } = message;
  if (message.kind === 'gap') {
    const lines = message.copy.lines.map((line) => `${account}: ${line}`);
    return { kind: 'news', headline: 'Executions lost', lines };
  }
  const { from, to } = message;
  const text = `${account}: copies ${from} to ${to} (${to - from + 1}) are no longer kept and were not acknowledged`;
  return { kind: 'news', headline: 'Drop copies lost', lines: [text] };
}
