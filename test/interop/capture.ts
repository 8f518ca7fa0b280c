/** Writes pcap files of one TCP connection on loopback, so that Wireshark has something to dissect. */

export interface Sent {
  readonly fromClient: boolean;
  readonly seq: number;
  readonly text: string | Buffer;
  readonly syn?: boolean;
}

export function ethernetFrame({ fromClient, seq, text, syn = false }: Sent): Buffer {
  const payload = typeof text === 'string' ? Buffer.from(text, 'latin1') : text;
  const tcp = Buffer.alloc(20);
  tcp.writeUInt16BE(fromClient ? 50_000 : 9880, 0);
  tcp.writeUInt16BE(fromClient ? 9880 : 50_000, 2);
  tcp.writeUInt32BE(seq >>> 0, 4);
  tcp[12] = 5 << 4;
  tcp[13] = syn ? 2 : 0x18;
  const ip = Buffer.alloc(20);
  ip[0] = 0x45;
  ip.writeUInt16BE(40 + payload.length, 2);
  ip[8] = 64;
  ip[9] = 6;
  ip.set(fromClient ? [127, 0, 0, 1] : [127, 0, 0, 2], 12);
  ip.set(fromClient ? [127, 0, 0, 2] : [127, 0, 0, 1], 16);
  const link = Buffer.alloc(14);
  link.writeUInt16BE(0x0800, 12);
  return Buffer.concat([link, ip, tcp, payload]);
}

export function pcap(frames: readonly Buffer[], startS = 1_795_000_000): Buffer {
  const header = Buffer.alloc(24);
  header.writeUInt32LE(0xa1b2c3d4, 0);
  header.writeUInt16LE(2, 4);
  header.writeUInt16LE(4, 6);
  header.writeUInt32LE(262_144, 16);
  header.writeUInt32LE(1, 20);
  const records = frames.map((frame, index) => {
    const record = Buffer.alloc(16);
    record.writeUInt32LE(startS, 0);
    record.writeUInt32LE(index, 4);
    record.writeUInt32LE(frame.length, 8);
    record.writeUInt32LE(frame.length, 12);
    return Buffer.concat([record, frame]);
  });
  return Buffer.concat([header, ...records]);
}
