/** What a client says of itself in an order, beyond its terms. */
import { expect, test } from 'vitest';
import type { ClientFields, NewOrder } from '../../../src/domain/command.ts';
import { isDenial } from '../../../src/domain/denial.ts';
import { causeway44 } from '../../../src/fix/dictionaries.ts';
import { isGroup, sectionOf, sections } from '../../../src/fix/dictionary.ts';
import { FieldWriter } from '../../../src/fix/field-writer.ts';
import {
  descriptiveTags,
  givenBackTags,
  writeFields,
} from '../../../src/mapping/fix/client-fields.ts';
import { readCommand } from '../../../src/mapping/fix/read-command.ts';
import { writeRefusal } from '../../../src/mapping/fix/refusal-message.ts';
import { denied } from '../../support/venue-denial.ts';
import { nowMs, readSettings, received, settings } from './wire.ts';

const order = '11=A|55=BTC-USDC|54=1|38=1|40=2|44=1|60=20260105-12:00:00';
const soh = (text: string) => text.replaceAll('|', '\x01');

function read(body: string, policy: 'echo' | 'refuse' = 'echo', extras = {}) {
  const lenient = { ...readSettings, clientFields: policy };
  const command = readCommand(received('D', body, extras, false), lenient);
  if (isDenial(command)) return `${command.refusal.name}: ${command.text}`;
  return (command as NewOrder).terms.client;
}

test('an order that says nothing of its client has nothing to give back', () => {
  expect(read(`${order}|59=1|21=1|1=desk|107=Bitcoin|461=FXXXXX`)).toBeUndefined();
});

test('what a client says of itself is kept as it came', () => {
  const own = '526=S|583=L|528=A|376=C|5001=x';
  const parties = '448=FUND|447=D|452=3|802=1|523=sub|803=1|448=TRADER|447=D|452=11';
  expect(read(`${order}|${own}|58=as told|453=2|${parties}`)).toEqual({
    fields: soh(`${own}|`),
    text: 'as told',
    parties: soh(`${parties}|`),
    partyCount: 2,
    route: '',
  } satisfies ClientFields);
});

test('who in the client\u2019s house sent the order, or for whom, is where its reports go', () => {
  const extras = { texts: { 115: 'CUST', 116: 'pm', 128: 'HUB' } };
  expect(read(order, 'echo', extras)).toMatchObject({ route: soh('115=HUB|128=CUST|129=pm|') });
});

test('fields beyond ASCII come back byte for byte, and a text is read as UTF-8', () => {
  const client = read(`${order}|583=K\u0101rlis|58=Wa\u0142\u0119sa`, 'echo', {
    texts: { 116: 'K\u0101rlis' },
  });
  if (typeof client !== 'object') throw new Error(client);
  expect(client.text).toBe('Wa\u0142\u0119sa');
  const stored = { ...client, route: '129=K\u0101rlis\x01' };
  for (const { fields, route } of [client, stored]) {
    const out = new FieldWriter();
    writeFields(out, route);
    writeFields(out, fields);
    expect(Buffer.from(out.bytes).toString()).toBe(soh('129=K\u0101rlis|583=K\u0101rlis|'));
  }
});

test('a session that takes none of it refuses the order by the name of the field', () => {
  expect(read(`${order}|526=S`, 'refuse')).toBe('bridge.unsupported: SecondaryClOrdID(526)');
  expect(read(`${order}|5001=x`, 'refuse')).toBe('bridge.unsupported: tag 5001');
  expect(read(order, 'refuse')).toBeUndefined();
});

test('what would be kept for ever has a limit', () => {
  expect(read(`${order}|58=${'x'.repeat(1024)}`)).toHaveProperty('text.length', 1024);
  expect(read(`${order}|58=${'x'.repeat(1025)}`)).toContain('bridge.value_out_of_range');
});

test('every other field of NewOrderSingle(D) is read, describes the instrument, or is refused by its name', () => {
  const { fields, messages } = causeway44();
  const { rules } = messages.get('D')!;
  const samples = [
    '1',
    'Y',
    'A',
    '0',
    '20260105',
    '20260105-12:00:00',
    '202601',
    'x',
    'USD',
    '12:00:00',
  ];
  const taken: number[] = [];
  for (const [number, rule] of rules.entries()) {
    const field = fields[number];
    const isBody = rule !== 0 && sectionOf(rule) === sections.body && !isGroup(rule);
    if (field === undefined || !isBody || order.includes(`|${field.tag}=`)) continue;
    for (const sample of field.values.length > 0 ? field.values : samples) {
      const said = attempt(`${order}|${field.tag}=${sample}`);
      if (said === undefined) continue;
      if (said === `bridge.unsupported: ${field.name}(${field.tag})`) break;
      taken.push(field.tag);
      break;
    }
  }
  const known = [...descriptiveTags, ...givenBackTags];
  const readOnes = [1, 11, 15, 18, 21, 22, 48, 59, 77, 99, 111, 126, 201, 423, 432, 847, 848];
  const own = [9103, 9104, 9105, 9106, 9107, 9108, 9109, 9114];
  expect(taken.filter((tag) => ![...known, ...readOnes, ...own].includes(tag))).toEqual([]);
  for (const tag of [63, 64, 70, 110, 114, 168, 203, 640, 849]) expect(taken).not.toContain(tag);
});

/** Messages of the order; undefined where the value has not the form of the field. */
function attempt(body: string): string | undefined {
  try {
    const said = read(body);
    return typeof said === 'string' ? said : 'taken';
  } catch {
    return undefined;
  }
}

test('a refused order has what its client said of itself, too', () => {
  const message = received('D', `${order}|526=S|453=1|448=FUND|447=D|452=3`);
  const out = new FieldWriter();
  const facts = { execId: 'E', nowMs, about: undefined };
  writeRefusal(out, message, denied('bridge.unknown_account', 'none'), settings, facts);
  const text = Buffer.from(out.bytes).toString('latin1').replaceAll('\x01', '|');
  expect(text).toContain('|453=1|448=FUND|447=D|452=3|526=S|');
});
