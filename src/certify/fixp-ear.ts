/** Cuts one direction of a FIXP connection into messages, and names what is in them. */
import { type ByteOrder, Deframer, framed } from '../fixp/framing.ts';
import { decodeFrame } from './fixp-message.ts';
import type { Incoming, Listening } from './heard.ts';

const maxMessageBytes = 64 * 1024;

export class FixpEar implements Listening {
  readonly #framing: ByteOrder;
  readonly #deframer: Deframer;
  readonly #from: 'peer' | 'bridge';
  readonly #told: (incoming: Incoming) => void;
  #isDeaf = false;

  constructor(from: 'peer' | 'bridge', told: (incoming: Incoming) => void, framing: ByteOrder) {
    this.#framing = framing;
    this.#deframer = new Deframer(framing, maxMessageBytes);
    this.#from = from;
    this.#told = told;
  }

  hear(bytes: Uint8Array): void {
    if (this.#isDeaf) return;
    this.#deframer.push(bytes);
    for (let step = this.#deframer.next(); step !== 'more'; step = this.#deframer.next()) {
      if (step === 'bad') {
        this.#isDeaf = true;
        this.#told({ kind: 'garbled', raw: bytes.slice(0, 1024), reason: this.#deframer.reason });
        return;
      }
      const raw = framed(this.#deframer.message, this.#framing);
      const decoded = decodeFrame(raw);
      if (typeof decoded === 'string') this.#told({ kind: 'garbled', raw, reason: decoded });
      else {
        const message = { atMs: Date.now(), raw, ...decoded, fault: undefined };
        this.#told({ kind: 'message', from: this.#from, message });
      }
    }
  }
}
