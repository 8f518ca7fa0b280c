import { expect, test } from 'vitest';
import { framed } from '../../src/fixp/framing.ts';
import { Outbox } from '../../src/fixp/outbox.ts';
import type { Effects, SessionWrite } from '../../src/transport/session.ts';

class Log implements Effects {
  readonly writes: SessionWrite[] = [];
  readonly said: Uint8Array[] = [];
  gathers = 0;

  record(write: SessionWrite): void {
    this.writes.push(write);
  }

  transmit(bytes: Uint8Array): void {
    this.said.push(bytes);
  }

  gathered(): void {
    this.gathers += 1;
  }

  fetch(): void {}
  fetchHeld(): void {}
  disconnect(): void {}
  alarm(): void {}
}

const message = (text: string) => Buffer.from(text.padEnd(8));
const frame = (text: string) => framed(message(text), 'big');

function outbox(): { log: Log; box: Outbox } {
  const log = new Log();
  return { log, box: new Outbox('big', log, { nextIn: 1, nextOut: 5 }) };
}

test('a turn is one transmission and one record of its messages and numbers', () => {
  const { log, box } = outbox();
  box.expect(9);
  box.kept(message('A'));
  box.kept(message('B'));
  expect([log.gathers, log.said.length]).toEqual([1, 0]);
  box.flush();
  const bytes = Buffer.concat([frame('A'), frame('B')]);
  expect(log.said).toEqual([bytes]);
  expect(log.writes).toEqual([
    { kind: 'messages', firstSeq: 5, bytes, ends: [14, 28] },
    { kind: 'numbers', nextIn: 9, nextOut: 7 },
  ]);
  box.flush();
  expect([log.said.length, log.writes.length]).toEqual([1, 2]);
});

test('messages without a number stand between records, and are not kept', () => {
  const { log, box } = outbox();
  box.kept(message('A'));
  box.unnumbered(message('session'));
  box.kept(message('B'));
  box.again(frame('old'));
  box.flush();
  expect(Buffer.concat(log.said)).toEqual(
    Buffer.concat([frame('A'), frame('session'), frame('B'), frame('old')]),
  );
  expect(log.writes.slice(0, 2)).toEqual([
    { kind: 'messages', firstSeq: 5, bytes: frame('A'), ends: [14] },
    { kind: 'messages', firstSeq: 6, bytes: frame('B'), ends: [14] },
  ]);
});

test('a message for a peer that is away is kept and not said', () => {
  const { log, box } = outbox();
  box.unnumbered(message('goodbye'));
  box.stored(message('later'));
  box.flush();
  expect(log.said).toEqual([frame('goodbye')]);
  expect(log.writes).toEqual([
    { kind: 'messages', firstSeq: 5, bytes: frame('later'), ends: [14] },
    { kind: 'numbers', nextIn: 1, nextOut: 6 },
  ]);
});

test('a message that passes uses a number up and is not kept', () => {
  const { log, box } = outbox();
  box.passing(message('order'));
  box.flush();
  expect(log.writes).toEqual([{ kind: 'numbers', nextIn: 1, nextOut: 6 }]);
});

test('what is said in a long turn goes out before it piles up', () => {
  const { log, box } = outbox();
  const long = Buffer.alloc(60_000, 7);
  for (let count = 0; count < 5; count += 1) box.kept(long);
  expect(log.said).toHaveLength(1);
  expect(log.said[0]?.length).toBe(5 * 60_006);
});
