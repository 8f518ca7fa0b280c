/**
 * Reads SQLite's write-ahead log before SQLite does. SQLite takes the log up to its first invalid frame and silently
 * drops the rest. That is right for a torn tail, and wrong when a record that was durable follows: then the log is
 * corrupt and the store must not open (docs/ARCHITECTURE.md, "Durability"; https://sqlite.org/walformat.html).
 *
 *   file:   header(32) frame frame …      frame: header(24) page
 *   header: magic version pageSize checkpoint salt1 salt2 sum1 sum2         (32 bits each, big-endian)
 *   frame:  page pagesAfterCommit salt1 salt2 sum1 sum2
 *
 * Each frame's sum continues from the sum of the frame before it, so a frame can be judged by the sum that is stored
 * there, even if that frame itself is bad.
 */
import { existsSync, readFileSync } from 'node:fs';
import { CorruptRecord } from '../store.ts';

const headerSize = 32;
const frameHeaderSize = 24;
/** The low bit of the magic number is 1 if sums are over big-endian words. */
const magic = 0x377f0682;

interface Sum {
  readonly first: number;
  readonly second: number;
}

interface Frame {
  readonly isValid: boolean;
  readonly isCommit: boolean;
  readonly page: number;
}

/** Throws if a valid record follows an invalid one; returns how many frames are good. */
export function checkWal(path: string): number {
  const log = existsSync(path) ? readFileSync(path) : Buffer.of();
  const header = log.subarray(0, headerSize);
  if (header.length < headerSize) return 0;
  const littleEndian = (header.readUInt32BE(0) & 1) === 0;
  const pageSize = header.readUInt32BE(8);
  const sum = sumOf(header, 0, 24, { first: 0, second: 0 }, littleEndian);
  const isHeaderValid =
    header.readUInt32BE(0) >>> 1 === magic >>> 1 && equals(sum, storedSum(header, 24));
  // A header is written on its own and within one sector, after all frames were checkpointed, so it is never torn.
  if (!isHeaderValid) {
    if (log.length === headerSize || header.every((byte) => byte === 0)) return 0;
    throw new CorruptRecord(`${path}, header`, 'its sum does not match');
  }
  return judge(frames(log, pageSize, sum, littleEndian), path);
}

/**
 * A frame after a commit was written only once that commit was durable. A bad frame that is followed by a good commit
 * and another good frame therefore means that a damaged record precedes a durable one. A bad frame within the last
 * commit is a torn tail: this commit was never acknowledged.
 */
function judge(found: Iterable<Frame>, path: string): number {
  let good = 0;
  let bad: { readonly frame: number; readonly page: number } | undefined;
  let hasCommitAfter = false;
  let frame = 0;
  for (const { isValid, isCommit, page } of found) {
    frame += 1;
    if (isValid && bad === undefined) good = frame;
    else if (isValid && bad !== undefined && hasCommitAfter) {
      const where = `${path}, frame ${bad.frame} (page ${bad.page})`;
      throw new CorruptRecord(where, 'it is damaged and durable records follow it');
    } else {
      bad ??= { frame, page };
      hasCommitAfter ||= isCommit;
    }
  }
  return good;
}

/** The frames of this generation of the log. Frames of an older one have other salts and were checkpointed. */
function* frames(
  log: Buffer,
  pageSize: number,
  headerSum: Sum,
  littleEndian: boolean,
): Generator<Frame> {
  const salts = log.subarray(16, 24);
  const size = frameHeaderSize + pageSize;
  let before = headerSum;
  for (let at = headerSize; at + size <= log.length; at += size) {
    const frame = log.subarray(at, at + size);
    const hasSalts = frame.subarray(8, 16).equals(salts);
    const sum = sumOf(frame, 0, 8, before, littleEndian);
    const whole = sumOf(frame, frameHeaderSize, frame.length, sum, littleEndian);
    before = storedSum(frame, 16);
    const isValid = hasSalts && equals(whole, before);
    yield {
      isValid,
      isCommit: hasSalts && frame.readUInt32BE(4) !== 0,
      page: frame.readUInt32BE(0),
    };
  }
}

function storedSum(bytes: Buffer, at: number): Sum {
  return { first: bytes.readUInt32BE(at), second: bytes.readUInt32BE(at + 4) };
}

function equals(a: Sum, b: Sum): boolean {
  return a.first === b.first && a.second === b.second;
}

function sumOf(bytes: Buffer, from: number, to: number, start: Sum, littleEndian: boolean): Sum {
  let { first, second } = start;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = from; at < to; at += 8) {
    first = (first + view.getUint32(at, littleEndian) + second) >>> 0;
    second = (second + view.getUint32(at + 4, littleEndian) + first) >>> 0;
  }
  return { first, second };
}
