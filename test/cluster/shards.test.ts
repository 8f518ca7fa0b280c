/** Shards as they follow from a configuration, over random configurations and by name. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { partOf, shardsOf } from '../../src/cluster/shards.ts';
import { type Config, configSchema } from '../../src/gateway/config/config.ts';
import type { LoadedConfig } from '../../src/gateway/config/config-file.ts';

const example = parse(
  readFileSync(join(import.meta.dirname, '../../config/gateway.yaml'), 'utf8'),
) as { accounts: object[]; sessions: object[] };

/** `sessions` are the accounts of each, by number. */
function configOf(accounts: number, sessions: readonly (readonly number[])[]): Config {
  return configSchema.parse({
    ...example,
    accounts: Array.from({ length: accounts }, (_, at) => ({
      ...example.accounts[0],
      name: `desk-${at}`,
      account: `0x${String(at).padStart(40, '0')}`,
    })),
    sessions: sessions.map((own, at) => ({
      senderCompId: `C${at}`,
      targetCompId: 'CAUSEWAY',
      role: own.length === 0 ? 'market-data' : at % 3 === 2 ? 'drop-copy' : 'order-entry',
      users: ['alpha'],
      accounts: own.map((number) => `desk-${number}`),
    })),
  });
}

function loaded(config: Config): LoadedConfig {
  const none = new Map();
  const maps = { credentials: none, users: none, connectPasswords: none, operators: none };
  return { config, ...maps, path: (file) => file, at: (path) => path.join('.') };
}

const random = fc.integer({ min: 1, max: 8 }).chain((accounts) =>
  fc
    .array(fc.uniqueArray(fc.nat(accounts - 1), { maxLength: 3 }), {
      minLength: 1,
      maxLength: 10,
    })
    .map((sessions) => configOf(accounts, sessions)),
);

test('every account and every session is in exactly one derived shard, with all of its accounts', () => {
  fc.assert(
    fc.property(random, (config) => {
      const shards = shardsOf(config);
      const accounts = shards.flatMap((shard) => shard.accounts);
      const sessions = shards.flatMap((shard) => shard.sessions);
      expect(accounts.toSorted()).toEqual(config.accounts.map(({ name }) => name).toSorted());
      expect(sessions.toSorted()).toEqual(
        config.sessions.map(({ senderCompId }) => senderCompId).toSorted(),
      );
      for (const { senderCompId, accounts: own } of config.sessions) {
        const home = shards.find((shard) => shard.sessions.includes(senderCompId));
        for (const alias of own) expect(home?.accounts).toContain(alias);
      }
    }),
  );
});

test('no derived shard could be divided further: a path of sessions joins any two of its accounts', () => {
  fc.assert(
    fc.property(random, (config) => {
      for (const { accounts } of shardsOf(config)) {
        const reached = new Set(accounts.slice(0, 1));
        for (let size = 0; size < reached.size; ) {
          size = reached.size;
          for (const session of config.sessions) {
            if (!session.accounts.some((alias) => reached.has(alias))) continue;
            for (const alias of session.accounts) reached.add(alias);
          }
        }
        expect([...reached].toSorted()).toEqual(accounts.toSorted());
      }
    }),
  );
});

test('the parts of a configuration are configurations, and together they are the whole', () => {
  fc.assert(
    fc.property(random, (config) => {
      const shards = shardsOf(config);
      const parts = shards.map((shard) => partOf(loaded(config), shard, 'n1'));
      for (const part of parts) {
        expect(part.config.accounts.length).toBeGreaterThan(0);
        expect(part.config.users).toEqual(config.users);
      }
      expect(new Set(parts.map((part) => part.config.dataDir)).size).toBe(shards.length);
      const entries = parts.flatMap(({ config: { accounts, sessions } }) => [
        ...accounts,
        ...sessions,
      ]);
      expect(new Set(entries)).toEqual(new Set([...config.accounts, ...config.sessions]));
    }),
  );
});

test('a fault in a part is reported at the place that the whole configuration has it', () => {
  const config = configOf(3, [[0], [1], [2]]);
  const [, , third] = shardsOf(config);
  const part = partOf(loaded(config), third!, 'n1');
  expect(part.at(['sessions', 0, 'users', 0])).toBe('sessions.2.users.0');
  expect(part.at(['accounts', 0, 'account'])).toBe('accounts.2.account');
  expect(part.at(['fix', 'tls'])).toBe('fix.tls');
});

test('a shard of a database has its name there, and a directory of its node, so that two nodes of a machine share none', () => {
  const store = { postgres: { hosts: ['db1:5432'], database: 'causeway', user: 'causeway' } };
  const whole = { ...configOf(2, [[0], [1]]), store };
  const [, second] = shardsOf(whole);
  const { config: part } = partOf(loaded(whole), second!, 'n2');
  expect(part.dataDir).toBe('data/gateway/n2/desk-1');
  expect(part.store).toEqual({ postgres: { ...store.postgres, shard: 'desk-1' } });
});

test('a part listens nowhere, and has its own directory, audit head and console', () => {
  const config = configOf(2, [[0], [1]]);
  const tls = { certFile: 'a', keyFile: 'b' };
  const whole = { ...config, auditHeadFile: 'head', fix: { ...config.fix, tls } };
  const [first] = shardsOf(whole);
  const { config: part } = partOf(loaded(whole), first!, 'n1', 9_991);
  expect(part).toMatchObject({ dataDir: 'data/gateway/desk-0', auditHeadFile: 'head.desk-0' });
  expect(part.fix.tls).toBeUndefined();
  expect([part.fix.listen.port, part.fixp?.listen.port, part.console?.listen.port]).toEqual([
    0, 0, 9_991,
  ]);
});

test('a drop-copy reader of two accounts joins them into one shard', () => {
  const config = configOf(3, [[0], [1], [0, 1], [2]]);
  expect(shardsOf(config)).toEqual([
    { name: 'desk-0', accounts: ['desk-0', 'desk-1'], sessions: ['C0', 'C1', 'C2'] },
    { name: 'desk-2', accounts: ['desk-2'], sessions: ['C3'] },
  ]);
});

test('a reader that crosses named shards is refused with their names and a way out', () => {
  const config = configOf(2, [[0], [1], [0, 1]]);
  const named = [
    { name: 'east', accounts: ['desk-0'] },
    { name: 'west', accounts: ['desk-1'] },
  ];
  expect(() => shardsOf(config, named)).toThrow(
    /session C2 has accounts of the shards east, west: .*let a relay serve it/,
  );
});

test('an account in no shard, in two shards or unknown is reported, all at once', () => {
  const config = configOf(3, [[0]]);
  const named = [
    { name: 'east', accounts: ['desk-0', 'nowhere'] },
    { name: 'west', accounts: ['desk-0', 'desk-1'] },
  ];
  expect(() => shardsOf(config, named)).toThrow(
    /no account "nowhere"[\s\S]*"desk-0" is in the shards east, west[\s\S]*"desk-2" is in no shard/,
  );
});
