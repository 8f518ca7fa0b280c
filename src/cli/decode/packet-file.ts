/**
 * Packets of a capture file: pcap (draft-ietf-opsawg-pcap) and pcapng (draft-ietf-opsawg-pcapng), either byte order.
 * Only what decoding needs is read: interfaces, and packets with their time.
 */
import { Failure } from '../advice.ts';

export interface Packet {
  readonly linkType: number;
  readonly bytes: Buffer;
  /** Microseconds since 1970; undefined where the capture has no time. */
  readonly timeUs: bigint | undefined;
}

const pcapMagics: Readonly<Record<string, { readonly isLittle: boolean; readonly perUs: bigint }>> =
  {
    d4c3b2a1: { isLittle: true, perUs: 1n },
    a1b2c3d4: { isLittle: false, perUs: 1n },
    '4d3cb2a1': { isLittle: true, perUs: 1000n },
    a1b23c4d: { isLittle: false, perUs: 1000n },
  };
const pcapngMagic = '0a0d0d0a';
const largestPacket = 16 * 1024 * 1024;

export function isPacketFile(head: Buffer): boolean {
  const magic = head.subarray(0, 4).toString('hex');
  return magic === pcapngMagic || Object.hasOwn(pcapMagics, magic);
}

export function packetsOf(file: Buffer): Generator<Packet> {
  const magic = file.subarray(0, 4).toString('hex');
  const form = pcapMagics[magic];
  return form === undefined ? pcapngPackets(file) : pcapPackets(file, form.isLittle, form.perUs);
}

function cutOff(at: number): Failure {
  return new Failure(`the capture is damaged at byte ${at}`, 'Write it again: tcpdump -w FILE.');
}

function* pcapPackets(file: Buffer, isLittle: boolean, perUs: bigint): Generator<Packet> {
  const u32 = (at: number) => (isLittle ? file.readUInt32LE(at) : file.readUInt32BE(at));
  if (file.length < 24) throw cutOff(0);
  const linkType = u32(20) & 0xffff;
  for (let at = 24; at < file.length; ) {
    // A capture that was stopped mid-packet ends here.
    if (at + 16 > file.length) return;
    const size = u32(at + 8);
    if (size > largestPacket) throw cutOff(at);
    const end = at + 16 + size;
    if (end > file.length) return;
    const timeUs = BigInt(u32(at)) * 1_000_000n + BigInt(u32(at + 4)) / perUs;
    yield { linkType, bytes: file.subarray(at + 16, end), timeUs };
    at = end;
  }
}

interface Interface {
  readonly linkType: number;
  readonly ticksPerSecond: bigint;
}

const blocks = { section: 0x0a0d0d0a, interface: 1, simple: 3, enhanced: 6 } as const;

function* pcapngPackets(file: Buffer): Generator<Packet> {
  let isLittle = true;
  let interfaces: Interface[] = [];
  const u32 = (at: number) => (isLittle ? file.readUInt32LE(at) : file.readUInt32BE(at));
  for (let at = 0; at + 12 <= file.length; ) {
    if (file.readUInt32BE(at) === blocks.section) {
      isLittle = file.readUInt32BE(at + 8) === 0x4d3c2b1a;
      interfaces = [];
    }
    const size = u32(at + 4);
    if (size < 12 || size % 4 !== 0) throw cutOff(at);
    if (at + size > file.length) return;
    const block = file.subarray(at, at + size);
    const kind = u32(at);
    if (kind === blocks.interface && size >= 20) interfaces.push(interfaceOf(block, isLittle));
    if (kind === blocks.enhanced && size >= 32) {
      const [id, high, low, length] = [8, 12, 16, 20].map((offset) => u32(at + offset));
      const from = interfaces[id ?? 0];
      if (from === undefined || 28 + (length ?? 0) > size - 4) throw cutOff(at);
      const ticks = (BigInt(high ?? 0) << 32n) | BigInt(low ?? 0);
      yield {
        linkType: from.linkType,
        bytes: block.subarray(28, 28 + (length ?? 0)),
        timeUs: (ticks * 1_000_000n) / from.ticksPerSecond,
      };
    }
    if (kind === blocks.simple && size >= 16 && interfaces[0] !== undefined) {
      const { linkType } = interfaces[0];
      const length = Math.min(u32(at + 8), size - 16);
      yield { linkType, bytes: block.subarray(12, 12 + length), timeUs: undefined };
    }
    at += size;
  }
}

const timeResolution = 9;

/** `if_tsresol` is a power of ten, or of two where its high bit is set; microseconds unless said. */
function interfaceOf(block: Buffer, isLittle: boolean): Interface {
  const u16 = (at: number) => (isLittle ? block.readUInt16LE(at) : block.readUInt16BE(at));
  let ticksPerSecond = 1_000_000n;
  for (let at = 16; at + 4 <= block.length - 4; at += 4 + Math.ceil(u16(at + 2) / 4) * 4) {
    if (u16(at) !== timeResolution) continue;
    const power = block[at + 4] ?? 6;
    ticksPerSecond = (power & 0x80) !== 0 ? 2n ** BigInt(power & 0x7f) : 10n ** BigInt(power);
  }
  return { linkType: u16(8), ticksPerSecond };
}
