import { expect, test } from 'vitest';
import {
  factsOf,
  linksOfMessage,
  linksOfRecord,
  linksOfRequest,
  sbeHead,
  spansOf,
  withoutSecrets,
} from '../../src/console/message-fields.ts';
import { fix44 } from '../../src/fix/dictionaries.ts';
import { writeFramingHeader } from '../../src/fixp/framing.ts';

const fix = (text: string) => Buffer.from(text.replaceAll('|', '\x01'));
const shown = (bytes: Uint8Array) => Buffer.from(bytes).toString().replaceAll('\x01', '|');

test('secrets of a Logon are stars of the same length, and data with separators is one field', () => {
  const logon = fix('8=FIX.4.4|9=1|35=A|34=1|95=5|96=a|b=c|554=pass|925=|553=me|10=000|');
  expect(shown(withoutSecrets(logon))).toBe(
    '8=FIX.4.4|9=1|35=A|34=1|95=5|96=*****|554=****|925=|553=me|10=000|',
  );
  expect(shown(logon)).toContain('pass');
});

test('each data field of FIX 4.4 is one field, whatever is in it', () => {
  const { fields, lengthTagOf } = fix44();
  const pairs = Array.from(lengthTagOf, (tag, number) => [tag, fields[number]?.tag ?? 0] as const);
  const data = pairs.filter(([length]) => length > 0);
  expect(data.length).toBeGreaterThan(10);
  for (const [length, tag] of data) {
    const message = fix(`8=FIX.4.4|${length}=5|${tag}=a|b=c|37=x|`);
    expect([...spansOf(message)].map((span) => span.tag)).toEqual([8, length, tag, 37]);
  }
});

test('what has no type is treated as if it were a Logon, and an order is left as it is', () => {
  expect(shown(withoutSecrets(fix('8=FIX.4.4|554=pass|')))).toBe('8=FIX.4.4|554=****|');
  const order = fix('8=FIX.4.4|9=1|35=D|58=554=no secret|');
  expect(withoutSecrets(order)).toBe(order);
});

test.each([
  [
    '8=FIX.4.4|9=1|35=D|11=a|554=pass|925=new|10=000|',
    '8=FIX.4.4|9=1|35=D|11=a|554=****|925=***|10=000|',
  ],
  ['8=FIX.4.4|9=1|35=0|95=4|96=pass|10=000|', '8=FIX.4.4|9=1|35=0|95=4|96=****|10=000|'],
  [
    '8=FIX.4.4|9=1|35=D|354=99|355=x|554=pass|10=000|',
    '8=FIX.4.4|9=1|35=D|354=99|355=x|554=****|10=000|',
  ],
  ['8=FIX.4.4|9=1|35=UO|95=4|96=what|10=000|', '8=FIX.4.4|9=1|35=UO|95=4|96=what|10=000|'],
])('a secret is hidden by its tag, whatever message %s it stands in', (message, hidden) => {
  expect(shown(withoutSecrets(fix(message)))).toBe(hidden);
});

test('what is no message of either lane keeps its secrets to itself, too', () => {
  expect(shown(withoutSecrets(fix('garbage|554=pass|10=1|')))).toBe('garbage|554=****|10=1|');
});

test.each(['big', 'little'] as const)(
  'credentials behind the block of a FIXP session message are stars (%s)',
  (order) => {
    const frame = Buffer.alloc(6 + 8 + 4 + 2 + 6);
    writeFramingHeader(frame, 0, frame.length, order);
    frame.writeUInt16LE(4, 6);
    frame.writeUInt16LE(500, 8);
    frame.writeUInt16LE(2748, 10);
    frame.write('secret', 20);
    expect(Buffer.from(withoutSecrets(frame)).toString('latin1')).not.toContain('secret');
    expect(sbeHead(withoutSecrets(frame))).toEqual({
      blockLength: 4,
      templateId: 500,
      schemaId: 2748,
      version: 0,
    });
    frame.writeUInt16LE(1, 10);
    expect(withoutSecrets(frame)).toBe(frame);
  },
);

test('a message is found by its names within its session, and by its order id anywhere', () => {
  const facts = factsOf(fix('8=FIX.4.4|9=1|35=8|34=7|11=a|117=q|37=0xab|58=34=9|'));
  expect(facts).toEqual({ type: '8', seq: 7, names: ['a', 'q'], orderId: '0xab' });
  expect(linksOfMessage('S', facts)).toEqual(['c S a', 'c S q', 'o 0xab']);
  expect(factsOf(fix('8=FIX.4.4|34=x|')).seq).toBeNull();
});

test('a desk record is found by keys, digests and ids; text of a client forges none', () => {
  const record = {
    inputs: [{ key: 'A:1', input: { actionHash: '0xh', orderId: '0xo' }, text: '"key":"B:2"' }],
    actions: [{ canonical: '{"orderId":"0xz"}' }],
  };
  expect(linksOfRecord(JSON.stringify(record))).toEqual(['k A:1', 'h 0xh', 'o 0xo']);
});

test('a request is found by the nonces of its actions', () => {
  const payload = (nonce: number) =>
    `{"payload":{"account":"0x${'1'.repeat(40)}","nonce":${nonce},`;
  expect(linksOfRequest('0xme', payload(4) + payload(5))).toEqual(['n 0xme 4', 'n 0xme 5']);
});
