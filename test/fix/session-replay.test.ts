import { expect, test } from 'vitest';
import { Replay } from '../../src/fix/session-replay.ts';

function listener() {
  const said: string[] = [];
  return {
    said,
    output: {
      again: (bytes: Uint8Array) => said.push(`again ${Buffer.from(bytes)}`),
      gapFill: (fromSeq: number, newSeqNo: number) => said.push(`gap ${fromSeq}-${newSeqNo}`),
      beyondRetention: (oldestKept: number) => said.push(`beyond ${oldestKept}`),
    },
  };
}

const message = (seq: number) => ({ seq, bytes: Buffer.from(`m${seq}`) });
const piece = (from: number, to: number, seqs: number[], done: boolean, oldestKept = 1) => ({
  fromSeq: from,
  toSeq: to,
  messages: seqs.map(message),
  oldestKept,
  done,
});

test('numbers without a message become one GapFill, also across pieces', () => {
  const { said, output } = listener();
  const replay = new Replay();
  expect(replay.ask(1, 9)).toEqual({ fromSeq: 1, toSeq: 9 });
  replay.piece(piece(1, 4, [2], false), output);
  replay.piece(piece(5, 9, [7], true), output);
  expect(said).toEqual(['gap 1-2', 'again m2', 'gap 3-7', 'again m7', 'gap 8-10']);
  expect(replay.ask(1, 1)).toEqual({ fromSeq: 1, toSeq: 1 });
});

test('what is no longer kept is filled over, and said so', () => {
  const { said, output } = listener();
  const replay = new Replay();
  replay.ask(1, 5);
  replay.piece(piece(1, 5, [4, 5], true, 4), output);
  expect(said).toEqual(['gap 1-4', 'beyond 4', 'again m4', 'again m5']);
});

test('what retention drops while it is resent is filled over and said so each time', () => {
  const { said, output } = listener();
  const replay = new Replay();
  replay.ask(1, 9);
  replay.piece(piece(1, 3, [3], false, 3), output);
  replay.piece(piece(4, 6, [4, 5], false, 8), output);
  replay.piece(piece(6, 9, [8, 9], true, 8), output);
  const first = ['gap 1-3', 'beyond 3', 'again m3', 'again m4', 'again m5'];
  expect(said).toEqual([...first, 'gap 6-8', 'beyond 8', 'again m8', 'again m9']);
});

test('nothing at all is kept: one GapFill over everything', () => {
  const { said, output } = listener();
  const replay = new Replay();
  replay.ask(1, 5);
  replay.piece(piece(1, 5, [], true, 9), output);
  expect(said).toEqual(['gap 1-6', 'beyond 6']);
});

test('one replay at a time: the requests that come meanwhile are answered together, none is forgotten', () => {
  const { said, output } = listener();
  const replay = new Replay();
  replay.ask(1, 2);
  expect(replay.ask(5, 6)).toBeUndefined();
  expect(replay.ask(3, 3)).toBeUndefined();
  expect(replay.piece(piece(1, 2, [1, 2], true), output)).toEqual({ fromSeq: 3, toSeq: 6 });
  replay.piece(piece(3, 6, [3, 4, 5, 6], true), output);
  expect(said).toEqual([1, 2, 3, 4, 5, 6].map((seq) => `again m${seq}`));
});

test('a stopped replay says nothing of what is fetched still', () => {
  const { said, output } = listener();
  const replay = new Replay();
  replay.ask(1, 2);
  replay.stop();
  expect(replay.piece(piece(1, 2, [1, 2], true), output)).toBeUndefined();
  expect(said).toEqual([]);
});

test('the same request is counted, another one starts the count anew', () => {
  const replay = new Replay();
  expect([replay.count(1, 0), replay.count(1, 0), replay.count(2, 0), replay.count(1, 0)]).toEqual([
    1, 2, 1, 1,
  ]);
});

test('a stopped replay counts the same request anew, one that is over goes on counting', () => {
  const replay = new Replay();
  replay.count(1, 0);
  replay.ask(1, 1);
  replay.piece(piece(1, 1, [1], true), listener().output);
  expect(replay.count(1, 0)).toBe(2);
  replay.stop();
  expect(replay.count(1, 0)).toBe(1);
});
