/**
 * Compresses a complete segment. The compressed file gets its name once it is on the disk, and only then is the
 * uncompressed file removed. After a crash there is one of them, or both with the same contents.
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

/** Returns the length of the compressed file. `by` is the owner that compresses it, so no two write to one file. */
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
  using file = disk.open(made, 'new');
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
    // A damaged segment is not compressed: the error contains the record.
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
}
