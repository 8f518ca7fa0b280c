/** Whether a Negotiate or an Establish is accepted: first who asks, then what is asked (FIXP 1.1). */
import { beforeEach, describe, expect, test, vi } from 'vitest';
import {
  type Bound,
  type Doorkeeper,
  type Establish,
  judgeStranger,
  type Negotiate,
  objectionToEstablish,
  objectionToNegotiate,
  type Refusal,
} from '../../src/fixp/admission.ts';
import { writeCredentials } from '../../src/fixp/credentials.ts';
import {
  EstablishmentRejectCode,
  FlowType,
  NegotiationRejectCode,
} from '../../src/fixp/generated/codes.ts';
import { SessionIds } from '../../src/fixp/session-ids.ts';
import { fixpSettings } from '../../src/fixp/settings.ts';
import type { Attempt, Authenticator } from '../../src/transport/authentication.ts';
import { PendingVerdict } from '../../src/transport/pending-verdict.ts';

const wallMs = Date.UTC(2026, 0, 5, 12);
const now = { wallMs, monoMs: 0 };
const nowNs = BigInt(wallMs) * 1_000_000n;
const peer = { address: '192.0.2.1' };
const id = 'a1'.repeat(16);
const shown = { username: 'ALPHA', password: 'secret' };
const credentials = writeCredentials(shown);
const wrong = '200: wrong credentials';

let ids: SessionIds;
let door: Doorkeeper;
let attempts: Attempt[];
const judge: Authenticator = (attempt) => {
  attempts.push(attempt);
  return attempt.credentials.password === 'secret' ? undefined : 'wrong credentials';
};

beforeEach(() => {
  attempts = [];
  ids = new SessionIds();
  const settings = fixpSettings({ role: 'acceptor', principal: 'ALPHA' });
  door = { settings, authenticate: judge, ids, phase: 'down', isStopped: false };
});

function negotiate(more: Partial<Negotiate> = {}, at: Partial<Doorkeeper> = {}, from = peer) {
  const request: Negotiate = {
    name: 'Negotiate',
    sessionId: id,
    timestamp: nowNs,
    clientFlow: FlowType.Idempotent,
    credentials,
    ...more,
  };
  return shownAs(objectionToNegotiate(request, { ...door, ...at }, from, now));
}

const establishment = (more: Partial<Establish> = {}): Establish =>
  ({
    name: 'Establish',
    sessionId: id,
    timestamp: nowNs,
    keepaliveInterval: 10_000,
    nextSeqNo: 1,
    cancelOnDisconnectType: undefined,
    codTimeoutWindow: undefined,
    credentials,
    ...more,
  }) as Establish;

function establish(more: Partial<Establish> = {}, at: Partial<Doorkeeper> = {}, bound?: Bound) {
  const request = establishment(more);
  return shownAs(objectionToEstablish(request, { ...door, ...at }, peer, now, bound));
}

/** The name of the code and the text; `!` before what counts against the source. */
function shownAs(verdict: Refusal | PendingVerdict | undefined): string | undefined {
  if (verdict === undefined || verdict instanceof PendingVerdict) return verdict && 'pending';
  const { answer, isOffence } = verdict;
  const codes =
    answer.name === 'NegotiationReject' ? NegotiationRejectCode : EstablishmentRejectCode;
  const [code] = Object.entries(codes).find(([, number]) => number === answer.code) ?? [];
  expect(answer).toMatchObject({
    sessionId: expect.any(String),
    requestTimestamp: expect.any(BigInt),
  });
  return `${isOffence ? '!' : ''}${code} ${answer.reason}`;
}

const begin = () => ids.begin(id, FlowType.Idempotent, { nextIn: 1, nextOut: 1 });
const flow = (name: string) => (FlowType as Record<string, number>)[name] as never;

describe('Negotiate', () => {
  test('is taken from a user with the right password, for an idempotent flow or none', () => {
    expect(negotiate()).toBeUndefined();
    expect(negotiate({ clientFlow: FlowType.None })).toBeUndefined();
    expect(attempts[0]).toMatchObject({
      credentials: shown,
      signed: ['Negotiate', id, String(nowNs)],
      peer,
    });
  });

  test.each<[string, Partial<Negotiate>]>([
    ['no credentials', { credentials: new Uint8Array() }],
    ['credentials of no form', { credentials: Buffer.from('secret') }],
    ['a wrong password', { credentials: writeCredentials({ ...shown, password: 'x' }) }],
    ['the name of another', { credentials: writeCredentials({ ...shown, username: 'BETA' }) }],
  ])('with %s is refused with the same words, and counts against the source', (_, more) => {
    expect(negotiate(more)).toBe(`!Credentials ${wrong}`);
  });

  test('of a stranger never learns what else is wrong, or that the id exists', () => {
    begin();
    const bad = { credentials: new Uint8Array(), sessionId: id, timestamp: 0n };
    expect(negotiate(bad, { isStopped: true, phase: 'established' })).toBe(`!Credentials ${wrong}`);
  });

  test('with a pinned certificate is refused without it, whatever the password', () => {
    const settings = { ...door.settings, certificates: new Set(['ab']) };
    expect(negotiate({}, { settings })).toBe(`!Credentials ${wrong}`);
    expect(attempts[0]?.standing).toBe('stranger');
    const certificate = { fingerprint256: 'ab', commonName: 'A' };
    expect(negotiate({}, { settings }, { ...peer, certificate } as never)).toBeUndefined();
    expect(attempts[1]?.standing).toBe('expected');
  });

  test('waits while the check of the password runs', () => {
    const pending = new PendingVerdict(new Promise(() => {}), () => {});
    expect(negotiate({}, { authenticate: () => pending })).toBe('pending');
  });

  test.each<[string, Partial<Negotiate>, Partial<Doorkeeper>, string]>([
    ['a null id', { sessionId: '0'.repeat(32) }, {}, 'Unspecified 202: SessionId is null'],
    [
      'an unoffered flow',
      { clientFlow: flow('Recoverable') },
      {},
      'FlowTypeNotSupported ClientFlow is Idempotent or None',
    ],
    ['a stopped session', {}, { isStopped: true }, 'Unspecified the session is stopped'],
    ['a session in use', {}, { phase: 'established' }, 'Unspecified the session has a connection'],
  ])('for %s is refused, which is no offence', (_, more, at, refusal) => {
    expect(negotiate(more, at)).toBe(refusal);
  });

  test('is refused for an id that was used before, even if its session has ended', () => {
    begin();
    expect(negotiate()).toBe('DuplicateId SessionId was used before');
    ids.end(0);
    expect(negotiate()).toBe('DuplicateId SessionId was used before');
  });

  test('is refused if its time is far off, or not after the last one', () => {
    const { timestampToleranceMs } = door.settings;
    const tolerance = BigInt(timestampToleranceMs) * 1_000_000n;
    expect(negotiate({ timestamp: nowNs - tolerance })).toBeUndefined();
    const off = `Unspecified 202: Timestamp is not within ${timestampToleranceMs} ms of our time; nanoseconds are wanted`;
    expect(negotiate({ timestamp: nowNs - tolerance - 1_000_000n })).toBe(off);
    ids.lastRequestNs = nowNs;
    const repeated = 'Unspecified 202: Timestamp is not after that of the last request';
    expect(negotiate()).toBe(repeated);
    expect(negotiate({ timestamp: nowNs + 1n })).toBeUndefined();
  });
});

describe('Establish', () => {
  beforeEach(begin);

  test('is taken for the id that is negotiated', () => {
    expect(establish()).toBeUndefined();
    expect(attempts[0]?.signed[0]).toBe('Establish');
    const unknown = 'Unnegotiated SessionId is not negotiated, or its session has ended';
    expect(establish({ sessionId: 'b2'.repeat(16) })).toBe(unknown);
    ids.end(0);
    expect(establish()).toBe(unknown);
  });

  test('of a stranger is refused before anything else is checked', () => {
    const bad = { credentials: new Uint8Array(), sessionId: 'b2'.repeat(16) };
    expect(establish(bad)).toBe(`!Credentials ${wrong}`);
  });

  test('on the connection that negotiated needs no credentials, and those it repeats are not checked again', () => {
    const at = { phase: 'negotiated' } as const;
    expect(establish({ credentials: new Uint8Array() }, at, { shown })).toBeUndefined();
    expect(establish({}, at, { shown })).toBeUndefined();
    expect(attempts).toEqual([]);
  });

  test.each<[string, Uint8Array]>([
    ['another password', writeCredentials({ ...shown, password: 'x' })],
    ['no password', writeCredentials({ username: 'ALPHA' })],
    ['another user', writeCredentials({ ...shown, username: 'BETA' })],
    ['no form', Buffer.from('x')],
  ])('on that connection with credentials of %s is judged by them', (_, other) => {
    const at = { phase: 'negotiated' } as const;
    expect(establish({ credentials: other }, at, { shown })).toBe(`!Credentials ${wrong}`);
  });

  test('with a signature on that connection is checked, because a signature serves once', () => {
    const authenticate = vi.fn(() => undefined);
    const signed = { username: 'ALPHA', signature: 's' };
    const at = { phase: 'negotiated', authenticate } as const;
    establish({ credentials: writeCredentials(signed) }, at, { shown: signed });
    expect(authenticate).toHaveBeenCalledOnce();
  });

  test('on that connection may have the time of its Negotiate, and elsewhere must be after the last', () => {
    ids.lastRequestNs = nowNs;
    expect(establish({}, { phase: 'negotiated' }, { shown })).toBeUndefined();
    expect(establish()).toContain('Timestamp is not after that of the last request');
    expect(establish({ timestamp: 0n }, {}, { shown })).toContain('Timestamp is not within');
  });

  test('is refused while the session is stopped or has another connection', () => {
    expect(establish({}, { isStopped: true })).toBe('SessionBlocked the session is stopped');
    expect(establish({}, { phase: 'established' })).toBe(
      'AlreadyEstablished the session has a connection',
    );
  });

  test.each([
    [99, false],
    [100, true],
    [60_000, true],
    [60_001, false],
  ])(
    'with a KeepaliveInterval of %d ms it is %s that it is taken',
    (keepaliveInterval, isTaken) => {
      const refusal = 'KeepaliveInterval from 100 to 60000 ms';
      expect(establish({ keepaliveInterval })).toBe(isTaken ? undefined : refusal);
    },
  );

  test('may leave its next number to us, but not name one that cannot be', () => {
    const { maxSeqNo } = door.settings;
    expect(establish({ nextSeqNo: undefined })).toBeUndefined();
    expect(establish({ nextSeqNo: maxSeqNo })).toBeUndefined();
    for (const nextSeqNo of [0, maxSeqNo + 1]) {
      expect(establish({ nextSeqNo })).toBe(`Unspecified 202: NextSeqNo is from 1 to ${maxSeqNo}`);
    }
  });
});

test('an unknown user is checked like a known one, and refused whatever the password', () => {
  const refusal = judgeStranger(establishment(), shown, judge, peer, now);
  expect(attempts[0]?.standing).toBe('stranger');
  expect(shownAs(refusal)).toBe(`!Credentials ${wrong}`);
  const pending = new PendingVerdict(new Promise(() => {}), () => {});
  expect(judgeStranger(establishment(), shown, () => pending, peer, now)).toBe(pending);
});
