/** The generated code that is checked in is what its schema gives. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { generate, templateIds } from '../../src/sbe/generate.ts';
import { readSchema } from '../../src/sbe/schema.ts';

const root = join(import.meta.dirname, '../..');
const inTests = '../../../../src/sbe';
const generated = [
  {
    file: 'dictionaries/fixp.xml',
    out: 'src/fixp/generated',
    runtime: '../../sbe',
  },
  {
    file: 'dictionaries/orders.xml',
    out: 'src/mapping/sbe/generated',
    runtime: '../../../sbe',
    read: '100-199,212',
    // What a bridge sends, and the order of the benchmarks.
    write: '100,200-299',
    shared: 'State',
  },
  {
    file: 'test/vectors/sbe/standard-examples.xml',
    out: 'test/sbe/standard',
    runtime: '../../../src/sbe',
    halves: true,
  },
  {
    file: 'test/sbe/features/features.xml',
    out: 'test/sbe/features/big',
    runtime: inTests,
    halves: true,
  },
];

interface Case {
  readonly file: string;
  readonly out: string;
  readonly runtime: string;
  readonly read?: string;
  readonly write?: string;
  readonly shared?: string;
  readonly halves?: boolean;
}

function picked(ids: string) {
  const found = templateIds(ids);
  if (found === undefined) throw new Error(`${ids} are no template ids`);
  return found;
}

test.each(generated)('$out is what $file gives', ({ file, out, ...options }: Case) => {
  const { halves = false, read, runtime, shared, write } = options;
  const schema = readSchema(readFileSync(join(root, file), 'utf8'));
  const files = generate(schema, {
    runtime,
    source: basename(file),
    only:
      read === undefined || write === undefined
        ? undefined
        : { read: picked(read), write: picked(write) },
    shared: shared?.split(',') ?? [],
    halves,
  });
  const given = Object.entries({ runtime, read, write, shared })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ` --${name} ${value}`);
  const command = `causeway sbe generate --schema ${file} --out ${out}${given.join('')}${halves ? ' --halves' : ''}`;
  expect(readdirSync(join(root, out)).sort(), command).toEqual([...files.keys()].sort());
  for (const [name, text] of files) {
    expect(readFileSync(join(root, out, name), 'utf8'), command).toBe(text);
  }
});

test('a field whose accessor generated code has itself is refused by name', () => {
  const xml = readFileSync(join(root, 'dictionaries/fixp.xml'), 'utf8');
  const clashing = xml.replace('name="LastSeqNo" id="2"', 'name="Length" id="2"');
  const options = { runtime: '.', source: 'fixp.xml' };
  expect(() => generate(readSchema(clashing), options)).toThrow(
    'FinishedSending would have two members length: rename the field of the schema',
  );
});

test('fields whose flattened names are one are refused by name', () => {
  const xml = readFileSync(join(root, 'dictionaries/fixp.xml'), 'utf8');
  const clashing = xml.replace('name="LastSeqNo" id="2"', 'name="Session_Id" id="2"');
  const options = { runtime: '.', source: 'fixp.xml' };
  expect(() => generate(readSchema(clashing), options)).toThrow('two members sessionId');
});

test('words of a schema cannot leave the comment that they stand in', () => {
  const xml = readFileSync(join(root, 'dictionaries/fixp.xml'), 'utf8');
  const hostile = xml.replace(
    'description="Refuses an Establish"',
    'description="*/ process.exit(1); /*&#10;*/ throw 1; /*"',
  );
  const schema = readSchema(hostile);
  const files = generate(schema, { runtime: '.', source: 'fixp.xml' });
  expect(files.get('establishment-reject.ts')).toContain(
    '/** EstablishmentReject (7). * / process.exit(1); /* * / throw 1; /*. */\n',
  );
});

test('messages that are neither read nor written have no file, and the others what they need', () => {
  const schema = readSchema(readFileSync(join(root, 'dictionaries/fixp.xml'), 'utf8'));
  const only = { read: picked('1,8'), write: picked('2-3,8') };
  const files = generate(schema, { runtime: '.', source: 'fixp.xml', only });
  expect([...files.keys()].sort()).toEqual([
    'codes.ts',
    'message-header.ts',
    'messages.ts',
    'negotiate.ts',
    'negotiation-reject.ts',
    'negotiation-response.ts',
    'sequence.ts',
    'types.ts',
  ]);
  const has = (file: string, text: string) => files.get(file)?.includes(text);
  const all = (file: string) =>
    [' wrap(', ' get sessionId(', ' encode(', ' setSessionId('].map((text) => has(file, text));
  expect(all('negotiate.ts')).toEqual([true, true, false, false]);
  expect(all('negotiation-reject.ts')).toEqual([false, false, true, true]);
  expect([has('sequence.ts', ' wrap('), has('sequence.ts', ' encode(')]).toEqual([true, true]);
});

test('template ids are numbers and ranges of them', () => {
  const ids = templateIds('1,5-7');
  expect([0, 1, 2, 5, 6, 7, 8].filter((id) => ids?.(id))).toEqual([1, 5, 6, 7]);
  expect(templateIds('')?.(0)).toBe(false);
  expect(['1-', 'a', '1,,2', '-1'].map(templateIds)).toEqual(new Array(4).fill(undefined));
});
