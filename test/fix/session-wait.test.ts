/** A message that must wait for something before it is handled: its number is not used up, and what follows keeps its place. */
import { expect, test } from 'vitest';
import { causeway44 } from '../../src/fix/dictionaries.ts';
import { FixSession } from '../../src/fix/session.ts';
import { sessionSettings } from '../../src/fix/session-settings.ts';
import { ManualClock } from '../../src/runtime/clock.ts';
import { clientBytes } from '../acceptance/fix/script.ts';
import { freshStart } from './fresh-start.ts';

const identity = { senderCompId: 'BRIDGE', targetCompId: 'CLIENT' };

function setup() {
  const clock = new ManualClock();
  const now = clock.now();
  const handled: string[] = [];
  let waits = 0;
  const session = new FixSession({
    settings: sessionSettings({ identity, role: 'initiator' }),
    dictionary: causeway44(),
    start: freshStart,
    effects: {
      record: () => {},
      transmit: () => {},
      fetch: () => {},
      fetchHeld: () => {},
      takes: () => true,
      loggedOn: () => {},
      wait: () => {
        waits += 1;
      },
      disconnect: (reason) => handled.push(`disconnected: ${reason}`),
      alarm: () => {},
      gathered: () => {},
    },
    application: {
      waitsFor: (message) =>
        message.text(11)?.startsWith('slow') ? new Promise(() => {}) : undefined,
      onMessage: (message) => handled.push(message.text(11) ?? ''),
    },
  });
  const names = { client: 'CLIENT', server: 'BRIDGE' };
  const bytes = (line: string) => clientBytes(line, names, now.wallMs);
  /** The piece is only lent. */
  const hears = (...pieces: Buffer[]) => {
    const piece = Buffer.concat(pieces);
    session.received(piece, now);
    piece.fill(0);
  };
  session.opened({ address: '127.0.0.1' }, now);
  hears(bytes('A|34=1|98=0|108=30'));
  const order = (seq: number, id: string) =>
    bytes(`D|34=${seq}|11=${id}|55=BTC-USDC|54=1|38=1|40=1|60=now`);
  return { session, handled, hears, order, now, waits: () => waits };
}

test('nothing behind a message that waits is handled, and all of it is afterwards', () => {
  const { session, handled, hears, order, now, waits } = setup();
  const last = order(5, 'c');
  hears(order(2, 'a'), order(3, 'slow'), order(4, 'b'), last.subarray(0, 40));
  expect([handled, session.nextIn, waits()]).toEqual([['a'], 3, 1]);
  session.proceed(now);
  expect(handled).toEqual(['a', 'slow', 'b']);
  hears(last.subarray(40));
  expect([handled, session.nextIn, waits()]).toEqual([['a', 'slow', 'b', 'c'], 6, 1]);
});

test('two messages in a row wait one after the other', () => {
  const { session, handled, hears, order, now, waits } = setup();
  hears(order(2, 'slow 1'), order(3, 'slow 2'));
  session.proceed(now);
  expect([handled, waits()]).toEqual([['slow 1'], 2]);
  session.proceed(now);
  expect([handled, waits()]).toEqual([['slow 1', 'slow 2'], 2]);
});

test('a message that waited for a gap to be filled waits in its turn', () => {
  const { session, handled, hears, order, now, waits } = setup();
  hears(order(4, 'b'), order(3, 'slow'));
  hears(order(2, 'a'));
  expect([handled, session.nextIn, waits()]).toEqual([['a'], 3, 1]);
  session.proceed(now);
  expect([handled, session.nextIn, waits()]).toEqual([['a', 'slow', 'b'], 5, 1]);
});

test('a message that waits behind a long gap is not too old, like those that need not wait', () => {
  const { session, handled, order, now } = setup();
  session.received(Buffer.concat([order(4, 'b'), order(3, 'slow')]), now);
  const later = { wallMs: now.wallMs + 60_000, monoMs: now.monoMs + 60_000 };
  const latest = { wallMs: now.wallMs + 130_000, monoMs: now.monoMs + 130_000 };
  session.received(order(2, 'a'), later);
  session.proceed(latest);
  expect([handled, session.nextIn]).toEqual([['a', 'slow', 'b'], 5]);
});

test('a session that waits takes its peer for alive, and a new connection waits for nothing', () => {
  const { session, handled, hears, order, now } = setup();
  hears(order(2, 'slow'));
  session.tick({ ...now, monoMs: now.monoMs + 200_000 });
  expect(handled).toEqual([]);
  session.closed(now);
  session.opened({ address: '127.0.0.1' }, now);
  session.proceed(now);
  expect([handled, session.nextIn]).toEqual([[], 2]);
});
