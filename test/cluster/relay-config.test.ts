/** What the nodes of one database need to reach each other, and what a node announces. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { announcedOf, relayFaults, relayFileFaults } from '../../src/cluster/relay-config.ts';
import { configSchema } from '../../src/gateway/config/config.ts';

type Nodes = Parameters<typeof relayFaults>[0]['nodes'];
type Relay = NonNullable<Nodes[number]['relay']>;
type Config = Parameters<typeof relayFaults>[1];

const folder = mkdtempSync(join(tmpdir(), 'relay-config-'));
const file = (name: string, mode: number) => {
  writeFileSync(join(folder, name), 'x', { mode });
  return join(folder, name);
};
const tls = {
  certFile: file('n1.crt', 0o644),
  keyFile: file('n1.key', 0o600),
  caFile: file('ca.crt', 0o644),
};
const relay = (host: string, address?: string): Relay => ({
  ...{ listen: { host, port: 9893 }, tls },
  ...(address !== undefined && { address }),
});
const at = (path: readonly unknown[]) => path.join('.');
const config = (fixHost: string, fixpHost = fixHost) => {
  const { fix, fixp } = configSchema.shape;
  return {
    fix: fix.parse({ listen: { host: fixHost, port: 0 } }),
    fixp: fixp.parse({ listen: { host: fixpHost, port: 0 }, byteOrder: 'big' }),
    store: { postgres: {} },
  } as unknown as Config;
};

afterAll(() => rmSync(folder, { recursive: true }));

test.each<[string, Nodes, readonly RegExp[]]>([
  ['one node needs nothing', [{ name: 'n1', advertise: {} }], []],
  [
    'of several each needs a relay port',
    [
      { name: 'n1', advertise: {}, relay: relay('10.0.0.11') },
      { name: 'n2', advertise: {} },
    ],
    [/^nodes\.1: needs relay, /],
  ],
  [
    'one on every address needs to say which the others use',
    [
      { name: 'n1', advertise: {}, relay: relay('0.0.0.0') },
      { name: 'n2', advertise: {}, relay: relay('::') },
      { name: 'n3', advertise: {}, relay: relay('::', 'n3.example:9893') },
    ],
    [/^nodes\.0: needs relay\.address/, /^nodes\.1: needs relay\.address/],
  ],
  [
    'a name that no certificate can have as a DNS name',
    [
      { name: '10.0.0.11', advertise: {}, relay: relay('10.0.0.11') },
      { name: 'n2', advertise: {}, relay: relay('10.0.0.12') },
    ],
    [/^nodes\.0: the name must fit a DNS name/],
  ],
])('%s', (_, nodes, texts) => {
  const faults = relayFaults({ holdMs: 5_000, nodes }, config('10.0.0.11'), at);
  expect(faults).toHaveLength(texts.length);
  for (const [index, text] of texts.entries()) expect(faults[index]).toMatch(text);
});

test('with data directories nodes need not reach each other', () => {
  const { store: _, ...without } = config('10.0.0.11');
  const nodes = ['n1', 'n2'].map((name) => ({ name, advertise: {} }));
  expect(relayFaults({ holdMs: 0, nodes }, without as Config, at)).toEqual([]);
});

test('a client is held for as long as a connection to another node may take', () => {
  const nodes = ['n1', 'n2'].map((name) => ({ name, advertise: {}, relay: relay('10.0.0.11') }));
  const faults = (holdMs: number) => relayFaults({ holdMs, nodes }, config('10.0.0.11'), at);
  expect(faults(1_000)).toEqual([]);
  expect(faults(999)).toEqual([expect.stringMatching(/^holdMs: .*1000 ms/)]);
});

test('files that are missing, or that other users can read, are named with their keys', () => {
  expect(relayFileFaults(relay('10.0.0.11'), at)).toEqual([]);
  const keyFile = file('open.key', 0o644);
  const wrong = { ...relay('10.0.0.11'), tls: { ...tls, keyFile, caFile: join(folder, 'none') } };
  expect(relayFileFaults(wrong, at)).toEqual([
    expect.stringMatching(/^tls\.keyFile: .*open\.key/),
    expect.stringMatching(/^tls\.caFile: .*none/),
  ]);
});

test('a node announces the addresses that it listens on, with the ports that it got', () => {
  const ports = { fix: 9880, fixp: 9882, relay: 9893 };
  const announced = (host: string, own = relay(host)) =>
    announcedOf({ advertise: {}, relay: own }, config(host), ports);
  expect(announced('10.0.0.11')).toEqual({
    relay: '10.0.0.11:9893',
    fix: '10.0.0.11:9880',
    fixp: '10.0.0.11:9882',
  });
  expect(announced('2001:db8::1').fix).toBe('[2001:db8::1]:9880');
  // Of no use to others: every address, and this machine's own. Nodes on one machine can still relay.
  expect(announced('0.0.0.0')).toEqual({ relay: '', fix: '', fixp: '' });
  expect(announced('127.0.0.1')).toEqual({ relay: '127.0.0.1:9893', fix: '', fixp: '' });
});

test('what a node is told to announce comes before what it listens on, and a port that it lacks is none', () => {
  const advertise = { fix: 'fix-1.example:443' };
  const ports = { fix: 9880, fixp: 0, relay: 9893 };
  const own = relay('0.0.0.0', 'n1.example:1');
  expect(announcedOf({ advertise, relay: own }, config('10.0.0.11'), ports)).toEqual({
    relay: 'n1.example:1',
    fix: 'fix-1.example:443',
    fixp: '',
  });
});
