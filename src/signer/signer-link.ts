/** The connection to a signer in another process: a Unix socket, or TLS to another machine. */
import { readFileSync } from 'node:fs';
import { createConnection, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { readPrivateFile } from '../runtime/private-file.ts';
import { usableContext, usableFiles } from '../runtime/tls-files.ts';
import { FrameSplitter } from './signer-frame.ts';

export interface LinkEvents {
  up(): void;
  /** A whole frame without its length. */
  frame(body: Uint8Array): void;
  down(reason: string): void;
}

/** A link goes up and down; after `down` it may be opened again. */
export interface SignerLink {
  /** Throws if its files cannot be used. */
  open(events: LinkEvents): void;
  send(frame: Uint8Array): void;
  close(): Promise<void>;
}

/** Each opening tries the next of them: signers with the same ledger, in the order of preference at the start. */
export function inTurn(links: readonly SignerLink[]): SignerLink {
  let opened = 0;
  let link: SignerLink | undefined;
  return {
    open(events) {
      link = links[opened % links.length];
      opened += 1;
      link?.open(events);
    },
    send: (frame) => link?.send(frame),
    close: async () => link?.close(),
  };
}

export function socketLink(path: string): SignerLink {
  return linkBy((onUp) => createConnection(path).on('connect', onUp));
}

export interface TlsConnect {
  readonly host: string;
  readonly port: number;
  readonly certFile: string;
  readonly keyFile: string;
  readonly caFile: string;
  /** The name in the signer's certificate. */
  readonly serverName: string;
}

/** The files are read for each connection, so that a renewed certificate is used from the next one on. */
export function tlsLink(options: TlsConnect): SignerLink {
  const { caFile, certFile, host, keyFile, port, serverName } = options;
  return linkBy((onUp) => {
    const secureContext = usableFiles('signer', { certFile, keyFile, caFile }, () =>
      usableContext({
        cert: readFileSync(certFile),
        key: readPrivateFile(keyFile),
        ca: readFileSync(caFile),
        minVersion: 'TLSv1.3',
      }),
    );
    const socket = connectTls({ host, port, servername: serverName, secureContext });
    return socket.on('secureConnect', onUp).setNoDelay(true);
  });
}

function linkBy(connect: (onUp: () => void) => Socket): SignerLink {
  let socket: Socket | undefined;
  return {
    open(events) {
      const splitter = new FrameSplitter();
      let isDown = false;
      const opened = connect(() => events.up());
      const down = (reason: string) => {
        if (isDown) return;
        isDown = true;
        opened.destroy();
        events.down(reason);
      };
      socket = opened;
      opened.on('data', (chunk) => {
        try {
          splitter.push(chunk, (body) => events.frame(body));
        } catch (error) {
          down(error instanceof Error ? error.message : String(error));
        }
      });
      opened.on('error', (error) => down(error.message));
      opened.on('close', () => down('the signer closed the connection'));
    },
    send: (frame) => void socket?.write(frame),
    async close() {
      socket?.destroy();
    },
  };
}
