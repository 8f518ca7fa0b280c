import { expect, test } from 'vitest';
import { lineBytes, rawBytes, readable, resolveTime } from '../../src/certify/fix-line.ts';
import { asValue, LineError, parseLine } from '../../src/certify/line.ts';

const header = {
  senderCompId: 'A',
  targetCompId: 'B',
  msgSeqNum: 7,
  wallMs: Date.UTC(2026, 0, 5, 12),
};

test('a line gets its header, in the order of the standard, its length and its sum', () => {
  expect(readable(lineBytes('1|112=x|43=Y', header))).toBe(
    '8=FIX.4.4|9=56|35=1|34=7|43=Y|49=A|52=20260105-12:00:00.000|56=B|112=x|10=140|',
  );
});

test('what a line names itself is not filled in', () => {
  const text = readable(lineBytes('1|34=2|49=NOBODY|10=000|9=5|8=FIX.4.2|-56', header));
  expect(text).toBe('8=FIX.4.2|9=5|35=1|34=2|49=NOBODY|52=20260105-12:00:00.000|10=000|');
});

test('raw bytes stand as they are, but for length and sum', () => {
  expect(readable(rawBytes('8=FIX.4.4|35=1|9=?|112=a|10=?|', 0))).toMatch(
    /^8=FIX\.4\.4\|35=1\|9=6\|112=a\|10=\d{3}\|$/,
  );
});

test('times are told from now', () => {
  expect(resolveTime('now-2s', header.wallMs)).toBe('20260105-11:59:58.000');
  expect(resolveTime('nowhere', header.wallMs)).toBe('nowhere');
});

test('a value of somebody else may contain what separates the fields of a line', () => {
  const secret = 'a|554=b||-58';
  const { fields } = parseLine(`A|553=u|554=${asValue(secret)}|141=Y`);
  expect(fields).toEqual([
    [553, 'u'],
    [554, secret],
    [141, 'Y'],
  ]);
});

test('a line that is none is refused with what is wrong in it', () => {
  expect(() => parseLine('order|11=a')).toThrow(LineError);
  expect(() => parseLine('D|11')).toThrow('"11" in "D|11" is neither TAG=VALUE nor -TAG');
});
