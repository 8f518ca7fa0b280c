/** How a scenario of a certification ended. */
import { html } from 'htm/preact';
import type { CertificationRun } from '../certification-runs.ts';
import { State, type Tone } from './parts.ts';

export type Run = NonNullable<CertificationRun['run']>;
export type Scenario = Run['scenarios'][number];
type Outcome = Scenario['outcome'];

/** In the order in which they are counted. */
const words: Readonly<Record<Outcome, readonly [tone: Tone, text: string]>> = {
  passed: ['good', 'passed'],
  failed: ['bad', 'failed'],
  inconclusive: ['warn', 'inconclusive'],
  notRun: ['quiet', 'not run'],
  waived: ['quiet', 'waived'],
};
export const outcomes = Object.keys(words) as readonly Outcome[];

export function OutcomeWord({ outcome, count }: { outcome: Outcome; count?: number }) {
  const [tone, text] = words[outcome];
  return html`<${State} tone=${tone}>${count === undefined ? text : `${count} ${text}`}<//>`;
}

/** Whether it has not been demonstrated yet, and can be played here. */
export function isMissing({ isPlayable, outcome }: Scenario): boolean {
  return isPlayable && outcome !== 'passed' && outcome !== 'waived';
}
