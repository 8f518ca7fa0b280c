/** The first Logon(A) of either side and a reset within the session, message by message. */
import { describe, expect, test } from 'vitest';
import type { SessionStart } from '../../src/fix/session-core.ts';
import type { SessionSettings } from '../../src/fix/session-settings.ts';
import { ScriptedSession } from './scripted-session.ts';

const later = { nextIn: 7, nextOut: 5 };

/** An acceptor that was sent this Logon(A). */
function asked(
  seq: number,
  fields: string,
  settings: Partial<SessionSettings> = {},
  start: Partial<SessionStart> = later,
) {
  const peer = new ScriptedSession({ role: 'acceptor', ...settings }, start);
  peer.connect(seq, `98=0|108=20|${fields}`);
  const { nextIn, nextOut, isActive } = peer.session;
  return { peer, said: peer.said(), happened: peer.happened(), nextIn, nextOut, isActive };
}

/** An initiator that was answered so. */
function answered(
  seq: number,
  fields: string,
  settings: Partial<SessionSettings> = {},
  start: Partial<SessionStart> = later,
) {
  const peer = new ScriptedSession(settings, start);
  peer.connect();
  peer.said();
  peer.hear('A', seq, `98=0|108=20|${fields}`);
  const { nextIn, nextOut, isActive } = peer.session;
  return { peer, said: peer.said(), happened: peer.happened(), nextIn, nextOut, isActive };
}

describe('an acceptor', () => {
  test('answers with the interval of the client and goes on with both numbers', () => {
    expect(asked(7, '')).toMatchObject({
      said: ['A 34=5|98=0|108=20'],
      happened: ['logged on'],
      ...{ nextIn: 8, nextOut: 6, isActive: true },
    });
  });

  test('of a Logon(A) beyond the expected number asks for what is missing, after its answer', () => {
    const { nextIn, said } = asked(9, '');
    expect(said).toEqual(['A 34=5|98=0|108=20', '2 34=6|7=7|16=0']);
    expect(nextIn).toBe(7);
  });

  test('of a Logon(A) with a used number ends the session, and answers no Logon(A)', () => {
    expect(asked(6, '')).toMatchObject({
      said: ['5 34=5|58=MsgSeqNum too low, expecting 7 but received 6'],
      happened: ['disconnect: MsgSeqNum too low, expecting 7 but received 6'],
      ...{ nextIn: 7, isActive: false },
    });
  });

  test('begins anew if the client asks for it, and says so', () => {
    expect(asked(1, '141=Y|', { allowsReset: true })).toMatchObject({
      said: ['A 34=1|98=0|108=20|141=Y'],
      happened: ['reset', 'logged on'],
      ...{ nextIn: 2, nextOut: 2 },
    });
  });

  test('that begins anew with each logon does so without the flag, whatever the numbers were', () => {
    expect(asked(1, '', { resetsOnLogon: true })).toMatchObject({
      said: ['A 34=1|98=0|108=20'],
      happened: ['reset', 'logged on'],
      ...{ nextIn: 2, nextOut: 2 },
    });
  });

  test('after a reset misses what the client sent before its Logon(A) under the new numbers', () => {
    const { said, nextIn } = asked(3, '141=Y|', { allowsReset: true });
    expect(said).toEqual(['A 34=1|98=0|108=20|141=Y', '2 34=2|7=1|16=0']);
    expect(nextIn).toBe(1);
  });
});

describe('NextExpectedMsgSeqNum(789)', () => {
  test('of a client that has everything is answered by our own, and confirms our messages', () => {
    expect(asked(7, '789=5|')).toMatchObject({
      said: ['A 34=5|98=0|108=20|789=8'],
      happened: ['confirmed 4', 'logged on'],
    });
  });

  test('of a client that lacks messages has them sent again without a request', () => {
    expect(asked(7, '789=3|').happened).toEqual(['fetch 3-4', 'confirmed 2', 'logged on']);
  });

  test('is the number that we still need, and the peer sends again without a request', () => {
    const { said, nextIn } = asked(9, '789=5|');
    expect(said).toEqual(['A 34=5|98=0|108=20|789=7']);
    expect(nextIn).toBe(7);
  });

  test.each([
    ['789=0|', 'too low, expecting at least 1 but received 0'],
    ['789=6|', 'too high, expecting at most 5 but received 6'],
    ['141=Y|789=5|', 'too high, expecting at most 1 but received 5'],
  ])('with %s ends the session and resets nothing, because a number is wrong', (fields, wrong) => {
    const seq = fields.startsWith('141') ? 1 : 7;
    const text = `NextExpectedMsgSeqNum ${wrong}`;
    expect(asked(seq, fields, { allowsReset: true })).toMatchObject({
      said: [`5 34=5|58=${text}`],
      happened: [`disconnect: ${text}`],
      ...{ nextIn: 7, nextOut: 6 },
    });
  });

  test('in an answer counts our Logon(A) as a message that was sent', () => {
    expect(answered(7, '789=6|', { saysNextExpected: true }).happened).toEqual([
      'confirmed 5',
      'logged on',
    ]);
    expect(answered(7, '789=5|', { saysNextExpected: true }).happened).toEqual([
      'confirmed 4',
      'logged on',
    ]);
    expect(answered(7, '789=4|', { saysNextExpected: true }).happened).toEqual([
      'fetch 4-4',
      'confirmed 3',
      'logged on',
    ]);
  });

  test('of an initiator is not said unless the session is set so, and then a gap needs no request', () => {
    const silent = new ScriptedSession({}, later);
    silent.connect();
    expect(silent.said()).toEqual(['A 34=5|98=0|108=30']);
    expect(answered(9, '789=6|').said).toEqual(['2 34=6|7=7|16=0']);
    const speaking = new ScriptedSession({ saysNextExpected: true }, later);
    speaking.connect();
    expect(speaking.said()).toEqual(['A 34=5|98=0|108=30|789=7']);
    expect(answered(9, '789=6|', { saysNextExpected: true }).said).toEqual([]);
  });

  test('of ours that the peer does not answer by its own is not relied on: a gap is asked for', () => {
    expect(answered(9, '', { saysNextExpected: true }).said).toEqual(['2 34=6|7=7|16=0']);
  });
});

describe('an initiator', () => {
  test('keeps its own interval, whatever the answer says', () => {
    const { peer, happened } = answered(7, '');
    expect(happened).toEqual(['logged on']);
    expect(peer.pass(0)).toBe(30_000);
  });

  test('that resets with each logon asks for it and takes the answer, without the flag as well', () => {
    for (const fields of ['141=Y|', '']) {
      const peer = new ScriptedSession({ resetsOnLogon: true }, later);
      peer.connect();
      expect(peer.said()).toEqual(['A 34=1|98=0|108=30|141=Y']);
      peer.hear('A', 1, `98=0|108=30|${fields}`);
      expect(peer.happened()).toEqual(['reset', 'logged on']);
      expect([peer.session.nextIn, peer.session.nextOut]).toEqual([2, 2]);
      expect(peer.said()).toEqual([]);
    }
  });

  test('whose peer resets without being asked agrees if it may, with a Logon(A) of its own', () => {
    expect(answered(1, '141=Y|', { allowsReset: true })).toMatchObject({
      said: ['A 34=1|98=0|108=30|141=Y'],
      happened: ['reset', 'logged on'],
      ...{ nextIn: 2, nextOut: 2 },
    });
    expect(answered(1, '141=Y|')).toMatchObject({
      happened: ['disconnect: a reset that is not allowed'],
      ...{ nextIn: 7, isActive: false },
    });
  });
});

describe('a Logon(A) within the session', () => {
  function talking(settings: Partial<SessionSettings> = {}) {
    const { peer } = asked(7, '', { allowsReset: true, ...settings });
    return peer;
  }

  test('without a reset ends it, in the manners of QuickFIX without a word', () => {
    const peer = talking();
    peer.hear('A', 8, '98=0|108=20|');
    expect(peer.said()).toEqual(['5 34=6|58=Logon(A) while logged on']);
    expect(peer.session.nextIn).toBe(9);
    const quick = talking({ dialect: 'quickfix' });
    quick.hear('A', 8, '98=0|108=20|');
    expect(quick.said()).toEqual([]);
    expect(quick.happened()).toEqual(['disconnect: Logon(A) while logged on']);
  });

  test('that was sent before and comes again as a possible duplicate changes nothing', () => {
    const peer = talking();
    peer.hear('A', 7, '98=0|108=20|141=Y|', { possDup: true, origSendingTimeMs: peer.now.wallMs });
    expect([peer.said(), peer.happened(), peer.session.nextIn]).toEqual([[], [], 8]);
  });

  test('with a reset restarts both numbers, and is answered with the new interval', () => {
    const peer = talking();
    peer.hear('A', 1, '98=0|108=10|141=Y|');
    expect(peer.said()).toEqual(['A 34=1|98=0|108=10|141=Y']);
    expect(peer.happened()).toEqual(['reset']);
    expect([peer.session.nextIn, peer.session.nextOut]).toEqual([2, 2]);
    expect(peer.pass(0)).toBe(10_000);
    peer.hear('A', 1, '98=0|108=10|141=Y|789=1|');
    expect(peer.said()).toEqual(['A 34=1|98=0|108=10|141=Y|789=2']);
  });

  test('with a reset that is not allowed ends it, with the numbers as they were', () => {
    const peer = talking({ allowsReset: false });
    peer.hear('A', 1, '98=0|108=10|141=Y|');
    expect(peer.said()).toEqual([
      '5 34=6|58=ResetSeqNumFlag(141)=Y is not allowed on this session',
    ]);
    expect(peer.session.nextIn).toBe(8);
  });

  test('with a reset that answers each of our answers is ended with an alarm, however fast it comes', () => {
    const { peer, said } = answered(1, '141=Y|', { allowsReset: true });
    for (let count = 0; count < 100 && said.at(-1)?.startsWith('A'); count += 1) {
      peer.hear('A', 1, '98=0|108=30|141=Y|');
      said.push(...peer.said());
    }
    expect(said.map(([type]) => type).join('')).toBe('AAAAAA5');
    expect(peer.happened().slice(-2)).toEqual([
      'alarm reset_in_place: ResetSeqNumFlag(141)=Y was repeated too often',
      'disconnect: ResetSeqNumFlag(141)=Y was repeated too often',
    ]);
  });

  test('with a reset is taken as often as the peer likes if it says something in between', () => {
    const peer = talking();
    for (let count = 0; count < 20; count += 1) {
      peer.hear('A', 1, '98=0|108=10|141=Y|');
      peer.hear('0', 2);
    }
    expect(peer.session.isActive).toBe(true);
  });

  test.each([
    ['that the peer asks for', false],
    ['that it answers', true],
  ])(
    'with a reset %s has MsgSeqNum(34) 1, because messages before it would be lost',
    (_, isOurs) => {
      const peer = talking();
      if (isOurs) peer.session.resetInSession(peer.now);
      peer.hear('A', 5, '98=0|108=30|141=Y|');
      expect(peer.happened().at(-1)).toBe('disconnect: MsgSeqNum of a reset is 1 but received 5');
      expect(peer.session.nextIn).toBe(8);
    },
  );

  test('that answers our reset ends the old numbers of the peer, which count until then', () => {
    const peer = talking();
    peer.session.resetInSession(peer.now);
    expect(peer.said()).toEqual(['A 34=1|98=0|108=30|141=Y']);
    expect(peer.happened()).toEqual(['reset']);
    peer.hear('0', 8);
    expect([peer.session.nextIn, peer.session.nextOut]).toEqual([9, 2]);
    peer.hear('A', 1, '98=0|108=30|141=Y|');
    expect([peer.session.nextIn, peer.session.nextOut, peer.said()]).toEqual([2, 2, []]);
  });
});
