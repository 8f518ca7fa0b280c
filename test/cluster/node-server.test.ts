/** What a node answers over HTTP, and that only its private socket takes anything from an operator. */
import { request } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { NodeServer } from '../../src/cluster/node-server.ts';
import { SmallNode } from './small-node.ts';

interface Reply {
  readonly status: number | undefined;
  readonly type: string | undefined;
  readonly body: string;
}

let small: SmallNode;
let server: NodeServer;
let url: URL;
const socketPath = () => join(small.directory, 'private', 'n1.sock');

beforeAll(async () => {
  small = await SmallNode.make();
  await small.open();
  server = new NodeServer(small.node);
  url = new URL(await server.listen({ host: '127.0.0.1', port: 0 }));
  await server.listenPrivately(socketPath());
});

afterAll(async () => {
  await server.close();
  await small.close();
});

function asked(way: 'port' | 'socket', method: string, path: string, body = ''): Promise<Reply> {
  const where =
    way === 'port' ? { host: url.hostname, port: url.port } : { socketPath: socketPath() };
  return new Promise((resolve, reject) => {
    const sent = request({ ...where, method, path, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (piece) => {
        text += piece;
      });
      response.on('end', () => {
        const { headers, statusCode } = response;
        resolve({ status: statusCode, type: headers['content-type'], body: text });
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

const act = (kind: string, by: object = { who: 'ops', why: 'wrong prices' }) =>
  JSON.stringify({ by, act: { kind, scope: { kind: 'all' } } });

test.each(['port', 'socket'] as const)('the %s answers health, metrics and shards', async (way) => {
  expect(await asked(way, 'GET', '/healthz')).toMatchObject({ status: 200, body: 'alive\n' });
  expect(await asked(way, 'GET', '/readyz')).toMatchObject({ status: 200, body: 'ready\n' });
  const metrics = await asked(way, 'GET', '/metrics');
  expect(metrics.type).toMatch(/^text\/plain/);
  expect(metrics.body).toContain('causeway_shard_serving{shard="desk-a"} 1');
  const shards = await asked(way, 'GET', '/shards');
  expect(shards.type).toMatch(/^application\/json/);
  expect(JSON.parse(shards.body)).toMatchObject([
    { name: 'desk-a', state: 'serving', restarts: 0, pid: small.node.keepers[0]?.pid },
    { name: 'desk-b', state: 'serving', restarts: 0, pid: small.node.keepers[1]?.pid },
  ]);
});

test('the port shows neither acts nor the cluster, and takes nothing', async () => {
  for (const path of ['/acts', '/cluster', '/', '/shards?x']) {
    const reply = await asked('port', 'GET', path);
    expect(reply).toMatchObject({
      status: 404,
      body: expect.stringContaining('there are /healthz'),
    });
  }
  for (const [path, body] of [
    ['/drain', ''],
    ['/accept', ''],
    ['/acts', act('kill')],
  ] as const) {
    expect(await asked('port', 'POST', path, body)).toMatchObject({ status: 405 });
  }
  expect(small.node.notReady).toEqual([]);
  expect(small.node.acts.reports).toEqual([]);
});

test('an act through the socket is answered with who has confirmed it, and is listed after that', async () => {
  const reply = await asked('socket', 'POST', '/acts', act('kill'));
  expect(reply.status).toBe(200);
  expect(JSON.parse(reply.body)).toMatchObject({
    by: { who: 'ops', why: 'wrong prices' },
    confirmed: [{ shard: 'desk-a' }, { shard: 'desk-b' }],
    unconfirmed: [],
  });
  const listed = JSON.parse((await asked('socket', 'GET', '/acts')).body);
  expect(listed).toMatchObject([{ act: { kind: 'kill' } }]);
  const { body } = await asked('socket', 'GET', '/cluster');
  expect(JSON.parse(body)).toMatchObject({ node: 'n1', database: null });
});

test('to accept lost commits is refused where none are lost, as at a node without a database', async () => {
  expect(await asked('socket', 'POST', '/accept')).toEqual({
    status: 409,
    type: 'text/plain; charset=utf-8',
    body: 'no shard has lost commits, so there is nothing to accept\n',
  });
});

test.each<[what: string, body: string, status: number, text: RegExp]>([
  ['is no JSON', 'kill everything', 400, /expected object/i],
  ['gives no reason', act('kill', { who: 'ops', why: '' }), 400, /why/],
  ['is of no known kind', act('explode'), 400, /act/],
  ['is too long', act('kill', { who: 'o'.repeat(5_000), why: 'x' }), 413, /too long/],
])(
  'an act that %s is refused with the reason, and no shard hears of it',
  async (_, body, status, text) => {
    const before = small.notes;
    const reply = await asked('socket', 'POST', '/acts', body);
    expect(reply.status).toBe(status);
    expect(reply.body).toMatch(text);
    expect(small.notes).toEqual(before);
  },
);

test('a node that is not ready answers why; drain through the socket answers once the workers have ended', async () => {
  expect(await asked('socket', 'POST', '/drain')).toMatchObject({ status: 200, body: 'drained\n' });
  expect(small.notes.filter((note) => note.endsWith(' stop'))).toEqual([
    'desk-a stop',
    'desk-b stop',
  ]);
  expect(await asked('port', 'GET', '/readyz')).toMatchObject({
    status: 503,
    body: 'the node is draining\nshard desk-a is stopped\nshard desk-b is stopped\n',
  });
});
