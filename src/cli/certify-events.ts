/** The events of a run, one line of JSON each, for a program that watches it, such as the console. */
import type { CertificationEvent } from '../certify/certification.ts';

/** Said once, before anything is played. */
export function writeBeginning(text: string, scenarios: readonly string[]): void {
  write({ kind: 'waiting', text, scenarios });
}

/** The evidence is in the folder of the run, so that a line stays short. */
export function writeEvent(event: CertificationEvent): void {
  if (event.kind === 'done') write({ kind: 'done' });
  else if (event.kind !== 'finished') write(event);
  else {
    const { id, outcome, reason, title } = event.record;
    write({ kind: 'finished', id, title, outcome, reason });
  }
}

function write(line: object): void {
  console.log(JSON.stringify(line));
}
