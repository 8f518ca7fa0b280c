/** The two ways to a signer that does not run here: a Unix socket to a process, and the port of a thread. */
import { createConnection, type Socket } from 'node:net';
import type { Worker } from 'node:worker_threads';
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

/** A thread that does not end by itself in this time is ended. */
const closeMs = 2000;

/** What a signer thread says: frames, that it is ready, and alarms in words. */
export type ThreadWord = Uint8Array | 'ready' | { readonly alarm: string };

/** `start` makes the thread anew each time the link opens. */
export function threadLink(start: () => Worker, report: (text: string) => void): SignerLink {
  let worker: Worker | undefined;
  return {
    open(events) {
      const opened = start();
      let isDown = false;
      const down = (reason: string) => {
        if (isDown) return;
        isDown = true;
        events.down(reason);
      };
      worker = opened;
      opened.on('message', (word: ThreadWord) => {
        if (word === 'ready') events.up();
        else if (word instanceof Uint8Array) events.frame(word.subarray(4));
        else report(word.alarm);
      });
      opened.on('error', (error: Error) => down(error.message));
      opened.on('exit', () => {
        if (worker === opened) worker = undefined;
        down('the signer thread ended');
      });
    },
    send: (frame) => worker?.postMessage(frame.subarray(4)),
    async close() {
      const closing = worker;
      worker = undefined;
      if (closing === undefined) return;
      const ended = new Promise((resolve) => closing.once('exit', resolve));
      // Asked first: native code that is interrupted in a thread takes the whole process with it.
      closing.postMessage('close');
      const timer = setTimeout(() => void closing.terminate(), closeMs);
      await ended;
      clearTimeout(timer);
    },
  };
}
