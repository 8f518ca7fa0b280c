/** A second thread that signs: the same bytes, in order, and none are missed when it is gone. */
import { afterEach, expect, test } from 'vitest';
import { SignatureThread } from '../../src/signer/signature-thread.ts';
import type { SignResult } from '../../src/signer/signer.ts';
import { contract, coreWith, ecdsa, envelope, request, secretKey } from './signer-samples.ts';

const digests = Array.from({ length: 5 }, (_, index) => new Uint8Array(32).fill(index + 1));
const otherKey = () => new Uint8Array(32).fill(8);
let thread: SignatureThread;

afterEach(() => thread.close());

async function started(): Promise<void> {
  thread = new SignatureThread({ backend: 'noble', secretKeys: [secretKey(), otherKey()] });
  expect(await thread.sign([])).toBeUndefined();
  while (!thread.isReady) await new Promise((resolve) => setImmediate(resolve));
}

function bytesOf(results: readonly SignResult[]): string[] {
  return results.map((result) =>
    result.kind === 'signed' ? Buffer.from(result.signature.bytes).toString('hex') : result.code,
  );
}

test('each digest is signed with the key that is asked for, in the order of asking', async () => {
  await started();
  const jobs = digests.map((digest, index) => ({ key: index % 2, digest }));
  const [first, second] = await Promise.all([thread.sign(jobs), thread.sign(jobs.toReversed())]);
  const alone = jobs.map(({ key, digest }) =>
    ecdsa.sign(digest, key === 0 ? secretKey() : otherKey()),
  );
  expect(first).toEqual(alone);
  expect(second).toEqual(alone.toReversed());
});

test('a signer with a second thread gives the results of one without, refusals among them', async () => {
  await started();
  const asked = [...digests, ...digests].map((_, index) => request(envelope(index + 1)));
  asked.splice(7, 0, request({ ...envelope(99), account: `0x${'2'.repeat(40)}` as never }));
  const shared = await coreWith({ thread });
  const alone = await coreWith();
  const results = bytesOf(await shared.signAll(asked));
  expect(results).toEqual(bytesOf(await alone.signAll(asked)));
  expect(results[7]).toBe('policy');
  const v27 = { ...contract, signing: { ...contract.signing, vEncoding: '27/28' as const } };
  const worded = await (await coreWith({ thread, contract: v27 })).signAll(asked);
  expect(bytesOf(worded)).toEqual(
    bytesOf(await (await coreWith({ contract: v27 })).signAll(asked)),
  );
});

test('of those that are asked for one by one in a turn the thread signs all but the first', async () => {
  await started();
  const asked = [...digests, ...digests].map((_, index) => request(envelope(index + 1)));
  asked.splice(4, 0, request({ ...envelope(99), account: `0x${'2'.repeat(40)}` as never }));
  let jobs = 0;
  const counted: Pick<SignatureThread, 'look' | 'sign'> = {
    look: () => thread.look(),
    sign(more) {
      jobs += more.length;
      return thread.sign(more);
    },
  };
  const shared = await coreWith({ thread: counted });
  const results = await Promise.all(asked.map((each) => shared.sign(each)));
  const alone = await coreWith();
  expect(bytesOf(results)).toEqual(bytesOf(await alone.signAll(asked)));
  expect(jobs).toBe(9);
  await shared.sign(request(envelope(20)));
  expect(jobs).toBe(9);
});

test('more than it has places for is left to whoever asks, and then there is room again', async () => {
  await started();
  const job = { key: 0, digest: digests[0] as Uint8Array };
  const many = Array.from({ length: 250 }, () => job);
  const [first, tooMany] = [thread.sign(many), thread.sign(many.slice(0, 7))];
  expect(await tooMany).toBeUndefined();
  expect(await first).toHaveLength(250);
  for (let round = 0; round < 3; round += 1) expect(await thread.sign(many)).toHaveLength(250);
});

test('one signature that the thread does not come to is left to whoever asks', async () => {
  await started();
  const job = { key: 0, digest: digests[0] as Uint8Array };
  const batch = thread.sign(Array.from({ length: 200 }, () => job));
  const alone = thread.sign([{ ...job, key: 1 }]);
  expect(await alone).toBeUndefined();
  expect(await batch).toHaveLength(200);
  const [after] = (await thread.sign([job, { ...job, key: 1 }])) ?? [];
  expect(after).toEqual(ecdsa.sign(job.digest, secretKey()));
});

test('what a thread that ends has not signed is signed by the signer itself', async () => {
  await started();
  const core = await coreWith({ thread });
  const asked = Array.from({ length: 16 }, (_, index) => request(envelope(index + 1)));
  const signing = core.signAll(asked);
  await thread.close();
  const alone = await coreWith();
  expect(bytesOf(await signing)).toEqual(bytesOf(await alone.signAll(asked)));
  expect(thread.isReady).toBe(false);
  expect(await thread.sign([{ key: 0, digest: digests[0] as Uint8Array }])).toBeUndefined();
});

test('a signer that is closed meanwhile signs nothing more', async () => {
  await started();
  const core = await coreWith({ thread });
  const signing = core.signAll(Array.from({ length: 16 }, (_, nonce) => request(envelope(nonce))));
  await core.close();
  expect(new Set(bytesOf(await signing))).toEqual(new Set(['unavailable']));
});
