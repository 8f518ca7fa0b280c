/**
 * The PROXY protocol, version 2, with which a balancer or a front door identifies the connection that it forwards
 * (https://www.haproxy.org/download/3.0/doc/proxy-protocol.txt, section 2.2).
 *
 *   signature(12) versionAndCommand(1) familyAndProtocol(1) length(2) addresses extensions
 *   extension: type(1) length(2) value(length)
 *   of TLS:    client(1) verify(4) extensions
 */
import { isIP } from 'node:net';
import { ipv6Groups } from './address.ts';
import type { Peer } from './session.ts';

const signature = Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1');
const fixedSize = 16;
const largestSize = 1024;
const commands = { local: 0x20, proxy: 0x21 } as const;
const tcpOverIpv4 = 0x11;
const tcpOverIpv6 = 0x21;
/**
 * PP2_TYPE_ALPN, PP2_TYPE_SSL, PP2_SUBTYPE_SSL_CN; and the certificate's SHA-256, in the range for custom types
 * (PP2_TYPE_MIN_CUSTOM).
 */
const types = { protocol: 0x01, tls: 0x20, commonName: 0x22, fingerprint256: 0xe0 } as const;
/** PP2_CLIENT_SSL, PP2_CLIENT_CERT_CONN. */
const clientBits = { tls: 1, certificate: 2 } as const;
const tlsFixedSize = 5;

/** The client's TLS facts, as seen by the forwarding side. */
type ForwardedTls = Pick<Peer, 'isTls' | 'certificate'>;

export type ProxyHeader =
  | { readonly kind: 'more' }
  | { readonly kind: 'bad'; readonly reason: string }
  | {
      readonly kind: 'header';
      readonly size: number;
      /** Absent if the connection is the balancer's own, such as a health check. */
      readonly address?: string;
      /** An unverified claim: only a listener that trusts the sender may use it. */
      readonly tls?: ForwardedTls;
      /** The protocol of the connection, if the sender includes it; also an unverified claim. */
      readonly protocol?: string;
    };

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
  if (bytes[13] === tcpOverIpv4 && room >= 12) {
    const address = bytes.subarray(16, 20).join('.');
    return { kind: 'header', size, address, ...extended(bytes.subarray(28, size)) };
  }
  if (bytes[13] === tcpOverIpv6 && room >= 36) {
    const groups = Array.from({ length: 8 }, (_, i) => bytes.readUInt16BE(16 + 2 * i).toString(16));
    const address = new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1);
    return { kind: 'header', size, address, ...extended(bytes.subarray(52, size)) };
  }
  return bad(`family ${bytes[13]} with ${room} bytes`);
}

function extended(bytes: Buffer): { readonly tls?: ForwardedTls; readonly protocol?: string } {
  const extensions = extensionsOf(bytes);
  const protocol = extensions.get(types.protocol);
  return {
    ...withTls(extensions.get(types.tls)),
    ...(protocol !== undefined && { protocol: protocol.toString('latin1') }),
  };
}

function withTls(value: Buffer | undefined): { readonly tls?: ForwardedTls } {
  const client = value?.[0] ?? 0;
  if (value === undefined || (client & clientBits.tls) === 0) return {};
  const parts = extensionsOf(value.subarray(tlsFixedSize));
  const fingerprint = parts.get(types.fingerprint256);
  // Zero means that the front door has verified the certificate.
  const isVerified = value.length >= tlsFixedSize && value.readUInt32BE(1) === 0;
  const hasCertificate = (client & clientBits.certificate) !== 0 && isVerified;
  if (!hasCertificate || fingerprint === undefined) return { tls: { isTls: true } };
  const commonName = String(parts.get(types.commonName) ?? '');
  const certificate = { fingerprint256: fingerprint.toString('hex'), commonName };
  return { tls: { isTls: true, certificate } };
}

/** Omits a truncated part. */
function extensionsOf(bytes: Buffer): Map<number, Buffer> {
  const found = new Map<number, Buffer>();
  for (let at = 0; at + 3 <= bytes.length; ) {
    const end = at + 3 + bytes.readUInt16BE(at + 1);
    if (end > bytes.length) break;
    found.set(bytes.readUInt8(at), bytes.subarray(at + 3, end));
    at = end;
  }
  return found;
}

/** Longer than a common name may be (RFC 5280, ub-common-name). */
const longestName = 256;

export function writeProxyHeader(
  { address, certificate, isTls = false }: Peer,
  protocol?: string,
): Buffer {
  const isIpv6 = isIP(address) === 6;
  const source = isIpv6
    ? Buffer.from(ipv6Groups(address).flatMap((group) => [group >> 8, group & 0xff]))
    : Buffer.from(address.split('.').map(Number));
  // The reader does not use the destination and the ports.
  const addresses = Buffer.concat([source, Buffer.alloc(source.length + 4)]);
  const client = clientBits.tls | (certificate ? clientBits.certificate : 0);
  const parts = certificate && [
    extension(types.fingerprint256, Buffer.from(certificate.fingerprint256, 'hex')),
    extension(types.commonName, Buffer.from(certificate.commonName).subarray(0, longestName)),
  ];
  const tls = Buffer.concat([Buffer.from([client, 0, 0, 0, 0]), ...(parts ?? [])]);
  const rest = [
    addresses,
    ...(protocol === undefined ? [] : [extension(types.protocol, Buffer.from(protocol, 'latin1'))]),
    ...(isTls ? [extension(types.tls, tls)] : []),
  ];
  const fixed = Buffer.alloc(fixedSize);
  signature.copy(fixed);
  fixed.writeUInt8(commands.proxy, 12);
  fixed.writeUInt8(isIpv6 ? tcpOverIpv6 : tcpOverIpv4, 13);
  fixed.writeUInt16BE(Buffer.concat(rest).length, 14);
  return Buffer.concat([fixed, ...rest]);
}

function extension(type: number, value: Buffer): Buffer {
  return Buffer.concat([Buffer.from([type, value.length >> 8, value.length & 0xff]), value]);
}

function bad(reason: string): ProxyHeader {
  return { kind: 'bad', reason: `bad PROXY header: ${reason}` };
}
