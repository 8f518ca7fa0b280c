/** The ports for clients as configured: address, limits, TLS (docs/SECURITY.md, "Sessions"). */
import { readFileSync } from 'node:fs';
import { fixpLockout } from '../fixp/fixp-directory.ts';
import type { Clock } from '../runtime/clock.ts';
import type { WriteNotice } from '../runtime/operator-line.ts';
import {
  Acceptor,
  type AcceptorNotice,
  type AcceptorOptions,
  defaultAcceptorLimits,
} from '../transport/acceptor.ts';
import { networkOf } from '../transport/address.ts';
import type { Link } from '../transport/link.ts';
import type { Reception, Session } from '../transport/session.ts';
import type { Config } from './config.ts';
import type { LoadedConfig } from './config-file.ts';
import type { DescriptorPlan } from './descriptor-plan.ts';

interface Directory<S = Session> extends Reception<S> {
  attach(session: S, link: Link, first: Uint8Array): boolean;
}

export interface ClientPortsParts {
  readonly directory: Directory;
  readonly fixpDirectory: Directory;
  readonly clock: Clock;
  /** `about` is the kind and the network, because strangers can cause any number of these. */
  readonly notice: WriteNotice;
}

export class ClientPorts {
  readonly #acceptors: Acceptor[] = [];
  #fix = 0;
  #fixp = 0;

  /** 0 until it is open. */
  get fix(): number {
    return this.#fix;
  }

  /** 0 without a port for FIXP. */
  get fixp(): number {
    return this.#fixp;
  }

  /** The number of connections for which there are descriptors. */
  async open(
    loaded: LoadedConfig,
    { connections }: DescriptorPlan,
    parts: ClientPortsParts,
  ): Promise<void> {
    const { fix, fixp } = loaded.config;
    const listen = (port: PortConfig, most: number, directory: Directory) => {
      const acceptor = acceptorOf({ ...port, maxConnections: most }, loaded, directory, parts);
      this.#acceptors.push(acceptor);
      return acceptor.listen();
    };
    this.#fix = await listen(fix, connections.fix, parts.directory);
    if (fixp !== undefined) {
      this.#fixp = await listen(fixp, connections.fixp, parts.fixpDirectory);
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#acceptors.map((acceptor) => acceptor.close()));
  }
}

export type PortConfig = Config['fix'] | NonNullable<Config['fixp']>;

/** The port as it is configured; `more` is what a node and its workers set besides. */
export function acceptorOf<S = Session>(
  port: PortConfig,
  { path }: Pick<LoadedConfig, 'path'>,
  directory: Directory<S>,
  { clock, notice }: Pick<ClientPortsParts, 'clock' | 'notice'>,
  more: Pick<AcceptorOptions<S>, 'offended' | 'proxies'> = {},
): Acceptor<S> {
  const { listen, maxConnections, proxies, tls } = port;
  const lockout = 'byteOrder' in port ? fixpLockout : defaultAcceptorLimits.lockout;
  return new Acceptor<S>({
    ...listen,
    clock,
    reception: directory,
    attach: (session, link, first) => directory.attach(session, link, first),
    limits: { ...defaultAcceptorLimits, connections: maxConnections, lockout },
    ...(proxies !== undefined && { proxies }),
    ...more,
    ...(tls !== undefined && {
      tls: {
        key: readFileSync(path(tls.keyFile)),
        cert: readFileSync(path(tls.certFile)),
        ...(tls.clientCaFile !== undefined && { clientCa: readFileSync(path(tls.clientCaFile)) }),
      },
    }),
    notice: noticeOf(notice, tls !== undefined),
  });
}

/** Of what strangers say, in a log line. */
const longestName = 64;

/** Lines for the operator, of what strangers do at a port. */
export function noticeOf(notice: WriteNotice, tls: boolean): (event: AcceptorNotice) => void {
  return (event) => {
    const { address, kind } = event;
    const facts = { address, tls, about: `${kind} ${networkOf(address)}` };
    if (kind === 'blocked') {
      const name = JSON.stringify(event.name.slice(0, longestName));
      const text = `${address} failed too often and is blocked for a while as ${name}`;
      notice(text, { event: 'address_blocked', ...facts });
    } else {
      const text = `a connection from ${address} was refused: ${event.reason}`;
      notice(text, { event: 'connection_refused', ...facts });
    }
  };
}
