/** What happens in a run, one line of JSON each, for a program that watches it: the console does. */
import type { CertificationEvent } from '../certify/certification.ts';

/** Said once, before anything is played. */
export function tellBeginning(text: string, scenarios: readonly string[]): void {
  say({ kind: 'waiting', text, scenarios });
}

/** The evidence is in the folder of the run, so that a line stays short. */
export function tellEvent(event: CertificationEvent): void {
  if (event.kind === 'done') say({ kind: 'done' });
  else if (event.kind !== 'finished') say(event);
  else {
    const { id, outcome, reason, title } = event.record;
    say({ kind: 'finished', id, title, outcome, reason });
  }
}

function say(line: object): void {
  console.log(JSON.stringify(line));
}
