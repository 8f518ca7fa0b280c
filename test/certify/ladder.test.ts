import { expect, test } from 'vitest';
import { decodeFrame, encodeFrame } from '../../src/certify/fixp-message.ts';
import { Ladder } from '../../src/certify/ladder.ts';
import { fixpMessage, heard } from './messages.ts';

test('passwords and signatures are in no evidence', () => {
  const ladder = new Ladder(() => {});
  const secret = 'hunter2';
  const logon = heard(`A|98=0|108=30|553=me|554=${secret}|925=${secret}|95=7|96=${secret}`);
  ladder.message('peer', logon);
  ladder.bytes('peer', 'bytes', logon.raw);
  for (const { raw = '' } of ladder.rungs) {
    const text = Buffer.from(raw, 'base64').toString();
    expect(text).not.toContain(secret);
    expect(text).toContain('554=***');
  }
});

test('a frame is still one when its password is blotted out', () => {
  const ladder = new Ladder(() => {});
  const frame = encodeFrame('Negotiate', new Map([['Credentials', '553=me\x01554=hunter2\x01']]));
  ladder.bytes('peer', 'Negotiate', frame);
  const raw = Buffer.from(ladder.rungs[0]?.raw ?? '', 'base64');
  expect(decodeFrame(raw)).toMatchObject({ msgType: 'Negotiate' });
  expect(raw.toString('latin1')).not.toContain('hunter2');
});

test('the orders that were spoken of are known', () => {
  const ladder = new Ladder(() => {});
  ladder.message('bridge', heard('8|37=O1|11=a'));
  ladder.message('bridge', heard('9|37=NONE|11=b'));
  ladder.message('peer', fixpMessage('ExecutionReportNew', { 'State.OrderID': 'ab' }));
  expect([...ladder.orderIds]).toEqual(['O1', 'ab']);
});

test('of one who talks for ever no more is kept, but what is broken late is told', () => {
  const ladder = new Ladder(() => {});
  const broken = { tag: 34, name: 'MsgSeqNum(34)', wanted: '7', got: '9', rule: '', ref: '' };
  for (let count = 0; count < 6_000; count += 1) ladder.note('peer', 'again');
  expect(ladder.rungs).toHaveLength(5_000);
  ladder.note('peer', 'broken', [{ ...broken, isMet: false }]);
  expect(ladder.firstUnmet).toMatchObject(broken);
  for (let count = 0; count < 6_000; count += 1) {
    ladder.note('peer', 'broken', [{ ...broken, isMet: false }]);
  }
  expect(ladder.rungs).toHaveLength(10_000);
});
