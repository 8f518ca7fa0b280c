/** Small schemas as text, and what is wrong with them. */
import { readSchema } from '../../src/sbe/schema.ts';
import { SchemaError } from '../../src/sbe/schema-faults.ts';

const header = `<composite name="messageHeader"><type name="blockLength" primitiveType="uint16"/>
<type name="templateId" primitiveType="uint16"/><type name="schemaId" primitiveType="uint16"/>
<type name="version" primitiveType="uint16"/></composite>`;
const dimension = `<composite name="groupSizeEncoding"><type name="blockLength" primitiveType="uint16"/>
<type name="numInGroup" primitiveType="uint16"/></composite>`;

/** A schema of version 2 whose types and messages are these; they begin in line 8. */
export function schemaWith(
  types: string,
  messages = '',
  attributes = 'id="1" version="2"',
): string {
  return `<messageSchema ${attributes}><types>${header}\n${dimension}\n\n\n${types}\n</types>${messages}</messageSchema>`;
}

export function faultsOf(xml: string): readonly string[] {
  try {
    readSchema(xml);
  } catch (error) {
    if (error instanceof SchemaError) return error.faults;
    throw error;
  }
  return [];
}

export const message = (inside: string, attributes = 'name="M" id="1"') =>
  `<message ${attributes}>${inside}</message>`;
