/** The way to a signer in another process: a Unix socket. */
import { createConnection, type Socket } from 'node:net';
import { FrameSplitter } from './signer-frame.ts';

export interface LinkEvents {
  up(): void;
  /** A whole frame without its length. */
  frame(body: Uint8Array): void;
  down(reason: string): void;
}

/** A link goes up and down; after `down` it may be opened again. */
export interface SignerLink {
  open(events: LinkEvents): void;
  send(frame: Uint8Array): void;
  close(): Promise<void>;
}

export function socketLink(path: string): SignerLink {
  let socket: Socket | undefined;
  return {
    open(events) {
      const splitter = new FrameSplitter();
      let isDown = false;
      const opened = createConnection(path);
      const down = (reason: string) => {
        if (isDown) return;
        isDown = true;
        opened.destroy();
        events.down(reason);
      };
      socket = opened;
      opened.on('connect', () => events.up());
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
