import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { Traces } from '../../src/console/traces.ts';
import { ManualClock } from '../../src/runtime/clock.ts';

interface Span {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes?: { key: string; value: { stringValue: string } }[];
}

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function collector(status: number): Promise<{ url: string; bodies: string[] }> {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (piece) => {
      body += piece;
    });
    request.on('end', () => {
      bodies.push(body);
      response.writeHead(status).end();
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/traces`, bodies };
}

function tracesTo(url: string) {
  const problems: string[] = [];
  const traces = new Traces({
    url,
    clock: new ManualClock(),
    problem: (text) => problems.push(text),
  });
  return { traces, problems };
}

const passage = { startedUs: 1_000, recordedUs: 2_000, signedUs: 2_500, sentUs: 2_600 };

test('an action is one trace: the whole way, and a span for each hop that it passed', async () => {
  const { bodies, url } = await collector(200);
  const { traces, problems } = tracesTo(url);
  traces.settled('ALPHA:1', 'accepted', passage);
  traces.settled('ALPHA:2', 'refused', { ...passage, signedUs: 0, sentUs: 0 });
  await traces.stop();
  expect(problems).toEqual([]);
  const [scope] = JSON.parse(bodies[0] ?? '').resourceSpans[0].scopeSpans;
  const spans = scope.spans as Span[];
  const [whole] = spans;
  const own = spans.filter(({ traceId }) => traceId === whole?.traceId);
  expect(own.map(({ name }) => name)).toEqual(['action', 'record', 'sign', 'send', 'answer']);
  expect(own.slice(1).every(({ parentSpanId }) => parentSpanId === whole?.spanId)).toBe(true);
  const record = own[1];
  expect(BigInt(record?.endTimeUnixNano ?? 0) - BigInt(record?.startTimeUnixNano ?? 0)).toBe(
    1_000_000n,
  );
  expect(whole?.attributes?.map(({ value }) => value.stringValue)).toEqual(['ALPHA:1', 'accepted']);
  const other = spans.filter(({ traceId }) => traceId !== whole?.traceId);
  expect(other.map(({ name }) => name)).toEqual(['action', 'record']);
});

test('a collector that refuses costs spans and one line, not a line each time', async () => {
  const { url } = await collector(503);
  const { traces, problems } = tracesTo(url);
  for (let round = 0; round < 3; round += 1) {
    traces.settled('A', 'accepted', passage);
    await traces.send();
  }
  expect(problems).toEqual(['traces are not taken: HTTP 503']);
  expect(traces.dropped).toBe(15);
});

test('spans that wait are bounded', () => {
  const { traces } = tracesTo('http://127.0.0.1:9/');
  for (let round = 0; round < 2_100; round += 1) traces.settled('A', 'accepted', passage);
  expect(traces.dropped).toBe(500);
});
