/**
 * From any input to messages: a packet file, frames, a hex dump, or text, told apart by how it begins and how its
 * lines look.
 * Nothing is held but what a message needs to be whole.
 */
import { framingHeaderSize } from '../../fixp/framing.ts';
import { Failure } from '../advice.ts';
import { findMessage, Pieces } from './fix-lines.ts';
import { Flows, type Found, isFramed, type Missed } from './flows.ts';
import { HexDump } from './hex-dump.ts';
import { isPacketFile, type Packet, packetsOf } from './packet-file.ts';
import { ipSegment, type Piece, segmentOf, TcpStreams } from './tcp.ts';

const largestPacketFile = 1024 * 1024 * 1024;
const ethernet = 1;

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
  const all = withHead(head, chunks);
  if (isPacketFile(head)) yield* ofPackets(packetsOf(await whole(all)), missed);
  else if (isFramed(head)) yield* ofFrames(all, missed);
  else yield* ofText(all, missed);
}

async function* withHead(head: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield head;
  for (;;) {
    const { done, value } = await rest.next();
    if (done) return;
    yield value;
  }
}

async function whole(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  const list: Buffer[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    list.push(chunk);
    length += chunk.length;
    if (length > largestPacketFile) {
      throw new Failure(
        'the capture is larger than 1 GiB',
        'Cut it: tshark -r FILE -Y tcp.port==9880 -w SMALLER.',
      );
    }
  }
  return Buffer.concat(list);
}

function* ofPackets(packets: Iterable<Packet>, missed: Missed): Generator<Found> {
  const streams = new TcpStreams();
  const flows = new Flows(missed);
  for (const packet of packets) {
    const segment = segmentOf(packet);
    if (segment === undefined) continue;
    for (const piece of streams.push(segment, packet.timeUs)) yield* flows.messages(piece);
  }
  for (const piece of streams.end()) yield* flows.messages(piece);
  yield* flows.end();
}

/** Octets of one direction, as a program writes them. */
async function* ofFrames(chunks: AsyncIterable<Buffer>, missed: Missed): AsyncGenerator<Found> {
  const flows = new Flows(missed);
  for await (const bytes of chunks) {
    yield* flows.messages({ flow: '', bytes, timeUs: undefined, afterHole: false });
  }
  yield* flows.end();
}

/** Lines of text, with the packets of hex dumps between them. */
async function* ofText(chunks: AsyncIterable<Buffer>, missed: Missed): AsyncGenerator<Found> {
  const pieces = new Pieces();
  const dump = new HexDump();
  const streams = new TcpStreams();
  const flows = new Flows(missed);
  const dumped = function* (packets: readonly Buffer[]): Generator<Found> {
    for (const bytes of packets) {
      const segment = segmentIn(bytes);
      const ready: readonly Piece[] =
        segment === undefined
          ? [{ flow: '', bytes, timeUs: undefined, afterHole: false }]
          : streams.push(segment, undefined);
      for (const piece of ready) yield* flows.messages(piece);
    }
  };
  const line = function* (text: string): Generator<Found> {
    const { isHex, whole: packets } = dump.line(text);
    yield* dumped(packets);
    if (isHex) return;
    const found = findMessage(text);
    if (found !== undefined) yield { protocol: 'fix', where: found.before, bytes: found.bytes };
    else if (text.trim() !== '') missed.otherLines += 1;
  };
  for await (const chunk of chunks) {
    for (const text of pieces.push(chunk.toString('latin1'))) yield* line(text);
  }
  for (const text of pieces.end()) yield* line(text);
  yield* dumped(dump.end());
  for (const piece of streams.end()) yield* flows.messages(piece);
  yield* flows.end();
  missed.droppedBytes += pieces.dropped;
}

/** A dumped packet begins with its IP header or, with `-xx` and tshark, with Ethernet's. */
function segmentIn(bytes: Buffer) {
  return ipSegment(bytes) ?? segmentOf({ linkType: ethernet, bytes, timeUs: undefined });
}
