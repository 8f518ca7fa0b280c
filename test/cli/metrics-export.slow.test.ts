/** Metrics that an OTLP collector of this test receives and decodes. */
import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openMetricsExport } from '../../src/cli/metrics-export.ts';
import type { LoadedConfig } from '../../src/gateway/config/config-file.ts';
import { Latency } from '../../src/runtime/latency.ts';
import { Metrics } from '../../src/runtime/metrics.ts';
import { startBridge } from '../support/bridge.ts';
import { FixPeer } from '../support/fix-peer.ts';

type Opened = NonNullable<Awaited<ReturnType<typeof openMetricsExport>>>;

interface Point {
  readonly attributes: readonly { key: string; value: { stringValue: string } }[];
  readonly asDouble?: number;
  readonly count?: number;
  readonly sum?: number;
  readonly bucketCounts?: readonly number[];
  readonly explicitBounds?: readonly number[];
  readonly startTimeUnixNano: string;
  readonly timeUnixNano: string;
}

interface Metric {
  readonly name: string;
  readonly description: string;
  readonly gauge?: { readonly dataPoints: Point[] };
  readonly sum?: {
    readonly dataPoints: Point[];
    isMonotonic: boolean;
    aggregationTemporality: number;
  };
  readonly histogram?: { readonly dataPoints: Point[]; aggregationTemporality: number };
}

interface Export {
  readonly resourceMetrics: readonly {
    readonly resource: { readonly attributes: Point['attributes'] };
    readonly scopeMetrics: readonly { readonly metrics: Metric[] }[];
  }[];
}

const cumulative = 2;
let collector: Server;
let received: Export[];
let waiting: ServerResponse[];
let maxAtOnce: number;
let answer: ((response: ServerResponse) => void) | undefined;
let notices: string[];
let headers: IncomingHttpHeaders;

beforeEach(async () => {
  received = [];
  waiting = [];
  notices = [];
  maxAtOnce = 0;
  answer = (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  collector = createServer(async (request, response) => {
    waiting.push(response);
    response.on('close', () => waiting.splice(waiting.indexOf(response), 1));
    maxAtOnce = Math.max(maxAtOnce, waiting.length);
    headers = request.headers;
    received.push((await json(request)) as Export);
    answer?.(response);
  });
  collector.listen(0, '127.0.0.1');
  await once(collector, 'listening');
});

afterEach(() => {
  collector.closeAllConnections();
  collector.close();
});

async function exportEvery(everySeconds: number): Promise<Opened> {
  const { port } = collector.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/v1/metrics`;
  const config = { environment: 'local', metricsExport: { url, everySeconds } };
  const loaded = { config, at: () => 'metricsExport' } as unknown as LoadedConfig;
  const found = await openMetricsExport(loaded, (text) => void notices.push(text));
  if (found === undefined) throw new Error('the export is configured');
  return found;
}

function lastMetrics(): Map<string, Metric> {
  const all = received
    .at(-1)
    ?.resourceMetrics.flatMap(({ scopeMetrics }) => scopeMetrics.flatMap(({ metrics }) => metrics));
  return new Map(all?.map((metric) => [metric.name, metric]));
}

function labelsOf({ attributes }: Pick<Point, 'attributes'>): Record<string, string> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue]));
}

function someMetrics(): Metrics {
  const latency = new Latency();
  for (const us of [5, 12, 12, 4_000, 20_000_000]) latency.observe(us);
  const metrics = new Metrics();
  metrics.watch({ name: 'open', help: 'Open orders.' }, () => 7);
  metrics.watch({ name: 'odd', help: 'A value that JSON does not have.' }, () => Number.NaN);
  metrics.watchLabels(
    { name: 'reports_total', help: 'Reports by type.', labelNames: ['type'] },
    () => new Map(Object.entries({ fill: 3, new: 4 })),
  );
  metrics.watchLatencies({ name: 'hop_us', help: 'Hops.', labelNames: ['hop'] }, () => [
    ['sign', latency],
  ]);
  return metrics;
}

test('a gauge, a counter and a histogram arrive as what they are, with their labels', async () => {
  const sent = await exportEvery(3_600);
  sent.start(someMetrics(), 'east');
  await sent.stop();
  const metrics = lastMetrics();
  expect(metrics.get('causeway_open')?.gauge?.dataPoints.map((one) => one.asDouble)).toEqual([7]);
  expect(metrics.get('causeway_odd')?.gauge?.dataPoints).toEqual([]);
  const total = metrics.get('causeway_reports_total');
  expect(total?.description).toBe('Reports by type.');
  expect(total?.sum).toMatchObject({ isMonotonic: true, aggregationTemporality: cumulative });
  expect(total?.sum?.dataPoints.map((one) => [labelsOf(one), one.asDouble])).toEqual([
    [{ type: 'fill' }, 3],
    [{ type: 'new' }, 4],
  ]);
  const hop = metrics.get('causeway_hop_us')?.histogram;
  expect(hop?.aggregationTemporality).toBe(cumulative);
  const [point] = hop?.dataPoints ?? [];
  expect(point && labelsOf(point)).toEqual({ hop: 'sign' });
  expect(point).toMatchObject({ count: 5, sum: 20_004_029 });
  const filled = point?.bucketCounts?.flatMap((count, at) =>
    count === 0 ? [] : [[point.explicitBounds?.[at] ?? 'above', count]],
  );
  expect(filled).toEqual([
    [10, 1],
    [15, 2],
    [5_000, 1],
    ['above', 1],
  ]);
  expect(point?.bucketCounts).toHaveLength((point?.explicitBounds?.length ?? 0) + 1);
  expect(BigInt(point?.timeUnixNano ?? 0)).toBeGreaterThanOrEqual(
    BigInt(point?.startTimeUnixNano ?? 0),
  );
  const resource = received[0]?.resourceMetrics[0]?.resource;
  expect(resource && labelsOf(resource)).toMatchObject({
    'service.name': 'causeway',
    'service.instance.id': 'east',
    'deployment.environment.name': 'local',
  });
});

test('every metric that Prometheus can read is exported, with the same kind', async () => {
  const metrics = someMetrics();
  metrics.watchProcess();
  const sent = await exportEvery(3_600);
  sent.start(metrics);
  await sent.stop();
  const text = await metrics.text();
  const expected = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, kind]) => [
    name,
    kind,
  ]);
  const found = [...lastMetrics().values()].map(({ name, sum, histogram }) => [
    ...[name, sum ? 'counter' : histogram ? 'histogram' : 'gauge'],
  ]);
  expect(found).toEqual(expected);
});

test('a collector that never answers gets one request at a time, and orders are traded meanwhile', async () => {
  answer = undefined;
  const sent = await exportEvery(0.02);
  sent.start(someMetrics());
  const bridge = await startBridge();
  try {
    const peer = await FixPeer.connect(bridge.gateway.port, bridge.user());
    await peer.logon();
    await vi.waitUntil(() => received.length >= 3);
    peer.say('D|11=while-stuck|55=BTC-USDC|54=1|38=0.01|40=2|44=40000|59=1|60=now');
    await peer.next((message) => message.includes('|39=0|'));
    await vi.waitUntil(() => received.length >= 10);
    expect(maxAtOnce).toBeLessThanOrEqual(2);
  } finally {
    await bridge.stop();
  }
  const startedMs = performance.now();
  await sent.stop();
  expect(performance.now() - startedMs).toBeLessThan(4_000);
});

test('a collector that refuses is reported once, and once more when it takes metrics again', async () => {
  answer = (response) => response.writeHead(400).end();
  const sent = await exportEvery(0.02);
  sent.start(someMetrics());
  await vi.waitUntil(() => received.length >= 5);
  expect(notices).toEqual([expect.stringMatching(/^metrics cannot be exported to http:/)]);
  answer = (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  await vi.waitUntil(() => notices.length > 1);
  await sent.stop();
  expect(notices.slice(1)).toEqual([expect.stringMatching(/again$/)]);
});

test('a collector that is gone keeps the process from nothing, and the next export has every count', async () => {
  const { port } = collector.address() as AddressInfo;
  const sent = await exportEvery(0.05);
  collector.close();
  await once(collector, 'close');
  sent.start(someMetrics());
  await vi.waitUntil(() => notices.length > 0);
  collector.listen(port, '127.0.0.1');
  await vi.waitUntil(() => received.length > 0);
  await sent.stop();
  const total = lastMetrics().get('causeway_reports_total')?.sum?.dataPoints;
  expect(total?.map((one) => one.asDouble)).toEqual([3, 4]);
});

test('a header for authentication is taken from the environment', async () => {
  vi.stubEnv('OTEL_EXPORTER_OTLP_HEADERS', 'authorization=Bearer%20abc');
  const sent = await exportEvery(3_600);
  sent.start(someMetrics());
  await sent.stop();
  vi.unstubAllEnvs();
  expect(headers.authorization).toBe('Bearer abc');
});

test('without a configuration nothing is exported', async () => {
  const loaded = { config: {}, at: () => '' } as unknown as LoadedConfig;
  expect(await openMetricsExport(loaded, () => {})).toBeUndefined();
});
