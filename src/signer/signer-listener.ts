/**
 * The listening port of a signer (docs/decisions/0042-the-signer.md): a Unix socket that only this user can open, or
 * this user and one other in a group; or TLS for a bridge on another machine, whose certificate has one name.
 */
import { once } from 'node:events';
import { chmodSync, chownSync, readFileSync, type Stats, statSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { dirname } from 'node:path';
import { checkServerIdentity, createServer as createTlsServer } from 'node:tls';
import { readPrivateFile } from '../runtime/private-file.ts';
import { removeStaleSocket } from '../runtime/stale-socket.ts';
import { handshakeFault, usableContext, usableFiles } from '../runtime/tls-files.ts';
import type { SignerConfig } from './signer-config.ts';

export interface Listener {
  readonly server: Server;
  /** Resolves with the place for people. */
  listen(): Promise<string>;
  /** Reads the certificates again; throws if they cannot be used, and what it returns puts them in force. */
  renewal(): () => void;
}

type OnSocket = (socket: Socket) => void;
type Report = (text: string) => void;

/** A stranger who sends nothing does not keep a connection. */
const handshakeTimeoutMs = 5000;
/** A bridge whose machine lost power sends no FIN, and must not keep its connection either. */
const keepAliveMs = 5000;

/** A directory of mode 0700 is for this user alone; with 0750 the socket is for its group, too. */
export function unixListener(path: string, connections: number, onSocket: OnSocket): Listener {
  const server = createServer(onSocket);
  server.maxConnections = connections;
  return {
    server,
    renewal: () => () => {},
    async listen() {
      const directory = dirname(path);
      const isShared = checkDirectory(directory);
      await removeStaleSocket(path);
      await once(server.listen(path), 'listening');
      if (isShared) giveToGroup(path, statSync(directory));
      chmodSync(path, isShared ? 0o660 : 0o600);
      return path;
    },
  };
}

export function tlsListener(
  options: NonNullable<SignerConfig['tls']>,
  connections: number,
  onSocket: OnSocket,
  report: Report,
): Listener {
  const { certFile, clientCaFile, clientName, host, keyFile, port } = options;
  const certificates = () =>
    usableFiles('tls', { certFile, keyFile, clientCaFile }, () => {
      const key = readPrivateFile(keyFile);
      const [cert, ca] = [readFileSync(certFile), readFileSync(clientCaFile)];
      const pem = { cert, key, ca, minVersion: 'TLSv1.3' as const };
      usableContext(pem);
      return pem;
    });
  const server = createTlsServer({
    ...certificates(),
    requestCert: true,
    rejectUnauthorized: true,
    // Otherwise a response waits for the acknowledgement of the one before it, up to 40 ms.
    noDelay: true,
    handshakeTimeout: handshakeTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelay: keepAliveMs,
  });
  server.maxConnections = connections;
  server.on('secureConnection', (socket) => {
    const problem = checkServerIdentity(clientName, socket.getPeerCertificate());
    if (problem === undefined) {
      onSocket(socket);
      return;
    }
    report(`a certificate that is not for ${clientName} was refused: ${problem.message}`);
    socket.destroy();
  });
  server.on('tlsClientError', (error, socket) => {
    report(
      `a connection from ${socket.remoteAddress ?? 'an unknown address'} was refused: ${handshakeFault(error, socket)}`,
    );
    socket.destroy();
  });
  return {
    server,
    renewal() {
      const fresh = certificates();
      return () => server.setSecureContext(fresh);
    },
    async listen() {
      await once(server.listen(port, host), 'listening');
      const address = server.address();
      return `${host}:${typeof address === 'object' ? address?.port : port}`;
    },
  };
}

/** Whether the group of the directory may connect. */
function checkDirectory(directory: string): boolean {
  const { gid, mode, uid } = statSync(directory);
  const own = process.getuid?.();
  if ((mode & 0o027) !== 0 || uid !== own) {
    throw new Error(
      `${directory} must belong to this user: chmod 700, or 750 if the bridge is another user in its group`,
    );
  }
  if ((mode & 0o050) === 0) return false;
  const users = readFileSync('/etc/passwd', 'utf8');
  const others = membersOf(gid, own, users, readFileSync('/etc/group', 'utf8'));
  if (others.length <= 1) return true;
  throw new Error(
    `${directory}: the users ${others.join(', ')} are in its group and could ask for signatures: let the group have the bridge's user alone`,
  );
}

/** A new socket has the main group of its process, which need not be the group that may enter the directory. */
function giveToGroup(path: string, { gid, uid }: Stats): void {
  if (statSync(path).gid === gid) return;
  try {
    chownSync(path, uid, gid);
  } catch {
    const text = `${dirname(path)} belongs to the group ${gid}, and this user is not a member of it`;
    throw new Error(
      `${text}: add the user to the group, or give the directory the signer's own group`,
    );
  }
}

/** The users in a group, without one of them, as the local files know them. */
export function membersOf(
  gid: number,
  without: number | undefined,
  passwd: string,
  group: string,
): readonly string[] {
  const users = passwd.split('\n').map((line) => line.split(':'));
  const primary = users.filter((user) => Number(user[3]) === gid).map(([name = '']) => name);
  const added = group
    .split('\n')
    .map((line) => line.split(':'))
    .filter((each) => each[2] === `${gid}`)
    .flatMap((each) => (each[3] ?? '').split(','));
  const own = users.find((user) => Number(user[2]) === without)?.[0];
  return [...new Set([...primary, ...added])].filter((name) => name !== '' && name !== own);
}
