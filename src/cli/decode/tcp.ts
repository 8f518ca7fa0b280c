/**
 * From captured packets to the bytes of each direction of each TCP connection: link and IP headers are stepped over
 * (RFC 791, 8200, 9293), segments put into order, repeats dropped, and a hole is told once it cannot be filled.
 */
import type { Packet } from './packet-file.ts';

export interface Piece {
  /** `source > target`, each with its port. */
  readonly flow: string;
  readonly bytes: Buffer;
  readonly timeUs: bigint | undefined;
  /** Bytes before these were not captured. */
  readonly afterHole: boolean;
}

/** Linux and BSD numbers of link types, with the length of what stands before the IP header. */
const linkHeaders: Readonly<Record<number, number>> = {
  0: 4, // BSD loopback
  1: 14, // Ethernet
  12: 0, // raw IP
  101: 0, // raw IP
  108: 4, // OpenBSD loopback
  113: 16, // Linux cooked
  228: 0, // IPv4
  229: 0, // IPv6
  276: 20, // Linux cooked, version 2
};
const ethernet = 1;
const vlanTags = new Set([0x8100, 0x88a8]);
const tcp = 6;
/** So much waits for a segment that is missing; then the hole is taken for final. */
const mostWaitingBytes = 1024 * 1024;

interface Segment {
  readonly flow: string;
  readonly seq: number;
  readonly isStart: boolean;
  readonly bytes: Buffer;
}

export function segmentOf({ linkType, bytes }: Packet): Segment | undefined {
  let at = linkHeaders[linkType];
  if (at === undefined) return undefined;
  while (
    linkType === ethernet &&
    at + 4 <= bytes.length &&
    vlanTags.has(bytes.readUInt16BE(at - 2))
  )
    at += 4;
  return ipSegment(bytes.subarray(at));
}

/** A packet that begins with its IP header. */
export function ipSegment(packet: Buffer): Segment | undefined {
  const version = (packet[0] ?? 0) >> 4;
  if (version === 4 && packet.length >= 20 && packet[9] === tcp) {
    const header = ((packet[0] ?? 0) & 15) * 4;
    const end = Math.min(packet.length, packet.readUInt16BE(2) || packet.length);
    const [source, target] = [packet.subarray(12, 16), packet.subarray(16, 20)].map((address) =>
      address.join('.'),
    );
    return tcpSegment(packet.subarray(header, end), source ?? '', target ?? '');
  }
  if (version === 6 && packet.length >= 40 && packet[6] === tcp) {
    const end = Math.min(packet.length, 40 + (packet.readUInt16BE(4) || packet.length));
    const [source, target] = [packet.subarray(8, 24), packet.subarray(24, 40)].map(
      (address) => `[${address.toString('hex').replace(/(.{4})(?!$)/g, '$1:')}]`,
    );
    return tcpSegment(packet.subarray(40, end), source ?? '', target ?? '');
  }
  return undefined;
}

function tcpSegment(segment: Buffer, source: string, target: string): Segment | undefined {
  if (segment.length < 20) return undefined;
  const header = ((segment[12] ?? 0) >> 4) * 4;
  if (header < 20 || header > segment.length) return undefined;
  const isStart = ((segment[13] ?? 0) & 2) !== 0;
  const ports = [segment.readUInt16BE(0), segment.readUInt16BE(2)];
  return {
    flow: `${source}:${ports[0]} > ${target}:${ports[1]}`,
    seq: (segment.readUInt32BE(4) + (isStart ? 1 : 0)) >>> 0,
    isStart,
    bytes: segment.subarray(header),
  };
}

interface Stream {
  next: number;
  waiting: Segment[];
}

/** How far `seq` lies behind `next`, in numbers that wrap at 2^32. */
function ahead(seq: number, next: number): number {
  return (seq - next) | 0;
}

export class TcpStreams {
  readonly #streams = new Map<string, Stream>();

  /** The pieces that this segment makes ready, in the order of the connection. */
  push(segment: Segment, timeUs: bigint | undefined): Piece[] {
    const { flow, seq, isStart } = segment;
    let stream = this.#streams.get(flow);
    if (stream === undefined || isStart) {
      stream = { next: seq, waiting: [] };
      this.#streams.set(flow, stream);
    }
    if (segment.bytes.length === 0) return [];
    stream.waiting.push(segment);
    stream.waiting.sort((a, b) => ahead(a.seq, b.seq));
    return this.#ready(stream, timeUs, mostWaitingBytes);
  }

  /** What waits for segments that never came. */
  end(): Piece[] {
    return [...this.#streams.values()].flatMap((stream) => this.#ready(stream, undefined, 0));
  }

  #ready(stream: Stream, timeUs: bigint | undefined, mostWaiting: number): Piece[] {
    const pieces: Piece[] = [];
    let waitingBytes = stream.waiting.reduce((sum, { bytes }) => sum + bytes.length, 0);
    for (let first = stream.waiting[0]; first !== undefined; first = stream.waiting[0]) {
      const gap = ahead(first.seq, stream.next);
      if (gap > 0 && waitingBytes <= mostWaiting) break;
      stream.waiting.shift();
      waitingBytes -= first.bytes.length;
      const bytes = gap < 0 ? first.bytes.subarray(-gap) : first.bytes;
      if (bytes.length === 0) continue;
      pieces.push({ flow: first.flow, bytes, timeUs, afterHole: gap > 0 });
      stream.next = (first.seq + first.bytes.length) >>> 0;
    }
    return pieces;
  }
}
