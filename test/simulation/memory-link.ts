/**
 * A connection without a socket, with the manners of a real one: what was written arrives a little later, a side that
 * has ended still hears the other, and the end is noticed late.
 */
import type { Instant } from '../../src/runtime/clock.ts';
import type { Link, LinkListener } from '../../src/transport/link.ts';
import type { Peer, Reception, Session } from '../../src/transport/session.ts';
import type { VirtualTime } from './virtual-time.ts';

export interface Door {
  readonly reception: Reception;
  readonly attach: (session: Session, link: Link, first: Uint8Array) => boolean;
  readonly isAlive: () => boolean;
  readonly now: () => Instant;
}

/** The client's end. */
export interface ClientEnd {
  heard(bytes: Buffer): void;
  /** The other side has ended the connection, or its process. */
  ended(): void;
}

const peer: Peer = { address: '127.0.0.1' };
const wayMs = 1;
/** As long as a socket that has ended waits for its peer to end too. */
const endWithinMs = 2_000;

export class MemoryLink implements Link {
  readonly peer = peer;
  /** Bytes that the client does not read for now. */
  bufferedBytes = 0;
  readonly #time: VirtualTime;
  readonly #door: Door;
  readonly #client: ClientEnd;
  #listener: LinkListener | undefined;
  #first = Buffer.alloc(0);
  #isAdmitted = false;
  #hasEnded = false;
  #isGone = false;
  #isCut = false;
  #unread: Buffer[] | undefined;

  constructor(time: VirtualTime, door: Door, client: ClientEnd) {
    this.#time = time;
    this.#door = door;
    this.#client = client;
  }

  // The client's side.

  /** Bytes of the client, which are there a little later. */
  say(bytes: Buffer, lagMs: number): void {
    this.#time.after(lagMs, () => this.#received(bytes));
  }

  /** The client's machine is gone, and the bridge notices `afterMs` later. */
  cut(afterMs: number): void {
    this.#isCut = true;
    this.#time.after(afterMs, () => this.#gone());
  }

  get isReading(): boolean {
    return this.#unread === undefined;
  }

  /** The client reads nothing for so long. */
  stall(forMs: number): void {
    if (this.#unread !== undefined) return;
    this.#unread = [];
    this.#time.after(forMs, () => this.readAgain());
  }

  /** What the bridge had not sent when it gave the connection up is lost. */
  readAgain(): void {
    if (this.#unread === undefined) return;
    const unread = this.#unread;
    this.#unread = undefined;
    this.bufferedBytes = 0;
    if (!this.#isGone) for (const bytes of unread) this.#arrive(bytes);
    if (this.#isGone || this.#hasEnded) this.#time.after(wayMs, () => this.#tellEnd());
    else this.#listener?.drained();
  }

  // The bridge's side.

  listen(listener: LinkListener): void {
    this.#listener = listener;
  }

  write(bytes: Uint8Array): void {
    const copy = Buffer.from(bytes);
    if (this.#hasEnded || this.#isGone) return;
    if (this.#unread === undefined) this.#arrive(copy);
    else {
      this.#unread.push(copy);
      this.bufferedBytes += copy.length;
    }
  }

  pause(): void {}

  resume(): void {}

  end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#time.after(wayMs, () => this.#tellEnd());
    this.#time.after(endWithinMs, () => this.#gone());
  }

  destroy(): void {
    this.#gone();
  }

  #arrive(bytes: Buffer): void {
    this.#time.after(wayMs, () => {
      if (!this.#isCut && this.#door.isAlive()) this.#client.heard(bytes);
    });
  }

  #tellEnd(): void {
    if (!this.#isCut && this.#unread === undefined) this.#client.ended();
  }

  #received(bytes: Buffer): void {
    if (this.#isGone || this.#isCut || !this.#door.isAlive()) return;
    if (this.#isAdmitted) {
      this.#listener?.data(bytes);
      return;
    }
    this.#first = Buffer.concat([this.#first, bytes]);
    const admission = this.#door.reception.admit(this.#first, peer, this.#door.now());
    if (admission.kind === 'more') return;
    this.#isAdmitted = true;
    if (admission.kind === 'admit' && this.#door.attach(admission.session, this, this.#first)) {
      return;
    }
    if (admission.kind === 'wait') throw new Error('nobody in this simulation needs a password');
    if (admission.kind === 'refuse' && admission.answer) this.write(admission.answer);
    this.end();
  }

  #gone(): void {
    if (this.#isGone) return;
    this.#isGone = true;
    if (!this.#door.isAlive()) return;
    this.#listener?.closed();
    if (!this.#hasEnded) this.#tellEnd();
  }
}
