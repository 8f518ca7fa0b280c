/** The schemas of a command: the bridge's own, or those in the named files. */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { shippedFiles, shippedSchema } from '../../mapping/sbe/shipped-schemas.ts';
import type { JsonObject } from '../../sbe/json.ts';
import { readSchema } from '../../sbe/schema.ts';
import { SchemaError } from '../../sbe/schema-faults.ts';

export type LoadedSchema = ReturnType<typeof loadSchemas>[number];

/** `files` are separated by commas; the default is the shipped schemas. */
export function loadSchemas(files: string | undefined) {
  if (files === undefined) {
    return shippedFiles.map((file) => ({ file: file as string, schema: shippedSchema(file) }));
  }
  return files.split(',').map((path) => {
    try {
      return { file: basename(path), schema: readSchema(readFileSync(path, 'utf8')) };
    } catch (error) {
      if (!(error instanceof SchemaError)) throw error;
      throw new Error(`${path} is not valid:\n  ${error.faults.join('\n  ')}`);
    }
  });
}

/** The names and values of a message; groups and composites are JSON, absent values are omitted. */
export function sbeFields(fields: JsonObject): readonly (readonly [string, string])[] {
  return Object.entries(fields).flatMap(([name, value]) => {
    if (value === null) return [];
    return [[name, typeof value === 'string' ? value : JSON.stringify(value)] as const];
  });
}
