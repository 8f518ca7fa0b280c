/** Inputs and effects are told in sentences that need no knowledge of a record. */
import { expect, test } from 'vitest';
import { effectWords, type Input, inputWords, timeText } from '../../../src/cli/replay/words.ts';
import { deny } from '../../../src/domain/denial.ts';
import type { Qty } from '../../../src/domain/units.ts';
import { noAnswer, nothingOfNonces } from '../../../src/venue/verdict.ts';
import { Ladder, terms } from '../../domain/ladder.ts';
import { streamEvent } from '../../venue/samples.ts';

const { order } = new Ladder(terms({ qty: 5_000_000n as Qty }));
const instrument = {
  ...order.instrument,
  market: { ...order.instrument.market, qtyScale: 8 },
};
const answered = (verdict: object) =>
  ({ kind: 'venue', input: { kind: 'answered', id: 1, verdict } }) as Input;

test.each<[Input, RegExp]>([
  [{ kind: 'started' }, /^The bridge started\./],
  [{ kind: 'judged', id: 1, denial: null }, /^The gate was asked again and permitted it\.$/],
  [
    { kind: 'judged', id: 1, denial: deny('bridge.kill_switch', 'stop') },
    /refused: bridge\.kill_switch: stop\.$/,
  ],
  [
    {
      kind: 'order',
      key: 'k',
      input: { kind: 'own_cancel', text: 'it has expired', nowMs: 1 },
    },
    /^The bridge itself cancels it: it has expired\.$/,
  ],
  [answered({ kind: 'accepted', seq: 1, orderIds: [], nonce: nothingOfNonces }), /: accepted\.$/],
  [
    answered(noAnswer('reset')),
    /^The answer does not decide the outcome, which is unknown: .*reset\.$/,
  ],
  [
    { kind: 'venue', input: { kind: 'found', id: 1, found: { kind: 'nothing' } } },
    /^The venue has no receipt of it\.$/,
  ],
  [
    { kind: 'venue', input: { kind: 'unsigned', id: 1, code: 'rate', text: 'slow' } },
    /^The signer did not sign: rate slow\.$/,
  ],
])('an input is told as what happened, %#', (input, words) => {
  expect(inputWords(input)).toMatch(words);
});

test('an event tells its amounts in units of the market where the order is known, else in atoms', () => {
  const event = streamEvent(7, { kind: 'resting', qty: 5_000_000n as Qty, fill: null });
  const input = { kind: 'event', event } as const;
  expect(inputWords(input, instrument)).toMatch(
    /^Stream event \(seq 7\): resting, .*quantity 0\.05/,
  );
  expect(inputWords(input)).toContain('5000000 atoms');
});

test('a request to the venue is described with its hash, nonce and bytes', () => {
  const bytes = {
    text: '{"a":1}',
    hash: 'ab',
    madeMs: 1,
    placed: { kind: 'none' },
  };
  const submit = {
    kind: 'submit',
    id: 1,
    asked: null,
    nonce: 7,
    priority: 'place',
    bytes,
  } as const;
  const words = effectWords(submit as unknown as Parameters<typeof effectWords>[0]);
  expect(words).toBe('Recorded, then signed and sent: action 0xab with nonce 7, {"a":1}');
});

test('a record without a time is described without one', () => {
  expect([timeText(0), timeText(1)]).toEqual(['', '1970-01-01T00:00:00.001Z']);
});
