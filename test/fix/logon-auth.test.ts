import { expect, test } from 'vitest';
import { Decoder } from '../../src/fix/decoder.ts';
import { fix44 } from '../../src/fix/dictionaries.ts';
import {
  hmacAuthenticator,
  hmacCredentials,
  logonSignature,
  passwordAuthenticator,
} from '../../src/fix/logon-auth.ts';
import { clientBytes } from '../acceptance/fix/script.ts';

const wallMs = Date.UTC(2026, 0, 5, 12);
const names = { client: 'C', server: 'B' };
const peer = { address: '192.0.2.1' };

function attempt(fields: string, nowMs = wallMs, sentMs = wallMs) {
  const decoder = new Decoder(fix44());
  decoder.push(clientBytes(`A|34=1|${fields}`, names, sentMs));
  expect(decoder.next()).toBe('message');
  return { logon: decoder.message, peer, now: { wallMs: nowMs, monoMs: 0 } };
}

test('a password lets its own user in, and says the same of every fault', () => {
  const authenticate = passwordAuthenticator([
    { username: 'u', secret: 's3' },
    { username: 'none', secret: '' },
  ]);
  expect(authenticate(attempt('98=0|108=30|553=u|554=s3'))).toBeUndefined();
  const faults = ['553=u|554=wrong', '553=v|554=s3', '553=u', '553=none|554=', '553=none'].map(
    (fields) => authenticate(attempt(`98=0|108=30|${fields}`)),
  );
  expect(new Set(faults)).toEqual(new Set(['Logon refused: wrong credentials']));
});

test('the signature is base64 of HMAC-SHA256 over 52, 35, 34, 49 and 56 with SOH between', () => {
  // printf '20260105-12:00:00.000\001A\0011\001C\001B' | openssl dgst -sha256 -hmac key -binary | base64
  const values = ['20260105-12:00:00.000', 'A', '1', 'C', 'B'];
  const byNode = logonSignature('key', values);
  expect(byNode).toBe('1t686Aq4n+1isqICiow7ENXGbPqbJVXX4n8fE+orY4I=');
  const credentials = hmacCredentials(
    { username: 'u', secret: 'key' },
    { senderCompId: 'C', targetCompId: 'B' },
  )({ msgSeqNum: 1, sendingTime: '20260105-12:00:00.000' });
  expect(credentials).toEqual({ username: 'u', rawData: byNode });
});

test('a signed logon is taken once, within its window', () => {
  const authenticate = hmacAuthenticator([{ username: 'u', secret: 'key' }]);
  const signed = '95=44|96=hmac:key|98=0|108=30|553=u';
  expect(authenticate(attempt(signed, wallMs + 30_001))).toContain('too far off');
  expect(authenticate(attempt(signed))).toBeUndefined();
  expect(authenticate(attempt(signed))).toContain('used before');
  expect(authenticate(attempt(signed, wallMs + 1, wallMs + 1))).toBeUndefined();
  expect(authenticate(attempt('95=44|96=hmac:other|98=0|108=30|553=u'))).toContain('wrong');
  expect(authenticate(attempt(`${signed}|554=x`))).toContain('wrong');
});

test('what was used is forgotten after the window, and what is remembered is bounded', () => {
  const limits = { windowMs: 10, maxRemembered: 2 };
  const authenticate = hmacAuthenticator([{ username: 'u', secret: 'key' }], limits);
  const signed = '95=44|96=hmac:key|98=0|108=30|553=u';
  const logon = (ms: number) => authenticate(attempt(signed, wallMs + ms, wallMs + ms));
  expect(logon(0)).toBeUndefined();
  expect(logon(1)).toBeUndefined();
  expect(logon(2)).toContain('too many');
  expect(logon(100)).toBeUndefined();
});
