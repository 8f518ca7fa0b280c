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

/** A consumer that is away for less may have been restarted. */
const awayAtMostMs = 60_000;

interface Outgoing {
  readonly connector: Connector;
  /** On the present connection, or the last one. */
  hasLoggedOn: boolean;
}

export class Outbound {
  readonly #parts: OutboundParts;
  /** By the name of the session. */
  readonly #outgoing = new Map<string, Outgoing>();

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
    const address = `${to.host}:${to.port}`;
    /** Outside of its hours the session wants no connection. */
    let isWanted = true;
    let awaySinceMs: number | undefined;
    /** One alarm each time that the consumer is away: no order of a client shows that the copies stay here. */
    const failed = (reason: string) => {
      const { monoMs } = clock.now();
      if (outgoing.hasLoggedOn || !isWanted) awaySinceMs = undefined;
      else awaySinceMs ??= monoMs;
      [outgoing.hasLoggedOn, isWanted] = [false, true];
      if (awaySinceMs === undefined || monoMs - awaySinceMs < awayAtMostMs) return;
      awaySinceMs = Number.POSITIVE_INFINITY;
      const text = `${name}: not logged on at ${address} for a minute: ${reason}`;
      alarm(text, { event: 'session_alarm', session: name, code: 'consumer_away' });
    };
    const connector = new Connector({
      host: to.host,
      port: to.port,
      clock,
      attach: (link) => {
        isWanted = attach(link);
        return isWanted;
      },
      tls: tls && (() => readTls(tls)),
      notice: (event) => {
        const text =
          event.kind === 'connected'
            ? `connected to ${address}`
            : `${event.reason}; the next try is in ${event.retryMs} ms`;
        notice(`${name}: ${text}`, { event: 'dialing', session: name, tls: tls !== undefined });
        if (event.kind === 'disconnected') failed(event.reason);
      },
    });
    const outgoing: Outgoing = { connector, hasLoggedOn: false };
    this.#outgoing.set(name, outgoing);
    connector.start();
  }

  /** The session has logged on at its consumer. */
  loggedOn(name: string): void {
    const outgoing = this.#outgoing.get(name);
    if (outgoing !== undefined) outgoing.hasLoggedOn = true;
  }

  close(name: string): void {
    this.#outgoing.get(name)?.connector.stop();
    this.#outgoing.delete(name);
  }

  stop(): void {
    for (const { connector } of this.#outgoing.values()) connector.stop();
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
