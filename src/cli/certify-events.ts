/** The events of a run, as one line of JSON each, for a program that watches it, such as the console. */
import type { CertificationEvent } from '../certify/certification.ts';

/** Written once, before the first scenario. */
export function writeBeginning(text: string, scenarios: readonly string[]): void {
  write({ kind: 'waiting', text, scenarios });
}

/** The line contains no evidence, which is in the run's folder, so it stays short. */
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
