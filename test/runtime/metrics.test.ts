import { expect, test } from 'vitest';
import { elapsedUs, Metrics } from '../../src/runtime/metrics.ts';

test('counters, gauges and latencies are scraped under the name of the program', async () => {
  const metrics = new Metrics();
  metrics
    .counter({ name: 'messages_total', help: 'Messages', labelNames: ['session'] })
    .inc({ session: 'A' }, 2);
  metrics.gauge({ name: 'sessions', help: 'Sessions' }).set(3);
  metrics.latency({ name: 'turn_us', help: 'Turns' }).observe(150);
  let asked = 0;
  metrics.watch({ name: 'waiting', help: 'Waiting' }, () => ++asked);
  const text = await metrics.text();
  expect(text).toContain('causeway_messages_total{session="A"} 2');
  expect(text).toContain('causeway_sessions 3');
  expect(text).toContain('causeway_turn_us_bucket{le="200"} 1');
  expect(text).toContain('causeway_turn_us_bucket{le="100"} 0');
  expect(text).toContain('causeway_waiting 1');
  expect(metrics.contentType).toContain('text/plain');
});

test('two programs in one process do not share a registry', async () => {
  const [one, other] = [new Metrics(), new Metrics()];
  one.gauge({ name: 'sessions', help: 'Sessions' }).set(1);
  expect(await other.text()).not.toContain('sessions');
});

test('a latency without its unit in the name is refused', () => {
  expect(() => new Metrics().latency({ name: 'turn', help: 'Turns' })).toThrow('_us');
});

test('the process can be watched', async () => {
  const metrics = new Metrics();
  metrics.watchProcess();
  expect(await metrics.text()).toContain('causeway_process_resident_memory_bytes');
});

test('elapsed time is whole microseconds', () => {
  const us = elapsedUs(process.hrtime.bigint() - 1_500_000n);
  expect(Number.isInteger(us)).toBe(true);
  expect(us).toBeGreaterThanOrEqual(1_500);
});
