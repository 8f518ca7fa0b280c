/**
 * Settings of the JavaScript engine for a process that does the same few things for weeks, often one at a time
 * (docs/decisions/0260-performance-choices.md). They change when code is compiled and where objects are made, but not
 * what the code does.
 */
import { setFlagsFromString } from 'node:v8';

/** Other engine versions have other settings, and report unknown ones. */
const measuredWith = '13.';

const settings = [
  // The number of calls before a function is fully compiled: with 3,000, a bridge with few orders takes days.
  '--invocation-count-for-turbofan=500',
  // Rarely used callees are inlined as well: a cold call costs more than the extra code size.
  '--min-inlining-frequency=0.01',
  // Larger functions are inlined as well, up to twice as much code.
  '--max-inlined-bytecode-size=700',
  '--max-inlined-bytecode-size-cumulative=1800',
  // New objects are all allocated in the young generation: a dead one in the old one keeps those that it refers to.
  '--no-allocation-site-pretenuring',
];

/** Called before any other code runs, so that everything is compiled with these settings. */
export function tuneEngine(version = process.versions.v8, set = setFlagsFromString): void {
  if (!version.startsWith(measuredWith)) return;
  for (const setting of settings) set(setting);
}
