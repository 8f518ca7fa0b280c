/** The port for FIX clients, as the configuration says: address, limits, TLS (docs/SECURITY.md, "Sessions"). */
import { readFileSync } from 'node:fs';
import type { SessionDirectory } from '../fix/session-directory.ts';
import type { Clock } from '../runtime/clock.ts';
import { Acceptor, defaultAcceptorLimits } from '../transport/acceptor.ts';
import type { LoadedConfig } from './config-file.ts';

export function fixAcceptor(
  { config, path }: LoadedConfig,
  directory: SessionDirectory,
  clock: Clock,
  notice: (text: string) => void,
): Acceptor {
  const { listen, maxConnections, tls } = config.fix;
  return new Acceptor({
    ...listen,
    clock,
    reception: directory,
    attach: (session, link, first) => directory.attach(session, link, first),
    limits: { ...defaultAcceptorLimits, connections: maxConnections },
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
