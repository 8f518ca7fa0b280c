/** The totals of a reader as News(B), for a protocol that has no message of its own for them (docs/DROPCOPY.md, "Over FIXP"). */
import type { News } from '../domain/answer.ts';
import { formatAtoms } from '../domain/units.ts';
import { copyTags } from './copy-tags.ts';
import type { Volume } from './copy-totals.ts';
import type { Said } from './said.ts';

export const totalsHeadline = 'Drop copy totals';

/** More volumes than these are told in further News. */
const mostLines = 100;

/** The first line has the counts and the hash, and how many lines follow, each the volume of an instrument. */
export function totalsNews(said: Extract<Said, { kind: 'totals' }>): readonly News[] {
  const { account, day, totals } = said;
  const { busts, corrections, count, hash, lastExecId, lost, trades } = totals;
  const sums = pairs({
    account,
    day: day ?? '',
    count,
    trades,
    busts,
    corrections,
    lost,
    hash,
    lastExecId,
    volumes: Object.keys(totals.volumes).length,
  });
  const volumes = Object.entries(totals.volumes).map(([symbol, volume]) =>
    pairs({ account, symbol, ...volumeText(volume) }),
  );
  const lines = [sums, ...volumes];
  const news: News[] = [];
  for (let at = 0; at < lines.length; at += mostLines) {
    const part = lines.slice(at, at + mostLines);
    news.push({ kind: 'news', headline: totalsHeadline, lines: part });
  }
  return news;
}

const lineTags: Readonly<Record<string, number>> = {
  account: 1,
  lastExecId: 17,
  day: copyTags.day,
  count: copyTags.count,
  trades: copyTags.trades,
  busts: copyTags.busts,
  corrections: copyTags.corrections,
  lost: copyTags.lost,
  hash: copyTags.hash,
  volumes: copyTags.volumes,
  symbol: 55,
  bought: copyTags.bought,
  sold: copyTags.sold,
  boughtValue: copyTags.boughtValue,
  soldValue: copyTags.soldValue,
};

/** The fields that CopyTotals(UT) has for such lines. */
export function statedTotals(lines: readonly string[]): readonly (readonly [number, string])[] {
  return lines.flatMap((line) =>
    line.split(';').flatMap((pair) => {
      const [name = '', value = ''] = pair.split('=');
      const tag = lineTags[name];
      return tag === undefined || value === '' ? [] : [[tag, value] as const];
    }),
  );
}

function volumeText({ bought, sold, boughtValue, soldValue, qtyScale, valueScale }: Volume) {
  return {
    bought: formatAtoms(bought, qtyScale),
    sold: formatAtoms(sold, qtyScale),
    boughtValue: formatAtoms(boughtValue, valueScale),
    soldValue: formatAtoms(soldValue, valueScale),
  };
}

function pairs(facts: Readonly<Record<string, string | number>>): string {
  return Object.entries(facts)
    .map(([name, value]) => `${name}=${value}`)
    .join(';');
}
