/**
 * A million inputs for the FIX decoder and validator: mutations of good messages and of the attacks that are known,
 * half of them with BodyLength and CheckSum mended so that they get past the framing. Nothing may escape, hang or
 * grow; pieces and whole give the same; what is decoded can be written again byte by byte.
 */
import { Decoder } from '../../src/fix/decoder.ts';
import { fix44 } from '../../src/fix/dictionaries.ts';
import type { FieldReader, Message } from '../../src/fix/message.ts';
import { Validator } from '../../src/fix/validator.ts';
import { checkSummed, framed, fromText, message, toText } from '../support/fix-text.ts';
import type { LongRun } from './main.ts';

const order = '11=ID|21=1|38=2|40=1|54=1|55=INTC|60=20261121-10:38:16|';
const corpus: Uint8Array[] = [
  message('0', '112=T|'),
  message('A', '98=0|108=30|141=Y|553=user|554=secret|95=3|96=a|b|'),
  message('D', order),
  message('D', `${order}453=2|448=A|447=D|452=1|802=1|523=x|803=2|448=B|452=3|18=1 5|`),
  message('8', '37=O|17=E|150=F|39=1|55=X|54=1|151=1|14=1.5|6=100.25|136=1|137=-0.1|139=4|'),
  message('i', '117=Q|296=1|302=S|304=2|295=2|299=a|55=X|132=1|133=2|299=b|55=Y|'),
  message('B', '148=H|33=2|58=t|58=u|95=8|96=8=FIX|9|'),
  message('2', '7=1|16=0|'),
  message('4', '123=Y|36=10|'),
  // The attacks of the design: lengths, counts, tags.
  fromText('8=FIX.4.4|9=999999|35=0|'),
  fromText('8=FIX.4.4|9=-1|35=0|'),
  fromText('8=FIX.4.4|9=4294967296|35=0|'),
  fromText('8=FIX.4.4|9=0x5|35=0|'),
  message('D', `${order}453=99999999|448=A|`),
  message('D', `${order}453=-2147483648|`),
  message('D', `${order}354=99999999999|355=x|`),
  message('D', `${order}${'5000=x|'.repeat(30)}`),
  message('D', `${order}${Array.from({ length: 70 }, (_, i) => `${5000 + i}=1|`).join('')}`),
  message('D', `${order}453=40|${'448=A|802=2|523=x|523=y|'.repeat(10)}`),
  framed(`34=1|35=0|${'='.repeat(60)}|`),
  checkSummed('8=FIX.4.4|9=5|35=|'),
];
const limits = { maxBodyBytes: 4096, maxFields: 64 };
const tokens = [
  '|',
  '=',
  '|=',
  '8=FIX',
  '9=',
  '10=',
  '35=',
  '453=2|',
  '95=5|96=',
  '-',
  '0',
  '99999',
  '\xff',
];

/** Small and good enough: mulberry32. Answers integers below `below`. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

type Random = (below: number) => number;
const pick = <T>(random: Random, from: readonly T[]): T => from[random(from.length)] as T;

function mutate(random: Random, input: Uint8Array): Uint8Array {
  const at = random(input.length + 1);
  const to = Math.min(input.length, at + random(12));
  switch (random(7)) {
    case 0: {
      const flipped = Uint8Array.from(input);
      if (at < flipped.length) flipped[at] = random(256);
      return flipped;
    }
    case 1:
      return Buffer.concat([input.subarray(0, at), input.subarray(to)]);
    case 2:
      return Buffer.concat([input.subarray(0, to), input.subarray(at)]);
    case 3:
      return Buffer.concat([
        input.subarray(0, at),
        fromText(pick(random, tokens)),
        input.subarray(at),
      ]);
    case 4:
      return Buffer.concat([input.subarray(0, at), pick(random, corpus).subarray(at)]);
    case 5:
      return swapFields(random, input);
    default:
      return Buffer.concat([input, pick(random, corpus)]);
  }
}

function swapFields(random: Random, input: Uint8Array): Uint8Array {
  const fields = toText(input).split('|');
  const [a, b] = [random(fields.length), random(fields.length)];
  [fields[a], fields[b]] = [fields[b] ?? '', fields[a] ?? ''];
  return fromText(fields.join('|'));
}

/** Gives what is between MsgType(35) and CheckSum(10) a good frame. */
function mend(input: Uint8Array): Uint8Array {
  const text = toText(input);
  const from = text.indexOf('|35=') + 1;
  const to = text.lastIndexOf('|10=') + 1;
  if (from === 0 || to <= from) return input;
  return framed(text.slice(from, to));
}

function makeInput(random: Random): Uint8Array {
  if (random(50) === 0) return Uint8Array.from({ length: random(80) }, () => random(256));
  let input = pick(random, corpus);
  for (let mutations = 1 + random(3); mutations > 0; mutations--) input = mutate(random, input);
  return random(2) === 0 ? mend(input) : input;
}

function readAll(fields: FieldReader, depth = 0): void {
  for (const { tag } of fields.fields()) {
    fields.text(tag);
    fields.int(tag);
    fields.bool(tag);
    fields.utcMs(tag);
    fields.dateMs(tag);
    if (depth < 3) for (const entry of fields.entries(tag)) readAll(entry, depth + 1);
  }
}

function writeAgain(decoded: Message): void {
  let text = '';
  for (const { tag, value } of decoded.fields()) text += `${tag}=${toText(value)}|`;
  const raw = toText(decoded.raw);
  if (text !== raw) throw new Error(`decoded ${raw} but would write ${text}`);
}

class Run {
  readonly #validator = new Validator(fix44());
  readonly #strict = new Validator(fix44(), { strictUserTags: true });
  readonly seen = { message: 0, garbled: 0, fatal: 0, valid: 0 };

  /** What comes out of the pieces, in one line. */
  outcome(pieces: readonly Uint8Array[], isDeep: boolean): string {
    const decoder = new Decoder(fix44(), limits);
    let outcome = '';
    for (const piece of pieces) {
      decoder.push(piece);
      for (let steps = 0; ; steps++) {
        if (steps > piece.length + 1) throw new Error('the decoder does not come to an end');
        const step = decoder.next();
        if (step === 'more') break;
        this.seen[step] += 1;
        outcome += step === 'message' ? this.#message(decoder.message, isDeep) : `${step};`;
        if (step === 'fatal') return outcome;
      }
    }
    return outcome;
  }

  #message(decoded: Message, isDeep: boolean): string {
    const fault = this.#validator.validate(decoded);
    if (fault === undefined) {
      this.seen.valid += 1;
      writeAgain(decoded);
    }
    if (isDeep) {
      readAll(decoded);
      this.#strict.validate(decoded);
    }
    return fault === undefined ? `${decoded.raw.length};` : `${fault.reject} ${fault.tag};`;
  }
}

export async function run({ short, seed }: LongRun): Promise<string> {
  const inputs = short ? 1_000_000 : 20_000_000;
  const random = randomFrom(seed);
  const fuzz = new Run();
  let memoryAfterStart = 0;
  for (let i = 0; i < inputs; i++) {
    const input = makeInput(random);
    try {
      const whole = fuzz.outcome([input], i % 8 === 0);
      if (i % 4 === 0) {
        const at = random(input.length + 1);
        const later = at + random(input.length - at + 1);
        const pieces = [input.subarray(0, at), input.subarray(at, later), input.subarray(later)];
        const cut = fuzz.outcome(pieces, false);
        if (cut !== whole) throw new Error(`whole ${whole} but in pieces ${cut}`);
      }
    } catch (error) {
      const text = JSON.stringify(toText(input));
      throw new Error(`input ${i} ${text}: ${error instanceof Error ? error.stack : error}`);
    }
    if (i === inputs / 10) memoryAfterStart = process.memoryUsage().rss;
  }
  const grown = process.memoryUsage().rss - memoryAfterStart;
  if (grown > 200e6) throw new Error(`memory grew by ${grown} bytes`);
  const { message: messages, garbled, fatal, valid } = fuzz.seen;
  for (const [kind, count] of Object.entries(fuzz.seen)) {
    if (count < inputs / 1000) throw new Error(`only ${count} ${kind}: the fuzzing misses its aim`);
  }
  return `${inputs} inputs: ${messages} messages (${valid} valid), ${garbled} garbled, ${fatal} fatal`;
}
