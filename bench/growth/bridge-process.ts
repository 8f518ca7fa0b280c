/**
 * The bridge in a process of its own, which reports what an order costs it: processor time, memory, bytes of each kind of
 * record, and the longest turns.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { loadConfig } from '../../src/gateway/config/config-file.ts';
import { Gateway } from '../../src/gateway/gateway.ts';
import { tuneEngine } from '../../src/runtime/engine.ts';
import { TurnCosts } from './turn-costs.ts';

tuneEngine();
const costs = TurnCosts.install();
const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
const beganUs = process.cpuUsage();
const beganMs = performance.now();
const gateway = await Gateway.open({
  loaded: loadConfig(process.argv[2] ?? ''),
  alarm: (text) => process.stderr.write(`ALARM ${text}\n`),
  notice: () => {},
  fatal(error) {
    throw error;
  },
});
const opened = process.cpuUsage(beganUs);
const openCpuMs = (opened.user + opened.system) / 1000;
const openMs = performance.now() - beganMs;
costs.take();
delay.reset();
process.on('message', (word) => {
  if (word === 'collect') globalThis.gc?.();
  const { arrayBuffers, heapUsed, rss } = process.memoryUsage();
  const { system, user } = process.cpuUsage();
  const loopDelayMs = { p99: delay.percentile(99) / 1e6, max: delay.max / 1e6 };
  delay.reset();
  process.send?.({
    memory: { heap: heapUsed, rss, buffers: arrayBuffers },
    cpuUs: user + system,
    loopDelayMs,
    start: { cpuMs: openCpuMs, ms: openMs },
    ...costs.take(),
  });
  if (word === 'sample') costs.sample();
});
process.once('disconnect', () => void gateway.stop().then(() => process.exit()));
process.send?.({ port: gateway.port });
