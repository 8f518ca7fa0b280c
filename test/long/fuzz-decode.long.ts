/**
 * Gives `causeway decode` logs, hex and frames with bytes changed, cut anywhere and in chunks of any size. Nothing but a
 * `Failure` may escape, and nothing may hang.
 */
import { Failure } from '../../src/cli/advice.ts';
import { readFix } from '../../src/cli/decode/fix-message.ts';
import { messagesIn } from '../../src/cli/decode/sources.ts';
import { messageText } from '../../src/cli/fix-text.ts';
import { loadSchemas } from '../../src/cli/sbe/schemas.ts';
import { decodeWith } from '../../src/sbe/schema-set.ts';
import { message } from '../support/fix-text.ts';
import type { LongRun } from './main.ts';

const order = Buffer.from(
  message('D', '11=a|55=BTC|54=1|38=1|40=1|60=20261121-10:00:00|453=1|448=A|95=3|96=a|b|'),
);
const sequence = Buffer.from('00000016eb5008000800bc0a01000700000000000000', 'hex');
const corpus: readonly Buffer[] = [
  order,
  Buffer.concat([sequence, sequence]),
  Buffer.from(`12:00 ${order.toString('latin1').replaceAll('\x01', '|')}\n`, 'latin1'),
  Buffer.from(`${order.toString('hex')}\n\t${sequence.toString('hex')}\n`),
];
const slowestMs = 2_000;

/** The generator of Park and Miller; answers integers below `below`. */
function randomFrom(seed: number): (below: number) => number {
  let state = (seed % 2_147_483_646) + 1;
  return (below) => {
    state = (state * 16_807) % 2_147_483_647;
    return state % below;
  };
}

function mutated(random: (below: number) => number): Buffer {
  const bytes = Buffer.from(corpus[random(corpus.length)] ?? order);
  for (let changes = random(6); changes >= 0; changes -= 1) {
    bytes[random(bytes.length)] = random(256);
  }
  return random(3) === 0 ? bytes.subarray(0, random(bytes.length)) : bytes;
}

export async function run({ short, seed }: LongRun): Promise<string> {
  const random = randomFrom(seed);
  const schemas = loadSchemas(undefined).map(({ schema }) => schema);
  const inputs = short ? 30_000 : 1_000_000;
  let messages = 0;
  let damaged = 0;
  for (let input = 0; input < inputs; input += 1) {
    const bytes = mutated(random);
    async function* chunks() {
      for (let at = 0, size = 0; at < bytes.length; at += size) {
        size = 1 + random(40);
        yield bytes.subarray(at, at + size);
      }
    }
    const startMs = Date.now();
    try {
      const missed = { otherLines: 0, droppedBytes: 0 };
      for await (const found of messagesIn(chunks(), missed)) {
        messages += 1;
        if (found.protocol === 'fix') messageText(readFix(found.bytes).message);
        else decodeWith(schemas, found.bytes);
      }
    } catch (error) {
      if (!(error instanceof Failure)) {
        throw new Error(`input ${input}: ${bytes.toString('hex')}`, { cause: error });
      }
      damaged += 1;
    }
    const tookMs = Date.now() - startMs;
    if (tookMs > slowestMs) throw new Error(`input ${input} took ${tookMs} ms`);
  }
  if (messages < inputs / 4) throw new Error(`only ${messages} messages: the fuzz reaches nothing`);
  return `${inputs} inputs, ${messages} messages, ${damaged} refused`;
}
