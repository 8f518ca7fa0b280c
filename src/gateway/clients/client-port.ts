/** The client ports as configured: address, limits, TLS (docs/SECURITY.md, "Sessions"). */
import { readFileSync } from 'node:fs';
import { fixpLockout } from '../../fixp/fixp-directory.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { WriteNotice } from '../../runtime/operator-line.ts';
import { usableFiles } from '../../runtime/tls-files.ts';
import {
  Acceptor,
  type AcceptorNotice,
  type AcceptorOptions,
  defaultAcceptorLimits,
  type ServerTls,
} from '../../transport/acceptor.ts';
import { networkOf } from '../../transport/address.ts';
import type { Link } from '../../transport/link.ts';
import type { Reception, Session } from '../../transport/session.ts';
import type { Config } from '../config/config.ts';
import type { LoadedConfig } from '../config/config-file.ts';
import type { DescriptorPlan } from '../config/descriptor-plan.ts';

interface Directory<S = Session> extends Reception<S> {
  attach(session: S, link: Link, first: Uint8Array): boolean;
}

export interface ClientPortsParts {
  readonly directory: Directory;
  readonly fixpDirectory: Directory;
  readonly clock: Clock;
  /** `about` contains the kind and the network, because strangers can cause any number of these notices. */
  readonly notice: WriteNotice;
}

export class ClientPorts {
  readonly #acceptors = new Map<'fix' | 'fixp', Acceptor>();
  /** 0 until the port is open. */
  fix = 0;
  /** 0 without a port for FIXP. */
  fixp = 0;

  /** The argument is the number of connections for which there are descriptors. */
  async open(
    loaded: LoadedConfig,
    { connections }: DescriptorPlan,
    parts: ClientPortsParts,
  ): Promise<void> {
    const { fix, fixp } = loaded.config;
    const listen = (name: 'fix' | 'fixp', port: PortConfig, directory: Directory) => {
      const limited = { ...port, maxConnections: connections[name] };
      const acceptor = acceptorOf(limited, loaded, directory, parts);
      this.#acceptors.set(name, acceptor);
      return acceptor.listen();
    };
    this.fix = await listen('fix', fix, parts.directory);
    if (fixp !== undefined) this.fixp = await listen('fixp', fixp, parts.fixpDirectory);
  }

  renewal(loaded: LoadedConfig): () => void {
    return certificateRenewal(this.#acceptors, loaded);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#acceptors.values()].map((acceptor) => acceptor.close()));
  }
}

/**
 * Reads the certificates of these ports again. Throws if one cannot be used; otherwise calling the returned function
 * applies all of them to later connections.
 */
export function certificateRenewal(
  acceptors: ReadonlyMap<'fix' | 'fixp', Pick<Acceptor, 'renewal'>>,
  { config, path }: LoadedConfig,
): () => void {
  const renewals = [...acceptors].map(([name, acceptor]) =>
    usableFiles(`${name}.tls`, config[name]?.tls, () => {
      const tls = tlsOf(config[name], path);
      return tls && acceptor.renewal(tls);
    }),
  );
  return () => {
    for (const renew of renewals) renew?.();
  };
}

export function tlsOf(
  port: Pick<PortConfig, 'tls'> | undefined,
  path: LoadedConfig['path'],
): ServerTls | undefined {
  if (port?.tls === undefined) return undefined;
  const { certFile, clientCaFile, keyFile } = port.tls;
  return {
    key: readFileSync(path(keyFile)),
    cert: readFileSync(path(certFile)),
    ...(clientCaFile !== undefined && { clientCa: readFileSync(path(clientCaFile)) }),
  };
}

export type PortConfig = Config['fix'] | NonNullable<Config['fixp']>;

/** The port as configured; `more` has additional options of a node and its workers. */
export function acceptorOf<S = Session>(
  port: PortConfig,
  { path }: Pick<LoadedConfig, 'path'>,
  directory: Directory<S>,
  { clock, notice }: Pick<ClientPortsParts, 'clock' | 'notice'>,
  more: Pick<AcceptorOptions<S>, 'offended' | 'proxies'> = {},
): Acceptor<S> {
  const { listen, maxConnections, proxies } = port;
  const tls = tlsOf(port, path);
  const lockout = 'byteOrder' in port ? fixpLockout : defaultAcceptorLimits.lockout;
  return new Acceptor<S>({
    ...listen,
    clock,
    reception: directory,
    attach: (session, link, first) => directory.attach(session, link, first),
    limits: { ...defaultAcceptorLimits, connections: maxConnections, lockout },
    ...(proxies !== undefined && { proxies }),
    ...more,
    ...(tls !== undefined && { tls }),
    notice: noticeOf(notice, tls !== undefined),
  });
}

/** The longest text of a stranger that appears in a log line. */
const longestName = 64;

/** Log lines about what strangers do at a port. */
export function noticeOf(notice: WriteNotice, tls: boolean): (event: AcceptorNotice) => void {
  return (event) => {
    const { address, kind } = event;
    const name = JSON.stringify(event.name.slice(0, longestName));
    const facts = { address, tls, about: `${kind} ${networkOf(address)}` };
    if (kind === 'blocked') {
      const text = `${name} failed to log on too often from ${address} and is blocked there for a while`;
      notice(text, { event: 'address_blocked', ...facts });
    } else {
      const as = event.name === '' ? '' : ` as ${name}`;
      const text = `a connection from ${address}${as} was refused: ${event.reason}`;
      notice(text, { event: 'connection_refused', ...facts });
    }
  };
}
