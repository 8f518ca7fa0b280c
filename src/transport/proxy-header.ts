/**
 * The PROXY protocol, version 2, with which a balancer tells whose connection it forwards
 * (https://www.haproxy.org/download/3.0/doc/proxy-protocol.txt, section 2.2).
 *
 *   signature(12) versionAndCommand(1) familyAndProtocol(1) length(2) addresses and extensions(length)
 */
const signature = Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1');
const fixedSize = 16;
const largestSize = 1024;
const commands = { local: 0x20, proxy: 0x21 } as const;
const tcpOverIpv4 = 0x11;
const tcpOverIpv6 = 0x21;

export type ProxyHeader =
  | { readonly kind: 'more' }
  | { readonly kind: 'bad'; readonly reason: string }
  /** `address` is absent when the balancer speaks for itself, as in a health check. */
  | { readonly kind: 'header'; readonly size: number; readonly address?: string };

export function readProxyHeader(bytes: Buffer): ProxyHeader {
  const begin = Math.min(bytes.length, signature.length);
  if (!bytes.subarray(0, begin).equals(signature.subarray(0, begin))) return bad('no signature');
  if (bytes.length < fixedSize) return { kind: 'more' };
  const size = fixedSize + bytes.readUInt16BE(14);
  if (size > largestSize) return bad(`${size} bytes are more than ${largestSize}`);
  const command = bytes[12];
  if (command !== commands.local && command !== commands.proxy)
    return bad(`version and command ${command}`);
  if (bytes.length < size) return { kind: 'more' };
  if (command === commands.local) return { kind: 'header', size };
  return withAddress(bytes, size);
}

function withAddress(bytes: Buffer, size: number): ProxyHeader {
  const room = size - fixedSize;
  if (bytes[13] === tcpOverIpv4 && room >= 12)
    return { kind: 'header', size, address: bytes.subarray(16, 20).join('.') };
  if (bytes[13] === tcpOverIpv6 && room >= 36) {
    const groups = Array.from({ length: 8 }, (_, i) => bytes.readUInt16BE(16 + 2 * i).toString(16));
    return {
      kind: 'header',
      size,
      address: new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1),
    };
  }
  return bad(`family ${bytes[13]} with ${room} bytes`);
}

function bad(reason: string): ProxyHeader {
  return { kind: 'bad', reason: `bad PROXY header: ${reason}` };
}
