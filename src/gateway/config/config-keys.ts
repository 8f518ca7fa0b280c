/**
 * The types of configuration values, and the sections that a configuration may contain more than once.
 * docs/CONFIGURATION.md is generated from the descriptions, units and examples here, so each key needs them.
 */
import { z } from 'zod';
import { key } from '../../runtime/yaml-problem.ts';
import { AddressList } from '../../transport/address.ts';

/** Kinds of values. Those with `usual` have a default. */
export const text = z.string().min(1);
export const textOr = (usual: string, longest: number) => text.max(longest).default(usual);
export const integer = (least: number, most: number) => z.int().min(least).max(most);
export const integerOr = (usual: number, least: number, most: number) =>
  integer(least, most).default(usual);
export const off = z.boolean().default(false);
export const choice = <const Word extends string, const Usual extends Word>(
  words: readonly Word[],
  usual: Usual,
) => z.enum(words).default(usual as never);
export const list = <Of extends z.ZodType>(of: Of) => z.array(of).min(1);
export const optionalList = <Of extends z.ZodType>(of: Of) => list(of).optional();

export const name = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,31}$/, 'not a name: letters, digits, dot, dash, underscore')
  .refine((text) => !(text in {}), 'not a name: this word is reserved')
  .meta({ title: 'name' });
export const compId = z
  .string()
  .regex(/^[!-~]{1,32}$/, 'not a CompID: 1 to 32 printable characters')
  .meta({ title: 'CompID' });
export const file = text.max(4096).meta({ title: 'file' });
export const milliseconds = integer(0, 86_400_000);
export const port = integer(0, 65_535).meta({ unit: 'TCP port' });
export const count = integer(1, 10_000_000);
export const host = text.max(255);
/** Amounts are decimal text, because a YAML number would be parsed as a floating-point number. */
export const decimal = z
  .string()
  .regex(/^\d{1,20}(\.\d{1,18})?$/, 'not a decimal in quotes, such as "1500.25"')
  .meta({ title: 'decimal in quotes' });
export const account = z
  .string()
  .regex(/^0x[0-9a-f]{40}$/, 'not an account: 0x and 40 lowercase hex digits')
  .meta({ title: 'account address' });

export const addressRange = z
  .string()
  .refine((text) => isPossible(() => new AddressList([text])), 'not an address or a network')
  .meta({ title: 'address or network' });

export const listen = z
  .strictObject({
    host: key(
      host.default('127.0.0.1'),
      'The address to listen on; `0.0.0.0` or `::` listens on every address of the machine.',
      '0.0.0.0',
    ),
    port: key(port, 'The port to listen on; 0 takes a free port.', 9880),
  })
  .describe('Where this port listens.');

export const tls = z
  .strictObject({
    certFile: key(file, 'The certificate chain of the gateway, in PEM.', 'tls/server.pem'),
    keyFile: key(
      file,
      'The private key of the certificate, in PEM; other users must not be able to read it.',
      'tls/server.key',
    ),
    clientCaFile: key(
      file.optional(),
      'If set, every client must present a certificate signed by an authority in this file.',
      'tls/clients.pem',
    ),
  })
  .describe('TLS on this port; without it the port speaks cleartext.');

export const clientPort = {
  listen,
  tls: tls.optional(),
  maxConnections: key(
    count.default(1000).meta({ unit: 'connections' }),
    'The most connections that are open at once, including those that have not logged on. It is lowered if `ulimit -n` leaves room for fewer.',
    200,
  ),
  allowCleartext: off.describe(
    'Allows logons without TLS from other machines. Set it only if the network is private: passwords cross it in cleartext. Without it mainnet refuses to start and local warns.',
  ),
  proxies: key(
    optionalList(addressRange),
    'The load balancers in front of this port. They send the client address by PROXY protocol v2, and connections from any other address are refused.',
    ['10.0.0.0/24'],
  ),
};

export const limits = z.strictObject({
  maxOrderQty: key(
    decimal.optional().meta({ unit: 'base quantity' }),
    'The largest OrderQty(38) of one order or quote.',
    '10',
  ),
  maxNotional: key(
    decimal.optional().meta({ unit: 'quote currency' }),
    'The largest price times quantity of one order or quote.',
    '1000000',
  ),
  priceCollarBps: key(
    integer(1, 10_000).optional(),
    'How far a price may cross the best opposite price (or its own side, if the opposite side is empty). An order is refused if there is no price to compare it with.',
    500,
  ),
  maxOpenOrders: key(
    count.optional().meta({ unit: 'orders' }),
    'The most orders open, in flight and waiting. A replace adds none.',
    2000,
  ),
  ordersPerSecond: key(
    count.optional(),
    'The most new orders, quotes and replaces in any second. Cancels do not count.',
    50,
  ),
  maxDuplicatesPerSecond: key(
    count.optional(),
    'The most orders of the same market, side, price and quantity in any second, as a guard against a client that loops.',
    20,
  ),
});

const loopback = /^(127\.\d+\.\d+\.\d+|\[?::1\]?|localhost)$/;

/** Also accepts an address in brackets, as in a URL. */
export function isLoopback(host: string): boolean {
  return loopback.test(host);
}

/** Undefined for text that is not a URL, and for a URL that would send secrets in clear text to another machine. */
export function protectedUrl(text: string): URL | undefined {
  const url = URL.parse(text);
  const isLocal = url !== null && isLoopback(url.hostname);
  return url?.protocol === 'https:' || (isLocal && url.protocol === 'http:') ? url : undefined;
}

export function isPossible(call: () => unknown): boolean {
  try {
    call();
    return true;
  } catch {
    return false;
  }
}
