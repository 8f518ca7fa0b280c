/** The messages that a session itself sends, literally. */
import { beforeEach, describe, expect, test } from 'vitest';
import { Decoder } from '../../src/fix/decoder.ts';
import { fix44 } from '../../src/fix/dictionaries.ts';
import { FieldWriter } from '../../src/fix/field-writer.ts';
import { Framer } from '../../src/fix/framer.ts';
import { type SessionSettings, sessionSettings } from '../../src/fix/session-settings.ts';
import { Speaker } from '../../src/fix/session-speaker.ts';
import { fixLiveness, Liveness } from '../../src/transport/liveness.ts';
import type { Effects, SessionWrite } from '../../src/transport/session.ts';
import { SessionOutbox } from '../../src/transport/session-outbox.ts';
import { clientBytes } from '../acceptance/fix/script.ts';

const wallMs = Date.UTC(2026, 0, 5, 12);
const now = { wallMs, monoMs: 0 };
const identity = { senderCompId: 'B', targetCompId: 'C' };

let buffer: FieldWriter;
let outbox: SessionOutbox;
let liveness: Liveness;
let records: SessionWrite[];

beforeEach(() => {
  buffer = new FieldWriter();
  records = [];
  const effects = {
    record: (write: SessionWrite) => void records.push(write),
    transmit: () => {},
    gathered: () => {},
  } as unknown as Effects;
  outbox = new SessionOutbox(buffer, effects, { nextIn: 8, nextOut: 5 });
  liveness = new Liveness(fixLiveness);
});

function speaker(more: Partial<SessionSettings> = {}): Speaker {
  const settings = sessionSettings({ identity, role: 'acceptor', ...more });
  const framer = new Framer({ ...identity }, buffer);
  return new Speaker(settings, framer, outbox, liveness);
}

/** What is said, without the fields that are in every message. */
function said(): string {
  const text = Buffer.from(buffer.bytes).toString().replaceAll('\x01', '|');
  const cut = text.replace(/^8=FIX\.4\.4\|9=\d+\|/, '').replace(/10=\d{3}\|$/, '');
  const route = '49=B|52=20260105-12:00:00.000|56=C|';
  expect(cut).toContain(route);
  return cut.replace(route, '');
}

function message(fields: string) {
  const decoder = new Decoder(fix44());
  decoder.push(clientBytes(fields, { client: 'C', server: 'B' }, wallMs));
  expect(decoder.next()).toBe('message');
  return decoder.message.detach();
}

test.each<[string, (by: Speaker) => unknown, string, Partial<SessionSettings>?]>([
  ['a Logon', (by) => by.logon(30, false, undefined, now), '35=A|34=5|98=0|108=30|'],
  [
    'a Logon with everything',
    (by) => by.logon(30, true, 9, now),
    '35=A|34=5|98=0|108=30|141=Y|553=u|554=p|789=9|',
    { credentials: () => ({ username: 'u', password: 'p' }) },
  ],
  ['a Logout', (by) => by.logout('bye', now), '35=5|34=5|58=bye|'],
  ['a Logout without words', (by) => by.logout(undefined, now), '35=5|34=5|'],
  ['a Heartbeat', (by) => by.heartbeat(undefined, now), '35=0|34=5|'],
  ['an answer', (by) => by.heartbeat(Buffer.from('x y'), now), '35=0|34=5|112=x y|'],
  ['a TestRequest', (by) => by.testRequest(now), '35=1|34=5|112=TEST|'],
  [
    'a ResendRequest',
    (by) => by.resendRequest({ beginSeqNo: 3, endSeqNo: 0 }, now),
    '35=2|34=5|7=3|16=0|',
  ],
])('%s takes a number, and is not kept to be sent again', (_, speak, text, settings) => {
  speak(speaker(settings));
  expect(said()).toBe(text);
  expect(outbox.nextOut).toBe(6);
  outbox.flush();
  expect(records).toEqual([{ kind: 'numbers', nextIn: 8, nextOut: 6 }]);
});

test('a News is an application message, which is kept', () => {
  speaker().news('H', 'text', now);
  expect(said()).toBe('35=B|34=5|148=H|33=1|58=text|');
  outbox.flush();
  expect(records[0]).toMatchObject({ kind: 'messages', firstSeq: 5 });
});

test('a gap fill has the number of the gap, takes none, and is a possible duplicate of this time', () => {
  speaker().gapFill(2, 4, now);
  expect(said()).toBe('35=4|34=2|43=Y|122=20260105-12:00:00.000|36=4|123=Y|');
  expect(outbox.nextOut).toBe(5);
});

test('a message is sent again with its own number, and takes none', () => {
  const by = speaker();
  const seq = by.application('B', new FieldWriter().text(58, 'x').bytes, now);
  const stored = Buffer.from(buffer.bytes);
  outbox.flush();
  by.again(stored, now);
  expect(seq).toBe(5);
  expect(said()).toBe('35=B|34=5|43=Y|122=20260105-12:00:00.000|58=x|');
  expect(outbox.nextOut).toBe(6);
});

test('every message says which one was processed last, if the session does so', () => {
  const by = speaker({ saysLastProcessed: true });
  by.heartbeat(undefined, now);
  expect(said()).toBe('35=0|34=5|369=7|');
});

test('whatever is sent counts as a sign of life', () => {
  liveness.start(1000, 60_000, 0);
  speaker().heartbeat(undefined, { wallMs, monoMs: 900 });
  expect(liveness.deadlineMs).toBe(1900);
});

describe('a Reject', () => {
  const order = 'D|34=3|11=A';

  test('names number, type, tag and reason', () => {
    speaker().reject(message(order), { reject: 'valueOutOfRange', tag: 54 }, now);
    const words = 'Value is incorrect (out of range) for this tag';
    expect(said()).toBe(`35=3|34=5|45=3|58=${words}|371=54|372=D|373=5|`);
  });

  test('has the words of the fault where it has any, and no tag where none is to blame', () => {
    speaker().reject(message(order), { reject: 'other', tag: 0, text: 'why' }, now);
    expect(said()).toBe('35=3|34=5|45=3|58=why|372=D|373=99|');
  });

  test.each(['3|34=3|45=1', 'j|34=3|372=D|380=0'])('is never the answer to %s', (reject) => {
    speaker().reject(message(reject), { reject: 'other', tag: 1 }, now);
    speaker().businessReject(message(reject), { reason: 0, text: 'no' }, now);
    expect(buffer.length).toBe(0);
    expect(outbox.nextOut).toBe(5);
  });

  test.each([
    ['compId', 49, '58=CompID problem|372=D|373=9|'],
    ['sendingTime', 52, '58=SendingTime accuracy problem|372=D|373=10|'],
    ['valueOutOfRange', 36, '58=Value is incorrect (out of range) for this tag|372=D|373=5|'],
    [
      'valueOutOfRange',
      54,
      '58=Value is incorrect (out of range) for this tag|371=54|372=D|373=5|',
    ],
    ['undefinedTag', 5000, '58=Invalid tag number|371=5000|372=D|373=0|'],
  ] as const)('in the manners of QuickFIX of %s of tag %d is %s', (fault, tag, text) => {
    speaker({ dialect: 'quickfix' }).reject(message(order), { reject: fault, tag }, now);
    expect(said()).toBe(`35=3|34=5|45=3|${text}`);
  });

  test('names the tag of those faults in our own manners', () => {
    speaker().reject(message(order), { reject: 'undefinedTag', tag: 5000 }, now);
    expect(said()).toBe('35=3|34=5|45=3|58=Undefined Tag|371=5000|372=D|373=3|');
  });

  test('goes back on the route that the message came on', () => {
    const routed = message(`${order}|115=X|116=x|128=Y|129=y|144=lx|145=ly`);
    speaker().reject(routed, { reject: 'other', tag: 0 }, now);
    expect(said()).toBe(
      '35=3|34=5|115=Y|116=y|128=X|129=x|144=ly|145=lx|45=3|58=Other|372=D|373=99|',
    );
  });
});

describe('a BusinessMessageReject', () => {
  const reject = { reason: 4, text: 'no', number: 101 };

  test('is kept, and has a number of the venue only in the tag of the settings', () => {
    speaker({ numberTag: 9101 }).businessReject(message('D|34=3|11=A'), reject, now);
    expect(said()).toBe('35=j|34=5|45=3|58=no|372=D|380=4|9101=101|');
    outbox.flush();
    expect(records[0]).toMatchObject({ kind: 'messages', firstSeq: 5 });
  });

  test('leaves out what is not known', () => {
    speaker().businessReject(message('D|34=3|11=A'), { reason: 0, text: 'no', number: 101 }, now);
    expect(said()).toBe('35=j|34=5|45=3|58=no|372=D|380=0|');
  });
});
