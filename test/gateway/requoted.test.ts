/** Quotes that are withdrawn and quoted again at once, over real sockets (contract C.7). */
import { afterAll, expect, test } from 'vitest';
import { fieldOf } from '../support/fix-peer.ts';
import { startQuoter } from './quoter.ts';

const alphaSession = 'FIX.4.4:CAUSEWAY/->ALPHA/';
const by = { who: 'test', why: 'stop' };

const { bridge, runner, peer, stop } = await startQuoter();
let count = 0;
afterAll(stop);

function quote(): string {
  count += 1;
  const quoteId = `Q${count}`;
  const prices = '132=1000|133=90000|134=0.1|135=0.1';
  peer.say(`i|117=${quoteId}|301=2|296=1|302=s|304=1|295=1|299=e|55=BTC-USDC|${prices}`);
  return quoteId;
}

const withdraw = () => peer.say('Z|117=Z|298=4|301=0');

/** QuoteStatus(297), code and text of the answer. */
async function answerTo(quoteId: string): Promise<string> {
  const answer = await peer.next((message) => fieldOf(message, '117') === quoteId);
  return ['297', '9102', '58'].flatMap((tag) => fieldOf(answer, tag) ?? []).join(' ');
}

const speakAgain = () => bridge.admin('POST', '/faults/release');

async function openAtVenue(): Promise<number> {
  const state = await bridge.admin('GET', `/accounts/${runner().account}`);
  return (state as { openOrders: unknown[] }).openOrders.length;
}

/** Quotes that are being canceled while the stream is silent, and a quote that waits for their end. */
async function held(): Promise<string> {
  await expect.poll(() => bridge.gateway.gate.state).toBe('open');
  expect(await answerTo(quote())).toBe('0');
  await bridge.admin('POST', '/faults', { kind: 'frame_stall', delayMs: null });
  withdraw();
  const quoteId = quote();
  await expect.poll(() => runner().orders.groups.held.length).toBe(1);
  return quoteId;
}

test('every quote behind a withdrawal is accepted, and the last one remains', async () => {
  await expect.poll(() => bridge.gateway.gate.state).toBe('open');
  for (let i = 0; i < 4; i += 1) {
    expect(await answerTo(quote())).toBe('0');
    withdraw();
  }
  expect(await answerTo(quote())).toBe('0');
  expect(await openAtVenue()).toBe(2);
  withdraw();
  await expect.poll(openAtVenue).toBe(0);
});

test('a quote that waits for the end of others is refused by the kill switch and never sent', async () => {
  const quoteId = await held();
  expect(bridge.gateway.operator.kill(by, { kind: 'session', name: alphaSession })).toBe(2);
  expect(await answerTo(quoteId)).toBe('5 bridge.kill_switch bridge.kill_switch: stop');
  await expect.poll(openAtVenue).toBe(0);
  await expect.poll(() => runner().orders.openCount).toBe(0);
  bridge.gateway.operator.release(by, { kind: 'session', name: alphaSession });
});

test('no answer says that no quotes are live while their cancels are on the way to the venue', async () => {
  expect(await answerTo(quote())).toBe('0');
  await bridge.admin('POST', '/faults', { kind: 'hold', delayMs: null, times: null });
  withdraw();
  const waiting = quote();
  const refused = quote();
  expect(await answerTo(refused)).toMatch(/^5 bridge.pending [^;]*$/);
  peer.say('q|11=m0|530=7|60=now');
  expect(await answerTo(waiting)).toMatch(/^5 bridge.canceled_unsent [^;]*$/);
  expect(await openAtVenue()).toBe(2);
  await bridge.admin('DELETE', '/faults');
  await speakAgain();
  await expect.poll(openAtVenue).toBe(0);
});

test('quotes that only come again are not refused, and other quotes with their QuoteID are', async () => {
  await expect.poll(() => bridge.gateway.gate.state).toBe('open');
  const quoteId = quote();
  expect(await answerTo(quoteId)).toBe('0');
  const same = `117=${quoteId}|301=2|296=1|302=s|304=1|295=1|299=e|55=BTC-USDC|132=1000|134=0.1`;
  const nextAnswer = async () => {
    const answer = await peer.next((message) => fieldOf(message, '35') === 'b');
    return ['117', '297'].map((tag) => fieldOf(answer, tag));
  };
  peer.say(`i|97=Y|${same}`);
  const next = quote();
  expect(await nextAnswer()).toEqual([next, '0']);
  peer.say(`i|${same}`);
  expect(await nextAnswer()).toEqual([quoteId, '5']);
  expect(await openAtVenue()).toBe(2);
  withdraw();
  await expect.poll(openAtVenue).toBe(0);
});

test('a quote that waits for the end of others is withdrawn like them, and counted', async () => {
  const quoteId = await held();
  peer.say('q|11=m1|530=7|60=now');
  const answer = await peer.next((message) => fieldOf(message, '35') === 'r');
  expect(fieldOf(answer, '533')).toBe('4');
  expect(await answerTo(quoteId)).toContain('5 bridge.canceled_unsent');
  await speakAgain();
  await expect.poll(openAtVenue).toBe(0);
});

test('a quote that waits is judged again when it goes out', async () => {
  const quoteId = await held();
  bridge.gateway.gate.setAccount(runner().account, 'reducing', 'a test');
  await speakAgain();
  expect(await answerTo(quoteId)).toContain('5 bridge.account_closing');
  bridge.gateway.gate.setAccount(runner().account, 'open', 'a test');
  expect(await openAtVenue()).toBe(0);
});
