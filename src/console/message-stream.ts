/**
 * Extracts complete messages from one direction of a session, for display: tag-value messages by BodyLength(9), SBE
 * messages by their Simple Open Framing Header. Other bytes are kept unchanged, in pieces.
 */
import { framingHeaderSize, isFramed, statedSize } from '../fixp/framing.ts';

const longestPartial = 256 * 1024;
const trailerBytes = 7;
/** The latest possible end of BodyLength(9). */
const headBytes = 32;

/** The returned function takes the next bytes, and returns the messages that are complete now, as views of them. */
export function messageStream(): (bytes: Uint8Array) => Uint8Array[] {
  let partial: Buffer = Buffer.alloc(0);
  return (bytes) => {
    let rest = partial.length === 0 ? Buffer.from(bytes) : Buffer.concat([partial, bytes]);
    const whole: Uint8Array[] = [];
    while (rest.length > 0) {
      const size = sizeOf(rest);
      if (size === 'more' && rest.length < longestPartial) break;
      if (typeof size === 'number' && size > rest.length) break;
      const end = typeof size === 'number' ? size : garbageEnd(rest);
      whole.push(rest.subarray(0, end));
      rest = rest.subarray(end);
    }
    partial = Buffer.from(rest);
    return whole;
  };
}

/** The size of the message that starts here, once it is known. */
function sizeOf(bytes: Buffer): number | 'more' | 'garbage' {
  if (bytes[0] === 0x38) return fixSize(bytes);
  if (bytes.length < framingHeaderSize) return 'more';
  const size = statedSize(bytes);
  return isFramed(bytes) && size >= framingHeaderSize && size < longestPartial ? size : 'garbage';
}

function fixSize(bytes: Buffer): number | 'more' | 'garbage' {
  const head = bytes.toString('latin1', 0, headBytes);
  const found = /^8=[^\p{Cc}]{1,12}\p{Cc}9=(\d{1,6})\p{Cc}/u.exec(head);
  if (found === null) return bytes.length < headBytes ? 'more' : 'garbage';
  const size = found[0].length + Number(found[1]) + trailerBytes;
  if (size > longestPartial) return 'garbage';
  if (bytes.length < size) return 'more';
  const trailer = bytes.toString('latin1', size - trailerBytes, size);
  return /^10=\d{3}\p{Cc}$/u.test(trailer) ? size : 'garbage';
}

/** The first position at which the next message may start. */
function garbageEnd(bytes: Buffer): number {
  const next = bytes.indexOf('\x018=FIX', 1, 'latin1');
  return next < 0 ? bytes.length : next + 1;
}
