/** `causeway decode`: FIX messages with names and meanings, from a pipe, a log, or what was captured on the wire. */
import { createReadStream } from 'node:fs';
import { styleText } from 'node:util';
import { loadDictionary } from '../fix/dictionary.ts';
import { command } from './command.ts';
import { FixReader, type ShownMessage } from './decode/fix-message.ts';
import { type Found, type Missed, messagesIn } from './decode/sources.ts';
import { messageJson, printable, shownFields } from './fix-text.ts';
import { choice, flag, text } from './options.ts';
import { exitCodes } from './verb.ts';

const about = `Reads standard input, or FILE: text with | or ^A or SOH between the fields and anything before the message, pcap and
pcapng files, and hex as tcpdump -x, -xx, -X, tshark -x and tshark -e tcp.payload print it. Each message is checked as
a session of the bridge would; what is wrong stands behind the "!". Passwords are never shown.`;

export const verb = command({
  name: 'decode',
  summary: 'show messages of logs and captures with names and meanings',
  forms: ['[FILE] [options]'],
  about,
  maxOperands: 1,
  options: {
    tall: flag('one field a line, with the meaning of its value'),
    type: text('TYPES', 'only these message types, such as D,8'),
    wrong: flag('only messages in which something is wrong'),
    dictionary: text('FILE', 'dictionary in the format of QuickFIX; the shipped ones when absent'),
    color: choice(['auto', 'always', 'never'], 'colours', 'auto'),
  },
  notes: `Exit code 1 where no message was found, or --wrong found one.`,
  examples: [
    'tail -f fix.log | causeway decode',
    'causeway decode --tall --type 8 fix.log',
    'tcpdump -r line.pcap -x tcp port 9880 | causeway decode',
    'causeway decode line.pcapng --json | jq .name',
    "echo '8=FIX.4.4|9=5|35=0|10=163|' | causeway decode",
  ],
  async run({ tall, type, wrong, dictionary, color, json }, [file]) {
    const types = type === undefined ? undefined : new Set(type.split(','));
    const own = dictionary === undefined ? undefined : loadDictionary(dictionary);
    const reader = own === undefined ? new FixReader() : new FixReader(own, own);
    const input = file === undefined ? process.stdin : createReadStream(file);
    const paint = painter(color);
    const missed: Missed = { holes: 0, otherLines: 0, droppedBytes: 0 };
    let count = 0;
    for await (const found of messagesIn(input, missed)) {
      const shown = reader.read(found.bytes);
      if (types !== undefined && !types.has(shown.message.msgType)) continue;
      if (wrong && shown.faults.length === 0) continue;
      count += 1;
      if (json) console.log(jsonOf(found, shown));
      else console.log(tall ? tallText(found, shown, paint) : lineText(found, shown, paint));
    }
    if (missed.holes > 0) console.error(`${missed.holes} holes: the capture lacks segments`);
    if (missed.droppedBytes > 0) {
      console.error(`${missed.droppedBytes} bytes without an end of message were left out`);
    }
    if (count === 0 && !wrong) {
      const lines = missed.otherLines > 0 ? `, and ${missed.otherLines} lines of other text` : '';
      console.error(`no FIX message was found${lines}`);
    }
    return (count === 0) === wrong ? exitCodes.done : exitCodes.failed;
  },
});

type Style = Parameters<typeof styleText>[0];
type Paint = (style: Style, text: string) => string;

function painter(color: 'auto' | 'always' | 'never'): Paint {
  if (color === 'never') return (_, value) => value;
  const options = color === 'always' ? { validateStream: false } : { stream: process.stdout };
  return (style, value) => styleText(style, value, options);
}

function jsonOf({ where, bytes }: Found, { message, faults }: ShownMessage): string {
  const place = where === '' ? {} : { where };
  return JSON.stringify({ ...place, ...messageJson(message), faults, bytes: bytes.length });
}

const framing = new Set([8, 9, 35, 10]);
/** Whose value a reader looks for first. */
const identity = new Set([11, 37, 17, 41]);

function heading({ where }: Found, { message, faults }: ShownMessage, paint: Paint): string {
  const name = `${message.info?.name ?? '?'}(${printable(Buffer.from(message.msgType))})`;
  const place = where === '' ? '' : `${paint('gray', printable(Buffer.from(where)))} `;
  return `${place}${paint(faults.length > 0 ? ['bold', 'red'] : ['bold', 'cyan'], name)}`;
}

function faultsText(faults: readonly string[], paint: Paint): string {
  return faults.map((fault) => paint('red', `! ${fault}`)).join('  ');
}

function lineText(found: Found, shown: ShownMessage, paint: Paint): string {
  const parts = [heading(found, shown, paint)];
  for (const { tag, name, value } of shownFields(shown.message)) {
    if (framing.has(tag)) continue;
    const label = paint('gray', `${name}(${tag})=`);
    parts.push(`${label}${identity.has(tag) ? paint('yellow', value) : value}`);
  }
  if (shown.faults.length > 0) parts.push(faultsText(shown.faults, paint));
  return parts.join('  ');
}

function tallText(found: Found, shown: ShownMessage, paint: Paint): string {
  const lines = [heading(found, shown, paint)];
  for (const { tag, name, value, meaning, depth, beginsEntry } of shownFields(shown.message)) {
    const indent = '  '.repeat(depth + 1);
    const bullet = beginsEntry ? `${indent.slice(2)}- ` : indent;
    const label = `${bullet}${String(tag).padStart(5 - (depth > 0 ? 1 : 0))} ${name}`;
    const note = meaning === '' ? '' : `  ${paint('green', meaning)}`;
    lines.push(`${label.padEnd(36)} ${identity.has(tag) ? paint('yellow', value) : value}${note}`);
  }
  if (shown.faults.length > 0) lines.push(`  ${faultsText(shown.faults, paint)}`);
  return `${lines.join('\n')}\n`;
}
