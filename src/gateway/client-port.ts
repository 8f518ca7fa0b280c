/** A port for clients, as the configuration says: address, limits, TLS (docs/SECURITY.md, "Sessions"). */
import { readFileSync } from 'node:fs';
import { fixpLockout } from '../fixp/fixp-directory.ts';
import type { Clock } from '../runtime/clock.ts';
import { Acceptor, type AcceptorOptions, defaultAcceptorLimits } from '../transport/acceptor.ts';
import type { Config } from './config.ts';
import type { LoadedConfig } from './config-file.ts';

export function clientPort(
  port: Config['fix'] | NonNullable<Config['fixp']>,
  { path }: LoadedConfig,
  directory: AcceptorOptions['reception'] & Pick<AcceptorOptions, 'attach'>,
  clock: Clock,
  notice: (text: string) => void,
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
