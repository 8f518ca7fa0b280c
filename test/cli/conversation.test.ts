import { expect, test } from 'vitest';
import {
  type HandLane,
  type HandRequest,
  HandTrader,
  serverNamed,
} from '../../src/cli/conversation.ts';

/** A trader whose lane keeps what it is asked to send, and what the user was shown. */
function trader(lane: Partial<HandLane> = {}) {
  const sent: HandRequest[] = [];
  const shown: string[] = [];
  const send = (request: HandRequest) => {
    sent.push(request);
    return undefined;
  };
  const hand = new HandTrader({ send, ...lane }, (text) => shown.push(text));
  return { hand, sent, shown, obey: (line: string) => hand.execute(line, 0) };
}

test.each([
  ['buy BTC-USDC 1', { side: 'buy', qty: '1', price: undefined, lifetime: 'ioc' }],
  ['sell BTC-USDC 1 99', { side: 'sell', price: '99', lifetime: 'gtc', isPostOnly: false }],
  ['buy BTC-USDC 1 99 post', { lifetime: 'gtc', isPostOnly: true }],
  ['buy BTC-USDC 1 99 fok', { lifetime: 'fok' }],
])('"%s" is an order', (line, order) => {
  const { obey, sent } = trader();
  obey(line);
  expect(sent).toEqual([expect.objectContaining({ kind: 'order', symbol: 'BTC-USDC', ...order })]);
});

test('a TLS handshake has the name of the server, and no address', () => {
  expect(serverNamed({ ca: 'x' }, 'fix.example')).toEqual({ ca: 'x', servername: 'fix.example' });
  for (const host of ['10.0.0.1', '::1'])
    expect(serverNamed({ ca: 'x' }, host)).toEqual({ ca: 'x' });
});

test('a change names the order that was sent, and the next change the one before', () => {
  const { obey, sent } = trader();
  obey('buy BTC-USDC 1 99');
  obey(`replace ${sent[0]?.id} 2 98`);
  obey(`cancel ${sent[1]?.id}`);
  expect(sent[1]).toMatchObject({ kind: 'replace', of: sent[0]?.id, side: 'buy', price: '98' });
  expect(sent[2]).toMatchObject({ kind: 'cancel', of: sent[1]?.id, symbol: 'BTC-USDC' });
});

test('an order that could not be sent is not known, and the reason is shown', () => {
  const { obey, shown } = trader({ send: ({ id }) => `not sent: ${id}` });
  obey('buy BTC-USDC x');
  const id = shown[0]?.split(' ').at(-1);
  obey(`cancel ${id}`);
  expect(shown).toEqual([`not sent: ${id}`, `no order ${id} was sent from here or reported here`]);
});

test('an incomplete command sends nothing and shows its form', () => {
  const { obey, sent, shown } = trader();
  obey('buy BTC-USDC');
  obey('watch');
  obey('unwatch BTC-USDC');
  obey('raw D 11=x');
  expect(sent).toEqual([]);
  expect(shown[0]).toMatch(/^buy SYMBOL QTY/);
  expect(shown[1]).toBe('watch SYMBOL, unwatch SYMBOL');
  expect(shown[2]).toBe('BTC-USDC is not watched');
  expect(shown[3]).not.toContain('raw');
});

test('a book is shown when it changes, until it is no longer watched', () => {
  const { hand, obey, sent } = trader();
  obey('watch BTC-USDC');
  const id = sent[0]?.id ?? '';
  expect(['a', 'a', 'b', 'b', 'a'].map((book) => hand.isNewBook(id, book))).toEqual([
    true,
    false,
    true,
    false,
    true,
  ]);
  obey('unwatch BTC-USDC');
  expect(sent[1]).toMatchObject({ kind: 'unwatch', id });
  expect(hand.isNewBook(id, 'a')).toBe(true);
});
