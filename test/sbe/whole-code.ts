/** Classes that read and write all messages of a schema: those of our own are generated for one side of a connection. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generate } from '../../src/sbe/generate.ts';
import type { Schema } from '../../src/sbe/model.ts';
import { className, fileName } from '../../src/sbe/naming.ts';
import type { Generated } from './generated-json.ts';

const runtime = join(import.meta.dirname, '../../src/sbe');

/** An object of each message's class, by the name of the message. */
export async function wholeCode(
  schema: Schema,
  shared: readonly string[] = [],
): Promise<Map<string, Generated>> {
  const folder = mkdtempSync(join(tmpdir(), 'causeway-sbe-code-'));
  try {
    const files = generate(schema, { runtime, source: 'a test', halves: true, shared });
    for (const [name, code] of files) writeFileSync(join(folder, name), code);
    const objects = new Map<string, Generated>();
    for (const { name } of schema.messages) {
      const module = await import(join(folder, `${fileName(name)}.ts`));
      objects.set(name, new module[className(name)]());
    }
    return objects;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
