/** A latency chart of an order, from its first message to the first report of a venue event. */
import { html } from 'htm/preact';
import type { StoryStep } from '../story.ts';
import { duration } from './format.ts';

interface Span {
  readonly name: string;
  readonly fromUs: number;
  readonly toUs: number;
}

export function Milestones({ steps, session }: { steps: readonly StoryStep[]; session: string }) {
  const spans = spansOf(steps, session);
  const [first] = spans;
  if (first === undefined) return null;
  const endUs = Math.max(...spans.map(({ toUs }) => toUs));
  const scale = 100 / Math.max(1, endUs - first.fromUs);
  return html`<dl class="spans">${spans.map(({ fromUs, name, toUs }) => {
    const width = Math.max(0.4, (toUs - fromUs) * scale);
    return html`<div><dt>${name}</dt><dd><svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true"><rect class="rail" width="100" height="6" /><rect
      class="done" x=${Math.min(100 - width, (fromUs - first.fromUs) * scale)} width=${width} height="6" /></svg> ${duration(toUs - fromUs)}</dd></div>`;
  })}</dl>`;
}

/** The spans of the first action, without unfinished ones. */
function spansOf(steps: readonly StoryStep[], session: string): Span[] {
  const after = (fromUs: number | undefined, isWanted: (step: StoryStep) => boolean) =>
    fromUs === undefined
      ? undefined
      : steps.find((step) => step.atUs >= fromUs && isWanted(step))?.atUs;
  const of = (kind: StoryStep['kind']) => (step: StoryStep) => step.kind === kind;
  const received = after(0, of('received'));
  const recorded = after(received, of('recorded'));
  const asked = after(recorded, of('asked'));
  const answered = after(asked, of('answered'));
  const event = after(asked, of('event'));
  const reported = after(
    event,
    ({ kind, message }) => kind === 'reported' && message?.session === session,
  );
  const spans: [name: string, fromUs: number | undefined, toUs: number | undefined][] = [
    ['message to record', received, recorded],
    ['record to request', recorded, asked],
    ['request to response', asked, answered],
    ['request to stream event', asked, event],
    ['stream event to report', event, reported],
  ];
  return spans.flatMap(([name, fromUs, toUs]) =>
    fromUs === undefined || toUs === undefined ? [] : [{ name, fromUs, toUs }],
  );
}
