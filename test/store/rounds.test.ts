/** When the commits of a round of the event loop are done. */
import { beforeEach, expect, test } from 'vitest';
import { Rounds } from '../../src/store/rounds.ts';

let done: string[];
let rounds: Rounds;

beforeEach(() => {
  done = [];
  rounds = new Rounds(() => done.push('work'));
});

const endOfTurn = () => Promise.resolve();
const endOfRound = () => new Promise((resolve) => setImmediate(resolve));

test('what comes alone is done at the end of its turn, and once', async () => {
  for (let round = 0; round < 3; round += 1) {
    rounds.soon();
    expect(done).toHaveLength(round);
    await endOfTurn();
    expect(done).toHaveLength(round + 1);
    await endOfRound();
    expect(done).toHaveLength(round + 1);
  }
});

test('what follows in the same round is done together at its end', async () => {
  rounds.soon();
  await endOfTurn();
  rounds.soon();
  rounds.soon();
  await endOfTurn();
  expect(done).toHaveLength(1);
  await endOfRound();
  expect(done).toHaveLength(2);
});

test('while rounds have several, all wait for the end, until one comes alone again', async () => {
  rounds.soon();
  rounds.soon();
  await endOfRound();
  done = [];
  rounds.soon();
  await endOfTurn();
  expect(done).toHaveLength(0);
  await endOfRound();
  expect(done).toHaveLength(1);
  rounds.soon();
  await endOfTurn();
  expect(done).toHaveLength(2);
});

test('what has time until the end of the round neither comes sooner nor crowds it', async () => {
  rounds.atEnd();
  await endOfTurn();
  expect(done).toHaveLength(0);
  await endOfRound();
  expect(done).toHaveLength(1);
  rounds.soon();
  await endOfTurn();
  expect(done).toHaveLength(2);
});
