import { expect, test } from 'vitest';
import type { Effects } from '../../src/transport/session.ts';
import { SessionMachine } from '../../src/transport/session-machine.ts';

class App {
  readonly peerText: unknown[] = [];

  onDisconnect(_session: unknown, end: unknown): void {
    this.peerText.push(end);
  }

  onAlarm(_session: unknown, { text }: { readonly text: string }): void {
    this.peerText.push(text);
  }
}

class Machine extends SessionMachine<App, 'connected' | 'active', string, string> {
  open(): void {
    this.connected('connected', 100);
  }

  logOn(): void {
    this.activated('active');
  }
}

const now = { wallMs: 0, monoMs: 0 };

function machine() {
  const asked: string[] = [];
  const effects = {
    disconnect: (reason: string) => asked.push(`disconnect: ${reason}`),
    alarm: (kind: string) => asked.push(`alarm: ${kind}`),
    wait: () => asked.push('wait'),
  } as unknown as Effects;
  const frames = { length: 0, bytes: new Uint8Array(0), clear: () => {} };
  const app = new App();
  const session = new Machine(app, effects, frames, { nextIn: 1, nextOut: 1 });
  return { app, asked, session };
}

test('the application is told of the end once, and only of a connection that was active', () => {
  const { app, session } = machine();
  session.open();
  session.closed(now);
  expect(app.peerText).toEqual([]);
  session.open();
  session.logOn();
  session.closed(now);
  session.closed(now);
  expect(app.peerText).toEqual([{ graceful: false, reason: 'the connection was lost' }]);
  expect([session.phase, session.isShut]).toEqual(['down', true]);
});

test('a session that closes says why and waits for nothing more', () => {
  const { asked, session } = machine();
  session.open();
  expect(session.deadlineMs).toBe(100);
  session.close('no logon in time');
  expect(asked).toEqual(['disconnect: no logon in time']);
  expect([session.isShut, session.deadlineMs]).toEqual([true, Number.POSITIVE_INFINITY]);
});

test('a message waits only where there is something to wait for, and a new connection forgets it', () => {
  const { asked, session } = machine();
  session.open();
  expect(session.waitFor(undefined, 7, () => 'message')).toBe(false);
  expect([session.awaited, asked]).toEqual([undefined, []]);
  expect(session.waitFor(Promise.resolve(), 7, () => 'message')).toBe(true);
  expect([session.awaited, session.awaitedSeq, asked]).toEqual(['message', 7, ['wait']]);
  session.open();
  expect([session.awaited, session.awaitedSeq]).toEqual([undefined, 0]);
});

test('rejects of the peer are counted, and one alarm a minute is raised for them', () => {
  const { app, session } = machine();
  const reject = { ours: 'message 3', text: 'no' };
  for (const monoMs of [0, 1_000, 61_000]) session.rejected(reject, { wallMs: 0, monoMs });
  expect(session.counts.rejects).toBe(3);
  expect(app.peerText).toHaveLength(2);
});

test('an alarm that the peer can repeat is raised once a minute of each kind, also across connections', () => {
  const { asked, session } = machine();
  session.open();
  for (const kind of ['rate', 'rate', 'resend_loop']) session.foldedAlarm(kind, 'again', now);
  session.closed(now);
  session.open();
  session.foldedAlarm('rate', 'again', now);
  expect(asked).toEqual(['alarm: rate', 'alarm: resend_loop']);
  session.foldedAlarm('rate', 'again', { wallMs: 0, monoMs: 60_000 });
  expect(asked).toHaveLength(3);
});
