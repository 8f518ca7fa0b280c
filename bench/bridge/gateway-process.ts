/** The bridge in a process of its own: says its port, and when it is asked, its memory and where the time went. */

import { hopNames } from '../../src/gateway/account/hops.ts';
import { loadConfig } from '../../src/gateway/config/config-file.ts';
import { Gateway } from '../../src/gateway/gateway.ts';
import { tuneEngine } from '../../src/runtime/engine.ts';

tuneEngine();
const gateway = await Gateway.open({
  loaded: loadConfig(process.argv[2] ?? ''),
  alarm: (text) => process.stderr.write(`ALARM ${text}\n`),
  notice: () => {},
  fatal(error) {
    throw error;
  },
});
// The bridge's own counters keep steps; here the exact median is wanted.
const seen = hopNames.map((hop) => {
  const times: number[] = [];
  gateway.hops[hop].observe = (us) => void times.push(us);
  return { hop, times };
});
process.on('message', (word) => {
  // What is measured for its time is not collected in between: the compiler would forget half of what it knows.
  if (word === 'collect and say') globalThis.gc?.();
  const hopsUs = seen.map(({ hop, times }) => {
    const sorted = times.splice(0).sort((a, b) => a - b);
    return [hop, sorted[sorted.length >> 1] ?? 0] as const;
  });
  const { heapUsed, rss } = process.memoryUsage();
  const { system, user } = process.cpuUsage();
  process.send?.({ heapBytes: heapUsed, rssBytes: rss, cpuUs: user + system, hopsUs });
});
process.once('disconnect', () => void gateway.stop().then(() => process.exit()));
process.send?.({ port: gateway.port, fixpPort: gateway.fixpPort });
