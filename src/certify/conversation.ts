/**
 * One connection with the counterparty. Either we hold its other end ourselves, so that any bytes can be sent without
 * our engine, or the bridge does, and we copy the traffic in between:
 *
 *   direct   counterparty ─────────────── us
 *   tapped   counterparty ── us (copies both ways) ── bridge
 */
import { connect, type Socket } from 'node:net';
import { Inbox } from './inbox.ts';
import type { Incoming, Listen } from './received-message.ts';

export interface Conversation {
  readonly inbox: Inbox;
  readonly isOpen: boolean;
  /** Sends to the counterparty; returns false if the connection has closed. */
  send(bytes: Uint8Array): boolean;
  readonly isReading: boolean;
  /** Stops reading. */
  stopReading(): void;
  /** Sends nothing more, but delivers what was sent. */
  end(): void;
  /** Ends the connection at once, like a pulled cable. */
  cut(): void;
}

export function direct(socket: Socket, listen: Listen): Conversation {
  const inbox = new Inbox();
  const listener = listen('peer', (incoming) => inbox.push(incoming));
  let isOpen = true;
  socket.on('data', listener);
  socket.on('close', () => {
    isOpen = false;
    inbox.push({ kind: 'closed', by: 'peer' });
  });
  return facing(socket, { inbox, isOpen: () => isOpen, cut: () => socket.destroy() });
}

export interface TapOptions {
  readonly host: string;
  readonly port: number;
  readonly listen: Listen;
  /** Replaces the first bytes of the counterparty before they reach the bridge. */
  readonly rewriteFirst?: (bytes: Buffer) => Buffer;
}

export function tapped(
  socket: Socket,
  { host, port, listen, rewriteFirst }: TapOptions,
): Conversation {
  const inbox = new Inbox();
  const report = (incoming: Incoming) => inbox.push(incoming);
  const fromPeer = listen('peer', report);
  const fromBridge = listen('bridge', report);
  const bridge = connect({ host, port, noDelay: true });
  let isOpen = true;
  let isFirst = true;
  const end = (by: 'peer' | 'bridge', other: Socket) => {
    if (!isOpen) return;
    isOpen = false;
    // What was sent before the close still arrives; a reader that never takes it does not keep this process alive.
    other.unref().destroySoon();
    inbox.push({ kind: 'closed', by });
  };
  const cut = () => {
    socket.destroy();
    bridge.destroy();
    end('peer', bridge);
  };
  bridge.on('error', () => {});
  socket.on('close', () => end('peer', bridge));
  bridge.on('close', () => end('bridge', socket));
  socket.on('data', (bytes) => {
    fromPeer(bytes);
    const passed = isFirst && rewriteFirst ? rewriteFirst(bytes) : bytes;
    relay(socket, bridge, passed, () => conversation.isReading);
    isFirst = false;
  });
  bridge.on('data', (bytes) => {
    fromBridge(bytes);
    relay(bridge, socket, bytes);
  });
  const conversation = facing(socket, { inbox, isOpen: () => isOpen, cut });
  return conversation;
}

/** The counterparty's socket, for both kinds of conversation. */
function facing(
  socket: Socket,
  { inbox, isOpen, cut }: { inbox: Inbox; isOpen: () => boolean; cut: () => void },
): Conversation {
  let isReading = true;
  socket.setNoDelay(true);
  socket.on('error', () => {});
  return {
    inbox,
    get isOpen() {
      return isOpen();
    },
    send(bytes) {
      if (!socket.writable) return false;
      socket.write(bytes);
      return true;
    },
    get isReading() {
      return isReading;
    },
    stopReading() {
      isReading = false;
      socket.pause();
    },
    end: () => socket.end(),
    cut,
  };
}

/** Returns the first bytes of a connection once they are enough, and consumes none; undefined if it ends before. */
export function peek(
  socket: Socket,
  isEnough: (bytes: Buffer) => boolean = () => true,
): Promise<Buffer | undefined> {
  return new Promise((resolve) => {
    let bytes = Buffer.alloc(0);
    const settle = (first?: Buffer) => {
      socket.off('data', received).off('close', ended).pause();
      if (first !== undefined) socket.unshift(first);
      resolve(first);
    };
    const received = (more: Buffer) => {
      bytes = Buffer.concat([bytes, more]);
      if (isEnough(bytes)) settle(bytes);
    };
    const ended = () => settle();
    socket.on('data', received).once('close', ended).resume();
  });
}

/** A slow reader slows the sender down; nothing is buffered here without limit. */
function relay(from: Socket, to: Socket, bytes: Uint8Array, mayRead = () => true): void {
  if (to.destroyed || to.write(bytes)) return;
  from.pause();
  to.once('drain', () => mayRead() && from.resume());
}
