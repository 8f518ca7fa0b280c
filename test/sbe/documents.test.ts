/** What is generated for people is what the schemas give. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { describeSchema } from '../../src/sbe/describe.ts';
import { dissector } from '../../src/sbe/dissector.ts';
import { readSchema } from '../../src/sbe/schema.ts';

const root = join(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const sources = ['fixp.xml', 'orders.xml'];
const schemas = sources.map((file) => readSchema(read(`dictionaries/${file}`)));

test('docs/FIXP-MESSAGES.md is what "causeway sbe document" writes', () => {
  const written = schemas.map((schema, index) => describeSchema(schema, sources[index] ?? ''));
  expect(read('docs/FIXP-MESSAGES.md')).toBe(written.join('\n'));
});

test('dictionaries/wireshark/causeway.lua is what "causeway sbe dissector" writes', () => {
  expect(read('dictionaries/wireshark/causeway.lua')).toBe(dissector(schemas));
});

test('a field, its null, its version and its bytes are told', () => {
  const [fixp] = schemas;
  if (fixp === undefined) throw new Error('no schema');
  const lines = describeSchema(fixp, 'fixp.xml').split('\n');
  expect(lines).toContain(
    '| 37 | 4 | CodTimeoutWindow | 7 | uint32 | optional, null is 4294967295, since version 1 | Time to come back before orders are cancelled; null: as configured |',
  );
  expect(lines).toContain('| 0 | `2900` | messageHeader.blockLength | 41 |');
  expect(lines).toContain('| 3 | OnDisconnectOrTerminate | since version 1 |');
});
