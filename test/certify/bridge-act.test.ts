import { expect, test } from 'vitest';
import { bridgeActs, bridgeActText, readBridgeAct } from '../../src/certify/bridge-act.ts';
import { LineError } from '../../src/certify/line.ts';

test('an act is a word or two of the table', () => {
  expect(readBridgeAct('start in vain')).toEqual({ kind: 'start in vain', details: {} });
});

test('what an act says more is JSON', () => {
  const act = readBridgeAct('set {"markets": ["BTC-USDC"]}');
  expect(act).toEqual({ kind: 'set', details: { markets: ['BTC-USDC'] } });
});

test('a bust names the trade', () => {
  const act = readBridgeAct('bust {"execId": "desk-a-2-0"}');
  expect(act).toEqual({ kind: 'bust', details: { execId: 'desk-a-2-0' } });
});

test.each([
  ['an unknown word', 'restart', 'is not an operation on a bridge: kill, stop'],
  [
    'a word that says more where there is nothing to say',
    'kill {"now": true}',
    'is not an operation',
  ],
  ['a word that says too little', 'set', 'is not an operation'],
  ['what is not JSON', 'set {markets}', 'not JSON'],
])('%s is refused by name', (_, text, words) => {
  expect(() => readBridgeAct(text)).toThrow(LineError);
  expect(() => readBridgeAct(text)).toThrow(words);
});

test('a person is told each act in words', () => {
  expect(bridgeActText('kill')).toBe(bridgeActs.kill);
  expect(bridgeActText('set {"markets": []}')).toBe(`${bridgeActs.set} {"markets": []}`);
});
