/** The fixed block of generated messages and entries: its length in each version, and its bytes before it is filled. */
import { blankBlock } from './blank.ts';
import type { Owner } from './generate-parts.ts';
import { fieldsEnd, writtenBlockLength } from './model.ts';

/** Source that answers the length of a block: needed in what is read, written for a version of the reader. */
export function versionedLength(
  { section, version: current }: Owner,
  version: string,
  use: 'needed' | 'written',
): string {
  const lengthIn = (one: number) =>
    use === 'needed' ? fieldsEnd(section.fields, one) : writtenBlockLength(section, one, current);
  let source = '';
  for (let one = 0; one < current; one += 1) {
    if (lengthIn(one) === lengthIn(one + 1)) continue;
    source += `${version} <= ${one} ? ${lengthIn(one)} : `;
  }
  return source + lengthIn(current);
}

/** Statements that write the blank block at `at`: in words, and the rest in bytes. */
export function blank({ section, littleEndian }: Owner): string[] {
  const block = blankBlock(section, littleEndian);
  const lines: string[] = [];
  let offset = 0;
  const place = () => (offset === 0 ? 'at' : `at + ${offset}`);
  for (; offset + 4 <= block.length; offset += 4) {
    lines.push(`    this.#view.setUint32(${place()}, ${block.readUInt32LE(offset)}, true);`);
  }
  for (; offset < block.length; offset += 1) {
    lines.push(`    this.#view.setUint8(${place()}, ${block.readUInt8(offset)});`);
  }
  return lines;
}
