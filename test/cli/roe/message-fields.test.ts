/** The tables of fields in the rules of engagement, against what the bridge requires of each message. */
import { expect, test } from 'vitest';
import { fieldsOf } from '../../../src/cli/roe/message-fields.ts';
import { messageUses } from '../../../src/cli/roe/message-uses.ts';
import { isDenial } from '../../../src/domain/denial.ts';
import { causeway44 } from '../../../src/fix/dictionaries.ts';
import type { ClientProfile } from '../../../src/gateway/config/config.ts';
import { readCommand } from '../../../src/mapping/fix/read-command.ts';
import { readSettings, received } from '../../mapping/fix/wire.ts';

const echoing = { clientFields: 'echo' } as ClientProfile;

function rowOf(msgType: string, tag: number, profile = echoing) {
  const use = messageUses.find((one) => one.msgType === msgType)!;
  const table = fieldsOf(use, causeway44(), profile)[1] as unknown as { rows: unknown[][] };
  const [, name, required, values, note] = table.rows.find(([first]) => first === tag) ?? [];
  return { name, required, values, note };
}

test.each([
  ['D', 11, 'yes'],
  ['D', 38, 'yes'],
  ['D', 44, 'if OrdType(40) is 2 or 4'],
  ['D', 126, '126 or 432, if TimeInForce(59) is 6'],
  ['D', 432, '126 or 432, if TimeInForce(59) is 6'],
  ['D', 55, '55 or 48'],
  ['F', 55, ''],
  ['q', 55, '55 or 48, if 530=1'],
  ['Z', 55, '55 or 48, if 298=1, in the group'],
  ['i', 299, 'yes, in the group'],
  ['i', 132, 'in the group'],
  ['8', 44, ''],
])('in %s, field %i is required: %s', (msgType, tag, required) => {
  expect(rowOf(msgType, tag).required).toBe(required);
});

test.each([
  ['D', 'OrderQty(38)', '11=A|55=BTC-USDC|60=20260105-12:00:00|44=1|40=2|54=1'],
  ['q', 'Symbol(55)', '11=A|60=20260105-12:00:00|530=1'],
])('%s without %s, which its table requires, is rejected by name', (msgType, text, body) => {
  const read = readCommand(received(msgType, body), readSettings);
  expect(isDenial(read) && [read.refusal.name, read.text]).toEqual(['field_missing', text]);
});

test('a field about the client is echoed or refused, as the session is configured', () => {
  const refusing = { clientFields: 'refuse' } as ClientProfile;
  expect(rowOf('D', 58).note).toBe('about the client: echoed in every report');
  expect(rowOf('D', 58, refusing).note).toBe('refused');
  expect(rowOf('9', 58).note).toBe('begins with the code in 9102');
});
