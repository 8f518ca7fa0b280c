/** The totals of a reader as News(B), for FIXP, which has no message for totals (docs/DROPCOPY.md, "Over FIXP"). */
import type { News } from '../domain/answer.ts';
import { formatAtoms } from '../domain/units.ts';
import { named } from '../mapping/sbe/refusal-fields.ts';
import type { MessageOf } from './copy-output.ts';
import { copyTags } from './copy-tags.ts';
import type { Volume } from './copy-totals.ts';

export const totalsHeadline = 'Drop copy totals';

/** Further volumes are sent in further News. */
const maxLines = 100;

/** The first line has the counts, the hash and the number of further lines: one for each instrument with its volume. */
export function totalsNews(message: MessageOf<'totals'>): readonly News[] {
  const { account, day, totals } = message;
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
    pairs({ account, symbol: named(symbol), ...volumeText(volume) }),
  );
  const lines = [sums, ...volumes];
  const news: News[] = [];
  for (let at = 0; at < lines.length; at += maxLines) {
    const part = lines.slice(at, at + maxLines);
    news.push({ kind: 'news', headline: totalsHeadline, lines: part });
  }
  return news;
}

const lineTags: Readonly<Record<string, number>> = {
  ...copyTags,
  account: 1,
  lastExecId: 17,
  symbol: 55,
};

/** A symbol may contain anything, so it reaches to the last `;bought=`. */
const pairInLine = /(\w+)=((?<=;symbol=).*(?=;bought=)|[^;]*)/g;

/** Returns the fields of CopyTotals(UT) for such lines. */
export function statedTotals(lines: readonly string[]): readonly (readonly [number, string])[] {
  return lines.flatMap((line) =>
    [...line.matchAll(pairInLine)].flatMap(([, name = '', value = '']) => {
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
