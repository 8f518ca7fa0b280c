/**
 * Settings of the JavaScript engine for a process that does the same few things for weeks, often one at a time
 * (docs/decisions/0260-what-costs-more-than-it-earns.md). They say when code is compiled and never what it does.
 */
import { setFlagsFromString } from 'node:v8';

/** Another engine has other settings, and complains of those that it does not know. */
const measuredWith = '13.';

const settings = [
  // Calls of a function before it is compiled in full: with 3,000, a bridge of few orders takes days.
  '--invocation-count-for-turbofan=500',
  // What a function calls seldom is compiled into it as well: a call that is cold costs more than its room.
  '--min-inlining-frequency=0.01',
  // And larger pieces, up to twice as much of them.
  '--max-inlined-bytecode-size=700',
  '--max-inlined-bytecode-size-cumulative=1800',
];

/** Before anything else is run, so that nothing is compiled by other rules. */
export function tuneEngine(version = process.versions.v8, set = setFlagsFromString): void {
  if (!version.startsWith(measuredWith)) return;
  for (const setting of settings) set(setting);
}
