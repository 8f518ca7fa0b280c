/** The checks before a Logon(A) may change anything, and the Logout(5) of one that is refused. */
import { expect, test } from 'vitest';
import { Decoder } from '../../src/fix/decoder.ts';
import { fix44 } from '../../src/fix/dictionaries.ts';
import {
  attemptOf,
  examineLogon,
  objectionToTerms,
  refusalLogout,
} from '../../src/fix/session-logon.ts';
import { type SessionSettings, sessionSettings } from '../../src/fix/session-settings.ts';
import { Validator } from '../../src/fix/validator.ts';
import { type Authenticator, everyone } from '../../src/transport/authentication.ts';
import { PendingVerdict } from '../../src/transport/pending-verdict.ts';
import { clientBytes } from '../acceptance/fix/script.ts';

const wallMs = Date.UTC(2026, 0, 5, 12);
const now = { wallMs, monoMs: 0 };
const peer = { address: '192.0.2.1' };
const identity = { senderCompId: 'B', targetCompId: 'C' };
const validator = new Validator(fix44(), { strictUserTags: false });

function logon(fields: string) {
  const decoder = new Decoder(fix44());
  decoder.push(clientBytes(`A|34=1|${fields}`, { client: 'C', server: 'B' }, wallMs));
  expect(decoder.next()).toBe('message');
  return decoder.message.detach();
}

function examine(
  fields: string,
  more: Partial<SessionSettings> = {},
  authenticate: Authenticator = everyone,
) {
  const settings = sessionSettings({ identity, role: 'acceptor', ...more });
  return examineLogon(logon(fields), peer, now, settings, authenticate, validator);
}
const textOf = (...given: Parameters<typeof examine>) => {
  const verdict = examine(...given);
  return verdict instanceof PendingVerdict ? 'pending' : verdict?.peerText;
};
const right = '98=0|108=30';

test('a complete Logon is accepted', () => {
  expect(examine(right)).toBeUndefined();
});

test('wrong credentials are an offence, and the peer learns nothing else, whatever else is wrong', () => {
  const refuse: Authenticator = () => ({ peerText: 'wrong credentials', reason: 'no such user' });
  expect(examine('98=7|108=x', {}, refuse)).toEqual({
    peerText: 'Logon refused: wrong credentials',
    reason: 'no such user',
    isOffence: true,
  });
});

test('a pinned certificate is needed even with the right password', () => {
  const verdict = examine(right, { certificates: new Set(['ab']) });
  expect(verdict).toMatchObject({ peerText: 'Logon refused: wrong credentials', isOffence: true });
});

test('while the check of the password runs nothing is decided', () => {
  const pending = new PendingVerdict(new Promise(() => {}), () => {});
  expect(examine(right, {}, () => pending)).toBe(pending);
});

test.each([
  ['98=0', 'Logon: Required tag missing (108)'],
  [`52=now-121s|${right}`, 'SendingTime accuracy problem'],
  [`52=now+121s|${right}`, 'SendingTime accuracy problem'],
  ['98=0|108=-1', 'HeartBtInt must not be negative'],
  ['98=0|108=4', 'HeartBtInt 4 is not 5 to 60'],
  ['98=0|108=61', 'HeartBtInt 61 is not 5 to 60'],
  ['98=1|108=30', 'EncryptMethod(98) other than 0 is not offered'],
  [`${right}|141=Y`, 'ResetSeqNumFlag(141)=Y is not allowed on this session'],
])('a Logon with %s is refused, which is no offence', (fields, told) => {
  const verdict = examine(fields);
  expect(verdict).toEqual({ peerText: told, reason: told, isOffence: false });
});

test.each([
  '98=0|108=5',
  '98=0|108=60',
  `52=now-120s|${right}`,
  `52=now+120s|${right}`,
  `${right}|141=N`,
])('a Logon with %s is accepted', (fields) => expect(examine(fields)).toBeUndefined());

test('a reset is accepted where the session allows it', () => {
  expect(examine(`${right}|141=Y`, { allowsReset: true })).toBeUndefined();
});

test('the range of HeartBtInt is for clients, and not for a server that an initiator asked for its own', () => {
  const terms = (fields: string) =>
    objectionToTerms(logon(fields), sessionSettings({ identity, role: 'initiator' }));
  expect([terms('98=0|108=1'), terms('98=0|108=3600')]).toEqual([undefined, undefined]);
  expect(terms('98=0|108=-1')).toBe('HeartBtInt must not be negative');
});

test('outside of the hours of the session nobody logs on', () => {
  const days = [0, 1, 2, 3, 4, 5, 6];
  const hours = { timeZone: 'UTC', days, startS: 12 * 3600, endS: 13 * 3600, lengthDays: 0 };
  expect(examine(right, { schedule: hours })).toBeUndefined();
  const later = { ...hours, startS: 12 * 3600 + 1 };
  expect(textOf(right, { schedule: later })).toBe('Logon outside of session hours');
});

test('a Logon without a number is refused', () => {
  const decoder = new Decoder(fix44());
  decoder.push(clientBytes(`A|${right}`, { client: 'C', server: 'B' }, wallMs));
  expect(decoder.next()).toBe('message');
  const settings = sessionSettings({ identity, role: 'acceptor' });
  const verdict = examineLogon(decoder.message, peer, now, settings, everyone, validator);
  expect(verdict).toMatchObject({ peerText: 'Received message without MsgSeqNum' });
});

test('in the manners of QuickFIX a Logon that is malformed or of another time gets no response', () => {
  const dialect = { dialect: 'quickfix' } as const;
  expect(textOf('98=0', dialect)).toBeUndefined();
  expect(textOf(`52=now-121s|${right}`, dialect)).toBeUndefined();
  expect(textOf('98=0|108=-1', dialect)).toBe('HeartBtInt must not be negative');
});

test('a Logon shows a password, a signature, or neither', () => {
  expect(attemptOf(logon(`${right}|553=ann|554=pw`), peer, now)).toMatchObject({
    credentials: { username: 'ann', password: 'pw' },
    signedMs: wallMs,
  });
  const signed = attemptOf(logon(`${right}|553=ann|95=3|96=abc`), peer, now);
  expect(signed.credentials).toEqual({ username: 'ann', signature: 'abc' });
  expect(signed.signed).toEqual(['20260105-12:00:00.000', 'A', '1', 'C', 'B']);
  expect(attemptOf(logon(right), peer, now).credentials).toEqual({ username: '' });
});

test('the Logout of a refusal goes back to its sender, with number 1 and the number of a failed authentication', () => {
  const text = (isOffence: boolean, tag: number | undefined, fields = right) => {
    const refusal = { isOffence, peerText: 'no' };
    return Buffer.from(refusalLogout(refusal, logon(fields), tag, now))
      .toString()
      .replaceAll('\x01', '|');
  };
  const route = '35=5|34=1|49=B|52=20260105-12:00:00.000|56=C|58=no|';
  expect(text(true, 9101)).toContain(`${route}9101=200|10=`);
  expect(text(true, undefined)).toContain(`${route}10=`);
  expect(text(false, 9101)).toContain(`${route}10=`);
  expect(text(false, 9101, `${right}|50=me|57=you`)).toContain('|49=B|50=you|');
  expect(text(false, 9101, `${right}|50=me|57=you`)).toContain('|56=C|57=me|58=no|');
});
