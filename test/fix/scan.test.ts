import { expect, test } from 'vitest';
import { fix44 } from '../../src/fix/dictionaries.ts';
import { endOf, FieldIndex, startOf, stride } from '../../src/fix/field-index.ts';
import { scan } from '../../src/fix/scan.ts';
import { fromText, toText } from '../support/fix-text.ts';

function scanned(text: string, maxFields = 100) {
  const bytes = fromText(`${text}10=000|`);
  const index = new FieldIndex(fix44());
  index.open(bytes, 0, bytes.length);
  const sum = scan(index, maxFields);
  const fields: string[] = [];
  for (let at = 0; at < index.length; at += stride) {
    const value = bytes.subarray(startOf(index.fields, at), endOf(index.fields, at));
    fields.push(`${index.fields[at]}=${toText(value)}`);
  }
  let expected = 0;
  for (const byte of bytes.subarray(0, -7)) expected += byte;
  expect(sum).toBe(expected % 256);
  return { fields, fault: index.fault, faultTag: index.faultTag };
}

test.each([
  ['plain fields', '8=F|9=1|35=0|', ['8=F', '9=1', '35=0'], undefined, 0],
  ['= in a value', '58=a=b|', ['58=a=b'], undefined, 0],
  ['an empty value', '58=|1=x|', ['58=', '1=x'], undefined, 0],
  ['data with SOH and =', '95=5|96=a|=|b|1=x|', ['95=5', '96=a|=|b', '1=x'], undefined, 0],
  ['data of no bytes', '95=0|96=|1=x|', ['95=0', '96=', '1=x'], undefined, 0],
  ['an unknown tag', '123456789=x|', ['123456789=x'], undefined, 0],
  ['a negative tag', '-5=x|1=y|', ['-5=x', '1=y'], 'tag', -5],
  ['a tag of letters', 'abc=x|1=y|', ['0=x', '1=y'], 'tag', 0],
  ['no tag', '=x|1=y|', ['0=x', '1=y'], 'tag', 0],
  ['no =', '58|1=y|', ['58=', '1=y'], 'tag', 58],
  ['nothing', '||1=y|', ['0=', '0=', '1=y'], 'tag', 0],
  ['ten digits', '1234567890=x|', ['0=x'], 'tag', 0],
  ['a minus alone', '-=x|', ['0=x'], 'tag', 0],
  ['data of the wrong length', '95=2|96=abc|', ['95=2', '96=abc'], 'dataLength', 95],
  ['data that reaches into the trailer', '95=7|96=abc|', ['95=7', '96=abc'], 'dataLength', 95],
  ['a length that is no number', '95=x|96=abc|', ['95=x', '96=abc'], 'dataLength', 95],
  ['data without a length', '1=a|96=abc|', ['1=a', '96=abc'], 'dataWithoutLength', 95],
  ['data at the very start', '96=abc|', ['96=abc'], 'dataWithoutLength', 95],
])('%s', (_name, text, fields, fault, faultTag) => {
  expect(scanned(text)).toEqual({ fields: [...fields, '10=000'], fault, faultTag });
});

test('fields beyond the limit are summed but not kept', () => {
  const text = Array.from({ length: 200 }, (_, i) => `${i + 1}=x|`)
    .join('')
    .replace(/9[016]=x\||89=x\|/g, '');
  const { fields, fault } = scanned(text, 60);
  expect(fields).toHaveLength(61);
  expect(fields.at(-1)).toBe('10=000');
  expect(fault).toBe('tooManyFields');
});

test('only the first fault is kept', () => {
  expect(scanned('x=1|-7=2|').faultTag).toBe(0);
});
