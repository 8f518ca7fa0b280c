/**
 * One connection with the counterparty. Either we hold its other end ourselves, so that our engine is out of the way
 * and any bytes can be sent; or the bridge does, and we listen in between:
 *
 *   direct   counterparty ─────────────── us
 *   tapped   counterparty ── us (copies both ways) ── bridge
 */
import { connect, type Socket } from 'node:net';
import { awaited } from './awaited.ts';
import { Inbox } from './inbox.ts';
import type { Incoming, Listen } from './received-message.ts';

export interface Conversation {
  readonly inbox: Inbox;
  readonly isOpen: boolean;
  /** To the counterparty; false when the connection is gone. */
  send(bytes: Uint8Array): boolean;
  readonly isReading: boolean;
  /** From now on nothing is read. */
  stopReading(): void;
  /** Sends no more, and lets what was sent arrive. */
  end(): void;
  /** Ends it at once, as a cable that is pulled. */
  cut(): void;
}

export function direct(socket: Socket, listen: Listen): Conversation {
  const inbox = new Inbox();
  const listener = listen('peer', (incoming) => inbox.push(incoming));
  let isOpen = true;
  socket.setNoDelay(true);
  socket.on('error', () => {});
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
  /** Replaces the first bytes of the counterparty before the bridge gets them. */
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
  const end = (by: 'peer' | 'bridge') => {
    if (!isOpen) return;
    isOpen = false;
    socket.destroy();
    bridge.destroy();
    inbox.push({ kind: 'closed', by });
  };
  socket.setNoDelay(true);
  socket.on('error', () => {});
  bridge.on('error', () => {});
  socket.on('close', () => end('peer'));
  bridge.on('close', () => end('bridge'));
  socket.on('data', (bytes) => {
    fromPeer(bytes);
    relay(socket, bridge, isFirst && rewriteFirst ? rewriteFirst(bytes) : bytes);
    isFirst = false;
  });
  bridge.on('data', (bytes) => {
    fromBridge(bytes);
    relay(bridge, socket, bytes);
  });
  return facing(socket, { inbox, isOpen: () => isOpen, cut: () => end('peer') });
}

/** The counterparty's socket, as both kinds of conversation have it. */
function facing(
  socket: Socket,
  { inbox, isOpen, cut }: { inbox: Inbox; isOpen: () => boolean; cut: () => void },
): Conversation {
  return {
    inbox,
    get isOpen() {
      return isOpen();
    },
    send(bytes) {
      if (!isOpen() || socket.writableEnded) return false;
      socket.write(bytes);
      return true;
    },
    get isReading() {
      return !socket.isPaused();
    },
    stopReading: () => socket.pause(),
    end: () => socket.end(),
    cut,
  };
}

/** The first bytes of a connection, which can still be read; undefined if none came. */
export async function peek(
  socket: Socket,
  withinMs: number,
  signal: AbortSignal,
): Promise<Buffer | undefined> {
  let first: Buffer | undefined;
  let stop = () => {};
  await awaited(withinMs, signal, (wake) => {
    const onBytes = (bytes: Buffer) => {
      first = bytes;
      socket.pause();
      wake();
    };
    socket.once('data', onBytes).once('close', wake);
    stop = () => socket.off('data', onBytes).off('close', wake);
    socket.resume();
  });
  stop();
  socket.pause();
  if (first !== undefined) socket.unshift(first);
  return first;
}

/** The one who reads slowly slows the other down; nothing is heaped up here. */
function relay(from: Socket, to: Socket, bytes: Uint8Array): void {
  if (to.destroyed || to.write(bytes)) return;
  from.pause();
  to.once('drain', () => from.resume());
}
