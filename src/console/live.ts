/**
 * Notifies open pages of changes, by server-sent events. The notification contains no data: the page loads what it
 * displays, so that a slow page costs nothing and a busy bridge notifies at most twice a second.
 */
import type { ServerResponse } from 'node:http';
import { type Clock, every } from '../runtime/clock.ts';

/** A number for each topic, which differs when the state differs. */
export type Marks = Readonly<Record<string, number | string>>;

const lookMs = 500;
/** An occasional comment keeps proxies from closing idle connections. */
const quietLooks = 30;
export const maxPages = 64;
const maxUnreadBytes = 64 * 1024;

interface Page {
  readonly response: ServerResponse;
  readonly isAllowed: () => boolean;
}

export class Live {
  readonly #clock: Clock;
  readonly #read: () => Marks;
  readonly #pages = new Set<Page>();
  #last = '';
  #quiet = 0;
  #cancel = () => {};

  constructor(clock: Clock, read: () => Marks) {
    this.#clock = clock;
    this.#read = read;
  }

  get pages(): number {
    return this.#pages.size;
  }

  /** Returns false if there are too many pages. */
  add(response: ServerResponse, isAllowed: () => boolean): boolean {
    if (this.#pages.size >= maxPages) return false;
    const page = { response, isAllowed };
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    response.flushHeaders();
    response.on('close', () => {
      this.#pages.delete(page);
      if (this.#pages.size === 0) this.#cancel();
    });
    this.#pages.add(page);
    this.#last = '';
    if (this.#pages.size === 1) this.#cancel = every(this.#clock, lookMs, () => this.#look());
    return true;
  }

  stop(): void {
    this.#cancel();
    for (const { response } of this.#pages) response.end();
    this.#pages.clear();
  }

  #look(): void {
    const text = JSON.stringify(this.#read());
    const isSame = text === this.#last;
    this.#quiet = isSame ? this.#quiet + 1 : 0;
    this.#last = text;
    if (isSame && this.#quiet % quietLooks !== 0) return;
    for (const page of this.#pages) this.#notify(page, isSame ? ':\n\n' : `data: ${text}\n\n`);
  }

  #notify({ isAllowed, response }: Page, text: string): void {
    if (!isAllowed() || response.writableLength > maxUnreadBytes) response.destroy();
    else response.write(text);
  }
}
