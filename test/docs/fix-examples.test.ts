/** docs/FIX-EXAMPLES.md is made by the code of the bridge: `npx vitest run test/docs -u` rewrites it. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FixReader } from '../../src/cli/decode/fix-message.ts';
import { fieldNotes } from '../../src/cli/roe/field-notes.ts';
import { playFix } from './fix-conversation.ts';
import type { Said } from './fixp-conversation.ts';

/** Fields of the standard, as they are used here. */
const notes: Readonly<Record<number, string>> = {
  8: 'the protocol; it is always the first field',
  9: 'how many bytes follow, up to the separator before CheckSum(10)',
  35: 'the type of the message',
  34: 'the number of the message, counted by its sender from 1 without a gap',
  49: 'who sends',
  52: 'when it was sent, in UTC',
  56: 'who receives',
  10: 'the sum of all bytes before it, modulo 256, in three digits',
  98: 'no encryption within FIX; TLS encrypts the connection',
  108: 'a message at least every so many seconds, in both directions',
  141: 'both sides start again with MsgSeqNum(34) 1',
  553: 'the user',
  554: 'the password of the user',
  7: 'the first message that is wanted again',
  15: 'the currency of the price',
  16: 'the last message that is wanted again',
  43: 'the message may have been received before',
  122: 'when the message was sent the first time',
  58: 'a text for people',
  11: 'the name that the client gives the order, unique within its session',
  37: 'the id of the order; that of the venue as soon as it is known',
  17: 'the name of this report; a report that is received twice has the same one',
  38: 'the quantity of the order',
  44: 'the limit price',
  60: 'when the order was created, or the event happened',
  14: 'the quantity that has traded in total',
  151: 'the quantity that may still trade',
  6: 'the average price of what has traded; 0 if nothing has',
  32: 'the quantity of this trade',
  31: 'the price of this trade',
  136: 'one fee follows',
  137: 'the amount of the fee',
  138: 'the currency of the fee',
  198: 'the key of the order at the bridge',
};

const purposes: readonly string[] = [
  'The client logs on and starts both sequences at 1.',
  'The bridge accepts with the same values. The session is established.',
  'A limit order to buy 0.01 BTC at 50,000 USDC.',
  'Pending New: the order is recorded and on its way to the venue.',
  'New: the venue has the order.',
  'Trade: half of the order is filled.',
  'The client has nothing to send and shows that it is there.',
  'The client asks for message 3 of the bridge again.',
  'The bridge sends it again, with the same number and PossDupFlag(43)=Y.',
  'The client logs out.',
  'The bridge answers, and the connection is closed.',
];

const reader = new FixReader();
const said = await playFix();

interface Row {
  readonly offset: number;
  readonly text: string;
  readonly name: string;
  readonly meaning: string;
}

/** Each field of a message with its bytes. */
function rowsOf(bytes: Buffer): readonly Row[] {
  const { message, faults } = reader.read(bytes);
  expect(faults).toEqual([]);
  const { dictionary } = message.index;
  const rows: Row[] = [];
  let offset = 0;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: SOH is what ends a field
  for (const field of bytes.toString('latin1').split(/(?<=\x01)/)) {
    const [tagText = '', value = ''] = field.slice(0, -1).split('=', 2);
    const tag = Number(tagText);
    const info = dictionary.fields[dictionary.fieldOf[tag] ?? 0];
    const word = info?.meanings[info.values.indexOf(value)] ?? '';
    const type = tag === 35 ? (message.info?.name ?? '') : word;
    // The notes of a field with words list all of its values.
    const note = notes[tag] ?? (word === '' ? (fieldNotes[tag] ?? '') : '');
    const shownType = type === type.toUpperCase() ? type.toLowerCase().replaceAll('_', ' ') : type;
    const meaning = [shownType, note].filter((part) => part !== '').join(': ');
    const shown = `${field.slice(0, -1)}<SOH>`;
    rows.push({ offset, text: shown, name: `${info?.name}(${tag})`, meaning });
    offset += field.length;
  }
  expect(offset).toBe(bytes.length);
  return rows;
}

function step({ by, bytes }: Said, index: number): string {
  const { message } = reader.read(bytes);
  const who = by === 'client' ? 'Client' : 'Bridge';
  return [
    `## ${index + 1}. ${who}: ${message.info?.name}(${message.msgType})`,
    '',
    purposes[index] ?? '',
    '',
    '| Offset | Bytes | Field | Meaning |',
    '|---|---|---|---|',
    ...rowsOf(bytes).map(
      ({ offset, text, name, meaning }) =>
        `| ${offset} | \`${text}\` | ${name} | ${meaning.replaceAll('|', '\\|')} |`,
    ),
  ].join('\n');
}

test('the conversation in the documents is what session, mapping and orders say', async () => {
  const text = `# A FIX session, byte by byte

Made by the code of the bridge: \`npx vitest run test/docs -u\` rewrites it. A client logs on, places an order that is filled in
part, asks for a message again, and logs out. Every byte of every message is shown: a field is its tag, \`=\`, its value, and the
separator \`<SOH>\`, one byte of value 1. [MAPPING](MAPPING.md) has the rules, and \`causeway decode\` shows your own log like this.

${said.map(step).join('\n\n')}
`;
  await expect(text).toMatchFileSnapshot(join(import.meta.dirname, '../../docs/FIX-EXAMPLES.md'));
});

test('every field of the conversation is explained, and every message has its purpose', () => {
  const unexplained = said.flatMap(({ bytes }) =>
    rowsOf(bytes).filter(({ meaning }) => meaning === ''),
  );
  expect([...new Set(unexplained.map(({ name }) => name))]).toEqual([]);
  expect(said).toHaveLength(purposes.length);
});
