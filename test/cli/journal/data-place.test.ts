import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { databaseIn, dataPlaceOf } from '../../../src/cli/journal/data-place.ts';
import { UsageError } from '../../../src/cli/verb.ts';
import { ConfigError } from '../../../src/gateway/config/config-file.ts';
import { hashSecret } from '../../../src/gateway/passwords/secret-hash.ts';

const desks = ['desk-a', 'desk-b', 'desk-c'];
const postgres = { hosts: ['db1.example:5432'], database: 'orders' };
let directory: string;

function write(name: string, value: object): string {
  const file = join(directory, name);
  writeFileSync(file, stringify(value), { mode: 0o600 });
  return file;
}

/** `sessions` are the accounts of each. */
function bridge(sessions: readonly string[][], more: object = {}): string {
  const secret = 'secret';
  return write('gateway.yaml', {
    environment: 'local',
    dataDir: 'data',
    venue: { profile: 'venue.yaml', baseUrl: 'http://127.0.0.1:1' },
    signer: { mode: 'process', socket: 'signer.sock' },
    accounts: desks.map((name, at) => ({
      ...{ name, account: `0x${String(at + 1).repeat(40)}` },
      ...{ apiKeyFile: secret, apiSecretFile: secret, passphraseFile: secret },
    })),
    fix: { listen: { host: '127.0.0.1', port: 1 } },
    users: [{ name: 'alpha', secretHashFile: 'hash' }],
    sessions: sessions.map((accounts, at) => ({
      ...{ senderCompId: `C${at}`, targetCompId: 'CAUSEWAY', role: 'order-entry' },
      ...{ users: ['alpha'], accounts },
    })),
    ...more,
  });
}

const cluster = (more: object = {}) =>
  write('cluster.yaml', { bridge: 'gateway.yaml', nodes: [{ name: 'n1' }], ...more });
const data = (...names: string[]) => join(directory, 'data', ...names);

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'data-place-'));
  write('venue.yaml', {});
  write('secret', ['key']);
  writeFileSync(join(directory, 'hash'), hashSecret('x', { N: 16, r: 1, p: 1 }));
});
afterAll(() => rmSync(directory, { recursive: true }));

test('a bridge has its data in its directory, and its only shard may be named', () => {
  const file = bridge([desks]);
  const place = { directory: data(), database: undefined };
  expect(dataPlaceOf(file, undefined)).toEqual(place);
  expect(dataPlaceOf(file, 'gateway')).toEqual(place);
  expect(databaseIn(file)).toBeUndefined();
});

test('a bridge on a database has its data there, under the name of its shard', () => {
  const file = bridge([desks], { store: { postgres: { ...postgres, shard: 'emea' } } });
  const { database, directory: files } = dataPlaceOf(file, undefined);
  expect(files).toBe(data());
  expect(database).toMatchObject({ shard: 'emea', place: { database: 'orders' } });
  expect(JSON.stringify(databaseIn(file))).toBe(JSON.stringify(database?.place));
  expect(dataPlaceOf(file, 'emea').database?.shard).toBe('emea');
});

test('each shard of a cluster has a directory of its own, whichever accounts sessions share', () => {
  bridge([['desk-a', 'desk-c'], ['desk-b']]);
  const file = cluster();
  for (const shard of ['desk-a', 'desk-b']) {
    expect(dataPlaceOf(file, shard)).toEqual({ directory: data(shard), database: undefined });
  }
  for (const other of [undefined, 'desk-c', 'gateway', '', '..', 'toString']) {
    const error = new UsageError('--shard names one of desk-a, desk-b');
    expect(() => dataPlaceOf(file, other), other).toThrow(error);
  }
});

test('a cluster with one shard needs no name, and a shard may be named in its file', () => {
  bridge([desks]);
  expect(dataPlaceOf(cluster(), undefined).directory).toBe(data('desk-a'));
  const file = cluster({ shards: [{ name: 'emea', accounts: desks }] });
  expect(dataPlaceOf(file, undefined).directory).toBe(data('emea'));
  expect(() => dataPlaceOf(file, 'desk-a')).toThrow('--shard names one of emea');
});

test('the shards of a cluster on a database are in the same one', () => {
  bridge([['desk-a'], ['desk-b'], ['desk-c']], { store: { postgres } });
  const file = cluster();
  for (const shard of desks) {
    expect(dataPlaceOf(file, shard).database).toMatchObject({
      shard,
      place: { database: 'orders' },
    });
  }
  expect(databaseIn(file)).toMatchObject({ database: 'orders' });
  expect(() => dataPlaceOf(file, undefined)).toThrow(UsageError);
});

test('a file that is wrong or missing is refused with its faults', () => {
  bridge([desks]);
  const wrong = cluster({ shards: [{ name: 'emea', accounts: ['desk-x'] }] });
  expect(() => dataPlaceOf(wrong, 'emea')).toThrow(ConfigError);
  expect(() => dataPlaceOf(cluster({ bridge: 'absent.yaml' }), undefined)).toThrow('absent.yaml');
  expect(() => dataPlaceOf(join(directory, 'nothing.yaml'), undefined)).toThrow('nothing.yaml');
  expect(() => databaseIn(write('other.yaml', { nodes: [] }))).toThrow(ConfigError);
});
