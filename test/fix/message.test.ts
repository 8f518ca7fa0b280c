import { expect, test } from 'vitest';
import { Decoder } from '../../src/fix/decoder.ts';
import { fix44 } from '../../src/fix/dictionaries.ts';
import type { Message } from '../../src/fix/message.ts';
import { message } from '../support/fix-text.ts';

function read(msgType: string, body: string): Message {
  const decoder = new Decoder(fix44());
  decoder.push(message(msgType, body));
  expect(decoder.next()).toBe('message');
  return decoder.message;
}

test('text is read for every length, ASCII and UTF-8', () => {
  for (let length = 1; length < 40; length++) {
    const text = 'abcdefghijklmnopqrstuvwxyz0123456789ABCDEF'.slice(0, length);
    expect(read('0', `58=${text}|`).text(58)).toBe(text);
    const accented = `${text.slice(1)}é`;
    const bytes = Buffer.from(accented).toString('latin1');
    expect(read('0', `58=${bytes}|`).text(58)).toBe(accented);
  }
});

test.each([
  ['5', 5],
  ['-5', -5],
  ['-0', 0],
  ['007', 7],
  ['9007199254740991', Number.MAX_SAFE_INTEGER],
  ['9007199254740992', undefined],
  ['99999999999999999999999', undefined],
  ['1.0', undefined],
  ['', undefined],
  ['-', undefined],
  ['x', undefined],
])('int of %j is %j', (text, value) => {
  expect(read('0', `108=${text}|`).int(108)).toBe(value);
});

test('absent tags are undefined in every form', () => {
  const heartbeat = read('0', '');
  expect(heartbeat.has(58)).toBe(false);
  for (const tag of [58, 5000, 123_456]) {
    expect(heartbeat.text(tag)).toBeUndefined();
    expect(heartbeat.int(tag)).toBeUndefined();
    expect(heartbeat.bool(tag)).toBeUndefined();
    expect(heartbeat.bytes(tag)).toBeUndefined();
    expect(heartbeat.utcMs(tag)).toBeUndefined();
    expect(heartbeat.dateMs(tag)).toBeUndefined();
    expect(heartbeat.entries(tag)).toEqual([]);
  }
});

test('each form is read, or undefined where the value has it not', () => {
  const order = read('D', '11=ID|377=Y|325=N|38=1.50|44=x|126=20261121-10:38:16.5|432=20261121|');
  expect(order.msgType).toBe('D');
  expect(order.msgSeqNum).toBe(2);
  expect(order.bool(377)).toBe(true);
  expect(order.bool(325)).toBe(false);
  expect(order.bool(11)).toBeUndefined();
  expect(order.utcMs(52)).toBe(Date.UTC(2026, 10, 21, 10, 38, 16, 123));
  expect(order.utcMs(126)).toBeUndefined();
  expect(order.dateMs(432)).toBe(Date.UTC(2026, 10, 21));
  expect(order.dateMs(11)).toBeUndefined();
  expect(Buffer.from(order.bytes(11) ?? []).toString()).toBe('ID');
  expect(order.info?.name).toBe('NewOrderSingle');
});

test.each(['0', '-1', 'x'])('MsgSeqNum(34)=%s is none', (seq) => {
  const decoder = new Decoder(fix44());
  const bytes = message('0', '');
  const text = Buffer.from(bytes).toString('latin1').replace('34=2', `34=${seq}`);
  const length = Number(/9=(\d+)/.exec(text)?.[1]) + seq.length - 1;
  const body = text.replace(/9=\d+/, `9=${length}`).slice(0, -7);
  let sum = 0;
  for (const byte of Buffer.from(body, 'latin1')) sum += byte;
  decoder.push(Buffer.from(`${body}10=${String(sum % 256).padStart(3, '0')}\x01`, 'latin1'));
  expect(decoder.next()).toBe('message');
  expect(decoder.message.msgSeqNum).toBeUndefined();
});

test('groups are read entry by entry, groups inside them too', () => {
  const order = read(
    'D',
    '453=2|448=A|802=2|523=x|803=1|523=y|803=2|448=B|447=D|5001=z|11=ID|55=INTC|',
  );
  const parties = order.entries(453);
  expect(parties.map((party) => party.text(448))).toEqual(['A', 'B']);
  expect(parties[0]?.entries(802).map((sub) => sub.text(523))).toEqual(['x', 'y']);
  expect(parties[1]?.entries(802)).toEqual([]);
  expect(parties[1]?.text(5001)).toBe('z');
  expect(parties[1]?.has(11)).toBe(false);
  expect([...(parties[1]?.fields() ?? [])].map(({ tag }) => tag)).toEqual([448, 447, 5001]);
  expect(order.text(55)).toBe('INTC');
});

test('a group in a group of quotes is read with the instrument of each entry', () => {
  const body =
    '117=Q|296=2|302=1|304=2|295=2|299=a|55=X|132=1|299=b|55=Y|302=2|304=1|295=1|299=c|55=Z|';
  const sets = read('i', body).entries(296);
  const symbols = sets.map((set) => set.entries(295).map((entry) => entry.text(55)));
  expect(symbols).toEqual([['X', 'Y'], ['Z']]);
});

test('a count without entries gives none, whatever it says', () => {
  expect(read('D', '453=999999|11=ID|').entries(453)).toEqual([]);
  expect(read('D', '453=0|').entries(453)).toEqual([]);
  expect(read('D', '453=2|').entries(453)).toEqual([]);
});
