/**
 * The relay port of a node in `cluster.yaml`, and the addresses that the node announces
 * (docs/decisions/0288-connections-between-nodes.md).
 */
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { z } from 'zod';
import type { Config } from '../gateway/config/config.ts';
import { fileFault } from '../gateway/config/config-file.ts';
import { file, isLoopback, listen } from '../gateway/config/config-keys.ts';
import { type KeyPath, key } from '../runtime/yaml-problem.ts';
import { hostAndPort } from '../store/postgres/place-config.ts';
import { connectMs } from './dialer.ts';

export const relay = z
  .strictObject({
    listen,
    address: key(
      hostAndPort.optional(),
      'Where other nodes reach this port, if it is not `listen` or `listen` is every address of the machine.',
      '10.0.0.11:9893',
    ),
    tls: z
      .strictObject({
        certFile: key(
          file,
          "This node's certificate, in PEM, with the node's name as its DNS name.",
          'tls/n1.crt',
        ),
        keyFile: key(
          file,
          'Its private key, in PEM; other users must not be able to read it.',
          'tls/n1.key',
        ),
        caFile: key(
          file,
          "The cluster's own certificate authority, in PEM. A certificate of it with the name of a node opens this port, so it must be used for nothing else.",
          'tls/cluster-ca.crt',
        ),
      })
      .describe('TLS between nodes, in both directions.'),
  })
  .describe(
    "The port for other nodes, which relay clients of this node's shards to it. Needed if the bridge has its `store` in a database and there are several nodes.",
  );

/** The address that clients are referred to. */
export const advertise = z
  .strictObject({
    fix: key(hostAndPort.optional(), 'The address for FIX clients.', 'fix-2.example:9880'),
    fixp: key(hostAndPort.optional(), 'The address for FIXP clients.', 'fix-2.example:9882'),
  })
  .describe(
    'The addresses that clients are asked to connect to if another node cannot relay them here. If absent, the address that the port listens on, unless that is every address of the machine or one that only the machine itself reaches.',
  );

interface NodeSection {
  readonly name: string;
  readonly relay?: z.output<typeof relay> | undefined;
  readonly advertise: z.output<typeof advertise>;
}

type PortName = 'relay' | 'fix' | 'fixp';
/** A port that the node does not have is 0. */
export type OpenPorts = Readonly<Record<PortName, number>>;
/** HOST:PORT of each port; empty if other machines cannot reach it. */
export type Announcement = Readonly<Record<PortName, string>>;

/** Resolves file names relative to the configuration that names them. */
export function absolute<T extends Readonly<Record<string, string | undefined>>>(
  files: T,
  folder: string,
): T {
  const entries = Object.entries(files).map(([key, name]) => [key, name && resolve(folder, name)]);
  return Object.fromEntries(entries) as T;
}

export function announcedOf(
  { advertise, relay }: Pick<NodeSection, 'advertise' | 'relay'>,
  { fix, fixp }: Config,
  ports: OpenPorts,
): Announcement {
  return {
    relay: relay?.address ?? addressOf(relay?.listen.host, ports.relay),
    fix: advertise.fix ?? forClients(fix.listen.host, ports.fix),
    fixp: advertise.fixp ?? forClients(fixp?.listen.host, ports.fixp),
  };
}

function forClients(host: string | undefined, port: number): string {
  return host !== undefined && isLoopback(host) ? '' : addressOf(host, port);
}

/** Returns an empty string for a host that means every address of the machine. */
function addressOf(host: string | undefined, port: number): string {
  if (host === undefined || port === 0 || host === '0.0.0.0' || /^[0:]+$/.test(host)) return '';
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

/** Checks that the nodes of one database can reach each other. */
export function relayFaults(
  { holdMs, nodes }: { readonly holdMs: number; readonly nodes: readonly NodeSection[] },
  { store }: Config,
  at: (path: KeyPath) => string,
): string[] {
  if (store === undefined || nodes.length === 1) return [];
  const text = `a connection to another node may take ${connectMs} ms, so it must not be less`;
  const tooShort = holdMs < connectMs ? [`${at(['holdMs'])}: ${text}`] : [];
  const incomplete = nodes.flatMap(({ name, relay }, place) => {
    const where = at(['nodes', place]);
    if (relay === undefined) {
      return [`${where}: needs relay, the port through which other nodes bring it clients`];
    }
    if (isIP(name) !== 0) return [`${where}: the name must fit a DNS name in a certificate`];
    const { address, listen } = relay;
    return address === undefined && addressOf(listen.host, 1) === ''
      ? [`${where}: needs relay.address, because relay.listen is every address of the machine`]
      : [];
  });
  return [...tooShort, ...incomplete];
}

export function relayFileFaults(
  relay: NodeSection['relay'],
  at: (path: KeyPath) => string,
): string[] {
  const files = Object.entries(relay?.tls ?? {});
  return files.flatMap(([key, name]) => {
    const fault = fileFault(key, name);
    return fault === undefined ? [] : [`${at(['tls', key])}: ${fault}`];
  });
}
