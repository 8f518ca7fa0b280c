/** A client's reading of the server's flow: each message once and in order, whatever is missing meanwhile. */
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { FlowType, RetransmitRejectCode } from '../../src/fixp/generated/codes.ts';
import { Recovery } from '../../src/fixp/recovery.ts';
import type { FixpCore } from '../../src/fixp/session-core.ts';
import type { SessionMessage, SessionMessageOf } from '../../src/fixp/session-messages.ts';
import { fixpSettings } from '../../src/fixp/settings.ts';
import type { Instant } from '../../src/runtime/clock.ts';
import { FoldedAlarms } from '../../src/runtime/folded-alarm.ts';

const now = { wallMs: 1_000_000, monoMs: 50 };
const sessionId = 'a1'.repeat(16);
const settings = fixpSettings({
  role: 'initiator',
  principal: 'A',
  maxQueuedMessages: 3,
  maxQueuedBytes: 1000,
});

/** What recovery uses of a session; the base of its flow is 10. */
class Core {
  readonly settings = settings;
  readonly flow = { sessionId, inBase: 10, clientFlow: FlowType.None };
  readonly ids = { lastRequestNs: 0n };
  readonly counts = { gaps: 0 };
  readonly posted: SessionMessage[] = [];
  readonly misuses: string[] = [];
  readonly alarms: string[] = [];
  inSeq = 1;
  readonly outbox = {
    nextIn: 11,
    expect: (nextIn: number) => {
      this.outbox.nextIn = nextIn;
    },
  };
  get nextIn(): number {
    return this.outbox.nextIn - 10;
  }
  post(message: SessionMessage): void {
    this.posted.push(message);
  }
  misused(text: string): void {
    this.misuses.push(text);
  }
  readonly #folded = new FoldedAlarms<string>();
  alarm(_: string, text: string): void {
    this.alarms.push(text);
  }
  foldedAlarm(kind: string, text: string, { monoMs }: Instant): void {
    const alarm = this.#folded.add(kind, text, monoMs);
    if (alarm !== undefined) this.alarm(kind, alarm);
  }
  /** The last request as `from+count`. */
  get asked(): string | undefined {
    const last = this.posted.at(-1) as SessionMessageOf<'RetransmitRequest'> | undefined;
    return last && `${last.fromSeqNo}+${last.count}`;
  }
  get askedAt(): bigint {
    return (this.posted.at(-1) as SessionMessageOf<'RetransmitRequest'>).timestamp;
  }
}

let core: Core;
let recovery: Recovery;
let heard: string[];

beforeEach(() => {
  core = new Core();
  heard = [];
  recovery = new Recovery(core as unknown as FixpCore, (message, seq) =>
    heard.push(`${seq}${Buffer.from(message)}`),
  );
});

const arrive = (...texts: string[]) => {
  for (const text of texts) recovery.arrived(Buffer.from(text), now);
};
function replay(nextSeqNo: number, count: number, more: object = {}): void {
  const heardNow = {
    name: 'Retransmission',
    sessionId,
    requestTimestamp: core.askedAt,
    nextSeqNo,
    count,
  };
  recovery.replay({ ...heardNow, ...more } as SessionMessageOf<'Retransmission'>, now);
}
function refuse(code: number, requestTimestamp = core.askedAt): void {
  const refusal = { name: 'RetransmitReject', sessionId, requestTimestamp, code, reason: 'gone' };
  recovery.refused(refusal as SessionMessageOf<'RetransmitReject'>, now);
}

test('messages without a gap are given on as they come', () => {
  arrive('a', 'b');
  expect(heard).toEqual(['1a', '2b']);
  expect(core.posted).toEqual([]);
  expect(recovery.deadlineMs).toBe(Number.POSITIVE_INFINITY);
});

test('what comes after a gap waits until the missing messages are there', () => {
  arrive('a');
  recovery.follows(4, now);
  expect(core.asked).toBe('2+2');
  arrive('d');
  expect(heard).toEqual(['1a']);
  expect(recovery.queued).toBe(1);
  expect(recovery.deadlineMs).toBe(now.monoMs + settings.gapPatienceMs);
  replay(2, 2);
  arrive('b', 'c');
  expect(heard).toEqual(['1a', '2b', '3c', '4d']);
  expect([recovery.queued, recovery.deadlineMs]).toEqual([0, Number.POSITIVE_INFINITY]);
  expect(core.posted).toHaveLength(1);
});

test('only one request is in progress at a time', () => {
  recovery.follows(3, now);
  recovery.follows(9, now);
  arrive('i', 'j');
  expect(core.posted).toHaveLength(1);
  expect(core.counts.gaps).toBe(1);
});

test('a request that is answered in part is followed by one for the rest', () => {
  recovery.follows(5, now);
  expect(core.asked).toBe('1+4');
  replay(1, 2);
  arrive('a', 'b');
  recovery.follows(5, now);
  expect(core.asked).toBe('3+2');
  expect(core.posted).toHaveLength(2);
});

test('requests never have the same timestamp, because it identifies their answers', () => {
  recovery.follows(5, now);
  const first = core.askedAt;
  replay(1, 1);
  arrive('a');
  recovery.follows(5, now);
  expect(core.askedAt).toBeGreaterThan(first);
  expect(core.ids.lastRequestNs).toBe(core.askedAt);
});

test('the queue has a limit, and what does not fit is asked for again', () => {
  recovery.follows(2, now);
  arrive('b', 'c', 'd', 'e');
  expect(recovery.queued).toBe(3);
  replay(1, 1);
  arrive('a');
  expect(heard).toEqual(['1a', '2b', '3c', '4d']);
  recovery.follows(6, now);
  expect(core.asked).toBe('5+1');
});

test('the queue is limited in bytes as well', () => {
  recovery.follows(2, now);
  arrive('x'.repeat(600), 'y'.repeat(401), 'z'.repeat(400));
  expect(recovery.queued).toBe(2);
});

test('what has left the queue leaves room for as many bytes', () => {
  recovery.follows(2, now);
  arrive('x'.repeat(600));
  replay(1, 1);
  arrive('a');
  recovery.follows(4, now);
  arrive('y'.repeat(600));
  expect(recovery.queued).toBe(1);
});

test.each([
  ['below the one expected', 2],
  ['beyond every number', settings.maxSeqNo + 1],
])('a number %s is a misuse, and changes nothing', (_, nextSeqNo) => {
  arrive('a', 'b');
  recovery.follows(nextSeqNo, now);
  expect(core.misuses).toEqual([`NextSeqNo is ${nextSeqNo} where 3 is expected`]);
  expect(core.inSeq).toBe(3);
});

test.each<[string, object]>([
  ['of another time', { requestTimestamp: 1n }],
  ['of another session', { sessionId: 'b2'.repeat(16) }],
  ['beyond every number', { nextSeqNo: settings.maxSeqNo + 1 }],
  ['from before the first number that was requested', { nextSeqNo: 0 }],
  ['of more messages than were requested', { count: 3 }],
  ['that ends behind the last number that was requested', { nextSeqNo: 2 }],
])('a Retransmission %s is a misuse', (_, more) => {
  recovery.follows(3, now);
  replay(1, 2, more);
  expect(core.misuses).toEqual(['a Retransmission that was not requested']);
  expect(core.inSeq).toBe(3);
});

describe('a refused request', () => {
  test('for too many is made again for a tenth', () => {
    recovery.follows(101, now);
    expect(core.asked).toBe('1+100');
    refuse(RetransmitRejectCode.RequestLimitExceeded);
    expect(core.asked).toBe('1+10');
    expect(core.alarms).toEqual([]);
  });

  test('for one message alone is not made again, even if it is too many', () => {
    recovery.follows(2, now);
    refuse(RetransmitRejectCode.RequestLimitExceeded);
    expect(core.alarms).toEqual(['1 to 1 are not available: gone']);
  });

  test('for messages that are gone raises an alarm that names them, and the flow continues after them', () => {
    recovery.follows(3, now);
    arrive('c');
    refuse(RetransmitRejectCode.OutOfRange);
    expect(core.alarms).toEqual(['1 to 2 are not available: gone']);
    expect(heard).toEqual(['3c']);
    expect(core.nextIn).toBe(4);
  });

  test('after another one is the same alarm for a minute, however far the server says that it is', () => {
    recovery.follows(1_000_000_000_000, now);
    for (let i = 0; i < 100; i += 1) refuse(RetransmitRejectCode.OutOfRange);
    expect(core.asked).toBe('100001+1000');
    expect(core.alarms).toEqual(['1 to 1000 are not available: gone']);
  });

  test('of another time is no answer', () => {
    recovery.follows(3, now);
    refuse(RetransmitRejectCode.OutOfRange, 1n);
    expect([core.alarms, core.nextIn]).toEqual([[], 1]);
  });
});

test('after a reset nothing of the old connection counts', () => {
  recovery.follows(3, now);
  arrive('c');
  recovery.reset();
  expect([recovery.queued, recovery.deadlineMs]).toEqual([0, Number.POSITIVE_INFINITY]);
  core.inSeq = 1;
  arrive('a');
  expect(heard).toEqual(['1a']);
});

test('whatever a server leaves out, each message is given on once and in order in the end', () => {
  const lost = fc.uniqueArray(fc.integer({ min: 1, max: 12 }), { maxLength: 8 });
  fc.assert(
    fc.property(lost, fc.integer({ min: 1, max: 5 }), (missing, most) => {
      core = new Core();
      heard = [];
      recovery = new Recovery(core as unknown as FixpCore, (_, seq) => heard.push(String(seq)));
      for (let seq = 1; seq <= 12; seq++) {
        if (missing.includes(seq)) continue;
        if (core.inSeq !== seq) recovery.follows(seq, now);
        arrive('m');
      }
      recovery.follows(13, now);
      for (let rounds = 0; rounds < 40 && core.nextIn < 13; rounds++) {
        const { fromSeqNo, count } = core.posted.at(-1) as SessionMessageOf<'RetransmitRequest'>;
        const sent = Math.min(count, most);
        replay(fromSeqNo, sent);
        for (let at = 0; at < sent; at++) arrive('m');
        recovery.follows(13, now);
      }
      expect(heard).toEqual(Array.from({ length: 12 }, (_, at) => String(at + 1)));
      expect(core.misuses).toEqual([]);
    }),
  );
});
