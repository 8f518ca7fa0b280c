import { expect, test } from 'vitest';
import { lineBytes } from '../../src/certify/fix-line.ts';
import {
  faultText,
  fieldOf,
  type Incoming,
  isDecimal,
  isFlagged,
  isHousekeeping,
  keyName,
  listenToFix,
  numberOf,
  orderIdOf,
  typeName,
} from '../../src/certify/received-message.ts';
import { fixpMessage, heard, names } from './messages.ts';

const bytesOf = (line: string) => lineBytes(line, { ...names, msgSeqNum: 1, wallMs: Date.now() });

function listening() {
  const found: Incoming[] = [];
  const listen = listenToFix('bridge', (incoming) => found.push(incoming));
  return { found, listen };
}

test('messages are reported whole and in order, however their bytes are cut', () => {
  const bytes = Buffer.concat([bytesOf('0|112=a'), bytesOf('1|112=b')]);
  for (const size of [1, 7, 50, bytes.length]) {
    const { found, listen } = listening();
    for (let at = 0; at < bytes.length; at += size) listen(bytes.subarray(at, at + size));
    expect(found).toMatchObject([
      { kind: 'message', from: 'bridge', message: { msgType: '0', fault: undefined } },
      { kind: 'message', from: 'bridge', message: { msgType: '1' } },
    ]);
  }
});

test('a message stays as it was heard, whatever the same connection says later', () => {
  const { found, listen } = listening();
  const lines = ['a', 'b', 'c', 'd'].map((id) => bytesOf(`1|112=${id.repeat(20)}é`));
  // A message that arrives in pieces is put together in a buffer of the decoder, which is used again.
  const all = Buffer.concat(lines);
  for (let at = 0; at < all.length; at += 40) listen(Buffer.from(all.subarray(at, at + 40)));
  const raws = found.map((one) => one.kind === 'message' && Buffer.from(one.message.raw));
  expect(raws).toEqual(lines.map((bytes) => Buffer.from(bytes)));
});

test('a message is a copy of the bytes that were given', () => {
  const { found, listen } = listening();
  const bytes = bytesOf('1|112=é');
  const before = Buffer.from(bytes);
  listen(bytes);
  bytes.fill(0);
  const [first] = found;
  if (first?.kind !== 'message') throw new Error('no message');
  expect(Buffer.from(first.message.raw)).toEqual(before);
  expect(fieldOf(first.message, 112)).toBe('é');
});

test('a message whose sum is wrong is reported as garbled with the reason, and the next one is read', () => {
  const { found, listen } = listening();
  listen(Buffer.concat([bytesOf('1|112=a|10=000'), bytesOf('1|112=b')]));
  expect(found).toMatchObject([
    { kind: 'garbled', reason: expect.stringMatching(/CheckSum/) },
    { kind: 'message', message: { msgType: '1' } },
  ]);
});

test('the fault that the dictionary finds is named with the field', () => {
  const { fault } = heard('1|112=');
  expect(fault && faultText(fault)).toBe('Tag specified without a value: TestReqID(112)');
  expect(faultText({ reject: 'undefinedTag', tag: 7777 })).toBe('Undefined Tag: (7777)');
});

test('a field of FIX is found by its tag alone, one of FIXP by its name in any group', () => {
  const message = fixpMessage('Report', { 'Legs.Px': 1, Qty: 2, 'Legs.Qty': 3 });
  expect(fieldOf(message, 'Qty')).toBe('2');
  expect(fieldOf(message, 'Px')).toBe('1');
  expect(fieldOf(message, 'x')).toBeUndefined();
  expect(fieldOf(heard('D|11=a|11=b'), 11)).toBe('a');
  expect(fieldOf(heard('D|111=a'), 11)).toBeUndefined();
});

test.each([
  ['0', 0],
  ['007', 7],
  ['9'.repeat(15), 999_999_999_999_999],
  ['1'.repeat(16), undefined],
  ['-1', undefined],
  ['1.0', undefined],
  ['1e3', undefined],
  ['', undefined],
])('%j as a number is %j', (text, number) => {
  expect(numberOf(fixpMessage('A', { Count: text }), 'Count')).toBe(number);
});

test('a flag is Y and nothing else', () => {
  expect(['Y', 'N', 'y'].map((flag) => isFlagged(heard(`1|43=${flag}`), 43))).toEqual([
    true,
    false,
    false,
  ]);
  expect(isFlagged(heard('1'), 43)).toBe(false);
});

test('what arrives unasked is housekeeping, and so is whatever is sent again', () => {
  const fix = ['0', '1', '2', '4', 'B', 'f', 'h'];
  expect(fix.filter((type) => !isHousekeeping(heard(type)))).toEqual([]);
  expect(['3', '5', '8', '9', 'A', 'D', 'j'].filter((type) => isHousekeeping(heard(type)))).toEqual(
    [],
  );
  expect(isHousekeeping(heard('8|43=Y'))).toBe(true);
  expect(isHousekeeping(fixpMessage('Sequence'))).toBe(true);
  expect(isHousekeeping(fixpMessage('ExecutionReport'))).toBe(false);
});

test('the id of an order is that of either protocol; NONE is no id', () => {
  expect(orderIdOf(heard('8|37=0x1'))).toBe('0x1');
  expect(orderIdOf(fixpMessage('A', { OrderID: '0x2' }))).toBe('0x2');
  expect([heard('8|37=NONE'), heard('8')].map(orderIdOf)).toEqual([undefined, undefined]);
});

test('keys and types have names where somebody knows them', () => {
  expect([11, 7777, 'Legs.Px'].map(keyName)).toEqual(['ClOrdID(11)', '(7777)', 'Legs.Px']);
  expect(['D', 'zz', 'Sequence'].map(typeName)).toEqual(['D NewOrderSingle', 'zz', 'Sequence']);
});

test('prices and quantities are decimals, by their kind in FIX and by their name in FIXP', () => {
  expect([44, 38, 11, 34, 7777].map(isDecimal)).toEqual([true, true, false, false, false]);
  const keys = ['LastPx', 'Legs.Price', 'OrderQty', 'Size', 'PriceType', 'Side'];
  expect(keys.map(isDecimal)).toEqual([true, true, true, true, false, false]);
});
