/**
 * From any input to messages: a packet file, a hex dump, or text, told apart by how it begins and how its lines look.
 * Nothing is held but what a message needs to be whole.
 */
import { Failure } from '../advice.ts';
import { findMessage, Pieces } from './fix-lines.ts';
import { HexDump } from './hex-dump.ts';
import { isPacketFile, type Packet, packetsOf } from './packet-file.ts';
import { ipSegment, type Piece, segmentOf, TcpStreams } from './tcp.ts';

/** A message, and where it was found: a log's own words, or a connection and its time. */
export interface Found {
  readonly where: string;
  readonly bytes: Buffer;
}

/** What could not be shown, counted. */
export interface Missed {
  holes: number;
  otherLines: number;
  droppedBytes: number;
}

const largestPacketFile = 1024 * 1024 * 1024;
const ethernet = 1;

export async function* messagesIn(
  input: AsyncIterable<Buffer>,
  missed: Missed,
): AsyncGenerator<Found> {
  const chunks = input[Symbol.asyncIterator]();
  let head = Buffer.alloc(0);
  while (head.length < 4) {
    const { done, value } = await chunks.next();
    if (done) break;
    head = Buffer.concat([head, value]);
  }
  const all = withHead(head, chunks);
  if (isPacketFile(head)) yield* ofPackets(packetsOf(await whole(all)), missed);
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

/** Lines of text, with the packets of hex dumps between them. */
async function* ofText(chunks: AsyncIterable<Buffer>, missed: Missed): AsyncGenerator<Found> {
  const pieces = new Pieces();
  const dump = new HexDump();
  const streams = new TcpStreams();
  const flows = new Flows(missed);
  const dumped = function* (packets: readonly Buffer[]) {
    for (const bytes of packets) {
      const segment = segmentIn(bytes);
      const ready: readonly Piece[] =
        segment === undefined
          ? [{ flow: '', bytes, timeUs: undefined, afterHole: false }]
          : streams.push(segment, undefined);
      for (const piece of ready) yield* flows.messages(piece);
    }
  };
  const line = function* (text: string) {
    const { isHex, whole: packets } = dump.line(text);
    yield* dumped(packets);
    if (isHex) return;
    const found = findMessage(text);
    if (found !== undefined) yield { where: found.before, bytes: found.bytes };
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

/** The messages of each direction of each connection. */
class Flows {
  readonly #missed: Missed;
  readonly #pieces = new Map<string, Pieces>();

  constructor(missed: Missed) {
    this.#missed = missed;
  }

  *messages({ flow, bytes, timeUs, afterHole }: Piece): Generator<Found> {
    if (afterHole) this.#missed.holes += 1;
    let pieces = this.#pieces.get(flow);
    if (pieces === undefined) {
      pieces = new Pieces();
      this.#pieces.set(flow, pieces);
    }
    const time = timeUs === undefined ? '' : `${timeText(timeUs)} `;
    yield* found(pieces.push(bytes.toString('latin1')), `${time}${flow}`);
  }

  *end(): Generator<Found> {
    for (const [flow, pieces] of this.#pieces) {
      yield* found(pieces.end(), flow);
      this.#missed.droppedBytes += pieces.dropped;
    }
  }
}

function* found(pieces: readonly string[], where: string): Generator<Found> {
  for (const text of pieces) {
    const message = findMessage(text);
    if (message !== undefined) yield { where, bytes: message.bytes };
  }
}

function timeText(timeUs: bigint): string {
  const micros = String(timeUs % 1_000_000n).padStart(6, '0');
  return `${new Date(Number(timeUs / 1000n)).toISOString().slice(0, 19)}.${micros}Z`;
}
