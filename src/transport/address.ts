/** Addresses of peers in a canonical spelling, and lists of addresses that may connect. */
import { BlockList, isIP, type Socket } from 'node:net';

/** Converts an IPv4 address that arrived through an IPv6 socket. */
export function plainAddress(address: string): string {
  return address.startsWith('::ffff:') && isIP(address.slice(7)) === 4 ? address.slice(7) : address;
}

/** Identifies a connection: a client may connect from one port to several addresses of ours. */
export function endpointsOf(of: Socket): string {
  return `${of.remoteAddress} ${of.remotePort} ${of.localAddress} ${of.localPort}`;
}

/** The probable owner of an address: the owner of an IPv6 address has a whole /64. */
export function sourceOf(address: string): string {
  return isIP(address) === 6 ? `${firstGroups(address)}::/64` : address;
}

/** The network of an address, a /24 or a /64: a client with many addresses usually has them in one network. */
export function networkOf(address: string): string {
  return isIP(address) === 4
    ? `${address.slice(0, address.lastIndexOf('.'))}.0/24`
    : sourceOf(address);
}

/** The first four of the eight groups of an IPv6 address, in canonical spelling. */
function firstGroups(address: string): string {
  const first = ipv6Groups(address).slice(0, 4);
  return first.map((group) => group.toString(16)).join(':');
}

/** All eight groups of an IPv6 address. */
export function ipv6Groups(address: string): number[] {
  const groups = (part = '') => part.split(':').filter((group) => group !== '');
  const [plain = ''] = address.split('%');
  const [head, tail] = plain.split('::').map((part) => groups(part)) as [string[], string[]?];
  const zeros = Array<string>(Math.max(0, 8 - head.length - (tail?.length ?? 0))).fill('0');
  return [...head, ...(tail === undefined ? [] : zeros), ...(tail ?? [])]
    .slice(0, 8)
    .map((group) => Number.parseInt(group, 16));
}

export class AddressList {
  readonly #list = new BlockList();

  /** Addresses and networks: `10.0.0.7`, `10.0.0.0/8`, `2001:db8::/32`. */
  constructor(entries: readonly string[]) {
    for (const entry of entries) this.#add(entry);
  }

  has(address: string): boolean {
    return this.#list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
  }

  #add(entry: string): void {
    const [address = '', bits, ...rest] = entry.split('/');
    const family = isIP(address);
    const longest = family === 6 ? 128 : 32;
    const prefix = bits === undefined ? longest : Number(bits);
    const isPrefix = Number.isInteger(prefix) && prefix >= 0 && prefix <= longest && bits !== '';
    if (family === 0 || !isPrefix || rest.length > 0)
      throw new Error(`"${entry}" is not an address or a network such as 10.0.0.0/8`);
    this.#list.addSubnet(address, prefix, family === 6 ? 'ipv6' : 'ipv4');
  }
}
