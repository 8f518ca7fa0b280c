/** `causeway sbe`: works with SBE schemas and messages outside a session. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { framed } from '../fixp/framing.ts';
import { shippedText } from '../runtime/shipped.ts';
import { describeSchema } from '../sbe/describe.ts';
import { dissector } from '../sbe/dissector.ts';
import { generate, templateIds } from '../sbe/generate.ts';
import type { DecodedMessage } from '../sbe/generic-decoder.ts';
import type { Schema } from '../sbe/model.ts';
import { encodeWith } from '../sbe/schema-set.ts';
import { Failure } from './advice.ts';
import { command } from './command.ts';
import { choice, flag, text } from './options.ts';
import { jsonMessages, messagesOf, octetsOf } from './sbe/messages.ts';
import { type LoadedSchema, loadSchemas } from './sbe/schemas.ts';
import { concluded, exitCodes, UsageError, type Values } from './verb.ts';

const whatIsRead =
  'Whole messages are read, framed or bare, as octets or hex; --schema FILES names other schemas than those of the bridge.';
/** The files that generated code imports, for users without a copy of this program. */
const footing = ['block.ts', 'flyweight.ts'];

const options = {
  schema: text('FILES', 'schemas as XML, separated by commas; those of the bridge when absent'),
  out: text('PATH', 'where the result goes: a directory for generate; else a file, or the output'),
  runtime: text(
    'DIR',
    'for generate: the folder of block.ts and flyweight.ts; by default they are written next to the files',
  ),
  read: text(
    'IDS',
    'for generate: the template ids of messages that are read, such as 200-225,100',
  ),
  write: text('IDS', 'for generate: of those that are written; without both options all are both'),
  shared: text('NAMES', 'for generate: composites with their own class, such as State,Terms'),
  halves: flag('for generate: 64-bit integers as two halves too, for the hottest paths'),
  framing: choice(
    ['big', 'little', 'none'],
    'for encode: the byte order of the framing header',
    'big',
  ),
} as const;

type Asked = Values<typeof options> & { readonly json: boolean };

export const verb = command({
  summary: 'generate code, documents and a dissector from SBE schemas, decode and encode messages',
  forms: ['generate|check|document|dissector [options]', 'decode|encode [INPUT] [options]'],
  about: `decode reads a file or the standard input, as octets or hex, or hex given as INPUT: messages with or without
the Simple Open Framing Header. encode reads JSON as decode --json writes it and prints hex.`,
  actions: {
    generate: 'write a TypeScript class for every message of a schema',
    check: 'read schemas and list their faults, with line and place',
    document: 'write tables of fields and an example in bytes of every message, as Markdown',
    dissector: 'write a Wireshark dissector in Lua',
    decode: 'show messages with the names of their fields',
    encode: 'turn messages in JSON into bytes',
  },
  maxOperands: 2,
  options,
  notes: `Exit code 1 if decode found bytes that are not a message. Credentials are shown as their length, with --json in full.`,
  examples: [
    'causeway sbe check --schema dictionaries/fixp.xml',
    'causeway sbe generate --schema dictionaries/fixp.xml --out generated',
    'causeway sbe decode 00000016eb5008000800bc0a00000700000000000000',
    `echo '{"message":"Sequence","fields":{"NextSeqNo":7}}' | causeway sbe encode`,
    'causeway sbe dissector --out causeway.lua && tshark -X lua_script:causeway.lua -r line.pcap',
  ],
  async run(values, [action, operand]) {
    if (operand !== undefined && action !== 'decode' && action !== 'encode') {
      throw new UsageError(`${action} reads no "${operand}": name schemas with --schema`);
    }
    const loaded = loadSchemas(values.schema);
    const schemas = loaded.map(({ schema }) => schema);
    switch (action) {
      case 'generate':
        return generated(loaded, values);
      case 'document':
        return put(loaded.map((one) => describeSchema(one.schema, one.file)).join('\n'), values);
      case 'dissector':
        return put(dissector(schemas), values);
      case 'decode':
        return decoded(schemas, operand, values);
      case 'encode':
        return encoded(schemas, operand, values);
      default:
        for (const { schema, file } of loaded) console.log(checked(schema, file, values.json));
        return exitCodes.done;
    }
  },
});

function checked({ id, version, messages }: Schema, file: string, json: boolean): string {
  if (json) return JSON.stringify({ ok: true, file, id, version, messages: messages.length });
  return `${file} is valid: schema ${id}, version ${version}, ${messages.length} messages`;
}

function generated(
  schemas: readonly LoadedSchema[],
  { out, runtime, json, schema: given, read, write, shared, halves }: Asked,
): number {
  const [loaded] = schemas;
  if (given === undefined || schemas.length !== 1 || loaded === undefined) {
    throw new UsageError('generate needs --schema with one file');
  }
  if (out === undefined) throw new UsageError('generate needs --out DIR');
  const { file: source, schema } = loaded;
  const only =
    read === undefined && write === undefined ? undefined : { read: ids(read), write: ids(write) };
  const files = generate(schema, {
    runtime: runtime ?? '.',
    source,
    only,
    halves,
    shared: shared?.split(',') ?? [],
  });
  if (runtime === undefined) {
    for (const name of footing) {
      files.set(name, shippedText(`src/sbe/${name}`));
    }
  }
  mkdirSync(out, { recursive: true });
  for (const [name, code] of files) writeFileSync(join(out, name), code);
  return concluded(json, { files: files.size }, `${files.size} files in ${out}`);
}

function ids(given = ''): (templateId: number) => boolean {
  const picked = templateIds(given);
  if (picked !== undefined) return picked;
  throw new UsageError(`"${given.slice(0, 40)}" is not a list of template ids such as 200-225,100`);
}

function put(document: string, { out, json }: Asked): number {
  if (out !== undefined) {
    writeFileSync(out, document);
    return concluded(json, { file: out }, `${out} is written`);
  }
  process.stdout.write(json ? `${JSON.stringify({ document })}\n` : document);
  return exitCodes.done;
}

function decoded(schemas: readonly Schema[], operand: string | undefined, { json }: Asked): number {
  let count = 0;
  for (const message of messagesOf(schemas, octetsOf(operand))) {
    if (typeof message === 'string') throw new Failure(message, whatIsRead);
    console.log(json ? JSON.stringify(message) : line(message));
    count += 1;
  }
  if (count === 0) throw new Failure('there is no message: the input is empty', whatIsRead);
  return exitCodes.done;
}

function line({
  message,
  templateId,
  version,
  length,
  fields,
  outOfRange,
}: DecodedMessage): string {
  const wrong = outOfRange.length === 0 ? '' : `  ! out of range: ${outOfRange.join(', ')}`;
  const head = `${message}(${templateId}) version ${version}, ${length} bytes`;
  return `${head}  ${JSON.stringify(fields, withoutSecrets)}${wrong}`;
}

/** Terminals keep their output, so secrets are hidden; JSON output contains the raw bytes. */
function withoutSecrets(name: string, value: unknown): unknown {
  if (name !== 'Credentials' || typeof value !== 'string') return value;
  return `${value.length / 2} bytes`;
}

function encoded(
  schemas: readonly Schema[],
  operand: string | undefined,
  { framing, json }: Asked,
): number {
  for (const message of jsonMessages(operand)) {
    const bytes = encodeWith(schemas, message);
    const hex = (framing === 'none' ? bytes : framed(bytes, framing)).toString('hex');
    console.log(json ? JSON.stringify({ hex }) : hex);
  }
  return exitCodes.done;
}
