/** Two nodes with their certificates in files: what each asks of the other goes through its relay port. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { LoadedCluster } from '../../src/cluster/cluster-config.ts';
import { Relays } from '../../src/cluster/relays.ts';
import { PasswordProofs } from '../../src/gateway/passwords/password-proofs.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { until } from '../support/waits.ts';
import { Authority, type Identity } from '../transport/authority.ts';
import { Rows } from './front-node.ts';

const folder = mkdtempSync(join(tmpdir(), 'causeway-relays-'));
const authority = new Authority();
const identities = new Map<string, Identity>();
const rows = new Rows();
const open: Relays[] = [];
const offences: string[] = [];

beforeAll(() => {
  for (const name of ['n1', 'n2']) identities.set(name, authority.issue(name));
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((relays) => relays.close()));
});
afterAll(() => {
  authority.remove();
  rmSync(folder, { recursive: true });
});

function filesOf(node: string, { cert, key } = identities.get(node) as Identity) {
  const write = (ending: string, text: string) => {
    const path = join(folder, `${node}.${ending}`);
    writeFileSync(path, text, { mode: 0o600 });
    return path;
  };
  const tls = {
    caFile: write('ca', authority.cert),
    certFile: write('crt', cert),
    keyFile: write('key', key),
  };
  return { listen: { host: '127.0.0.1', port: 0 }, tls } as NonNullable<LoadedCluster['relay']>;
}

async function node(name: string) {
  const relay = filesOf(name);
  const relays = new Relays({
    ...{ node: name, relay, clock: systemClock, notice: () => {}, owners: rows },
    cluster: { shards: [{ name: 'a' }], holdMs: 5_000 } as unknown as LoadedCluster,
    local: { find: () => undefined, all: () => [] },
    proofs: new PasswordProofs(),
    offended: ({ address }) => void offences.push(`${address} at ${name}`),
    readAhead: async (shard) => `${name} has no worker for ${shard}`,
  });
  const port = await relays.listen(10);
  open.push(relays);
  rows.announce({ node: name, relay: `127.0.0.1:${port}` });
  return { relays, relay };
}

test('a node asks the others, and answers them for the shards of its configuration', async () => {
  const { relays } = await node('n1');
  await node('n2');
  const n2 = rows.nodes.find((one) => one.node === 'n2');
  if (n2 === undefined) throw new Error('n2 is announced');
  expect(await relays.questions.readAhead(n2, 'a')).toBe('n2 has no worker for a');
  expect(await relays.questions.readAhead(n2, 'b')).toBe('it gives no reason');
  relays.questions.offended({ lane: 'fix', address: '192.0.2.7', name: 'A' });
  await until(() => offences.length > 0);
  expect(offences).toEqual(['192.0.2.7 at n2']);
});

test('certificates are renewed in both directions, and unusable ones change nothing', async () => {
  const { relays, relay } = await node('n1');
  await node('n2');
  const n2 = rows.nodes.find((one) => one.node === 'n2');
  if (n2 === undefined) throw new Error('n2 is announced');
  const answer = () => relays.questions.readAhead(n2, 'a');
  const stranger = new Authority();
  filesOf('n1', stranger.issue('n1'));
  const renew = relays.renewal(relay);
  // They are read and not applied.
  expect(await answer()).toBe('n2 has no worker for a');
  renew();
  expect(await answer()).toBe('it has not answered');
  filesOf('n1', { cert: 'nonsense', key: 'nonsense' });
  expect(() => relays.renewal(relay)).toThrow(/relay\.tls/);
  expect(await answer()).toBe('it has not answered');
  filesOf('n1');
  relays.renewal(relay)();
  expect(await answer()).toBe('n2 has no worker for a');
  stranger.remove();
});

test('certificates that cannot be read are named before the node starts', () => {
  const relay = filesOf('n1');
  const tls = { ...relay.tls, certFile: join(folder, 'none') };
  expect(
    () =>
      new Relays({
        ...{ node: 'n1', clock: systemClock, notice: () => {}, owners: rows },
        relay: { ...relay, tls },
        cluster: {} as LoadedCluster,
        local: { find: () => undefined, all: () => [] },
        proofs: new PasswordProofs(),
        offended: () => {},
        readAhead: async () => undefined,
      }),
  ).toThrow(/relay\.tls/);
});

test('a node that is closed watches the others no more and does not answer', async () => {
  const other = await node('n2');
  const watched = rows.watched;
  const { relays } = await node('n1');
  expect(rows.watched).toBe(watched + 1);
  await relays.close();
  expect(rows.watched).toBe(watched);
  const n1 = rows.nodes.find((one) => one.node === 'n1');
  expect(n1 && (await other.relays.questions.readAhead(n1, 'a'))).toBe('it has not answered');
});
