/**
 * A million inputs for the SBE decoders and the framing: mutations of good messages of every schema, with lengths and
 * counts that lie. Nothing may escape, hang or grow; the generated classes and the generic codec take and refuse the
 * same, and read the same out of what they take.
 */
import { deepStrictEqual } from 'node:assert';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Deframer, framed } from '../../src/fixp/framing.ts';
import { exampleOf } from '../../src/sbe/example.ts';
import { decodeMessage } from '../../src/sbe/generic-decoder.ts';
import { encodeMessage } from '../../src/sbe/generic-encoder.ts';
import type { Message, Schema } from '../../src/sbe/model.ts';
import { readSchema } from '../../src/sbe/schema.ts';
import { type Generated, readAll } from '../sbe/generated-json.ts';
import { wholeCode } from '../sbe/whole-code.ts';
import { Dice } from './crash-line.ts';
import type { LongRun } from './main.ts';

const root = join(import.meta.dirname, '../..');
const tried = [
  { file: 'dictionaries/fixp.xml', shared: [] },
  { file: 'dictionaries/orders.xml', shared: ['State'] },
  { file: 'test/sbe/features/features.xml', shared: [] },
];
const maxMessageBytes = 4096;
/** What one input may take; a hang is longer by far. */
const maxInputMs = 2000;

interface Target {
  readonly schema: Schema;
  readonly message: Message;
  readonly object: Generated;
  readonly good: Buffer;
}

export async function run({ short, seed }: LongRun): Promise<string> {
  const targets = await allTargets();
  const dice = new Dice(seed);
  const inputs = short ? 60_000 : 1_000_000;
  const heapBefore = process.memoryUsage().heapUsed;
  let taken = 0;
  for (let input = 0; input < inputs; input += 1) {
    const target = targets[dice.below(targets.length)] as Target;
    const bytes = mutated(target.good, dice);
    const startMs = performance.now();
    try {
      if (read(target, bytes)) taken += 1;
      if (input % 4 === 0) deframe(bytes, dice);
    } catch (error) {
      const { name } = target.message;
      throw new Error(`input ${input}, ${name}: ${bytes.toString('hex')}`, { cause: error });
    }
    if (performance.now() - startMs > maxInputMs) throw new Error(`input ${input} took too long`);
  }
  const grownMb = (process.memoryUsage().heapUsed - heapBefore) / 1e6;
  if (grownMb > 300) throw new Error(`the heap grew by ${grownMb.toFixed(0)} MB`);
  if (taken < inputs / 20 || taken > inputs * 0.95) throw new Error(`${taken} of ${inputs} taken`);
  return `${inputs} inputs for ${targets.length} messages, ${taken} taken alike by both codecs`;
}

async function allTargets(): Promise<Target[]> {
  const targets: Target[] = [];
  for (const { file, shared } of tried) {
    const schema = readSchema(readFileSync(join(root, file), 'utf8'));
    const objects = await wholeCode(schema, shared);
    for (const message of schema.messages) {
      const fields = exampleOf(message);
      const good = encodeMessage(schema, { message: message.name, fields });
      targets.push({ schema, message, object: objects.get(message.name), good });
    }
  }
  return targets;
}

/** True when both codecs took the message. */
function read({ schema, message, object }: Target, bytes: Buffer): boolean {
  const fault: string | undefined = object.wrap(bytes);
  const decoded = decodeMessage(schema, bytes);
  if (typeof decoded === 'string') {
    if (fault === undefined) throw new Error(`taken by generated code alone: ${decoded}`);
    return false;
  }
  // Another good header is another message: the class refuses what is not its own.
  if (decoded.message !== message.name) return false;
  if (fault !== undefined) throw new Error(`refused by generated code alone: ${fault}`);
  deepStrictEqual(readAll(object, message, decoded.version), decoded.fields);
  return true;
}

function mutated(good: Buffer, dice: Dice): Buffer {
  const bytes = Buffer.from(good);
  for (let changes = dice.below(4); changes > 0; changes -= 1) {
    const at = dice.below(bytes.length);
    const values = [0, 1, 0x7f, 0x80, 0xfe, 0xff, dice.below(256)];
    bytes[at] = values[dice.below(values.length)] as number;
  }
  switch (dice.below(8)) {
    case 0:
      return bytes.subarray(0, dice.below(bytes.length + 1));
    case 1:
      return Buffer.concat([bytes, Buffer.alloc(dice.below(600), dice.below(256))]);
    case 2: {
      const at = dice.below(bytes.length + 1);
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(dice.below(bytes.length + 1))]);
    }
    default:
      return bytes;
  }
}

/** Frames cut anywhere come out as they went in, and what is no frame is refused for good. */
function deframe(message: Buffer, dice: Dice): void {
  const order = dice.once(2) ? 'big' : 'little';
  const deframer = new Deframer(order, maxMessageBytes);
  const stream = framed(message, order);
  const isSpoilt = dice.once(3);
  if (isSpoilt) stream[dice.below(stream.length)] = dice.below(256);
  let found = 0;
  for (let at = 0; at < stream.length; ) {
    const size = 1 + dice.below(40);
    deframer.push(stream.subarray(at, at + size));
    at += size;
    let step = deframer.next();
    for (; step === 'message'; step = deframer.next()) {
      found += 1;
      if (!isSpoilt && !message.equals(deframer.message))
        throw new Error('another message came out');
    }
    if (step === 'bad') {
      if (!isSpoilt && message.length >= 8) throw new Error(deframer.reason);
      if (deframer.next() !== 'bad') throw new Error('a framing that was bad is good again');
      return;
    }
  }
  if (!isSpoilt && found !== 1) throw new Error(`${found} messages of 1`);
}
