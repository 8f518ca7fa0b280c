/** Traces of real orders, received by an OTLP collector of this test. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { openTracing } from '../../src/cli/tracing.ts';
import { nobody, type Observer } from '../../src/gateway/account/observer.ts';
import type { LoadedConfig } from '../../src/gateway/config/config-file.ts';
import { type Bridge, startBridge } from '../support/bridge.ts';
import { FixPeer } from '../support/fix-peer.ts';

type Opened = NonNullable<Awaited<ReturnType<typeof openTracing>>>;

interface Span {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly { readonly key: string }[];
}

interface Export {
  readonly resourceSpans: readonly { readonly scopeSpans: readonly { readonly spans: Span[] }[] }[];
}

let collector: Server;
let spans: Span[];
let bridge: Bridge;
let peer: FixPeer;
let used: Opened | undefined;
let answers: boolean;

beforeAll(async () => {
  const passed: Observer['passed'] = (hash, times) => used?.observer.passed?.(hash, times);
  bridge = await startBridge({ observer: { ...nobody, passed } });
  peer = await FixPeer.connect(bridge.gateway.port, bridge.user());
  await peer.logon();
});

afterAll(() => bridge.stop());

beforeEach(async () => {
  spans = [];
  answers = true;
  collector = createServer(async (request, response) => {
    const { resourceSpans } = (await json(request)) as Export;
    spans.push(...resourceSpans.flatMap((one) => one.scopeSpans.flatMap((scope) => scope.spans)));
    if (answers) response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  collector.listen(0, '127.0.0.1');
  await once(collector, 'listening');
});

afterEach(() => {
  used = undefined;
  collector.closeAllConnections();
  collector.close();
});

async function tracingAt(ratio: number): Promise<Opened> {
  const url = `http://127.0.0.1:${(collector.address() as AddressInfo).port}/v1/traces`;
  const config = { environment: 'local', tracing: { url, ratio } };
  const tracing = await openTracing({ config, at: () => 'tracing' } as unknown as LoadedConfig);
  if (tracing === undefined) throw new Error('tracing is configured');
  return tracing;
}

/** Sends an order and returns when the venue has accepted it. */
async function order(tracing: Opened, clOrdId: string): Promise<void> {
  used = tracing;
  peer.say(`D|11=${clOrdId}|55=BTC-USDC|54=1|38=0.01|40=2|44=40000|59=1|60=now`);
  await peer.next((message) => message.includes('|39=0|'));
}

test('an order is one trace with a span for each hop, in the order of time', async () => {
  const tracing = await tracingAt(1);
  await order(tracing, 'traced');
  await tracing.stop();
  const root = spans.find(({ name }) => name === 'order');
  const hops = spans.filter(({ parentSpanId }) => parentSpanId === root?.spanId);
  expect(hops.map(({ name }) => name)).toEqual(['record', 'sign', 'send', 'answer']);
  const times = hops.flatMap((hop) => [hop.startTimeUnixNano, hop.endTimeUnixNano].map(BigInt));
  expect(times).toEqual([...times].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0)));
  expect([times.at(0), times.at(-1)]).toEqual([
    BigInt(root?.startTimeUnixNano ?? 0),
    BigInt(root?.endTimeUnixNano ?? 0),
  ]);
  const age = Date.now() - Number(BigInt(root?.startTimeUnixNano ?? 0) / 1_000_000n);
  expect(age).toBeGreaterThanOrEqual(0);
  expect(age).toBeLessThan(60_000);
  expect(root?.attributes.map(({ key }) => key)).toEqual(['causeway.action_hash']);
});

test('an order that is not sampled is not sent', async () => {
  const tracing = await tracingAt(0);
  await order(tracing, 'unsampled');
  await tracing.stop();
  expect(spans).toEqual([]);
});

test('a collector that never answers delays no order, and the end of the process only briefly', async () => {
  answers = false;
  const tracing = await tracingAt(1);
  const hop = { startedUs: 1, recordedUs: 2, signedUs: 3, sentUs: 4, answeredUs: 5 };
  for (let index = 0; index < 10_000; index += 1) tracing.observer.passed?.('0x', hop);
  await order(tracing, 'stuck');
  const startedMs = performance.now();
  await tracing.stop();
  expect(performance.now() - startedMs).toBeLessThan(4_000);
});

test('without a configuration nothing is traced', async () => {
  const loaded = { config: {}, at: () => '' } as unknown as LoadedConfig;
  expect(await openTracing(loaded)).toBeUndefined();
});
