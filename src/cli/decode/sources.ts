/**
 * Finds the messages in any input: raw frames, lines of text, or a TCP stream reassembled by Wireshark and printed in
 * hex. Only incomplete messages are buffered.
 */
import { framingHeaderSize, isFramed } from '../../fixp/framing.ts';
import { Failure } from '../advice.ts';
import { findMessage, Pieces } from './fix-lines.ts';
import { Flows, type Found, type Missed } from './flows.ts';

/** Magic numbers of pcap, in either byte order and with micro- or nanoseconds, and of pcapng. */
const captureMagics = new Set(['d4c3b2a1', 'a1b2c3d4', '4d3cb2a1', 'a1b23c4d', '0a0d0d0a']);
/** One line of bytes in hex; `tshark -z follow,tcp,raw` indents those of the second direction with a tab. */
const hexLine = /^(\t?)((?:[0-9a-f]{2}:?){8,})\s*$/i;

export async function* messagesIn(
  input: AsyncIterable<Buffer>,
  missed: Missed,
): AsyncGenerator<Found> {
  const chunks = input[Symbol.asyncIterator]();
  let head = Buffer.alloc(0);
  while (head.length < framingHeaderSize) {
    const { done, value } = await chunks.next();
    if (done) break;
    head = Buffer.concat([head, value]);
  }
  if (captureMagics.has(head.toString('hex', 0, 4))) {
    throw new Failure(
      'this is a packet capture, and decode reads streams that are already reassembled',
      'Let Wireshark reassemble it: tshark -r FILE -q -z follow,tcp,raw,0 | causeway decode.',
    );
  }
  const all = withHead(head, { [Symbol.asyncIterator]: () => chunks });
  yield* isFramed(head) ? ofFrames(all, missed) : ofText(all, missed);
}

async function* withHead(head: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield head;
  yield* rest;
}

/** The bytes of one direction, as raw frames. */
async function* ofFrames(chunks: AsyncIterable<Buffer>, missed: Missed): AsyncGenerator<Found> {
  const flows = new Flows(missed);
  for await (const bytes of chunks) yield* flows.messages('', bytes);
  yield* flows.end();
}

/** Lines of text, some of which may be hex bytes. */
async function* ofText(chunks: AsyncIterable<Buffer>, missed: Missed): AsyncGenerator<Found> {
  const pieces = new Pieces();
  const flows = new Flows(missed);
  const line = function* (text: string): Generator<Found> {
    const [, tab, digits] = hexLine.exec(text) ?? [];
    if (digits !== undefined) {
      const direction = tab === '' ? 'Node 0' : 'Node 1';
      yield* flows.messages(direction, Buffer.from(digits.replaceAll(':', ''), 'hex'));
      return;
    }
    const found = findMessage(text);
    if (found !== undefined) yield { protocol: 'fix', where: found.before, bytes: found.bytes };
    else if (text.trim() !== '') missed.otherLines += 1;
  };
  for await (const chunk of chunks) {
    for (const text of pieces.push(chunk.toString('latin1'))) yield* line(text);
  }
  for (const text of pieces.end()) yield* line(text);
  yield* flows.end();
  missed.droppedBytes += pieces.dropped;
}
