/** A session in which the bridge connects out, to a consumer of drop copies (docs/DROPCOPY.md). */
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

export interface OutboundParts extends OperatorLines, Pick<LoadedConfig, 'path'> {
  readonly clock: Clock;
  /** The name of the session. */
  readonly name: string;
  readonly to: ConnectConfig;
  /** Gives the session its connection; returns false if the session does not want one. */
  readonly attach: (link: Link) => boolean;
  /** False outside of the session's hours, and while an operator has stopped it. */
  readonly isWanted: () => boolean;
}

/** A consumer that is away for less may have been restarted. */
const awayAtMostMs = 60_000;

export class Outbound {
  readonly #parts: OutboundParts;
  readonly #connector: Connector;
  /** The first failure since the last logon; infinite once it was reported. */
  #awaySinceMs: number | undefined;
  #tlsProblem: string | undefined;

  constructor(parts: OutboundParts) {
    this.#parts = parts;
    const { attach, clock, name, notice, to } = parts;
    const { host, port, tls } = to;
    this.#connector = new Connector({
      ...{ host, port, clock, attach },
      tls: tls && (() => this.#readTls(tls)),
      notice: (event) => {
        const text =
          event.kind === 'connected'
            ? `connected to ${host}:${port}`
            : `${event.reason}; the next try is in ${event.retryMs} ms`;
        notice(`${name}: ${text}`, { event: 'dialing', session: name, tls: tls !== undefined });
        if (event.kind === 'disconnected') this.#failed(event.reason);
      },
    });
    this.#connector.start();
  }

  /** The session has logged on at its consumer. */
  loggedOn(): void {
    this.#awaySinceMs = undefined;
  }

  stop(): void {
    this.#connector.stop();
  }

  /** One alarm each time that the consumer is away: no order of a client shows that the copies stay here. */
  #failed(reason: string): void {
    const { clock, isWanted, to } = this.#parts;
    const { monoMs } = clock.now();
    this.#awaySinceMs = isWanted() ? (this.#awaySinceMs ?? monoMs) : undefined;
    if (this.#awaySinceMs === undefined || monoMs - this.#awaySinceMs < awayAtMostMs) return;
    this.#awaySinceMs = Number.POSITIVE_INFINITY;
    this.#alarm('consumer_away', `not logged on at ${to.host}:${to.port} for a minute: ${reason}`);
  }

  /** An alarm once, and not for each try. */
  #readTls(files: NonNullable<ConnectConfig['tls']>): ConnectorTls {
    try {
      const read = tlsOf(files, this.#parts.path);
      this.#tlsProblem = undefined;
      return read;
    } catch (error) {
      const { message } = error as Error;
      if (message !== this.#tlsProblem) this.#alarm('certificate', message);
      this.#tlsProblem = message;
      throw error;
    }
  }

  #alarm(code: string, text: string): void {
    const { alarm, name } = this.#parts;
    alarm(`${name}: ${text}`, { event: 'session_alarm', session: name, code });
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
