/** `causeway decode`: shows FIX and SBE messages with names and meanings, from a pipe, a log or a TCP stream. */
import { createReadStream } from 'node:fs';
import { styleText } from 'node:util';
import { type Dictionary, loadDictionary } from '../fix/dictionary.ts';
import type { Schema } from '../sbe/model.ts';
import { decodeWith } from '../sbe/schema-set.ts';
import { command } from './command.ts';
import { readFix } from './decode/fix-message.ts';
import type { Found, Missed } from './decode/flows.ts';
import { messagesIn } from './decode/sources.ts';
import { messageJson, printable, type ShownField, shownFields } from './fix-text.ts';
import { choice, flag, text } from './options.ts';
import { loadSchemas, sbeFields } from './sbe/schemas.ts';
import { exitCodes } from './verb.ts';

const about = `Reads standard input, or each FILE: text with |, ^A or SOH between the fields and anything before the message; SBE
behind the Simple Open Framing Header; and both in hex, one line each, as tshark -z follow,tcp,raw prints a reassembled
TCP connection. Each FIX message is checked as a session of the bridge would check it, and faults follow the "!".
Passwords are never shown.`;

const maxFiles = 10_000;

export const verb = command({
  summary: 'show messages of logs and TCP streams with names and meanings',
  forms: ['[FILE …] [options]'],
  about,
  maxOperands: maxFiles,
  options: {
    tall: flag('one field a line, with the meaning of its value'),
    type: text('TYPES', 'only these: a MsgType(35) or the name of a message, such as D,8'),
    wrong: flag('only messages in which something is wrong'),
    dictionary: text('FILE', 'dictionary in the format of QuickFIX; the shipped ones when absent'),
    schema: text('FILES', 'SBE schemas, separated by commas; the shipped ones when absent'),
    color: choice(['auto', 'always', 'never'], 'colours', 'auto'),
  },
  notes: `Exit code 1 where no message was found, or --wrong found one.`,
  examples: [
    'tail -f fix.log | causeway decode',
    'causeway decode --tall --type 8 logs/*.log',
    'tshark -r line.pcap -q -z follow,tcp,raw,0 | causeway decode --json | jq .name',
    "echo '8=FIX.4.4|9=5|35=0|10=163|' | causeway decode",
  ],
  async run({ tall, type, wrong, dictionary, schema, color, json }, files) {
    const types = type === undefined ? undefined : new Set(type.split(','));
    const own = dictionary === undefined ? undefined : loadDictionary(dictionary);
    const schemas = loadSchemas(schema).map((one) => one.schema);
    const paint = painter(color);
    const missed: Missed = { otherLines: 0, droppedBytes: 0 };
    let count = 0;
    for await (const found of foundIn(files, missed)) {
      const shown = found.protocol === 'fix' ? fixShown(found, own) : sbeShown(schemas, found);
      if (types !== undefined && !shown.types.some((one) => types.has(one))) continue;
      if (wrong && shown.faults.length === 0) continue;
      count += 1;
      const { where } = found;
      if (json) console.log(JSON.stringify({ ...(where !== '' && { where }), ...shown.json }));
      else console.log(tall ? tallText(found, shown, paint) : lineText(found, shown, paint));
    }
    reportMissed(missed, count === 0 && !wrong, json);
    return (count === 0) === wrong ? exitCodes.done : exitCodes.failed;
  },
});

/** With several files, each message is printed with the name of its file. */
async function* foundIn(files: readonly string[], missed: Missed): AsyncGenerator<Found> {
  if (files.length === 0) yield* messagesIn(process.stdin, missed);
  for (const file of files) {
    for await (const found of messagesIn(createReadStream(file), missed)) {
      const where = files.length === 1 ? found.where : `${file}: ${found.where}`.trim();
      yield { ...found, where };
    }
  }
}

function reportMissed(missed: Missed, isNothing: boolean, json: boolean): void {
  const { droppedBytes, otherLines } = missed;
  if (json) {
    if (isNothing || droppedBytes > 0) {
      console.error(JSON.stringify({ ok: !isNothing, ...missed }));
    }
    return;
  }
  if (droppedBytes > 0) {
    console.error(`${droppedBytes} bytes without an end of message were left out`);
  }
  if (!isNothing) return;
  const lines = otherLines > 0 ? `, and ${otherLines} lines of other text` : '';
  console.error(`no message was found${lines}`);
}

type Style = Parameters<typeof styleText>[0];
type Paint = (style: Style, text: string) => string;

function painter(color: 'auto' | 'always' | 'never'): Paint {
  if (color === 'never') return (_, value) => value;
  const options = color === 'always' ? { validateStream: false } : { stream: process.stdout };
  return (style, value) => styleText(style, value, options);
}

/** The displayed parts of a message, for any protocol. */
interface Shown {
  readonly title: string;
  /** The name for `--type`. */
  readonly types: readonly string[];
  readonly fields: readonly ShownField[];
  readonly faults: readonly string[];
  readonly json: object;
}

function fixShown({ bytes }: Found, own: Dictionary | undefined): Shown {
  const { message, faults } = readFix(bytes, own, own);
  const msgType = printable(Buffer.from(message.msgType));
  const name = message.info?.name ?? '?';
  return {
    title: `${name}(${msgType})`,
    types: [msgType, name],
    fields: [...shownFields(message)],
    faults,
    json: { ...messageJson(message), faults, bytes: bytes.length },
  };
}

function sbeShown(schemas: readonly Schema[], { bytes }: Found): Shown {
  const decoded = decodeWith(schemas, bytes);
  if (typeof decoded === 'string') {
    const json = { name: '?', fields: {}, faults: [decoded], bytes: bytes.length };
    return { title: '?(SBE)', types: [], fields: [], faults: [decoded], json };
  }
  const { message: name, templateId, fields, outOfRange } = decoded;
  const faults = outOfRange.map((field) => `${field} is out of range`);
  const rows = sbeFields(fields).map(([field, value]): ShownField => {
    const shown = secretFields.test(field) ? '…' : printable(value);
    return { tag: 0, name: field, value: shown, meaning: '', depth: 0, beginsEntry: false };
  });
  const values = Object.fromEntries(rows.map((row) => [row.name, row.value]));
  return {
    title: `${name}(${templateId})`,
    types: [name, String(templateId)],
    fields: rows,
    faults,
    json: { name, templateId, fields: values, faults, bytes: bytes.length },
  };
}

/** Fields that authenticate a client in Negotiate and Establish. */
const secretFields = /credentials/i;

const framing = new Set([8, 9, 35, 10]);
/** The fields that a reader looks for first. */
const identities = /^(ClOrdID|OrderID|ExecID|OrigClOrdID)$/i;

function heading({ where }: Found, { title, faults }: Shown, paint: Paint): string {
  const place = where === '' ? '' : `${paint('gray', printable(where))} `;
  return `${place}${paint(faults.length > 0 ? ['bold', 'red'] : ['bold', 'cyan'], title)}`;
}

function faultsText(faults: readonly string[], paint: Paint): string {
  return faults.map((fault) => paint('red', `! ${fault}`)).join('  ');
}

function lineText(found: Found, shown: Shown, paint: Paint): string {
  const parts = [heading(found, shown, paint)];
  for (const { tag, name, value } of shown.fields) {
    if (framing.has(tag)) continue;
    const label = paint('gray', tag === 0 ? `${name}=` : `${name}(${tag})=`);
    parts.push(`${label}${identities.test(name) ? paint('yellow', value) : value}`);
  }
  if (shown.faults.length > 0) parts.push(faultsText(shown.faults, paint));
  return parts.join('  ');
}

function tallText(found: Found, shown: Shown, paint: Paint): string {
  const lines = [heading(found, shown, paint)];
  for (const { tag, name, value, meaning, depth, beginsEntry } of shown.fields) {
    const indent = '  '.repeat(depth + 1);
    const bullet = beginsEntry ? `${indent.slice(2)}- ` : indent;
    const number = tag === 0 ? '' : `${String(tag).padStart(5 - (depth > 0 ? 1 : 0))} `;
    const note = meaning === '' ? '' : `  ${paint('green', meaning)}`;
    const shownValue = identities.test(name) ? paint('yellow', value) : value;
    lines.push(`${`${bullet}${number}${name}`.padEnd(36)} ${shownValue}${note}`);
  }
  if (shown.faults.length > 0) lines.push(`  ${faultsText(shown.faults, paint)}`);
  return `${lines.join('\n')}\n`;
}
