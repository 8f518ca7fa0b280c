import { expect, test } from 'vitest';
import { Resends } from '../../src/certify/resends.ts';
import { standingFaults } from '../../src/certify/standing-rules.ts';
import { heard, names, numbersAt } from './messages.ts';

const order = 'D|11=a|55=X|54=1|38=1|40=1|60=20261128-10:00:00.000';

test.each([
  ['D|43=Y|122=now|11=a|55=X|54=1|38=1|40=1|60=20261128-10:00:00.000', undefined],
  ['D|97=Y|43=Y|122=now|50=x|11=a|55=X|54=1|38=1|40=1|60=20261128-10:00:00.000', undefined],
  ['D|43=Y|122=now|11=a|55=X|54=1|38=2|40=1|60=20261128-10:00:00.000', ['38=1', '38=2']],
  ['D|43=Y|122=now|11=a|55=X|54=1|38=1|40=1', ['60=20261128-10:00:00.000', 'nothing']],
  ['0|43=Y|122=now', ['35=D', '35=0']],
  ['4|43=Y|122=now|123=Y|36=9', undefined],
])('after the order, %s as its resend differs in %j', (line, difference) => {
  const resends = new Resends();
  expect(resends.received(heard(order, 3))).toBeUndefined();
  const found = resends.received(heard(line, 3));
  expect(found && [found.wanted, found.got]).toEqual(difference);
});

test('a resend of what was lost is an original itself, and numbers that begin again have none', () => {
  const resends = new Resends();
  const resend = (qty: number) => heard(`D|43=Y|122=now|11=a|55=X|54=1|38=${qty}|40=1|60=now`, 3);
  expect(resends.received(resend(1))).toBeUndefined();
  expect(resends.received(resend(2))?.name).toBe('resent OrderQty(38)');
  resends.forget();
  expect(resends.received(resend(2))).toBeUndefined();
});

test('a difference between passwords shows neither', () => {
  const resends = new Resends();
  const logon = (password: string) => heard(`A|43=Y|122=now|98=0|108=30|554=${password}`, 3);
  resends.received(logon('one'));
  expect(resends.received(logon('two'))).toMatchObject({ wanted: '554=***', got: '554=***' });
});

test('only so many messages are kept for comparison', () => {
  const resends = new Resends();
  for (let seq = 1; seq <= 5_001; seq += 1) resends.received(heard('1|112=a', seq));
  expect(resends.received(heard('1|43=Y|122=now|112=b', 1))).toBeUndefined();
  expect(resends.received(heard('1|43=Y|122=now|112=b', 5_001))?.tag).toBe(112);
});

test('a resend with another content breaks a standing rule', () => {
  const numbers = numbersAt(1, 1);
  expect(standingFaults(heard(order), names, numbers)).toEqual([]);
  const resend = heard(`${order.replace('D|', 'D|43=Y|122=now|')}|58=more`);
  expect(standingFaults(resend, names, numbers)).toMatchObject([
    { tag: 58, wanted: 'nothing', got: '58=more' },
  ]);
});
