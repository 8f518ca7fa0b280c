/** Histograms of latencies, drawn by uPlot. */
import { html, useEffect, useRef, useState } from 'htm/preact';
import type uPlotClass from 'uplot';
import { duration } from './format.ts';

export interface Histogram {
  readonly boundsUs: readonly number[];
  readonly counts: readonly number[];
}

const chartHeight = 130;

export function HistogramChart({ counts, boundsUs, label }: Histogram & { label: string }) {
  const place = useRef<HTMLDivElement>(null);
  const isDark = useDark();
  const uPlot = usePlot();
  useEffect(() => {
    const element = place.current;
    if (element === null || uPlot === undefined) return undefined;
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
          // Of what is counted there are no halves.
          { ...axis, size: 36, values: (_, ticks) => ticks.map(whole) },
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
  }, [counts.join(), isDark, uPlot]);
  return html`<div class="chart" ref=${place} role="img" aria-label=${label}></div>`;
}

function whole(tick: number): string {
  return Number.isInteger(tick) ? String(tick) : '';
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

type Plot = typeof uPlotClass;

/** Fetched where there is something to draw: no other page needs it, and it is as long as all of them. */
function usePlot(): Plot | undefined {
  const [plot, setPlot] = useState<{ readonly of: Plot }>();
  useEffect(() => {
    import('uplot').then(
      (module) => setPlot({ of: module.default }),
      () => {},
    );
  }, []);
  return plot?.of;
}
