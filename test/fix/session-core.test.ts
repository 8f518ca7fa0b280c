/** Numbers, confirmations, warnings and ends, which all parts of a session share. */
import { describe, expect, test } from 'vitest';
import type { SessionStart } from '../../src/fix/session-core.ts';
import type { SessionSettings } from '../../src/fix/session-settings.ts';
import { fromText } from '../support/fix-text.ts';
import { ScriptedSession } from './scripted-session.ts';

function talking(settings: Partial<SessionSettings> = {}, start: Partial<SessionStart> = {}) {
  const peer = new ScriptedSession(settings, start);
  peer.connect();
  peer.hear('A', peer.session.nextIn, '98=0|108=30|');
  peer.said();
  peer.happened();
  return peer;
}

/** Applications say so little here that any message does. */
const report = fromText('148=x|33=1|58=y|');

describe('a confirmation', () => {
  const asked = () => {
    const peer = talking();
    for (let i = 0; i < 3; i += 1) peer.session.send('B', report, peer.now);
    peer.session.askConfirmation(peer.now);
    const [request = ''] = peer.said().slice(-1);
    return { peer, id: /112=(.*)/.exec(request)?.[1] ?? '' };
  };

  test('is of all messages that were sent before it was asked for', () => {
    const { peer, id } = asked();
    peer.session.send('B', report, peer.now);
    peer.hear('0', 2, `112=${id}|`);
    expect(peer.happened()).toEqual(['confirmed 4']);
  });

  test('that was asked for before a reset says nothing of the new numbers', () => {
    const { peer, id } = asked();
    peer.session.reset(2, 9);
    peer.happened();
    peer.hear('0', 2, `112=${id}|`);
    expect(peer.happened()).toEqual([]);
  });

  test.each(['SEQ-4', 'SEQ-x-0', 'SEQ-6-0', 'SEQ-4-0-', '-SEQ-4-0', 'TEST'])(
    'with the id %s, which was never asked for, counts for nothing',
    (id) => {
      const { peer } = asked();
      peer.hear('0', 2, `112=${id}|`);
      expect(peer.happened()).toEqual([]);
    },
  );

  test('is only asked for while both sides talk', () => {
    const peer = new ScriptedSession();
    peer.connect();
    peer.said();
    peer.session.askConfirmation(peer.now);
    expect(peer.said()).toEqual([]);
  });
});

describe('a gap', () => {
  test('is asked for once, and counted', () => {
    const peer = talking();
    peer.hear('0', 4);
    peer.hear('0', 5);
    expect(peer.said()).toEqual(['2 34=2|7=2|16=0']);
    expect(peer.session.counts.gaps).toBe(1);
    expect(peer.session.nextIn).toBe(2);
  });

  test('that is larger than a piece is asked for piece by piece', () => {
    const peer = talking({ resendChunk: 2 });
    peer.hear('0', 6);
    expect(peer.said()).toEqual(['2 34=2|7=2|16=3']);
    const again = { possDup: true, origSendingTimeMs: peer.now.wallMs };
    peer.hear('4', 2, '123=Y|36=4|', again);
    expect(peer.said()).toEqual(['2 34=3|7=4|16=0']);
  });

  test('is forgotten with the connection', () => {
    const peer = talking();
    peer.hear('0', 4);
    expect(peer.session.queued).toBe(1);
    peer.session.closed(peer.now);
    expect(peer.session.queued).toBe(0);
  });
});

describe('the end of the numbers', () => {
  const near = { nextOut: 97 };
  const limits = { maxMsgSeqNum: 100, seqNumWarning: 3 };
  const send = (peer: ScriptedSession) => peer.session.send('B', report, peer.now);

  test('is said to the peer and the operator once, and again after a reset', () => {
    // The Logon(A) was 990.
    const peer = talking({ maxMsgSeqNum: 1000, seqNumWarning: 10 }, { nextOut: 990 });
    send(peer);
    expect(peer.happened()).toEqual(['alarm numbers_ending: 8 numbers are left']);
    expect(peer.said()[1]).toContain('148=MsgSeqNum limit|33=1|58=8 numbers are left: reset');
    send(peer);
    expect(peer.happened()).toEqual([]);
    peer.session.reset(2, 991);
    peer.happened();
    send(peer);
    expect(peer.happened()).toEqual(['alarm numbers_ending: 8 numbers are left']);
  });

  test('is not yet near at the number before the warning', () => {
    const peer = talking(limits, { nextOut: 95 });
    send(peer);
    expect(peer.happened()).toEqual([]);
    send(peer);
    expect(peer.happened()).toHaveLength(1);
  });

  test('is the end of the session, and no number is used beyond it', () => {
    const peer = talking(limits, near);
    for (let i = 0; i < 5; i += 1) send(peer);
    const said = peer.said();
    expect(said.at(-1)).toContain('58=MsgSeqNum limit reached');
    expect(said.filter((text) => text.startsWith('5 '))).toHaveLength(1);
  });
});

describe('an end', () => {
  test('waits for the answer to our Logout(5), and no longer than it may', () => {
    const peer = talking({ logoutWaitMs: 5_000 });
    peer.session.logout('by the operator', peer.now);
    expect(peer.said()).toEqual(['5 34=2|58=by the operator']);
    expect([peer.session.isActive, peer.session.isTalking]).toEqual([false, true]);
    peer.pass(4_999);
    expect(peer.happened()).toEqual([]);
    peer.pass(1);
    expect(peer.happened()).toEqual([expect.stringContaining('disconnect: ')]);
  });

  test('before the logon is at once, and the application is not told of it', () => {
    const peer = new ScriptedSession();
    peer.connect();
    peer.happened();
    peer.session.logout('by the operator', peer.now);
    expect(peer.happened()).toEqual(['disconnect: by the operator']);
    peer.session.closed(peer.now);
    expect(peer.happened()).toEqual([]);
  });

  test('with an answer is graceful, and has our reason', () => {
    const peer = talking();
    peer.session.logout('by the operator', peer.now);
    peer.hear('5', 2);
    peer.session.closed(peer.now);
    expect(peer.happened().at(-1)).toBe('ended true: by the operator');
  });
});

describe('a reject of the peer', () => {
  test('is never answered; the application hears of its number, and the operator of its reasons', () => {
    const peer = talking();
    peer.session.send('B', report, peer.now);
    peer.said();
    peer.hear('3', 2, '45=2|371=148|372=B|373=5|58=wrong|');
    expect(peer.said()).toEqual([]);
    const [alarm, rejected] = peer.happened();
    expect(alarm).toMatch(/^alarm rejected: .*message 2 \(35=B\).*371=148 373=5 wrong/);
    expect(rejected).toBe('rejected 2');
    expect(peer.session.counts.rejects).toBe(1);
  });

  test('that names nothing is still an alarm', () => {
    const peer = talking();
    peer.hear('j', 2, '372=B|380=0|');
    expect(peer.happened()).toEqual([
      expect.stringMatching(/^alarm rejected: .*message \? \(35=B\).*380=0/),
      'message 2',
    ]);
  });

  test('cannot put words of its own into an alarm by the type that it names', () => {
    const peer = talking();
    peer.hear('3', 2, '45=1|372=D) and all orders are lost|58=no|');
    expect(peer.happened()).toContain(
      'alarm rejected: the peer rejected our message 1 (35=D) a): "no"',
    );
  });

  test('nor can a message above the limit', () => {
    const peer = talking({ maxMessageBytes: 200 });
    peer.hear(`D and all orders are lost ${'x'.repeat(200)}`, 2);
    expect(peer.happened()[0]).toMatch(/bytes: 35=D an 34=2 9=/);
  });
});

test('a message above the limit uses its number, and one alarm a minute says so', () => {
  const peer = talking({ maxMessageBytes: 200 });
  const long = `148=x|33=1|58=${'y'.repeat(300)}|`;
  peer.hear('B', 2, long);
  peer.hear('B', 3, long);
  const alarms = peer.happened().filter((text) => text.startsWith('alarm'));
  expect(alarms).toEqual([
    expect.stringMatching(/^alarm too_long: a message was longer than 200 bytes: 35=B 34=2 9=\d+$/),
  ]);
  expect(peer.session.nextIn).toBe(4);
});

test('the state is what the next start needs', () => {
  const peer = talking({}, { nextIn: 7, nextOut: 5, heldTo: 3, releasedTo: 3 });
  expect(peer.session.state).toMatchObject({ nextIn: 8, nextOut: 6, heldTo: 3, releasedTo: 3 });
  const next = new ScriptedSession({}, peer.session.state);
  expect([next.session.nextIn, next.session.nextOut]).toEqual([8, 6]);
});

describe('numbers that belong to a period of the schedule', () => {
  /** Each day from 8:00 to 17:00 UTC; the test begins on a Monday at noon. */
  const schedule = {
    timeZone: 'UTC',
    days: [1, 2, 3, 4, 5],
    startS: 28_800,
    endS: 61_200,
    lengthDays: 0,
  };
  const today = Date.UTC(2026, 0, 5, 8);

  test('begin anew with the first activity of a period, once', () => {
    const day = 86_400_000;
    const peer = new ScriptedSession(
      { schedule },
      { nextIn: 7, nextOut: 5, periodStartMs: today - day },
    );
    peer.connect();
    expect(peer.happened()).toEqual(['reset', `period ${today}`]);
    expect(peer.said()).toEqual(['A 34=1|98=0|108=30']);
    peer.session.closed(peer.now);
    peer.connect();
    expect([peer.happened(), peer.said()]).toEqual([[], ['A 34=2|98=0|108=30']]);
  });

  test('go on within a period', () => {
    const peer = new ScriptedSession({ schedule }, { nextIn: 7, nextOut: 5, periodStartMs: today });
    peer.connect();
    expect([peer.happened(), peer.said()]).toEqual([[], ['A 34=5|98=0|108=30']]);
  });
});
