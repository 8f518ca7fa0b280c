/**
 * Messages that an application sends while nobody is logged on. They are stored without a sequence number. They get
 * one, with a SendingTime(52), when they are sent after the next Logon(A), so a sequence reset in between loses none.
 */
import type { Effects, HeldMessage } from '../transport/session.ts';
import type { HeaderExtras } from './framer.ts';

const soh = 1;
const typePrefix = '35=';

export class Held {
  readonly #effects: Effects;
  readonly #limit: number;
  #heldTo: number;
  #releasedTo: number;

  constructor(
    start: { readonly heldTo: number; readonly releasedTo: number },
    limit: number,
    effects: Effects,
  ) {
    this.#effects = effects;
    this.#limit = limit;
    this.#heldTo = start.heldTo;
    this.#releasedTo = start.releasedTo;
  }

  get positions(): { readonly heldTo: number; readonly releasedTo: number } {
    return { heldTo: this.#heldTo, releasedTo: this.#releasedTo };
  }

  get waiting(): number {
    return this.#heldTo - this.#releasedTo;
  }

  /** Returns false if there is no room. A PossResend(97) stays with the body, which may begin with header fields. */
  hold(msgType: string, body: Uint8Array, { possResend = false }: HeaderExtras = {}): boolean {
    if (this.waiting >= this.#limit) return false;
    this.#heldTo += 1;
    const head = `${typePrefix}${msgType}\x01${possResend ? '97=Y\x01' : ''}`;
    const bytes = Buffer.concat([Buffer.from(head), body]);
    this.#effects.record({ kind: 'hold', position: this.#heldTo, bytes });
    return true;
  }

  /** Requests the held messages, if there are any. */
  fetch(): void {
    if (this.waiting > 0) this.#effects.fetchHeld(this.#releasedTo);
  }

  /** Takes the next message; returns undefined if it was taken before. */
  take({ position, bytes }: HeldMessage): { msgType: string; body: Uint8Array } | undefined {
    if (position <= this.#releasedTo) return undefined;
    this.#releasedTo = position;
    const end = bytes.indexOf(soh);
    const msgType = Buffer.from(bytes.subarray(typePrefix.length, end)).toString('latin1');
    return { msgType, body: bytes.subarray(end + 1) };
  }

  /** Records how many were taken. */
  taken(): void {
    this.#effects.record({ kind: 'mark', name: 'released', value: this.#releasedTo });
  }
}
