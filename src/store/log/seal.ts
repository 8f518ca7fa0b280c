/**
 * Compresses a segment that is complete. The compressed file gets its name only when it is on the disk, and the other one
 * goes only then: a crash leaves the one, or both, and both say the same.
 */
import { promisify } from 'node:util';
import { zstdCompress } from 'node:zlib';
import type { Disk } from './disk.ts';
import {
  checkSums,
  encodeFoot,
  encodeHead,
  headBytes,
  type RawSegment,
  rawPath,
  type SealedTable,
  sealedPath,
} from './segment.ts';

export type Compress = (bytes: Uint8Array) => Promise<Uint8Array>;

export const zstd: Compress = promisify(zstdCompress);

/** How long the compressed file is. `by` is the opening that compresses it: no two write into one file. */
export async function seal(
  disk: Disk,
  folder: string,
  raw: RawSegment,
  by: number,
  compress: Compress,
): Promise<number> {
  const { segment, opening } = raw.head;
  const path = sealedPath(folder, segment, opening);
  const made = `${path}-${by}.new`;
  await raw.sync();
  disk.remove(made);
  const file = disk.open(made, 'new');
  try {
    file.write(encodeHead(raw.head), 0);
    let at = headBytes;
    const put = async (bytes: Uint8Array) => {
      const compressed = await compress(bytes);
      file.write(compressed, at);
      at += compressed.length;
      return compressed;
    };
    const starts: number[] = [];
    for (let block = 0; block < raw.table.blocks.length; block += 1) {
      const bytes = raw.readBlock(block);
      // Damage is not compressed: the error names the record that has it.
      checkSums(bytes, raw, block, rawPath(folder, segment, opening));
      starts.push(at);
      await put(bytes);
    }
    const { end: length, lastSequence } = raw;
    const table: SealedTable = { table: raw.table.pack(), starts, length, lastSequence };
    const tableAt = at;
    const packed = await put(Buffer.from(JSON.stringify(table)));
    file.write(encodeFoot(tableAt, packed), at);
    await file.sync();
    disk.rename(made, path);
    await disk.syncDirectory(folder);
    disk.remove(rawPath(folder, segment, opening));
    return file.size();
  } finally {
    file.close();
  }
}
