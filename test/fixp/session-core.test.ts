/** What both ends of a FIXP session share, under an end that only notes what it takes. */
import { expect, test } from 'vitest';
import { Deframer, framed } from '../../src/fixp/framing.ts';
import { TerminationCode } from '../../src/fixp/generated/codes.ts';
import { FixpCore, nullSessionId, numbered } from '../../src/fixp/session-core.ts';
import { SessionIds } from '../../src/fixp/session-ids.ts';
import { readSessionMessage } from '../../src/fixp/session-messages.ts';
import { type FixpSettings, fixpSettings } from '../../src/fixp/settings.ts';
import type { Instant } from '../../src/runtime/clock.ts';
import { applicationMessage, applicationText } from '../acceptance/fixp/script.ts';

const sessionId = 'ab'.repeat(16);

class Bare extends FixpCore {
  now: Instant = { monoMs: 0, wallMs: Date.UTC(2026, 0, 5, 12) };
  readonly events: string[];
  /** The text of a message that has to wait. */
  slow = '';
  readonly #sent: Uint8Array[];

  constructor(settings: Partial<FixpSettings> = {}, ids = new SessionIds()) {
    const events: string[] = [];
    const sent: Uint8Array[] = [];
    super({
      settings: fixpSettings({ role: 'acceptor', principal: 'alice', ...settings }),
      application: {
        onMessage: () => {},
        onDisconnect: (_, { graceful, reason }) => events.push(`ended ${graceful}: ${reason}`),
      },
      effects: {
        record: () => {},
        transmit: (bytes) => void sent.push(bytes.slice()),
        fetch: () => {},
        fetchHeld: () => {},
        disconnect: (reason) => void events.push(`disconnect: ${reason}`),
        alarm: () => {},
        gathered: () => {},
        wait: () => void events.push('wait'),
        loggedOn: () => {},
        takes: () => true,
      },
      start: { nextIn: 11, nextOut: 21 },
      ids,
      saveIds: () => {},
    });
    this.events = events;
    this.#sent = sent;
  }

  protected take(message: Uint8Array): void {
    const text = applicationText(message);
    if (text === this.slow && this.awaitedSeq === 0) {
      this.waitFor(Promise.resolve(), 1, () => Uint8Array.from(message));
      return;
    }
    this.events.push(`took ${text}`);
  }

  protected keepAlive(now: Instant): void {
    this.events.push('keepalive');
    this.liveness.sent(now.monoMs);
  }

  send(): 'full' {
    return 'full';
  }

  /** A connection on which this id has been established. */
  static bound(settings: Partial<FixpSettings> = {}): Bare {
    const core = new Bare(settings);
    core.opened({ address: '192.0.2.1' }, core.now);
    core.ids.begin(sessionId, 1, { nextIn: 11, nextOut: 21 });
    core.established(1_000, core.now);
    return core;
  }

  pass(ms: number): number {
    this.now = { monoMs: this.now.monoMs + ms, wallMs: this.now.wallMs + ms };
    return this.tick(this.now);
  }

  /** The Terminates that were sent. */
  terminates(): string[] {
    this.flush();
    const deframer = new Deframer('big', 65_536);
    const found: string[] = [];
    for (const bytes of this.#sent.splice(0)) {
      deframer.push(bytes);
      while (deframer.next() === 'message') {
        const message = readSessionMessage(deframer.message);
        if (message.name !== 'Terminate') throw new Error(message.name);
        const { code, reason } = message;
        found.push(`${code} ${reason} ${message.sessionId === nullSessionId ? 'no id' : 'its id'}`);
      }
    }
    return found;
  }

  happened(): string[] {
    return this.events.splice(0);
  }
}

const { Finished, UnspecifiedError } = TerminationCode;
const message = (text: string) => framed(applicationMessage(text), 'big');

test('a reason begins with the number of the contract', () => {
  expect(numbered('framing', 'no frame')).toBe('1: no frame');
  expect(numbered('misuse', 'wrong id')).toBe('202: wrong id');
});

test('numbers on the wire begin with 1 under a new id, and there are none before the first', () => {
  const core = new Bare();
  expect([core.nextIn, core.nextOut, core.sessionId]).toEqual([1, 1, undefined]);
  core.ids.handedTo = 17;
  core.ids.begin(sessionId, 1, { nextIn: 11, nextOut: 21 });
  // What was never handed over is the beginning of the new flow.
  expect([core.nextIn, core.nextOut, core.sessionId]).toEqual([1, 4, sessionId]);
  expect(core.state).toMatchObject({ start: { nextIn: 11, nextOut: 21 }, ids: core.ids });
});

test('messages are taken as they become whole, and none after the end', () => {
  const core = Bare.bound();
  const bytes = Buffer.concat([message('ONE'), message('TWO')]);
  core.received(bytes.subarray(0, 10), core.now);
  expect(core.happened()).toEqual([]);
  core.received(bytes.subarray(10), core.now);
  expect(core.happened()).toEqual(['took ONE', 'took TWO']);
  core.terminated(Finished, '', core.now);
  core.happened();
  core.received(message('LATE'), core.now);
  expect(core.happened()).toEqual([]);
});

test('a message that waits keeps those behind it waiting, and is taken before them', () => {
  const core = Bare.bound();
  core.slow = 'SLOW';
  const piece = Buffer.concat([message('A'), message('SLOW'), message('B')]);
  core.received(piece, core.now);
  // The piece was only lent.
  piece.fill(0);
  expect(core.happened()).toEqual(['took A', 'wait']);
  // The peer has not fallen silent, it is only not heard.
  core.pass(1_999);
  core.pass(1_999);
  core.happened();
  expect([core.phase, core.terminates()]).toEqual(['established', []]);
  core.proceed(core.now);
  expect(core.happened()).toEqual(['took SLOW', 'took B']);
  expect(core.awaitedSeq).toBe(0);
});

test('bytes that are no frame end the connection, with a Terminate that waits for nothing', () => {
  const core = Bare.bound();
  core.received(Buffer.from('8=FIX.4.4|9=10|'), core.now);
  expect(core.terminates()).toEqual([
    expect.stringMatching(new RegExp(`^${UnspecifiedError} 1: .* its id$`)),
  ]);
  expect(core.happened()).toEqual([expect.stringMatching(/^disconnect: 1: /)]);
  core.giveUp('again', core.now);
  expect([core.terminates(), core.happened()]).toEqual([[], []]);
});

test('a connection that establishes nothing in time is closed', () => {
  const core = new Bare({ establishWaitMs: 10_000 });
  core.opened({ address: '192.0.2.1' }, core.now);
  expect(core.pass(9_999)).toBe(10_000);
  expect(core.happened()).toEqual([]);
  core.pass(1);
  expect(core.happened()).toEqual(['disconnect: not established in time']);
  core.closed(core.now);
  expect(core.happened()).toEqual([]);
});

test('an established session keeps itself alive and waits twice the interval for its peer', () => {
  const core = Bare.bound({ keepaliveMs: 600 });
  core.pass(599);
  expect(core.happened()).toEqual([]);
  core.pass(1);
  expect(core.happened()).toEqual(['keepalive']);
  core.pass(1_399);
  core.happened();
  core.pass(1);
  expect(core.terminates()).toEqual([
    `${UnspecifiedError} no message received for twice the KeepaliveInterval its id`,
  ]);
  expect([core.phase, core.happened()]).toEqual(['terminating', []]);
});

test('a Terminate is sent once and waits a bounded time for its answer, and nothing else is heard', () => {
  const core = Bare.bound({ terminateWaitMs: 2_000 });
  core.terminate('enough', core.now);
  core.misused('late', core.now);
  expect(core.terminates()).toEqual([`${Finished} enough its id`]);
  expect([core.isActive, core.isBound]).toEqual([false, false]);
  core.pass(1_999);
  expect(core.happened()).toEqual([]);
  core.pass(1);
  expect(core.happened()).toEqual(['disconnect: enough']);
  core.closed(core.now);
  expect(core.happened()).toEqual(['ended true: enough']);
});

test('before anything is negotiated an end is at once, without a Terminate', () => {
  const core = new Bare();
  core.opened({ address: '192.0.2.1' }, core.now);
  core.terminate(undefined, core.now);
  expect([core.terminates(), core.happened()]).toEqual([[], ['disconnect: stopped']]);
});

test.each([
  [Finished, 'enough', 'ended true: terminated by the peer: enough'],
  [Finished, '', 'ended true: terminated by the peer'],
  [UnspecifiedError, 'wrong', 'ended false: terminated by the peer: wrong'],
])(
  "the peer's Terminate with code %i and the reason %j is answered, and is how it ends",
  (code, reason, end) => {
    const core = Bare.bound();
    core.terminated(code, reason, core.now);
    expect(core.terminates()).toEqual([`${Finished}  its id`]);
    core.closed(core.now);
    expect(core.happened().at(-1)).toBe(end);
  },
);

test('the answer to our Terminate is not answered, and the reason stays ours', () => {
  const core = Bare.bound();
  core.misused('a wrong id', core.now);
  expect(core.terminates()).toEqual([`${UnspecifiedError} 202: a wrong id its id`]);
  core.terminated(Finished, 'as you wish', core.now);
  expect(core.terminates()).toEqual([]);
  core.closed(core.now);
  expect(core.happened()).toEqual(['disconnect: 202: a wrong id', 'ended false: 202: a wrong id']);
});

test('a Terminate names the id of the connection, also after that id has ended, and none on the next one', () => {
  const core = Bare.bound();
  core.ids.end(20);
  core.endWith('Finished', 'over', core.now);
  expect(core.terminates()).toEqual([`${Finished} over its id`]);
  core.closed(core.now);
  core.opened({ address: '192.0.2.1' }, core.now);
  core.endWith('Finished', 'over', core.now);
  expect(core.terminates()).toEqual([`${Finished} over no id`]);
});
