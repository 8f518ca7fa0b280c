/** Sessions in which the bridge connects out, to consumers of drop copies (docs/DROPCOPY.md). */
import { readFileSync } from 'node:fs';
import type { Clock } from '../runtime/clock.ts';
import type { WriteNotice } from '../runtime/operator-line.ts';
import { Connector } from '../transport/connector.ts';
import type { Link } from '../transport/link.ts';
import type { SessionConfig } from './config.ts';
import type { LoadedConfig } from './config-file.ts';

type ConnectConfig = NonNullable<SessionConfig['connect']>;

export interface OutboundParts {
  readonly clock: Clock;
  readonly notice: WriteNotice;
}

export class Outbound {
  readonly #parts: OutboundParts;
  /** By name of the session. */
  readonly #connectors = new Map<string, Connector>();

  constructor(parts: OutboundParts) {
    this.#parts = parts;
  }

  /** `attach` gives the session its connection and returns false if the session does not want it. */
  connect(
    name: string,
    to: ConnectConfig,
    { path }: LoadedConfig,
    attach: (link: Link) => boolean,
  ): void {
    const { clock, notice } = this.#parts;
    const connector = new Connector({
      host: to.host,
      port: to.port,
      clock,
      attach,
      ...(to.tls !== undefined && { tls: tlsOf(to.tls, path) }),
      notice: (event) => {
        const text =
          event.kind === 'connected'
            ? `connected to ${to.host}:${to.port}`
            : `${event.reason}; the next try is in ${event.retryMs} ms`;
        notice(`${name}: ${text}`, { event: 'dialing', session: name, tls: to.tls !== undefined });
      },
    });
    this.#connectors.set(name, connector);
    connector.start();
  }

  close(name: string): void {
    this.#connectors.get(name)?.stop();
    this.#connectors.delete(name);
  }

  stop(): void {
    for (const connector of this.#connectors.values()) connector.stop();
  }
}

/** The credentials of our Logon or Negotiate, which may change while the session runs. */
export class OwnCredentials {
  #words: { readonly username?: string; readonly password?: string } = {};

  change(session: SessionConfig, { connectPasswords }: LoadedConfig): void {
    const username = session.connect?.username;
    const password = connectPasswords.get(session.senderCompId);
    this.#words = {
      ...(username !== undefined && { username }),
      ...(password !== undefined && { password }),
    };
  }

  readonly words = () => this.#words;
}

function tlsOf(tls: NonNullable<ConnectConfig['tls']>, path: LoadedConfig['path']) {
  const { caFile, certFile, keyFile, serverName } = tls;
  return {
    ...(caFile !== undefined && { ca: readFileSync(path(caFile)) }),
    ...(certFile !== undefined && { cert: readFileSync(path(certFile)) }),
    ...(keyFile !== undefined && { key: readFileSync(path(keyFile)) }),
    ...(serverName !== undefined && { servername: serverName }),
  };
}
