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

async function isDoneAtOnce(ask: () => void): Promise<void> {
  const before = done.length;
  ask();
  expect(done).toHaveLength(before);
  await endOfTurn();
  expect(done).toHaveLength(before + 1);
}

async function isDoneAtTheEnd(ask: () => void): Promise<void> {
  const before = done.length;
  ask();
  await endOfTurn();
  expect(done).toHaveLength(before);
  await endOfRound();
  expect(done).toHaveLength(before + 1);
}

test('what comes alone is done at the end of its turn, and once', async () => {
  for (let round = 1; round <= 3; round += 1) {
    await isDoneAtOnce(() => rounds.soon());
    await endOfRound();
    expect(done).toHaveLength(round);
  }
});

test('what follows in the same round is done together at its end', async () => {
  await isDoneAtOnce(() => rounds.soon());
  await isDoneAtTheEnd(() => {
    rounds.soon();
    rounds.soon();
  });
});

test('while rounds have several, all wait for the end, until one comes alone again', async () => {
  rounds.soon();
  rounds.soon();
  await endOfRound();
  await isDoneAtTheEnd(() => rounds.soon());
  await isDoneAtOnce(() => rounds.soon());
});

test('what has time until the end of the round neither comes sooner nor crowds it', async () => {
  await isDoneAtTheEnd(() => rounds.atEnd());
  await isDoneAtOnce(() => rounds.soon());
});
