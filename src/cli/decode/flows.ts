/** Cuts the messages out of each direction of a connection; its first bytes say whether it is FIX or framed SBE. */
import { Deframer, isFramed, orderOf } from '../../fixp/framing.ts';
import { findMessage, Pieces } from './fix-lines.ts';

/** A message, and where it was found: what the log says before it, or the direction of the connection. */
export interface Found {
  readonly protocol: 'fix' | 'sbe';
  readonly where: string;
  readonly bytes: Buffer;
}

/** Counts what could not be shown. */
export interface Missed {
  otherLines: number;
  droppedBytes: number;
}

const largestFrame = 65_536;

/** One direction of one connection. */
interface Flow {
  push(bytes: Buffer): readonly Omit<Found, 'where'>[];
  end(): readonly Omit<Found, 'where'>[];
  readonly dropped: number;
}

class FixFlow implements Flow {
  readonly #pieces = new Pieces();

  get dropped(): number {
    return this.#pieces.dropped;
  }

  push(bytes: Buffer) {
    return this.#found(this.#pieces.push(bytes.toString('latin1')));
  }

  end() {
    return this.#found(this.#pieces.end());
  }

  #found(texts: readonly string[]) {
    return texts.flatMap((text) => {
      const bytes = findMessage(text)?.bytes;
      return bytes === undefined ? [] : [{ protocol: 'fix', bytes } as const];
    });
  }
}

class SbeFlow implements Flow {
  readonly #deframer: Deframer;
  /** Once a frame is none, nothing more of the direction can be told apart. */
  dropped = 0;

  constructor(first: Uint8Array) {
    this.#deframer = new Deframer(orderOf(first) ?? 'big', largestFrame);
  }

  push(bytes: Buffer) {
    const found: Omit<Found, 'where'>[] = [];
    this.#deframer.push(bytes);
    for (let step = this.#deframer.next(); step !== 'more'; step = this.#deframer.next()) {
      if (step === 'bad') {
        this.dropped += bytes.length;
        break;
      }
      found.push({ protocol: 'sbe', bytes: Buffer.from(this.#deframer.message) });
    }
    return found;
  }

  end() {
    return [];
  }
}

export class Flows {
  readonly #missed: Missed;
  readonly #flows = new Map<string, Flow>();

  constructor(missed: Missed) {
    this.#missed = missed;
  }

  *messages(direction: string, bytes: Buffer): Generator<Found> {
    let flow = this.#flows.get(direction);
    if (flow === undefined) {
      flow = isFramed(bytes) ? new SbeFlow(bytes) : new FixFlow();
      this.#flows.set(direction, flow);
    }
    for (const found of flow.push(bytes)) yield { ...found, where: direction };
  }

  *end(): Generator<Found> {
    for (const [where, flow] of this.#flows) {
      for (const found of flow.end()) yield { ...found, where };
      this.#missed.droppedBytes += flow.dropped;
    }
  }
}
