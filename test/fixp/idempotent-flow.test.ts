/** The client's flow to us: each sequence number is applied once, whatever is sent again. */
import { beforeEach, describe, expect, test } from 'vitest';
import { FlowType } from '../../src/fixp/generated/codes.ts';
import { IdempotentFlow } from '../../src/fixp/idempotent-flow.ts';
import type { RecoverableFlow } from '../../src/fixp/recoverable-flow.ts';
import type { FixpCore } from '../../src/fixp/session-core.ts';
import { type SeqRange, SessionIds } from '../../src/fixp/session-ids.ts';
import { type FixpSettings, fixpSettings } from '../../src/fixp/settings.ts';
import { application, applicationMessage, applicationText } from '../acceptance/fixp/script.ts';

const now = { wallMs: 1_000_000, monoMs: 0 };
const base = {
  role: 'acceptor',
  principal: 'A',
  applicationSchemas: new Set([application.schema]),
  maxGaps: 2,
} as const;

let settings: FixpSettings;
let ids: SessionIds;
let nextIn: number;
let isTaken: boolean;
let told: string[];
let core: Record<string, unknown> & { inSeq: number; phase: string; application: object };

beforeEach(() => {
  settings = fixpSettings(base);
  ids = new SessionIds();
  ids.begin('a1'.repeat(16), FlowType.Idempotent, { nextIn: 11, nextOut: 1 });
  nextIn = 11;
  isTaken = true;
  told = [];
  core = {
    ids,
    inSeq: 1,
    phase: 'established',
    counts: { gaps: 0 },
    awaitedSeq: 0,
    get settings() {
      return settings;
    },
    get flow() {
      return ids.current;
    },
    get nextIn() {
      return nextIn - 10;
    },
    outbox: {
      get nextIn() {
        return nextIn;
      },
      expect: (next: number) => {
        nextIn = next;
      },
    },
    effects: { takes: () => isTaken },
    application: {
      onMessage: (message: Uint8Array, seq: number) =>
        told.push(`${seq} ${applicationText(message)}`),
    },
    saveIds: () => told.push('saved'),
    foldedAlarm: (kind: string) => told.push(`alarm ${kind}`),
    misused: (text: string) => told.push(`misuse ${text}`),
    endWith: (_: string, text: string) => told.push(`end ${text}`),
    waitFor: (over: unknown) => over !== undefined,
  };
});

function flow(): IdempotentFlow {
  const answers = {
    report: (kind: string, { fromSeq, toSeq }: SeqRange) =>
      told.push(`${kind} ${fromSeq}-${toSeq}`),
  };
  return new IdempotentFlow(core as unknown as FixpCore, answers as unknown as RecoverableFlow);
}
const take = (on: IdempotentFlow, ...texts: string[]) => {
  for (const text of texts) on.take(applicationMessage(text), now);
};

test('messages are applied in their order, each under its own number', () => {
  take(flow(), 'BUY', 'SELL');
  expect(told).toEqual(['1 BUY', '2 SELL']);
  expect([core.inSeq, nextIn]).toEqual([3, 13]);
});

test('a message that is sent again is not applied again', () => {
  const on = flow();
  take(on, 'BUY', 'SELL');
  told.length = 0;
  on.resume(1, now);
  expect(told).toEqual(['Applied 1-2']);
  take(on, 'BUY', 'SELL', 'NEXT');
  expect(told).toEqual(['Applied 1-2', '3 NEXT']);
});

test('skipped numbers are recorded before they are reported to the client, and stay skipped', () => {
  const on = flow();
  on.sequence(3, now);
  expect(told).toEqual(['saved', 'NotApplied 1-2']);
  take(on, 'C');
  expect(told.at(-1)).toBe('3 C');
  told.length = 0;
  on.resume(1, now);
  expect(told).toEqual(['NotApplied 1-2', 'Applied 3-3']);
  take(on, 'A', 'B', 'C', 'D');
  expect(told.at(-1)).toBe('4 D');
  expect(told).toHaveLength(3);
});

test('a client that continues with the expected number gets no message, and one with a higher number has skipped', () => {
  const on = flow();
  on.resume(undefined, now);
  expect([told, core.inSeq]).toEqual([[], 1]);
  on.resume(4, now);
  expect(told).toEqual(['saved', 'NotApplied 1-3']);
});

test.each<[string, () => void, string]>([
  [
    'while nothing is established',
    () => (core.phase = 'negotiated'),
    'misuse an application message is not for a session that is negotiated',
  ],
  [
    'when the numbers are used up',
    () => (core.inSeq = settings.maxSeqNo + 1),
    'misuse the numbers of this session are used up',
  ],
  [
    'of another schema',
    () => (settings = fixpSettings({ ...base, applicationSchemas: new Set() })),
    `end 2: schema ${application.schema} is not spoken here`,
  ],
])('a message %s is not applied', (_, change, answer) => {
  const on = flow();
  change();
  take(on, 'BUY');
  expect(told).toEqual([answer]);
  expect(nextIn).toBe(11);
});

test('a client whose flow is None has no messages', () => {
  ids.begin('b2'.repeat(16), FlowType.None, { nextIn: 11, nextOut: 1 });
  take(flow(), 'BUY');
  expect(told).toEqual(['misuse the client flow is None: it has no application messages']);
});

describe('Sequence', () => {
  test.each([
    [2, 'misuse NextSeqNo is 2 where 3 is expected'],
    [1e12 + 1, 'misuse NextSeqNo is 1000000000001 where 3 is expected'],
  ])('with %d is a misuse', (nextSeqNo, answer) => {
    const on = flow();
    take(on, 'A', 'B');
    on.sequence(nextSeqNo, now);
    expect(told.at(-1)).toBe(answer);
    expect(core.inSeq).toBe(3);
  });

  test('after FinishedSending is a fault', () => {
    core.phase = 'finishing';
    const on = flow();
    on.sequence(1, now);
    expect(told).toEqual([]);
    on.sequence(2, now);
    expect(told).toEqual(['misuse a message after FinishedSending']);
  });
});

test('so many gaps are recorded and no more, so that a client cannot fill the disk', () => {
  const on = flow();
  for (const next of [2, 4]) {
    on.sequence(next, now);
    take(on, 'A');
  }
  told.length = 0;
  on.sequence(9, now);
  expect(told).toEqual(['misuse too many numbers were skipped: negotiate a new session']);
  expect(ids.gaps).toHaveLength(2);
});

test('a message that the application waits for is applied later, under the same number', () => {
  let over: Promise<void> | undefined = Promise.resolve();
  Object.assign(core.application, { waitsFor: () => over });
  const on = flow();
  take(on, 'BUY');
  expect([told, core.inSeq, nextIn]).toEqual([[], 1, 11]);
  over = undefined;
  take(on, 'BUY');
  expect(told).toEqual(['1 BUY']);
});

test('a message that crashed the bridge before is not applied, its number is used, and the operator gets an alarm', () => {
  isTaken = false;
  const on = flow();
  take(on, 'BUY');
  expect(told).toEqual(['alarm set_aside', 'saved', 'NotApplied 1-1']);
  expect(nextIn).toBe(12);
  on.resume(1, now);
  expect(told.at(-1)).toBe('NotApplied 1-1');
});

test('a message that crashed the bridge, perhaps while it was read for what it waits for, is not read for that again', () => {
  Object.assign(core.application, { waitsFor: () => told.push('read') });
  isTaken = false;
  take(flow(), 'BUY');
  expect(told).toEqual(['alarm set_aside', 'saved', 'NotApplied 1-1']);
});

test('a message that crashes the bridge while it is read for what it waits for is known to be the one', () => {
  Object.assign(core, { effects: { takes: () => told.push('taken') > 0 } });
  Object.assign(core.application, { waitsFor: () => void told.push('read') });
  take(flow(), 'BUY');
  expect(told).toEqual(['taken', 'read', '1 BUY']);
});

test('above the rate messages are not applied, and a client that keeps sending is disconnected', () => {
  settings = fixpSettings({ ...base, rate: { perSecond: 1, burst: 1 }, maxRateRefusals: 1 });
  const on = flow();
  take(on, 'A', 'B', 'C');
  expect(told).toEqual([
    '1 A',
    ...['saved', 'NotApplied 2-2'],
    ...['saved', 'NotApplied 3-3'],
    'alarm rate',
    'end more than 1 refusals for the rate',
  ]);
  on.resume(1, now);
  expect(told.slice(-3)).toEqual(['Applied 1-1', 'NotApplied 2-2', 'NotApplied 3-3']);
});
