/** Two versions of one schema: old reads new, new reads old. The schema of FIXP without our extensions is version 0. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { EstablishmentAck } from '../../src/fixp/generated/establishment-ack.ts';
import { decodeMessage } from '../../src/sbe/generic-decoder.ts';
import { encodeMessage } from '../../src/sbe/generic-encoder.ts';
import type { Json, JsonObject } from '../../src/sbe/json.ts';
import { readSchema } from '../../src/sbe/schema.ts';
import { anyMessage } from './random-message.ts';

const xml = readFileSync(join(import.meta.dirname, '../../dictionaries/fixp.xml'), 'utf8');
const now = readSchema(xml);
const before = readSchema(
  xml
    .replace('version="1"\n', 'version="0"\n')
    .replace(/<field [^>]*sinceVersion="1"[^>]*>/g, '')
    .replace(/<enum [^>]*sinceVersion="1"[\s\S]*?<\/enum>/, ''),
);

test('the schemas differ in the fields of version 1 alone', () => {
  expect([before.version, now.version]).toEqual([0, 1]);
  const lengths = (schema: typeof now) => schema.messages.map(({ blockLength }) => blockLength);
  const differing = lengths(now).filter((length, index) => length !== lengths(before)[index]);
  expect(differing).toEqual([41, 44]);
});

test.each(now.messages.map((message) => [message.name, message] as const))(
  '%s',
  (name, message) => {
    const old = before.messages.find((one) => one.name === name);
    if (old === undefined) throw new Error(`no ${name}`);
    fc.assert(
      fc.property(anyMessage(message, 1), anyMessage(old, 0), (newer, older) => {
        const fromNew = decodeMessage(before, encodeMessage(now, { message: name, fields: newer }));
        expect(fromNew).toMatchObject({ version: 1, fields: only(newer, older) });
        const fromOld = decodeMessage(now, encodeMessage(before, { message: name, fields: older }));
        expect(fromOld).toMatchObject({ version: 0, fields: older });
      }),
      { numRuns: 20, seed: 3 },
    );
  },
);

/** What an earlier reader knows of a later message. */
function only(newer: JsonObject, older: JsonObject): Record<string, Json> {
  return Object.fromEntries(Object.entries(newer).filter(([name]) => name in older));
}

test('a field that the writer did not know is absent, not null', () => {
  const ack = new EstablishmentAck();
  const bytes = ack.encode(Buffer.alloc(64), 0, 0).setNextSeqNo(7).bytes;
  expect(ack.wrap(Uint8Array.from(bytes))).toBeUndefined();
  expect([ack.actingVersion, ack.nextSeqNo, ack.lastIncomingSeqNo]).toEqual([0, 7, undefined]);
  expect(() => ack.encode(Buffer.alloc(64), 0, 0).setLastIncomingSeqNo(1)).toThrow(
    'EstablishmentAck.LastIncomingSeqNo is not in version 0',
  );
});

test('a block that a version 2 made longer is skipped to its end', () => {
  const bytes = Buffer.alloc(80);
  const { length } = new EstablishmentAck().encode(bytes).setLastIncomingSeqNo(9);
  bytes.writeUInt16LE(EstablishmentAck.blockLength + 20, 0);
  bytes.writeUInt16LE(2, 6);
  const ack = new EstablishmentAck();
  expect(ack.wrap(bytes)).toBeUndefined();
  expect([ack.actingVersion, ack.lastIncomingSeqNo, ack.length]).toEqual([2, 9, length + 20]);
  expect(decodeMessage(now, bytes)).toMatchObject({ version: 2, fields: { LastIncomingSeqNo: 9 } });
});
