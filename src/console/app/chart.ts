/** Pictures of numbers: histograms by uPlot, and lines small enough for a table. */
import { html, useEffect, useRef, useState } from 'htm/preact';
import uPlot from 'uplot';
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

export interface Histogram {
  readonly boundsUs: readonly number[];
  readonly counts: readonly number[];
}

const chartHeight = 130;

export function HistogramChart({ counts, boundsUs, label }: Histogram & { label: string }) {
  const place = useRef<HTMLDivElement>(null);
  const isDark = useDark();
  useEffect(() => {
    const element = place.current;
    if (element === null) return undefined;
    const shown = getComputedStyle(element);
    const first = Math.max(0, counts.findIndex((count) => count > 0) - 2);
    const last = Math.min(boundsUs.length - 1, counts.findLastIndex((count) => count > 0) + 2);
    const steps = boundsUs.slice(first, last + 1);
    const bars = uPlot.paths.bars?.({ size: [1], gap: 2 });
    const axis = {
      stroke: shown.outlineColor,
      grid: { stroke: shown.borderTopColor, width: 1 },
      ticks: { show: false },
      font: '11px system-ui',
    };
    const chart = new uPlot(
      {
        width: Math.max(200, element.clientWidth),
        height: chartHeight,
        padding: [8, 8, 0, 0],
        legend: { show: false },
        cursor: { show: false },
        scales: { x: { time: false, range: [-0.6, steps.length - 0.4] } },
        axes: [
          {
            ...axis,
            size: 24,
            grid: { show: false },
            values: (_, ticks) =>
              ticks.map((tick) => (steps[tick] === undefined ? '' : duration(steps[tick]))),
          },
          { ...axis, size: 36 },
        ],
        series: [
          {},
          {
            fill: shown.color,
            ...(bars && { paths: bars }),
            points: { show: false },
          },
        ],
      },
      [steps.map((_, index) => index), counts.slice(first, last + 1)],
      element,
    );
    return () => chart.destroy();
  }, [counts.join(), isDark]);
  return html`<div class="chart" ref=${place} role="img" aria-label=${label}></div>`;
}

/** A canvas is painted once, so it must be told when the colours around it change. */
function useDark(): boolean {
  const scheme = matchMedia('(prefers-color-scheme: dark)');
  const [isDark, setDark] = useState(scheme.matches);
  useEffect(() => {
    const changed = () => setDark(scheme.matches);
    scheme.addEventListener('change', changed);
    return () => scheme.removeEventListener('change', changed);
  }, []);
  return isDark;
}
