/** Where a database is, as operators write it. */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { z } from 'zod';
import {
  cleartextHost,
  hostAndPortOf,
  placeKeys,
  placeOf,
} from '../../../src/store/postgres/place-config.ts';

const directory = mkdtempSync(join(tmpdir(), 'place-'));
afterAll(() => rmSync(directory, { recursive: true }));

const schema = z.strictObject(placeKeys('bridge', 'causeway', 'causeway store migrate'));

test.each([
  ['db1.example:5432', { host: 'db1.example', port: 5432 }],
  ['10.0.0.21:1', { host: '10.0.0.21', port: 1 }],
  ['[2001:db8::1]:5432', { host: '2001:db8::1', port: 5432 }],
  ['db1.example', undefined],
  ['2001:db8::1:5432', undefined],
  ['db1.example:65536', undefined],
  [':5432', undefined],
  ['db1.example:5432 ', undefined],
])('%j is %j', (text, expected) => {
  expect(hostAndPortOf(text)).toEqual(expected);
});

test('database and role have the same name unless the operator says otherwise', () => {
  expect(schema.parse({ hosts: ['db:5432'] })).toMatchObject({
    database: 'causeway',
    user: 'causeway',
  });
});

test.each([
  [{ hosts: [] }, /hosts/],
  [{ hosts: ['db'] }, /HOST:PORT/],
  [{ hosts: ['db:5432'], user: 'Bridge' }, /not a name of PostgreSQL/],
  [{ hosts: ['db:5432'], database: 'a;drop' }, /not a name of PostgreSQL/],
  [{ hosts: ['db:5432'], password: 'secret' }, /password/],
])('%j is refused', (value, message) => {
  const read = schema.safeParse(value);
  expect(read.success).toBe(false);
  expect(z.prettifyError(read.error as z.ZodError)).toMatch(message);
});

test('a password is never part of what is checked against the schema, and goes to the servers only', () => {
  const passwordFile = join(directory, 'password');
  writeFileSync(passwordFile, 'secret\n', { mode: 0o600 });
  const place = placeOf(schema.parse({ hosts: ['a:1', '[::1]:2'], passwordFile }), (file) => file);
  expect(place.hosts).toEqual([
    { host: 'a', port: 1 },
    { host: '::1', port: 2 },
  ]);
  expect(place.secrets?.()).toEqual({ password: 'secret', tls: undefined });
});

test('files that were replaced count from the next connection on, and one that others may read never does', () => {
  const file = (name: string, text: string) => {
    writeFileSync(join(directory, name), text, { mode: 0o600 });
    return name;
  };
  const files = {
    caFile: file('ca', 'old'),
    certFile: file('cert', 'old'),
    keyFile: file('key', 'old'),
  };
  const keys = schema.parse({ hosts: ['a:1'], passwordFile: file('password', 'old'), tls: files });
  const place = placeOf(keys, (name) => join(directory, name));
  for (const name of ['ca', 'cert', 'key', 'password']) file(name, 'new');
  const tls = { ca: 'new', cert: 'new', key: 'new' };
  expect(place.secrets?.()).toEqual({ password: 'new', tls });
  for (const name of ['key', 'password']) {
    chmodSync(join(directory, name), 0o644);
    expect(() => place.secrets?.()).toThrow(`${name} has mode 0644`);
    expect(() => placeOf(keys, (each) => join(directory, each))).toThrow(`${name} has mode 0644`);
    chmodSync(join(directory, name), 0o600);
  }
});

test('without TLS the first host that is not this machine is named', () => {
  const of = (hosts: string[], tls?: { caFile: string }) =>
    cleartextHost(schema.parse({ hosts, ...(tls && { tls }) }));
  expect(of(['127.0.0.1:1', 'localhost:2', '[::1]:3'])).toBeUndefined();
  expect(of(['127.0.0.1:1', '10.0.0.9:2', 'db:3'])).toBe('10.0.0.9:2');
  // A name that only begins like loopback is another machine.
  expect(of(['localhost.example:1'])).toBe('localhost.example:1');
  expect(of(['10.0.0.9:2'], { caFile: 'ca.pem' })).toBeUndefined();
});
