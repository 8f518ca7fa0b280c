import { expect, test } from 'vitest';
import { redact, redactText } from '../../src/runtime/redact.ts';

const soh = '\x01';

test.each([
  ['Password(554)', `8=FIX.4.4${soh}553=me${soh}554=canary${soh}10=000${soh}`],
  ['NewPassword(925)', `553=me${soh}925=canary${soh}`],
  ['a password at the start and with bars', '554=canary|98=0|'],
  ['a bar inside a password', `553=me${soh}554=a|canary${soh}10=000${soh}`],
  ['RawData(96) longer than it says', `95=2${soh}96=ab|canary${soh}10=1${soh}`],
  ['RawData(96) that holds separators', `95=13${soh}96=x${soh}554=canary${soh}10=1${soh}`],
  ['RawData(96) without its length', `35=A${soh}96=canary${soh}`],
  ['a secret of the venue', 'signed with sps_canary today'],
  ['a passphrase of the venue', '{"p":"spp_canary-1"}'],
  ['a bearer token', 'Authorization: Bearer canary.x.y'],
  ['a private key', '-----BEGIN EC PRIVATE KEY-----\ncanary\n-----END EC PRIVATE KEY-----'],
  ['a private key that was cut', '-----BEGIN PRIVATE KEY-----\ncanary'],
])('%s is taken out of text', (_, text) => {
  expect(redactText(text)).not.toContain('canary');
  expect(redactText(text)).toContain('***');
});

test('what is around a secret stays readable', () => {
  const logon = `35=A${soh}553=me${soh}554=secret${soh}95=5${soh}96=a${soh}b=c${soh}10=000${soh}`;
  expect(redactText(logon)).toBe('35=A\\x01553=me\\x01554=***\\x0195=5\\x0196=***\\x0110=000\\x01');
});

test.each([
  ['SOH', '\x01', '\\x01'],
  ['an ANSI escape', '\x1b[31m', '\\x1b[31m'],
  ['a line break', 'a\nb\r', 'a\\x0ab\\x0d'],
  ['a C1 control', '\x9b31m', '\\x9b31m'],
  ['a Unicode line separator', '\u2028', '\\u2028'],
  ['a right-to-left override', '\u202e', '\\u202e'],
])('%s is spelled out', (_, text, shown) => {
  expect(redactText(text)).toBe(shown);
});

test('ordinary text, hashes and other tags pass unchanged', () => {
  const text = 'order 0xab12 35=D 1554=x 9554=y filled in Zürich';
  expect(redactText(text)).toBe(text);
});

test('long text is cut', () => {
  expect(redactText('x'.repeat(10_000)).length).toBeLessThan(4_200);
});

test('members with the names of secrets are hidden at any depth', () => {
  const value = {
    a: [{ password: 'canary', apiSecret: 'canary', sessionToken: 'canary' }],
    signer: { privateKey: 'canary', passphrase: 'canary', 'x-api-key': 'canary' },
    headers: { authorization: 'canary' },
    token: 'canary',
    market: 'BTC',
  };
  const shown = JSON.stringify(redact(value));
  expect(shown).not.toContain('canary');
  expect(shown).toContain('BTC');
});

test('bytes, errors, maps and causes are looked into', () => {
  const bytes = Buffer.from(`35=A${soh}554=canary${soh}`);
  const error = new Error('refused 554=canary', { cause: new Error('Bearer canary') });
  const shown = JSON.stringify(redact({ bytes, error, map: new Map([['k', 'sps_canary']]) }));
  expect(shown).not.toContain('canary');
  expect(shown).toContain('refused');
});

test('deep and endless values end', () => {
  const loop: { name: string; self?: object } = { name: 'loop' };
  loop.self = loop;
  expect(JSON.stringify(redact(loop))).toContain('…');
  expect(redact(Array.from({ length: 1_000 }))).toHaveLength(100);
  expect(redact(2n ** 70n)).toBe('1180591620717411303424');
});
