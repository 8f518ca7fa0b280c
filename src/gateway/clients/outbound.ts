/** Sessions in which the bridge connects out, to consumers of drop copies (docs/DROPCOPY.md). */
import { readFileSync } from 'node:fs';
import type { OwnCredentials } from '../../fix/session-settings.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { OperatorLines } from '../../runtime/operator-line.ts';
import { usableContext, usableFiles } from '../../runtime/tls-files.ts';
import { Connector, type ConnectorTls } from '../../transport/connector.ts';
import type { Link } from '../../transport/link.ts';
import type { SessionConfig } from '../config/config.ts';
import type { LoadedConfig } from '../config/config-file.ts';

type ConnectConfig = NonNullable<SessionConfig['connect']>;

export interface OutboundParts extends OperatorLines {
  readonly clock: Clock;
}

export class Outbound {
  readonly #parts: OutboundParts;
  /** Connectors by the name of their session. */
  readonly #connectors = new Map<string, Connector>();

  constructor(parts: OutboundParts) {
    this.#parts = parts;
  }

  /** `attach` gives the session its connection; it returns false if the session does not want one. */
  connect(
    name: string,
    to: ConnectConfig,
    { path }: LoadedConfig,
    attach: (link: Link) => boolean,
  ): void {
    const { alarm, clock, notice } = this.#parts;
    const { tls } = to;
    let problem: string | undefined;
    /** An alarm once, and not for each try. */
    const readTls = (files: NonNullable<typeof tls>) => {
      try {
        const read = tlsOf(files, path);
        problem = undefined;
        return read;
      } catch (error) {
        const { message } = error as Error;
        const facts = { event: 'session_alarm', session: name, code: 'certificate' } as const;
        if (message !== problem) alarm(`${name}: ${message}`, facts);
        problem = message;
        throw error;
      }
    };
    const connector = new Connector({
      host: to.host,
      port: to.port,
      clock,
      attach,
      tls: tls && (() => readTls(tls)),
      notice: (event) => {
        const text =
          event.kind === 'connected'
            ? `connected to ${to.host}:${to.port}`
            : `${event.reason}; the next try is in ${event.retryMs} ms`;
        notice(`${name}: ${text}`, { event: 'dialing', session: name, tls: tls !== undefined });
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

/** The credentials of our own Logon or Negotiate. */
export function ownCredentials(
  { connect, senderCompId }: SessionConfig,
  { connectPasswords }: LoadedConfig,
): OwnCredentials {
  const username = connect?.username;
  const password = connectPasswords.get(senderCompId);
  return {
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
  };
}

function tlsOf(
  { serverName, ...files }: NonNullable<ConnectConfig['tls']>,
  path: LoadedConfig['path'],
): ConnectorTls {
  const read = (file: string | undefined) => (file ? readFileSync(path(file)) : undefined);
  const secureContext = usableFiles('connect.tls', files, () =>
    usableContext({
      ca: read(files.caFile),
      cert: read(files.certFile),
      key: read(files.keyFile),
    }),
  );
  return { secureContext, ...(serverName !== undefined && { servername: serverName }) };
}
