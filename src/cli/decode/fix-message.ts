/** One FIX message for display: parsed even if it is invalid, with a list of its faults. */
import { Decoder } from '../../fix/decoder.ts';
import { causeway44, fix44 } from '../../fix/dictionaries.ts';
import type { Dictionary } from '../../fix/dictionary.ts';
import { FieldIndex } from '../../fix/field-index.ts';
import { Message } from '../../fix/message.ts';
import { sessionRejects } from '../../fix/reject.ts';
import { scan } from '../../fix/scan.ts';
import { Validator } from '../../fix/validator.ts';

const maxFields = 4096;
const limits = { maxBodyBytes: 999_999, maxFields };
const trailer = '10=000\x01';

/** `faults` are those for which a session of the bridge would reject the message. */
export function readFix(
  bytes: Buffer,
  own = causeway44(),
  standard = fix44(),
): { readonly message: Message; readonly faults: readonly string[] } {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: SOH is what ends a field
  const isWhole = /\x0110=\d{3}\x01$/.test(bytes.toString('latin1'));
  const faults = framingFaults(bytes, own, isWhole);
  const [version = ''] = bytes.toString('latin1', 2).split('\x01', 1);
  if (version !== own.beginString) {
    faults.push(`Logout(5): BeginString(8)=${version} is not ${own.beginString}`);
  }
  const scanned = isWhole ? bytes : Buffer.concat([bytes, Buffer.from(trailer)]);
  const message = scannedBy(own, scanned);
  if (message.info === undefined) {
    const other = scannedBy(standard, scanned);
    if (other.info !== undefined) {
      faults.push('BusinessMessageReject(j) 380=3: this message type is not offered');
      return { message: other, faults };
    }
  }
  const fault = new Validator(own).validate(message);
  if (fault !== undefined) {
    const { reason, text } = sessionRejects[fault.reject];
    const tag = fault.tag === 0 ? '' : ` 371=${fault.tag}`;
    faults.push(`Reject(3) 373=${reason}${tag}: ${text}`);
  }
  return { message, faults };
}

function framingFaults(bytes: Buffer, dictionary: Dictionary, isWhole: boolean): string[] {
  const decoder = new Decoder(dictionary, limits);
  decoder.push(bytes);
  const step = decoder.next();
  if (step === 'message') return [];
  if (step !== 'more') return [`garbled: ${decoder.reason}`];
  return [`garbled: ${isWhole ? 'BodyLength(9) is above what follows' : 'the message is cut off'}`];
}

function scannedBy(dictionary: Dictionary, bytes: Buffer): Message {
  const index = new FieldIndex(dictionary);
  index.open(bytes, 0, bytes.length);
  scan(index, maxFields);
  return new Message(index);
}
