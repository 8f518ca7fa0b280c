/** Fences that are still in the queue when the outcome of their action becomes known (decision 0255). */
import { expect, test } from 'vitest';
import type { Signer, SignResult } from '../../src/signer/signer.ts';
import type { HttpRequest } from '../../src/venue/http-client.ts';
import type { Exchange } from '../../src/venue/verdict.ts';
import { account, silentEvent, spot } from '../domain/ladder.ts';
import { submitResponse } from '../venue/samples.ts';
import { entry, openRunner, patienceMs } from './opened-runner.ts';

const signed: SignResult = {
  kind: 'signed',
  digest: new Uint8Array(32),
  key: account,
  signature: { scheme: 'EcdsaSecp256k1', bytes: new Uint8Array(65) },
};
const signer: Signer = {
  ...{ sign: async () => signed, recall() {}, keys: new Map(), close: async () => {} },
};
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('a fence that waits for room is not sent once the action has its outcome', async () => {
  const wire: { readonly request: HttpRequest; readonly answer: (exchange: Exchange) => void }[] =
    [];
  const { apply, clock, dispatcher, runner, order } = await openRunner({
    signer,
    authorize: () => undefined,
    lookUp: async () => ({ kind: 'nothing' }),
    exchange: (request) =>
      new Promise<Exchange>((answer) => {
        wire.push({ request, answer });
      }),
  });
  dispatcher.limit({ jsonEnabled: false, maxActions: 1, maxInFlight: 1 });
  runner.resume();
  runner.open();
  apply(entry('X'));
  await settled();
  apply(entry('Y'));
  await settled();
  expect([wire.length, dispatcher.queued]).toEqual([1, 1]);
  wire[0]?.answer({ kind: 'broken', problem: 'reset' });
  await settled();
  // Y is at the venue now, which does not answer. X is sent again, waits too long, and then its nonce is fenced.
  for (let ms = 0; ms < 1.5 * patienceMs; ms += 250) {
    clock.advance(250);
    await settled();
  }
  expect([wire.length, dispatcher.queued]).toEqual([2, 1]);
  const { orderId, venueRef } = order('X');
  const resting = { kind: 'resting', seq: 1, orderId, venueRef, market: spot.marketId } as const;
  await runner.onEvents([{ ...silentEvent, ...resting, nonce: 1n }]);
  await settled();
  const body = JSON.stringify(submitResponse({ seq: 2 }));
  wire[1]?.answer({ kind: 'response', status: 200, headers: {}, body });
  await settled();
  expect(wire.slice(2).map(({ request }) => request.body)).toEqual([]);
  expect(dispatcher.queued).toBe(0);
});
