import { expect, test } from 'vitest';
import type { Effects, SessionWrite } from '../../src/transport/session.ts';
import { SessionOutbox } from '../../src/transport/session-outbox.ts';

class Recorded implements Effects {
  readonly writes: SessionWrite[] = [];
  readonly transmitted: string[] = [];
  gathers = 0;

  record(write: SessionWrite): void {
    this.writes.push(write);
  }

  transmit(bytes: Uint8Array): void {
    this.transmitted.push(Buffer.from(bytes).toString());
  }

  gathered(): void {
    this.gathers += 1;
  }

  takes(): boolean {
    return true;
  }

  loggedOn(): void {}
  fetch(): void {}
  fetchHeld(): void {}
  wait(): void {}
  disconnect(): void {}
  alarm(): void {}
}

/** An outbox whose next number out is 5, and `write`, which puts a frame into its buffer. */
function newOutbox() {
  const lent = Buffer.alloc(500_000);
  let length = 0;
  const buffer = {
    get length() {
      return length;
    },
    get bytes() {
      return lent.subarray(0, length);
    },
    clear: () => {
      length = 0;
    },
  };
  const effects = new Recorded();
  const outbox = new SessionOutbox(buffer, effects, { nextIn: 1, nextOut: 5 });
  const write = (frame: string) => {
    length += lent.write(frame, length);
    return outbox;
  };
  return { effects, outbox, write };
}

test('a transaction is one transmission and one record each of its messages and numbers', () => {
  const { effects, outbox, write } = newOutbox();
  outbox.expect(9);
  expect(write('first ').kept()).toBe(5);
  expect(write('second').kept()).toBe(6);
  expect([effects.gathers, effects.transmitted.length]).toEqual([1, 0]);
  outbox.flush();
  expect(effects.transmitted).toEqual(['first second']);
  expect(effects.writes).toEqual([
    { kind: 'messages', firstSeq: 5, bytes: Buffer.from('first second'), ends: [6, 12] },
    { kind: 'numbers', nextIn: 9, nextOut: 7 },
  ]);
  outbox.flush();
  expect([effects.transmitted.length, effects.writes.length]).toEqual([1, 2]);
});

test('only messages that may be asked for again are recorded, exactly as they went out', () => {
  const { effects, outbox, write } = newOutbox();
  write('first ').kept();
  write('secret ').numbered();
  write('second ').kept();
  write('again ').unnumbered();
  write('third').kept();
  outbox.flush();
  expect(effects.transmitted).toEqual(['first secret second again third']);
  expect(effects.writes).toEqual([
    { kind: 'messages', firstSeq: 5, bytes: Buffer.from('first '), ends: [6] },
    { kind: 'messages', firstSeq: 7, bytes: Buffer.from('second '), ends: [7] },
    { kind: 'messages', firstSeq: 8, bytes: Buffer.from('third'), ends: [5] },
    { kind: 'numbers', nextIn: 1, nextOut: 9 },
  ]);
});

test('a frame without a number records nothing', () => {
  const { effects, outbox, write } = newOutbox();
  write('again').unnumbered();
  outbox.flush();
  expect(effects.transmitted).toEqual(['again']);
  expect(effects.writes).toEqual([]);
});

test('a message for a peer that is away is recorded and not transmitted', () => {
  const { effects, outbox, write } = newOutbox();
  write('goodbye').unnumbered();
  write('later').keptForLater();
  write('later still').keptForLater();
  outbox.flush();
  expect(effects.transmitted).toEqual(['goodbye']);
  expect(effects.writes).toEqual([
    { kind: 'messages', firstSeq: 5, bytes: Buffer.from('later'), ends: [5] },
    { kind: 'numbers', nextIn: 1, nextOut: 6 },
    { kind: 'messages', firstSeq: 6, bytes: Buffer.from('later still'), ends: [11] },
    { kind: 'numbers', nextIn: 1, nextOut: 7 },
  ]);
});

test('a message for later that follows one for now leaves the first transmitted', () => {
  const { effects, write } = newOutbox();
  write('now ').kept();
  write('later').keptForLater();
  expect(effects.transmitted).toEqual(['now ']);
  expect(effects.writes).toEqual([
    { kind: 'messages', firstSeq: 5, bytes: Buffer.from('now later'), ends: [4, 9] },
    { kind: 'numbers', nextIn: 1, nextOut: 7 },
  ]);
});

test('bytes that were handed over never change again', () => {
  const { effects, outbox, write } = newOutbox();
  write('first').kept();
  outbox.flush();
  write('SECOND').kept();
  outbox.flush();
  expect(effects.writes[0]).toMatchObject({ bytes: Buffer.from('first') });
});

test('a reset comes after everything that was sent before it', () => {
  const { effects, outbox, write } = newOutbox();
  write('old').kept();
  outbox.reset(1, 1);
  expect(write('new').kept()).toBe(1);
  outbox.flush();
  const kinds = effects.writes.map(({ kind }) => kind);
  expect(kinds).toEqual(['messages', 'numbers', 'reset', 'messages', 'numbers']);
});

test('a long replay is transmitted before it piles up', () => {
  const { effects, write } = newOutbox();
  for (let count = 0; count < 5; count += 1) write('x'.repeat(60_000)).unnumbered();
  expect(effects.transmitted.map(({ length }) => length)).toEqual([300_000]);
});
