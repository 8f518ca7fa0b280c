/** The generated code that is checked in is what its schema gives. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { generate } from '../../src/sbe/generate.ts';
import { readSchema } from '../../src/sbe/schema.ts';

const root = join(import.meta.dirname, '../..');
const inTests = '../../../../src/sbe/flyweight.ts';
const generated = [
  {
    file: 'dictionaries/fixp.xml',
    out: 'src/fixp/generated',
    runtime: '../../sbe/flyweight.ts',
  },
  {
    file: 'dictionaries/orders.xml',
    out: 'src/mapping/sbe/generated',
    runtime: '../../../sbe/flyweight.ts',
  },
  {
    file: 'test/vectors/sbe/standard-examples.xml',
    out: 'test/sbe/standard',
    runtime: '../../../src/sbe/flyweight.ts',
  },
  { file: 'test/sbe/features/features.xml', out: 'test/sbe/features/big', runtime: inTests },
  {
    file: 'test/sbe/features/features.xml',
    order: 'littleEndian',
    out: 'test/sbe/features/little',
    runtime: inTests,
  },
];

test.each(generated)('$out is what $file gives', ({ file, order, out, runtime }) => {
  const xml = readFileSync(join(root, file), 'utf8');
  const schema = readSchema(order === undefined ? xml : xml.replace('bigEndian', order));
  const files = generate(schema, { runtime, source: basename(file) });
  const command = `causeway sbe generate --schema ${file} --out ${out} --runtime ${runtime}`;
  expect(readdirSync(join(root, out)).sort(), command).toEqual([...files.keys()].sort());
  for (const [name, text] of files) {
    expect(readFileSync(join(root, out, name), 'utf8'), command).toBe(text);
  }
});

test('a field whose accessor generated code has itself is refused by name', () => {
  const xml = readFileSync(join(root, 'dictionaries/fixp.xml'), 'utf8');
  const clashing = xml.replace('name="LastSeqNo" id="2"', 'name="Length" id="2"');
  const options = { runtime: './flyweight.ts', source: 'fixp.xml' };
  expect(() => generate(readSchema(clashing), options)).toThrow(
    'FinishedSending would have two members length: rename the field of the schema',
  );
});

test('fields whose flattened names are one are refused by name', () => {
  const xml = readFileSync(join(root, 'dictionaries/fixp.xml'), 'utf8');
  const clashing = xml.replace('name="LastSeqNo" id="2"', 'name="Session_Id" id="2"');
  const options = { runtime: './flyweight.ts', source: 'fixp.xml' };
  expect(() => generate(readSchema(clashing), options)).toThrow('two members sessionId');
});

test('words of a schema cannot leave the comment that they stand in', () => {
  const xml = readFileSync(join(root, 'dictionaries/fixp.xml'), 'utf8');
  const hostile = xml.replace(
    'description="Refuses an Establish"',
    'description="*/ process.exit(1); /*&#10;*/ throw 1; /*"',
  );
  const schema = readSchema(hostile);
  const files = generate(schema, { runtime: './flyweight.ts', source: 'fixp.xml' });
  expect(files.get('establishment-reject.ts')).toContain(
    '/** EstablishmentReject (7). * / process.exit(1); /* * / throw 1; /*. */\n',
  );
});
