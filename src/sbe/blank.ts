/** The initial bytes of a block: optional fields are null, all other fields and all padding are zero. */
import {
  type Field,
  type HeaderField,
  type Message,
  type Schema,
  type Section,
  sizeOf,
} from './model.ts';
import { putNumber } from './primitive.ts';

export function blankBlock(
  section: Pick<Section, 'blockLength' | 'fields'>,
  littleEndian: boolean,
): Buffer {
  const block = Buffer.alloc(section.blockLength);
  const view = new DataView(block.buffer, block.byteOffset, block.length);
  for (const field of section.fields) blankField(view, field, 0, littleEndian);
  return block;
}

/** The header and initial block of a message in its schema's version. */
export function blankMessage(schema: Schema, message: Message): Buffer {
  const { header, littleEndian } = schema;
  const bytes = Buffer.concat([Buffer.alloc(header.size), blankBlock(message, littleEndian)]);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const put = ({ offset, primitive }: HeaderField, value: number) =>
    putNumber(view, offset, primitive, value, littleEndian);
  put(header.blockLength, message.blockLength);
  put(header.templateId, message.id);
  put(header.schemaId, schema.id);
  put(header.version, schema.version);
  if (header.numGroups !== undefined) put(header.numGroups, message.groups.length);
  if (header.numVarDataFields !== undefined) put(header.numVarDataFields, message.data.length);
  return bytes;
}

function blankField(view: DataView, field: Field, base: number, littleEndian: boolean): void {
  const { encoding, presence } = field;
  const at = base + field.offset;
  if (presence === 'constant') return;
  if (encoding.kind === 'composite') {
    for (const member of encoding.members) blankField(view, member, at, littleEndian);
    return;
  }
  if (presence === 'required' || encoding.kind === 'text' || encoding.kind === 'set') return;
  const { primitive, nullValue } = encoding.kind === 'array' ? encoding.element : encoding;
  for (let offset = 0; offset < sizeOf(field); offset += primitive.size) {
    putNumber(view, at + offset, primitive, nullValue, littleEndian);
  }
}
