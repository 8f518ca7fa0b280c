/** Each kind of value of a configuration at its edges. */
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import * as keys from '../../../src/gateway/config/config-keys.ts';

const fault = (schema: z.ZodType, value: unknown) =>
  schema.safeParse(value).error?.issues.map(({ message }) => message)[0];

const address = 'not an address or a network';
const edges: [
  name: string,
  schema: z.ZodType,
  taken: unknown[],
  refused: unknown[],
  text?: string,
][] = [
  [
    'a name',
    keys.name,
    ['a', 'A1._-', 'x'.repeat(32)],
    ['', '-a', '.a', 'a b', 'é', 'x'.repeat(33)],
    'not a name: letters, digits, dot, dash, underscore',
  ],
  [
    'a name of no member that every object has',
    keys.name,
    ['constructors', 'value-of'],
    ['constructor', 'toString', 'valueOf'],
    'not a name: this word is reserved',
  ],
  [
    'a CompID',
    keys.compId,
    ['A', '!~', 'x'.repeat(32)],
    ['', 'a b', 'é', '\u0001', 'x'.repeat(33)],
    'not a CompID: 1 to 32 printable characters',
  ],
  ['a file', keys.file, ['f', 'x'.repeat(4096)], ['', 'x'.repeat(4097)]],
  ['a time', keys.milliseconds, [0, 86_400_000], [-1, 86_400_001, 1.5, '1']],
  ['a port', keys.port, [0, 65_535], [-1, 65_536]],
  ['a count', keys.count, [1, 10_000_000], [0, 10_000_001]],
  ['a host', keys.host, ['h', 'x'.repeat(255)], ['', 'x'.repeat(256)]],
  [
    'a decimal',
    keys.decimal,
    ['0', '1500.25', `${'9'.repeat(20)}.${'9'.repeat(18)}`],
    ['', '.5', '1.', '-1', '1e3', '1,5', ' 1', '9'.repeat(21), `1.${'0'.repeat(19)}`],
    'not a decimal in quotes, such as "1500.25"',
  ],
  [
    'an account',
    keys.account,
    [`0x${'a0'.repeat(20)}`],
    [`0x${'A0'.repeat(20)}`, `0x${'a'.repeat(39)}`, 'a0'.repeat(20)],
    'not an account: 0x and 40 lowercase hex digits',
  ],
  [
    'an address',
    keys.addressRange,
    ['10.0.0.1', '10.0.0.0/8', '::1', '2001:db8::/32'],
    ['', 'host', '10.0.0.0/33', '10.0.0.256', '10.0.0.1:80'],
    address,
  ],
];

test.each(edges)(
  '%s is taken up to its limits, and refused beyond',
  (_, schema, taken, refused, text) => {
    for (const value of taken) expect([value, fault(schema, value)]).toEqual([value, undefined]);
    for (const value of refused) {
      expect([value, fault(schema, value)]).toEqual([value, text ?? expect.any(String)]);
    }
  },
);

test('an amount is text, because a number of YAML is in floating point', () => {
  expect(fault(keys.decimal, 1500.25)).toContain('expected string');
});

describe('kinds with a default', () => {
  test('have it where nothing stands, and only there', () => {
    expect(keys.textOr('usual', 5).parse(undefined)).toBe('usual');
    expect(keys.textOr('usual', 5).parse('own')).toBe('own');
    expect(fault(keys.textOr('usual', 5), 'longer')).toBeDefined();
    expect(keys.integerOr(7, 5, 9).parse(undefined)).toBe(7);
    expect(
      [4, 5, 9, 10].map((value) => fault(keys.integerOr(7, 5, 9), value) === undefined),
    ).toEqual([false, true, true, false]);
    expect(keys.off.parse(undefined)).toBe(false);
    expect(keys.choice(['a', 'b'], 'b').parse(undefined)).toBe('b');
    expect(fault(keys.choice(['a', 'b'], 'b'), 'c')).toBeDefined();
  });

  test('and a list that may be left out has one member at least', () => {
    expect(keys.optionalList(keys.count).parse(undefined)).toBeUndefined();
    expect(keys.optionalList(keys.count).parse([1])).toEqual([1]);
    expect(fault(keys.list(keys.count), [])).toBeDefined();
    expect(fault(keys.list(keys.count), undefined)).toBeDefined();
  });
});

test('a port for clients is local and takes neither cleartext from elsewhere nor proxies, unless it is said', () => {
  const port = z.strictObject(keys.clientPort);
  expect(port.parse({ listen: { port: 0 } })).toEqual({
    listen: { host: '127.0.0.1', port: 0 },
    maxConnections: 1000,
    allowCleartext: false,
  });
  expect(fault(port, { listen: {} })).toBeDefined();
  expect(fault(port, { listen: { port: 0 }, proxies: ['nowhere'] })).toBe(address);
  expect(fault(port, { listen: { port: 0 }, tls: { certFile: 'c' } })).toBeDefined();
});

test('no limit is set by itself, and none is zero', () => {
  expect(keys.limits.parse({})).toEqual({});
  expect(fault(keys.limits, { priceCollarBps: 0 })).toBeDefined();
  expect(fault(keys.limits, { priceCollarBps: 10_001 })).toBeDefined();
  expect(fault(keys.limits, { maxOpenOrders: 0 })).toBeDefined();
  expect(fault(keys.limits, { maxOrderQty: 10 })).toBeDefined();
  expect(fault(keys.limits, { maxOrders: 1 })).toBeDefined();
});

test.each([
  ['127.0.0.1', true],
  ['127.255.255.255', true],
  ['::1', true],
  ['[::1]', true],
  ['localhost', true],
  ['127.0.0.1.example', false],
  ['localhost.example', false],
  ['128.0.0.1', false],
  ['0.0.0.0', false],
  ['::', false],
  ['', false],
])('the host %j is this machine: %s', (host, is) => {
  expect(keys.isLoopback(host)).toBe(is);
});

test.each([
  ['https://venue.example/v1', true],
  ['http://127.0.0.1:8080', true],
  ['http://[::1]:8080', true],
  ['http://localhost', true],
  ['http://venue.example', false],
  ['http://localhost.example', false],
  ['http://127.0.0.1@venue.example', false],
  ['ws://localhost', false],
  ['file:///etc/passwd', false],
  ['localhost:8080', false],
  ['nonsense', false],
])('secrets may be sent to %j: %s', (text, may) => {
  expect(keys.protectedUrl(text)?.href).toBe(may ? new URL(text).href : undefined);
});

test('a call that throws is not possible', () => {
  expect(keys.isPossible(() => undefined)).toBe(true);
  expect(
    keys.isPossible(() => {
      throw new Error('no');
    }),
  ).toBe(false);
});
