/** What a stream reads before it is live, and when it subscribes (decision 0053). */
import { expect, test } from 'vitest';
import { until } from '../support/waits.ts';
import {
  delivered,
  happened,
  isLive,
  profile,
  refuseTokens,
  start,
  states,
  subscriptions,
  upTo,
  useStream,
  venue,
} from './stream-run.ts';

useStream();

test('a stream is live only when the consumer has the missed events, and pages wait for it', async () => {
  happened(5_000);
  const gates: (() => void)[] = [];
  const paged = { ...profile, gapFill: { ...profile.gapFill, limit: 1_000 } };
  const subject = start({
    profile: paged,
    deliver: () => new Promise<void>((resolve) => void gates.push(resolve)),
  });
  const pages = () => venue.requests.filter(({ target }) => target.includes('gap-fill')).length;
  let most = 0;
  while (delivered.length < 5_000) {
    await until(() => gates.length > 0);
    // As long as the consumer takes nothing, nothing more is requested.
    if (delivered.length === 0) await new Promise((next) => setTimeout(next, 40));
    if (delivered.length === 0) expect(pages()).toBe(1);
    most = Math.max(most, subject.lastSeq - delivered.length);
    expect(states).not.toContain('live');
    gates.shift()?.();
    await new Promise((next) => setImmediate(next));
  }
  await until(isLive);
  expect(delivered).toEqual(upTo(5_000));
  expect(most).toBeLessThan(1_000 + 256);
  expect(pages()).toBeLessThan(8);
});

test('a stream on which events never pause becomes live', async () => {
  happened(10);
  let release = () => {};
  let seq = 10;
  start({
    deliver: async () => {
      // Another event comes while this one is delivered.
      if (seq < 500) seq += 1;
      if (venue.sockets.length === 0) happened(seq);
      else happened(seq, seq);
      await new Promise<void>((resolve) => {
        release = resolve;
        setImmediate(release);
      });
    },
  });
  await until(isLive);
  expect(delivered.length).toBeLessThan(500);
});

test('a live stream that breaks subscribes again at once; after a failed attempt it first reads what it missed', async () => {
  happened(5);
  start();
  await until(isLive);
  happened(8);
  venue.sockets.at(-1)?.terminate();
  await until(() => delivered.length === 8 && isLive());
  expect(subscriptions.map(({ fromSeq }) => fromSeq)).toEqual([6, 6]);
  refuseTokens(1);
  happened(12);
  venue.sockets.at(-1)?.terminate();
  await until(() => delivered.length === 12 && isLive());
  expect(subscriptions.map(({ fromSeq }) => fromSeq)).toEqual([6, 6, 13]);
  expect(delivered).toEqual(upTo(12));
});
