/** How a scenario of a certification ended. */
import { html } from 'htm/preact';
import { State, type Tone } from './parts.ts';

export const outcomeTexts = {
  passed: 'passed',
  failed: 'failed',
  inconclusive: 'inconclusive',
  notRun: 'not run',
  waived: 'waived',
} as const;
export type Outcome = keyof typeof outcomeTexts;

const tones: Readonly<Record<Outcome, Tone>> = {
  passed: 'good',
  failed: 'bad',
  inconclusive: 'warn',
  notRun: 'quiet',
  waived: 'quiet',
};

export function OutcomeWord({ outcome, count }: { outcome: Outcome; count?: number }) {
  return html`<${State} tone=${tones[outcome]}>${count === undefined ? '' : `${count} `}${outcomeTexts[outcome]}<//>`;
}

/** Whether it has not been demonstrated yet, and can be played here. */
export function isMissing(scenario: {
  readonly outcome: Outcome;
  readonly isPlayable: boolean;
}): boolean {
  const { isPlayable, outcome } = scenario;
  if (!isPlayable) return false;
  return outcome === 'failed' || outcome === 'inconclusive' || outcome === 'notRun';
}
