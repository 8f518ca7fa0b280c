/** Every SessionRejectReason(373) that a dictionary decides, each from a literal message. */
import { expect, test } from 'vitest';
import { Decoder } from '../../src/fix/decoder.ts';
import { causeway44, fix44 } from '../../src/fix/dictionaries.ts';
import { sessionRejects } from '../../src/fix/reject.ts';
import { Validator } from '../../src/fix/validator.ts';
import { framed, header, message } from '../support/fix-text.ts';

function check(bytes: Uint8Array, { strictUserTags = false, dictionary = fix44() } = {}) {
  const decoder = new Decoder(dictionary);
  decoder.push(bytes);
  expect(decoder.next()).toBe('message');
  const fault = new Validator(dictionary, { strictUserTags }).validate(decoder.message);
  return fault && { reason: sessionRejects[fault.reject].reason, tag: fault.tag };
}

const order = '11=ID|21=1|38=002000.00|40=1|54=1|55=INTC|60=20261121-10:38:16|';
const quotes = (sets: string) => `117=Q|${sets}`;

test.each([
  ['an order', 'D', order],
  ['a heartbeat without a body', '0', ''],
  ['a group of no entries', 'D', `${order}386=0|`],
  ['a group', 'D', `${order}453=2|448=A|447=D|452=1|448=B|447=D|452=3|`],
  ['a group inside a group', 'D', `${order}453=1|448=A|802=2|523=x|803=1|523=y|803=2|`],
  ['a group that ends in the middle of the body', 'D', `453=1|448=A|${order}`],
  ['sets of quotes', 'i', quotes('296=1|302=S|304=1|295=1|299=E|55=X|132=1|133=2|')],
  ['several values in one field', 'D', `${order}18=1 5 6|`],
  ['a user-defined tag', 'D', `${order}5000=x|`],
  ['a user-defined tag beyond every table', 'D', `${order}123456789=x|`],
  ['a user-defined tag inside a group', 'D', `${order}453=2|448=A|6000=z|447=D|448=B|6000=z|`],
  ['text that only UTF-8 can read', 'D', `${order}58=\xc3\xa9|`],
  ['data with SOH', 'B', '148=H|33=1|58=t|95=5|96=a|b|c|'],
  ['a group in the header', 'D', `627=2|628=A|629=20261121-10:38:16|628=B|${order}`],
  ['header fields in any order', 'D', `43=Y|97=N|122=20261121-10:38:16|${order}`],
])('%s is valid', (_name, msgType, body) => {
  expect(check(message(msgType, body))).toBeUndefined();
});

test.each([
  ['a name in Latin-1', 'caf\xe9'],
  ['half a character of UTF-8', 'A\xc3'],
  ['a bell', 'be\x07ll'],
  ['an escape', '\x1b[2J'],
  ['a delete', '\x7f'],
  ['a control character behind ASCII', '\xc2\x9b2J'],
])('%s is no text, so nothing is kept or passed on altered', (_name, value) => {
  expect(check(message('D', `${order}58=${value}|`))).toEqual({ reason: 6, tag: 58 });
  expect(check(message('D', `${order}5000=${value}|`))).toEqual({ reason: 6, tag: 5000 });
  expect(check(message('D', order.replace('11=ID', `11=${value}`)))).toEqual({
    reason: 6,
    tag: 11,
  });
});

test.each([
  ['0: a tag that FIX does not have', 'D', `${order}999=HI|`, 0, 999],
  ['0: tag 0', 'D', `${order}0=HI|`, 0, 0],
  ['0: a negative tag', 'D', `${order}-1=HI|`, 0, -1],
  ['0: a tag that is no number', 'D', `${order}x1=HI|`, 0, 0],
  ['0: a tag with a zero before it', 'D', `${order}058=HI|`, 0, 58],
  ['0: a tag of ten digits', 'D', `${order}1234567890=HI|`, 0, 0],
  ['0: a field without =', 'D', `${order}58|`, 0, 58],
  ['0: an empty field', 'D', `${order}|`, 0, 0],
  ['1: a required tag missing', 'D', order.replace('54=1|', ''), 1, 54],
  ['1: a required tag missing in a group', 'i', quotes('296=1|302=S|295=1|299=E|'), 1, 304],
  ['1: data without its length', 'D', `${order}354=1|58=x|355=y|`, 1, 354],
  ['2: a tag of another message', 'D', `${order}41=x|`, 2, 41],
  ['2: a member of a group without its count', 'D', `${order}448=A|`, 2, 448],
  ['4: a tag without a value', 'D', order.replace('55=INTC', '55='), 4, 55],
  ['4: a count without a value', 'D', `${order}453=|`, 4, 453],
  ['4: a user-defined tag without a value', 'D', `${order}5000=|`, 4, 5000],
  ['4: a tag in a group without a value', 'D', `${order}453=1|448=|`, 4, 448],
  ['5: a value that is not in the list', 'D', order.replace('54=1', '54=Z'), 5, 54],
  ['5: a longer value that is not in the list', 'D', `${order}167=ZZZZ|`, 5, 167],
  ['5: one of several values', 'D', `${order}18=1 5 ?|`, 5, 18],
  ['5: two spaces between values', 'D', `${order}18=1  5|`, 5, 18],
  ['6: a quantity that is no number', 'D', order.replace('38=002000.00', '38=+200.00'), 6, 38],
  ['6: a character that is two', 'D', order.replace('54=1', '54=12'), 6, 54],
  ['6: a time with a letter', 'D', order.replace('60=2026', '60=x026'), 6, 60],
  ['6: a boolean that is neither Y nor N', 'D', `${order}377=Z|`, 6, 377],
  ['6: a negative count', 'D', `${order}453=-1|`, 6, 453],
  ['6: a length that leads nowhere', 'D', `${order}354=500|355=y|`, 6, 354],
  ['6: a length that ends inside the data', 'D', `${order}354=2|355=yyy|`, 6, 354],
  ['13: a tag twice', 'D', `${order}54=1|`, 13, 54],
  ['13: a header tag twice', 'D', `34=2|${order}`, 13, 34],
  ['13: a user-defined tag twice', 'D', `${order}5000=x|5000=y|`, 13, 5000],
  [
    '13: a user-defined tag twice in one entry',
    'D',
    `${order}453=1|448=A|6000=x|6000=y|`,
    13,
    6000,
  ],
  ['13: a tag twice in one entry', 'D', `${order}453=1|448=A|447=D|447=D|`, 13, 447],
  ['14: a header tag in the body', 'D', `${order}50=SUB|`, 14, 50],
  ['14: a header tag behind a user-defined one', 'D', `5000=x|50=SUB|${order}`, 14, 50],
  ['14: a body tag in the trailer', 'D', `${order}93=1|89=x|58=t|`, 14, 58],
  ['15: an entry that begins with another tag', 'D', `${order}453=1|447=D|448=A|`, 15, 447],
  ['15: tags of an entry in another order', 'D', `${order}453=1|448=A|452=1|447=D|`, 15, 447],
  ['16: fewer entries than counted', 'D', `${order}453=3|448=A|448=B|`, 16, 453],
  ['16: more entries than counted', 'D', `${order}453=1|448=A|448=B|`, 16, 453],
  ['16: entries behind a count of none', 'D', `${order}453=0|448=A|`, 16, 453],
  ['16: a count beyond all bytes', 'D', `${order}453=99999999999999999999|448=A|`, 16, 453],
  ['16: a wrong count inside a group', 'D', `${order}453=1|448=A|802=2|523=x|`, 16, 802],
])('373=%s', (_name, msgType, body, reason, tag) => {
  expect(check(message(msgType, body))).toEqual({ reason, tag });
});

test('373=3: an undefined user tag, where the session is strict', () => {
  const bytes = message('D', `${order}5000=x|`);
  expect(check(bytes, { strictUserTags: true })).toEqual({ reason: 3, tag: 5000 });
});

test.each(['ZZ', '~', 'ABC', '\xff', 'A\xff', '\xc1D', '\xc4', ''])(
  '373=11: MsgType(35) %j is unknown',
  (type) => {
    expect(check(framed(`35=${type}|${header}`))).toEqual({ reason: 11, tag: 35 });
  },
);

test('373=1: a header without MsgSeqNum(34)', () => {
  const bytes = framed('35=0|49=TW|56=ISLD|52=20261121-10:38:16|');
  expect(check(bytes)).toEqual({ reason: 1, tag: 34 });
});

test('373=99: more fields than the limit', () => {
  const limits = { maxBodyBytes: 65_536, maxFields: 100 };
  const decoder = new Decoder(fix44(), limits);
  const validator = new Validator(fix44());
  const fits = Array.from({ length: 100 - 14 }, (_, i) => `${5000 + i}=x|`).join('');
  decoder.push(message('D', `${order}${fits}`));
  expect(decoder.next()).toBe('message');
  expect(validator.validate(decoder.message)).toBeUndefined();
  decoder.push(message('D', `${order}${fits}7000=x|`));
  expect(decoder.next()).toBe('message');
  expect(validator.validate(decoder.message)).toEqual({ reject: 'other', tag: 7000 });
  expect(decoder.message.msgSeqNum).toBe(2);
});

test('a field that stands in a group first and then at the top level is found at the top level', () => {
  const list = '320=a|322=b|560=0|146=1|55=X|58=inside|';
  const decoder = new Decoder(fix44());
  decoder.push(message('y', list));
  expect(decoder.next()).toBe('message');
  expect(new Validator(fix44()).validate(decoder.message)).toBeUndefined();
  expect(decoder.message.text(58)).toBeUndefined();
  expect(decoder.message.entries(146)[0]?.text(58)).toBe('inside');
});

test('the custom tags are checked where the dictionary of the bridge defines them', () => {
  const dictionary = causeway44();
  const algo = (fields: string) => check(message('D', `${order}${fields}`), { dictionary });
  expect(algo('9107=twap|9108=1.5|9109=1000|9114=Y|')).toBeUndefined();
  expect(algo('9109=soon|')).toEqual({ reason: 6, tag: 9109 });
  expect(algo('9101=100|')).toEqual({ reason: 2, tag: 9101 });
});

test('a type that only the standard has is unknown to the bridge', () => {
  const list = framed(`35=E|${header}66=L|`);
  expect(check(list, { dictionary: causeway44() })).toEqual({ reason: 11, tag: 35 });
  expect(fix44().messages.has('E')).toBe(true);
});

test('one validator serves message after message', () => {
  const validator = new Validator(fix44());
  const decoder = new Decoder(fix44());
  decoder.push(Buffer.concat([message('D', `${order}999=x|`), message('D', order)]));
  expect(decoder.next()).toBe('message');
  expect(validator.validate(decoder.message)).toBeDefined();
  expect(decoder.next()).toBe('message');
  expect(validator.validate(decoder.message)).toBeUndefined();
  expect(validator.validate(decoder.message)).toBeUndefined();
});
