/** Questions and news between three nodes, over their relay ports. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { Dialer, type NodeTls } from '../../src/cluster/dialer.ts';
import { NodeQuestions } from '../../src/cluster/node-questions.ts';
import { type PasswordProof, PasswordProofs } from '../../src/gateway/passwords/password-proofs.ts';
import {
  hashSecret,
  lightCost,
  parseSecretHash,
  type SecretHash,
} from '../../src/gateway/passwords/secret-hash.ts';
import { ManualClock } from '../../src/runtime/clock.ts';
import { until } from '../support/waits.ts';
import { Authority } from '../transport/authority.ts';
import { FrontNode, Rows } from './front-node.ts';

const authority = new Authority();
/** Each node has its own reading of the rows. */
let rows: Rows[];
let nodes: FrontNode[];
let silent: Server | undefined;

beforeEach(async () => {
  rows = ['n1', 'n2', 'n3'].map(() => new Rows());
  nodes = await Promise.all(
    rows.map((own, at) => FrontNode.open({ name: `n${at + 1}`, authority, rows: own })),
  );
  for (const own of rows) {
    for (const { name, ports } of nodes) {
      own.announce({ node: name, relay: `127.0.0.1:${ports.relay}` });
    }
  }
});

afterEach(async () => {
  silent?.close();
  await Promise.all(nodes.map((node) => node.close()));
});

afterAll(() => authority.remove());

const asked = (shards: Record<string, number>) =>
  nodes[0]?.questions.overtaken(new Map(Object.entries(shards)));

test('only a higher epoch at another node shows that a worker is overtaken', async () => {
  rows[1]?.own('a', 'n2', 7);
  rows[2]?.own('b', 'n3', 4);
  expect(await asked({ a: 6, b: 4 })).toEqual(['a']);
  expect(await asked({ a: 7, b: 5 })).toEqual([]);
  expect(await asked({})).toEqual([]);
});

test('what only this node has read itself is no proof', async () => {
  rows[0]?.own('a', 'n2', 9);
  expect(await asked({ a: 1 })).toEqual([]);
});

test('a node that is away, silent or talks nonsense does not keep others from being heard', async () => {
  rows[2]?.own('a', 'n3', 9);
  await nodes[1]?.close();
  expect(await asked({ a: 1 })).toEqual(['a']);
  silent = createServer((socket) => void socket.on('error', () => {}));
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
  rows[0]?.announce({ node: 'n2', relay: `127.0.0.1:${(silent.address() as AddressInfo).port}` });
  rows[0]?.announce({ node: 'n4', relay: 'nonsense' });
  expect(await asked({ a: 1 })).toEqual(['a']);
});

test('a node has the next owner read a shard before it gives the shard up, and learns why that one is not ready', async () => {
  const n2 = rows[0]?.nodes.find(({ node }) => node === 'n2');
  if (n2 === undefined) throw new Error('n2 is announced');
  const problem = (shard: string) => nodes[0]?.questions.readAhead(n2, shard);
  expect(await problem('a')).toBeUndefined();
  expect(await problem('no shard')).toBe('it gives no reason');
  expect(nodes.map(({ readAhead }) => readAhead)).toEqual([[], ['a'], []]);
  for (const node of nodes) node.isReady = false;
  expect(await problem('a')).toBe('its signer is away');
  await nodes[1]?.close();
  // A node that is gone holds nobody up.
  expect(await problem('a')).toBe('it has not answered');
});

test('a failed logon at one node counts at all others, and is not told twice', async () => {
  const told = [
    { lane: 'fix', address: '192.0.2.7', name: 'ALPHA' },
    { lane: 'fixp', address: '2001:db8::7', name: 'delta' },
  ] as const;
  for (const offence of told) nodes[0]?.questions.offended(offence);
  await until(() => nodes.slice(1).every(({ offences }) => offences.length === 2));
  expect(nodes.map(({ offences }) => offences)).toEqual([[], told, told]);
});

test('a flood of failed logons is told in few messages, and what is too much is dropped', async () => {
  for (let at = 0; at < 5_000; at += 1) {
    const address = `192.0.${at >> 8}.${at & 255}`;
    nodes[0]?.questions.offended({ lane: 'fix', address, name: 'ALPHA' });
  }
  const told = () => nodes[1]?.offences.length ?? 0;
  // The first is on its way when the others come, and the next message takes as many as fit.
  await until(() => told() === 257);
  expect(nodes[2]?.offences.length).toBe(257);
});

test('names that are as long as can be in JSON keep no other failed logon from being told', async () => {
  const name = '\u0001'.repeat(64);
  for (let at = 0; at < 257; at += 1) {
    nodes[0]?.questions.offended({ lane: 'fixp', address: `2001:db8:1111:2222::${at}`, name });
  }
  await until(() => nodes[1]?.offences.length === 257);
});

/** A proof that node `count` has made. */
function proofAt(count: number, password = 'right') {
  const proofs = nodes[count]?.proofs as PasswordProofs;
  const hash = parseSecretHash(hashSecret(password, lightCost)) as SecretHash;
  proofs.add(password, hash);
  return { hash, proof: proofs.all.at(-1) as PasswordProof };
}

test('a password that was right at one node is known at all others', async () => {
  const { hash, proof } = proofAt(0);
  nodes[0]?.questions.proved(proof);
  await until(() => nodes.every(({ proofs }) => proofs.has('right', hash)));
  expect(nodes.map(({ proofs }) => proofs.has('wrong', hash))).toEqual([false, false, false]);
});

test('a node that starts learns what the others know, and asks one that does not answer again', async () => {
  const [second, third] = [proofAt(1), proofAt(2)];
  const clock = new ManualClock();
  const [own] = rows;
  const questions = new NodeQuestions({
    ...{ node: 'n1', owners: own as Rows, clock },
    dialer: new Dialer(nodes[0]?.tls as NodeTls),
  });
  // The third node has not yet read that there is a first one.
  rows[2]?.remove('n1');
  const learned = new PasswordProofs();
  void questions.learn((proofs) => learned.take(proofs));
  await until(() => learned.has('right', second.hash));
  expect(learned.has('right', third.hash)).toBe(false);
  rows[2]?.announce({ node: 'n1', relay: `127.0.0.1:${nodes[0]?.ports.relay}` });
  // Faster than the real time, and not so fast that a busy machine cannot answer before it is given up.
  await until(() => {
    clock.advance(25);
    return learned.has('right', third.hash);
  });
  questions.close();
});
