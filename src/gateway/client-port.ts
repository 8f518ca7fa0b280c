/** The ports for clients, as the configuration says: address, limits, TLS (docs/SECURITY.md, "Sessions"). */
import { readFileSync } from 'node:fs';
import { fixpLockout } from '../fixp/fixp-directory.ts';
import type { Clock } from '../runtime/clock.ts';
import { Acceptor, type AcceptorOptions, defaultAcceptorLimits } from '../transport/acceptor.ts';
import type { Config } from './config.ts';
import type { LoadedConfig } from './config-file.ts';

type Directory = AcceptorOptions['reception'] & Pick<AcceptorOptions, 'attach'>;

export interface ClientPortsParts {
  readonly directory: Directory;
  readonly fixpDirectory: Directory;
  readonly clock: Clock;
  readonly notice: (text: string) => void;
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

  async open(loaded: LoadedConfig, parts: ClientPortsParts): Promise<void> {
    const { fix, fixp } = loaded.config;
    const listen = (port: PortConfig, directory: Directory) => {
      const acceptor = acceptorOf(port, loaded, directory, parts);
      this.#acceptors.push(acceptor);
      return acceptor.listen();
    };
    this.#fix = await listen(fix, parts.directory);
    if (fixp !== undefined) this.#fixp = await listen(fixp, parts.fixpDirectory);
  }

  async close(): Promise<void> {
    await Promise.all(this.#acceptors.map((acceptor) => acceptor.close()));
  }
}

type PortConfig = Config['fix'] | NonNullable<Config['fixp']>;

function acceptorOf(
  port: PortConfig,
  { path }: LoadedConfig,
  directory: Directory,
  { clock, notice }: Pick<ClientPortsParts, 'clock' | 'notice'>,
): Acceptor {
  const { listen, maxConnections, proxies, tls } = port;
  const lockout = 'byteOrder' in port ? fixpLockout : defaultAcceptorLimits.lockout;
  return new Acceptor({
    ...listen,
    clock,
    reception: directory,
    attach: (session, link, first) => directory.attach(session, link, first),
    limits: { ...defaultAcceptorLimits, connections: maxConnections, lockout },
    ...(proxies !== undefined && { proxies }),
    ...(tls !== undefined && {
      tls: {
        key: readFileSync(path(tls.keyFile)),
        cert: readFileSync(path(tls.certFile)),
        ...(tls.clientCaFile !== undefined && { clientCa: readFileSync(path(tls.clientCaFile)) }),
      },
    }),
    notice: (event) => notice(JSON.stringify(event)),
  });
}
