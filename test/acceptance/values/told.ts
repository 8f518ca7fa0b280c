/** Whether messages can be written and are valid. One decoder serves all, because there are thousands of messages. */
import { Decoder } from '../../../src/fix/decoder.ts';
import { causeway44 } from '../../../src/fix/dictionaries.ts';
import { FieldWriter } from '../../../src/fix/field-writer.ts';
import { Framer } from '../../../src/fix/framer.ts';
import { Validator } from '../../../src/fix/validator.ts';
import { decodeMessage } from '../../../src/sbe/generic-decoder.ts';
import { orders } from '../parity/fixp-words.ts';

const body = new FieldWriter();
const framer = new Framer({ senderCompId: 'B', targetCompId: 'C' });
const limits = { maxBodyBytes: 999_999, maxFields: 1_000_000 };
const decoder = new Decoder(causeway44(), limits);
const validator = new Validator(causeway44(), { strictUserTags: true });

/** Throws unless `write` writes the body of a valid message; it returns the MsgType(35). */
export function told(write: (out: FieldWriter) => string): void {
  const msgType = write(body.clear());
  framer.clear();
  decoder.push(framer.frame(msgType, 7, 0, body.bytes));
  if (decoder.next() !== 'message') throw new Error(decoder.reason);
  const fault = validator.validate(decoder.message);
  if (fault === undefined) return;
  throw new Error(`${fault.reject} of tag ${fault.tag}: ${text()}`);
}

/** Room for the longest message over FIXP. */
export const out = Buffer.alloc(128 * 1024);

/** Throws unless this is a message of orders.xml. */
export function decoded(bytes: Uint8Array): void {
  const message = decodeMessage(orders, bytes);
  if (typeof message === 'string') throw new Error(message);
}

/** What cannot be told, and why. */
export function failuresOf(what: string, paths: Readonly<Record<string, () => void>>): string[] {
  return Object.entries(paths).flatMap(([path, tell]) => {
    try {
      tell();
      return [];
    } catch (error) {
      return [`${path} ${what}: ${(error as Error).message.slice(0, 200)}`];
    }
  });
}

function text(): string {
  return Buffer.from(body.bytes).toString().replaceAll('\x01', '|').slice(0, 300);
}
