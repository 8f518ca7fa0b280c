import { array, assert, integer, property } from 'fast-check';
import { expect, test } from 'vitest';
import { readFix } from '../../src/cli/decode/fix-message.ts';
import {
  messageJson,
  messageText,
  printable,
  printableLines,
  shownFields,
} from '../../src/cli/fix-text.ts';
import { framed, message } from '../support/fix-text.ts';

const parsed = (msgType: string, body: string) =>
  readFix(Buffer.from(message(msgType, body))).message;
const book = '262=x|263=1|264=0|265=0|267=2|269=0|269=1|146=1|55=BTC-USDC|';

/** Tag, depth, and whether an entry begins. */
const shape = (msgType: string, body: string) =>
  [...shownFields(parsed(msgType, body))]
    .slice(7, -1)
    .map(({ tag, depth, beginsEntry }) => `${beginsEntry ? '-' : ''}${tag}@${depth}`);

test('the fields of a repeating group are one deeper, and its entries begin at its first field', () => {
  expect(shape('V', book)).toEqual([
    ...['262@0', '263@0', '264@0', '265@0', '267@0', '-269@1', '-269@1', '146@0', '-55@1'],
  ]);
});

test('a group in a group is two deep, and ends with its entry', () => {
  const parties =
    '453=2|448=a|447=D|452=1|802=2|523=x|803=1|523=y|803=2|448=b|447=D|452=3|802=1|523=z|803=1|';
  expect(shape('D', `11=a|${parties}55=X|`)).toEqual([
    ...['11@0', '453@0', '-448@1', '447@1', '452@1', '802@1'],
    ...['-523@2', '803@2', '-523@2', '803@2', '-448@1', '447@1', '452@1', '802@1'],
    ...['-523@2', '803@2', '55@0'],
  ]);
});

test('a user-defined tag that nobody knows is part of its entry, and any other ends the group', () => {
  const parties = '453=2|448=a|7777=x|447=D|802=1|523=y|7778=z|803=1|7779=z|448=b|7777=x|';
  expect(shape('D', `7777=x|${parties}55=X|7777=x|`)).toEqual([
    ...['7777@0', '453@0', '-448@1', '7777@1', '447@1', '802@1'],
    ...['-523@2', '7778@2', '803@2', '7779@2', '-448@1', '7777@1', '55@0', '7777@0'],
  ]);
  expect(shape('D', '453=1|448=a|4999=x|447=D|')).toEqual(['453@0', '-448@1', '4999@0', '447@0']);
  expect(shape('D', '453=0|7777=x|55=X|')).toEqual(['453@0', '7777@0', '55@0']);
});

test('a field has its name and the meaning of its value; an unknown one has neither', () => {
  const found = [...shownFields(parsed('D', '54=1|38=1|54=?|7777=x|'))].slice(7, -1);
  expect(found.map(({ name, value, meaning }) => [name, value, meaning])).toEqual([
    ['Side', '1', 'BUY'],
    ['OrderQty', '1', ''],
    ['Side', '?', ''],
    ['', 'x', ''],
  ]);
});

test('no secret is shown, nor how long it is', () => {
  const logon = parsed('A', '98=0|108=30|95=7|96=canary1|553=me|554=canary2|925=canary3|');
  for (const text of [messageText(logon), JSON.stringify(messageJson(logon))]) {
    expect(text).not.toContain('canary');
    expect(text).toContain('me');
  }
  expect(messageText(logon)).toMatch(
    /RawDataLength\(95\)=… {2}RawData\(96\)=… {2}Username\(553\)=me {2}Password\(554\)=… {2}NewPassword\(925\)=…$/,
  );
});

test('one line leaves out what every message has, and a type that nobody knows is a question mark', () => {
  const sent = 'SendingTime(52)=20261121-10:38:16.123';
  expect(messageText(parsed('0', '112=hello|'))).toBe(
    `Heartbeat  MsgType(35)=0  MsgSeqNum(34)=2  ${sent}  TestReqID(112)=hello`,
  );
  const unknown = readFix(Buffer.from(framed('35=zz|34=2|'))).message;
  expect(messageText(unknown)).toBe('?  MsgType(35)=zz  MsgSeqNum(34)=2');
  expect(messageJson(unknown)).toMatchObject({ msgType: 'zz', name: '' });
});

test('JSON has every field, and a depth only inside of a group', () => {
  const { fields, ...rest } = messageJson(parsed('V', book)) as { fields: { tag: number }[] };
  expect(rest).toEqual({ msgType: 'V', name: 'MarketDataRequest' });
  expect(fields.map(({ tag }) => tag)).toEqual([
    ...[8, 9, 35, 49, 56, 34, 52, 262, 263, 264, 265, 267, 269, 269, 146, 55, 10],
  ]);
  const of = (wanted: number) => fields.find(({ tag }) => tag === wanted);
  expect(of(263)).toEqual({
    tag: 263,
    name: 'SubscriptionRequestType',
    value: '1',
    meaning: expect.stringContaining('SNAPSHOT'),
  });
  expect(of(55)).toEqual({ tag: 55, name: 'Symbol', value: 'BTC-USDC', meaning: '', depth: 1 });
});

test('text of a peer has its length and cannot steer a terminal', () => {
  const steering = '\x1b[31m\x9b\r\n\t\0\x7f\u202e\u200b\u2028\u2029\u00ad\ufeff';
  expect(printable(`a${steering}b`)).toBe(`a·[31m${'·'.repeat(steering.length - 5)}b`);
  assert(
    property(array(integer({ min: 0, max: 0x10ffff })), (points) => {
      const text = String.fromCodePoint(...points);
      const shown = printable(text);
      expect(shown.replace(/[^\p{Cc}\p{Cf}\u2028\u2029]/gu, '')).toBe('');
      expect([...shown].length).toBe([...text].length);
      expect(printable(shown)).toBe(shown);
    }),
  );
  expect(printable(Buffer.from('é\x07'))).toBe('é·');
});

test('only the ends between given lines are kept', () => {
  expect(printableLines(['a\nb', 'c'])).toBe('a·b\nc');
});
