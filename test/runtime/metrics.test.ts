import { expect, test } from 'vitest';
import { Latency } from '../../src/runtime/latency.ts';
import { Metrics } from '../../src/runtime/metrics.ts';

test('a watched value is read at each scrape, under the name of the program', async () => {
  const metrics = new Metrics();
  let asked = 0;
  metrics.watch({ name: 'waiting', help: 'Waiting' }, () => ++asked);
  metrics.watch({ name: 'messages_total', help: 'Messages' }, () => 10 * asked);
  metrics.watchLabels({ name: 'sessions', help: 'Sessions', labelNames: ['phase'] }, () => {
    return new Map([['down', asked]]);
  });
  metrics.watchLabels({ name: 'rejects_total', help: 'Refusals', labelNames: ['code'] }, () => {
    return new Map([['limit', asked]]);
  });
  await metrics.text();
  const text = await metrics.text();
  expect(text).toContain('# TYPE causeway_waiting gauge\ncauseway_waiting 2\n');
  expect(text).toContain('# TYPE causeway_messages_total counter\ncauseway_messages_total 20\n');
  expect(text).toContain('causeway_sessions{phase="down"} 2');
  expect(text).toContain('# TYPE causeway_rejects_total counter');
  expect(text).toContain('causeway_rejects_total{code="limit"} 2');
  expect(metrics.contentType).toContain('text/plain');
});

test('a label value that is gone is scraped no more', async () => {
  const metrics = new Metrics();
  const phases = new Map([['down', 1]]);
  metrics.watchLabels({ name: 'sessions', help: 'S', labelNames: ['phase'] }, () => phases);
  expect(await metrics.text()).toContain('phase="down"');
  phases.clear();
  expect(await metrics.text()).not.toContain('phase="down"');
});

test('a scrape lets others in between its metrics', async () => {
  const metrics = new Metrics();
  const seen: string[] = [];
  for (const name of ['one', 'two']) {
    metrics.watch({ name, help: name }, () => {
      setImmediate(() => seen.push(`an event after ${name}`));
      return seen.push(name);
    });
  }
  await metrics.text();
  expect(seen).toEqual(['one', 'an event after one', 'two', 'an event after two']);
});

test('latencies become one histogram whose steps add up', async () => {
  const metrics = new Metrics();
  const latency = new Latency();
  for (const us of [15, 150, 99_000_000]) latency.observe(us);
  metrics.watchLatencies({ name: 'hop_us', help: 'Hops', labelNames: ['hop'] }, () => [
    ['sign', latency],
  ]);
  const text = await metrics.text();
  expect(text).toContain('causeway_hop_us_bucket{hop="sign",le="10"} 0');
  expect(text).toContain('causeway_hop_us_bucket{hop="sign",le="20"} 1');
  expect(text).toContain('causeway_hop_us_bucket{hop="sign",le="+Inf"} 3');
  expect(text).toContain('causeway_hop_us_count{hop="sign"} 3');
});

test('two programs in one process do not share a registry', async () => {
  const [one, other] = [new Metrics(), new Metrics()];
  one.watch({ name: 'sessions', help: 'Sessions' }, () => 1);
  expect(await other.text()).not.toContain('sessions');
});

test('latencies whose name does not end in their unit are refused', () => {
  const metrics = new Metrics();
  const hops = { name: 'hop', help: 'Hops', labelNames: ['hop'] } as const;
  expect(() => metrics.watchLatencies(hops, () => [])).toThrow('_us');
});

test('the process can be watched', async () => {
  const metrics = new Metrics();
  metrics.watchProcess();
  expect(await metrics.text()).toContain('causeway_process_resident_memory_bytes');
});
