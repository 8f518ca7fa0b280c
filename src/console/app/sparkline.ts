/** Lines of numbers, small enough for a table. */
import { html } from 'htm/preact';
import { duration } from './format.ts';

/** As many looks as the server keeps; the latest stands at the right. */
const sparkSlots = 60;

/** Means at equal times; a gap where there was nothing. */
export function Sparkline(props: {
  values: readonly (number | null)[];
  label: string;
  isLarge?: boolean;
}) {
  const { isLarge = false, label, values } = props;
  const known = values.filter((value) => value !== null);
  if (known.length === 0) return html`<span class="muted">—</span>`;
  const [width, height] = isLarge ? [480, 64] : [90, 20];
  const top = Math.max(...known, 1);
  const step = width / (sparkSlots - 1);
  const first = sparkSlots - values.length;
  const y = (value: number) => height - 1 - (value / top) * (height - 3);
  const runs: string[][] = [[]];
  for (const [index, value] of values.entries()) {
    if (value === null) runs.push([]);
    else runs.at(-1)?.push(`${((first + index) * step).toFixed(1)},${y(value).toFixed(1)}`);
  }
  const last = known.at(-1) ?? 0;
  return html`<span class="spark"><svg viewBox=${`0 0 ${width} ${height}`} width=${width} height=${height} role="img"
    aria-label=${`${label}, last ${duration(last)}, highest ${duration(top)}`}>
    ${runs.map((points) =>
      points.length === 1
        ? html`<circle cx=${points[0]?.split(',')[0]} cy=${points[0]?.split(',')[1]} r="1.5" />`
        : html`<polyline points=${points.join(' ')} />`,
    )}</svg><span>${duration(last)}</span></span>`;
}
