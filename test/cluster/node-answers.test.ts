/** What a node answers to the others, whose names the relay port has checked before. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { NodeAnswers } from '../../src/cluster/node-answers.ts';
import type { Offence } from '../../src/cluster/node-questions.ts';
import { type PasswordProof, PasswordProofs } from '../../src/gateway/passwords/password-proofs.ts';
import {
  hashSecret,
  lightCost,
  parseSecretHash,
  type SecretHash,
} from '../../src/gateway/passwords/secret-hash.ts';
import type { SocketLink } from '../../src/transport/link.ts';
import { Rows } from './front-node.ts';

const owners = new Rows();
const offences: Offence[] = [];
const asked: string[] = [];
let problem: string | undefined;
let proofs: PasswordProofs;
const made = parseSecretHash(hashSecret('right', lightCost)) as SecretHash;
/** In place of the relay port: it has read the first bytes already. */
const port = createServer((socket) => {
  socket.once('data', (first) => {
    const answers = new NodeAnswers({
      ...{ owners, shards: ['a', 'b', 'c'], proofs },
      offended: (offence) => void offences.push(offence),
      readAhead: async (shard) => {
        asked.push(shard);
        return problem;
      },
    });
    answers.take({ socket } as SocketLink, first);
  });
});

beforeAll(async () => {
  await once(port.listen(0, '127.0.0.1'), 'listening');
});
beforeEach(() => {
  proofs = new PasswordProofs();
  offences.length = 0;
  asked.length = 0;
  problem = undefined;
});
afterAll(() => new Promise((resolve) => port.close(resolve)));

async function said(request: string): Promise<{ status: number; body: string }> {
  const socket = connect((port.address() as AddressInfo).port, '127.0.0.1');
  let heard = '';
  socket.on('error', () => {});
  socket.setEncoding('utf8').on('data', (piece) => {
    heard += piece;
  });
  socket.write(request);
  await once(socket, 'close');
  const [head = '', body = ''] = heard.split('\r\n\r\n');
  return { status: Number(head.split(' ')[1]), body };
}

/** HTTP/1.0, so that the answers are not in pieces. */
const get = (path: string) => said(`GET ${path} HTTP/1.0\r\nhost: x\r\n\r\n`);
const post = (path: string, body: string) =>
  said(
    `POST ${path} HTTP/1.0\r\nhost: x\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );

test('the owners are those that this node has read, of the shards of its configuration', async () => {
  expect(JSON.parse((await get('/owners')).body)).toEqual({});
  owners.announce({ node: 'n2', relay: '127.0.0.1:1' });
  owners.own('a', 'n2', 7);
  owners.own('b', 'n9', 3);
  owners.own('other', 'n2', 1);
  const { status, body } = await get('/owners');
  expect([status, JSON.parse(body)]).toEqual([200, { a: { node: 'n2', epoch: 7 } }]);
});

test('a shard of the configuration is read ahead, and the answer is why it cannot be served', async () => {
  const ahead = (body: string) => post('/ahead', body);
  expect(await ahead('{"shard":"a","more":1}')).toMatchObject({ status: 200, body: '' });
  problem = 'its signer is away';
  expect(await ahead('{"shard":"b"}')).toMatchObject({ status: 503, body: problem });
  for (const body of ['{"shard":"other"}', '{"shard":7}', '{}', '']) {
    expect((await ahead(body)).status).toBe(400);
  }
  expect(asked).toEqual(['a', 'b']);
});

test('failed logons are counted, also those of a node that says more than this one knows, or less', async () => {
  const body =
    '[{"lane":"fix","address":"192.0.2.7"},{"lane":"fixp","address":"::1","name":"A","more":1}]';
  expect((await post('/offences', body)).status).toBe(200);
  expect(offences).toEqual([
    { lane: 'fix', address: '192.0.2.7', name: '' },
    { lane: 'fixp', address: '::1', name: 'A' },
  ]);
});

const offence = { lane: 'fix', address: '192.0.2.7', name: 'A' };
const many = (count: number) => JSON.stringify(Array(count).fill(offence));

test('as many failed logons as a message may have are counted', async () => {
  expect((await post('/offences', many(256))).status).toBe(200);
  expect(offences).toHaveLength(256);
});

test.each([
  ['no JSON', 'x'],
  ['an address that is none', '[{"lane":"fix","address":"everybody"}]'],
  ['a lane that is none', '[{"lane":"all","address":"192.0.2.7"}]'],
  ['one too many', many(257)],
  ['too much', `[]${' '.repeat(256 * 512 - 1)}`],
])('%s is answered with an error, and nothing is counted', async (_, body) => {
  expect((await post('/offences', body)).status).toBe(400);
  expect(offences).toEqual([]);
});

test('a message of the longest length is read', async () => {
  expect((await post('/offences', `[]${' '.repeat(256 * 512 - 2)}`)).status).toBe(200);
});

test('proofs of passwords are handed over and taken, as a whole or not at all', async () => {
  const theirs = new PasswordProofs();
  theirs.add('right', made);
  const proof = theirs.all[0] as PasswordProof;
  const bodies = [Array(257).fill(proof), [proof, { ...proof, mac: 'x' }], { proof }];
  for (const body of bodies) {
    expect((await post('/proofs', JSON.stringify(body))).status).toBe(400);
  }
  expect(proofs.all).toEqual([]);
  expect(JSON.parse((await get('/proofs')).body)).toEqual([]);
  expect((await post('/proofs', JSON.stringify([proof]))).status).toBe(200);
  expect(proofs.has('right', made)).toBe(true);
  expect(JSON.parse((await get('/proofs')).body)).toEqual([proof]);
});

test.each([
  ['another path', 'GET /etc HTTP/1.1\r\nhost: x\r\n\r\n', 404],
  ['another method', 'DELETE /owners HTTP/1.1\r\nhost: x\r\n\r\n', 404],
  ['no HTTP', 'hello there\r\n\r\n', 400],
])('%s is answered with an error', async (_, request, status) => {
  expect((await said(request)).status).toBe(status);
});
