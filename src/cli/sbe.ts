/** `causeway sbe`: what one does with an SBE schema outside a session. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { generate } from '../sbe/generate.ts';
import type { Schema } from '../sbe/model.ts';
import { readSchema } from '../sbe/schema.ts';
import { SchemaError } from '../sbe/schema-faults.ts';
import { command } from './command.ts';
import { needed, text } from './options.ts';
import { exitCodes, UsageError } from './verb.ts';

const footing = join(import.meta.dirname, '../../src/sbe/flyweight.ts');

export const verb = command({
  name: 'sbe',
  summary: 'generate code from an SBE schema, check it, decode and encode messages',
  forms: ['generate|check --schema FILE [options]'],
  actions: {
    generate: 'write TypeScript classes for every message of the schema',
    check: 'read the schema and say what is wrong in it, with line and place',
  },
  maxOperands: 1,
  options: {
    schema: needed('FILE', 'the schema, as XML'),
    out: text('DIR', 'for generate: where the files go'),
    runtime: text('MODULE', 'for generate: what they import; without it a file beside them'),
  },
  examples: [
    'causeway sbe check --schema dictionaries/fixp.xml',
    'causeway sbe generate --schema dictionaries/fixp.xml --out generated',
  ],
  async run(values, [action]) {
    const schema = load(values.schema);
    switch (action) {
      case 'generate': {
        if (values.out === undefined) throw new UsageError('--out DIR is needed');
        const count = write(schema, values.schema, values.out, values.runtime);
        console.log(
          values.json ? JSON.stringify({ files: count }) : `${count} files in ${values.out}`,
        );
        return exitCodes.done;
      }
      default: {
        const { id, version, messages } = schema;
        const told = { ok: true, id, version, messages: messages.length };
        const plain = `${values.schema} is right: schema ${id}, version ${version}, ${messages.length} messages`;
        console.log(values.json ? JSON.stringify(told) : plain);
        return exitCodes.done;
      }
    }
  },
});

function load(file: string): Schema {
  try {
    return readSchema(readFileSync(file, 'utf8'));
  } catch (error) {
    if (!(error instanceof SchemaError)) throw error;
    throw new Error(`${file} is not right:\n  ${error.faults.join('\n  ')}`);
  }
}

function write(schema: Schema, file: string, out: string, runtime: string | undefined): number {
  const options = { runtime: runtime ?? './flyweight.ts', source: basename(file) };
  const files = generate(schema, options);
  if (runtime === undefined) files.set('flyweight.ts', readFileSync(footing, 'utf8'));
  mkdirSync(out, { recursive: true });
  for (const [name, source] of files) writeFileSync(join(out, name), source);
  return files.size;
}
