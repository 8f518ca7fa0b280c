/**
 * Copies a log, even while its owner writes: the copy has the state of the log when it was read. The segment that was
 * written last is copied first, because all others are complete.
 */
import { basename, join } from 'node:path';
import type { DiskFile } from './disk.ts';
import type { Recovered } from './recover.ts';

const pieceBytes = 1024 ** 2;

/** Returns the number of bytes. */
export async function copyLog({ index, segments }: Recovered, into: string): Promise<number> {
  const { disk } = segments;
  const live = index.liveBytes();
  const infos = [...segments.infos.values()].reverse();
  let bytes = 0;
  disk.makeDirectory(into);
  for (const [at, info] of infos.entries()) {
    if (at > 0 && !live.has(info.segment)) continue;
    const { file, path, isSealed } = segments.open(info);
    using copy = disk.open(join(into, basename(path)), 'new');
    bytes += copyFile(file, copy, isSealed ? file.size() : info.length);
    await copy.sync();
  }
  await disk.syncDirectory(into);
  return bytes;
}

function copyFile(from: DiskFile, into: DiskFile, length: number): number {
  for (let at = 0; at < length; ) {
    const piece = from.read(at, Math.min(pieceBytes, length - at));
    into.write(piece, at);
    at += piece.length;
  }
  return length;
}
