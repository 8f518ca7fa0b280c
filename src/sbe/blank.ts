/** The initial bytes of a block: optional fields are null, all other fields and all padding are zero. */
import {
  type Dimension,
  type Group,
  type HeaderField,
  type Leaf,
  leavesOf,
  type Message,
  type MessageHeader,
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
  for (const leaf of leavesOf(section.fields)) blankField(viewOf(block), leaf, littleEndian);
  return block;
}

/** The header and initial block of a message in its schema's version. */
export function blankMessage(schema: Schema, message: Message): Buffer {
  const { header, littleEndian } = schema;
  const start = blankCounts(header, message, littleEndian);
  const put = ({ offset, primitive }: HeaderField, value: number) =>
    putNumber(viewOf(start), offset, primitive, value, littleEndian);
  put(header.templateId, message.id);
  put(header.schemaId, schema.id);
  put(header.version, schema.version);
  return Buffer.concat([start, blankBlock(message, littleEndian)]);
}

/** What precedes the entries of a group, which has none yet. */
export function blankDimension(group: Group, littleEndian: boolean): Buffer {
  return blankCounts(group.dimension, group, littleEndian);
}

/** The length of the block, and the numbers of groups and data if there are fields for them. */
function blankCounts(
  { size, blockLength, numGroups, numVarDataFields }: Dimension | MessageHeader,
  section: Section,
  littleEndian: boolean,
): Buffer {
  const bytes = Buffer.alloc(size);
  const put = (field: HeaderField | undefined, value: number) => {
    if (field !== undefined)
      putNumber(viewOf(bytes), field.offset, field.primitive, value, littleEndian);
  };
  put(blockLength, section.blockLength);
  put(numGroups, section.groups.length);
  put(numVarDataFields, section.data.length);
  return bytes;
}

export function viewOf(bytes: Buffer): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
}

function blankField(view: DataView, { field, offset: at }: Leaf, littleEndian: boolean): void {
  const { encoding, presence } = field;
  if (presence !== 'optional') return;
  if (encoding.kind === 'composite' || encoding.kind === 'text' || encoding.kind === 'set') return;
  const { primitive, nullValue } = encoding.kind === 'array' ? encoding.element : encoding;
  for (let offset = 0; offset < sizeOf(field); offset += primitive.size) {
    putNumber(view, at + offset, primitive, nullValue, littleEndian);
  }
}
