/** What clients sent as D, F and G, byte for byte, and which of it the bridge must have read, because it was answered. */
import { textOf } from './client-log.ts';
import type { Said } from './fix-trader.ts';

interface Written {
  readonly session: string;
  readonly type: string;
  readonly clOrdId: string;
  count: number;
}

/** Names that come once. */
const unique = /^(o|c|g-)\d+$/;

export class RequestCopies {
  /** By session and bytes. */
  readonly written = new Map<string, Written>();
  /** Session and ClOrdID(11). */
  readonly answered = new Map<string, string>();
  readonly #names = new Set<string>();

  wrote(session: string, line: string, hex: string): void {
    const type = line.slice(0, line.indexOf('|'));
    if (!['D', 'F', 'G'].includes(type)) return;
    const clOrdId = /\|11=([^|]+)/.exec(line)?.[1] ?? '';
    const key = `${session} ${hex}`;
    const count = (this.written.get(key)?.count ?? 0) + 1;
    this.written.set(key, { session, type, clOrdId, count });
    this.#names.add(`${session} ${clOrdId}`);
  }

  /** What an order-entry client hears. */
  heard(session: string, said: Said): void {
    const type = textOf(said, '35');
    if ((type !== '8' && type !== '9') || textOf(said, '150') === 'I') return;
    // What is above the rate is refused unread, and not copied.
    if (textOf(said, '9102') === 'bridge.throttled') return;
    const name = `${session} ${textOf(said, '11')}`;
    if (unique.test(textOf(said, '11') ?? '') && this.#names.has(name))
      this.answered.set(name, session);
  }
}
