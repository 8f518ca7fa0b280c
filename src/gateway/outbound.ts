/** FIX sessions by which the bridge itself connects out, to consumers of drop copies that listen (docs/DROPCOPY.md). */
import { readFileSync } from 'node:fs';
import type { FixSession } from '../fix/session.ts';
import type { SessionDirectory } from '../fix/session-directory.ts';
import type { SessionSettings } from '../fix/session-settings.ts';
import type { Clock } from '../runtime/clock.ts';
import { Connector } from '../transport/connector.ts';
import type { FixSessionConfig, SessionConfig } from './config.ts';
import type { LoadedConfig } from './config-file.ts';

type ConnectConfig = NonNullable<FixSessionConfig['connect']>;
type LogonCredentials = ReturnType<NonNullable<SessionSettings['credentials']>>;

export interface OutboundParts {
  readonly directory: SessionDirectory;
  readonly clock: Clock;
  readonly notice: (text: string) => void;
}

export class Outbound {
  readonly #parts: OutboundParts;
  /** By name of the session. */
  readonly #connectors = new Map<string, Connector>();

  constructor(parts: OutboundParts) {
    this.#parts = parts;
  }

  connect(session: FixSession, to: ConnectConfig, { path }: LoadedConfig): void {
    const { clock, directory, notice } = this.#parts;
    const { name } = session;
    const connector = new Connector({
      host: to.host,
      port: to.port,
      clock,
      attach: (link) => directory.attach(session, link, new Uint8Array()),
      ...(to.tls !== undefined && { tls: tlsOf(to.tls, path) }),
      notice: (event) => notice(JSON.stringify({ session: name, ...event })),
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

/** What our own Logon proves us by, which may change while the session goes on. */
export class OwnCredentials {
  #words: LogonCredentials = {};

  change(session: SessionConfig, { connectPasswords }: LoadedConfig): void {
    const username = session.protocol === 'fix' ? session.connect?.username : undefined;
    const password = connectPasswords.get(session.senderCompId);
    this.#words = {
      ...(username !== undefined && { username }),
      ...(password !== undefined && { password }),
    };
  }

  readonly ofLogon = (): LogonCredentials => this.#words;
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
