/** What a step says of the messages that are waited for. */
import { fieldOf, type Heard, type Incoming } from './heard.ts';
import { parseLine } from './line.ts';
import type { Play, Step } from './scenario.ts';

/** Types that the scenario waits for, so that they are not answered by themselves. */
export function typesHandled({ steps }: Play): ReadonlySet<string> {
  const expected = steps.filter(
    ({ verb, text }) => verb === 'peer' && text !== 'closed' && text !== 'nothing',
  );
  return new Set(expected.map(({ text }) => parseLine(text).msgType));
}

/** A resend that the step does not speak of. */
export function isEarlier({ text }: Step, one: Incoming): boolean {
  const isResend = one.kind === 'message' && fieldOf(one.message, 43) === 'Y';
  return isResend && !/\|43=/.test(text) && parseLine(text).msgType !== '4';
}

export function isOfLine(one: Incoming, line: string): boolean {
  if (one.kind !== 'message') return one.kind === 'closed';
  return !['closed', 'nothing'].includes(line) && parseLine(line).msgType === one.message.msgType;
}

export function isFarewell({ msgType }: Heard): boolean {
  return msgType === '5' || msgType === 'Terminate';
}
