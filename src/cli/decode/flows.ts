/** The messages of each direction of each connection, FIX or SBE in frames, told apart by the first bytes. */
import { Deframer, framingHeaderSize, orderOf } from '../../fixp/framing.ts';
import { findMessage, Pieces } from './fix-lines.ts';
import type { Piece } from './tcp.ts';

/** A message, and where it was found: a log's own words, or a connection and its time. */
export interface Found {
  readonly protocol: 'fix' | 'sbe';
  readonly where: string;
  readonly bytes: Buffer;
}

/** What could not be shown, counted. */
export interface Missed {
  holes: number;
  otherLines: number;
  droppedBytes: number;
}

const largestFrame = 65_536;

/** The encoding type of the framing header, in either byte order. */
export function isFramed(bytes: Uint8Array): boolean {
  const type = ((bytes[4] ?? 0) << 8) | (bytes[5] ?? 0);
  return bytes.length >= framingHeaderSize && (type === 0xeb50 || type === 0x50eb);
}

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

  *messages({ flow: name, bytes, timeUs, afterHole }: Piece): Generator<Found> {
    if (afterHole) this.#missed.holes += 1;
    let flow = this.#flows.get(name);
    // Behind a hole the frames begin anew, where this piece happens to begin with one.
    if (flow === undefined || (afterHole && isFramed(bytes))) {
      flow = isFramed(bytes) ? new SbeFlow(bytes) : new FixFlow();
      this.#flows.set(name, flow);
    }
    const time = timeUs === undefined ? '' : `${timeText(timeUs)} `;
    for (const found of flow.push(bytes)) yield { ...found, where: `${time}${name}` };
  }

  *end(): Generator<Found> {
    for (const [where, flow] of this.#flows) {
      for (const found of flow.end()) yield { ...found, where };
      this.#missed.droppedBytes += flow.dropped;
    }
  }
}

/** The last millisecond that a date can tell; a damaged capture says any number. */
const latestMs = 8_640_000_000_000_000n;

function timeText(timeUs: bigint): string {
  const ms = timeUs / 1000n;
  if (ms > latestMs) return `${timeUs} us`;
  const micros = String(timeUs % 1_000_000n).padStart(6, '0');
  return `${new Date(Number(ms)).toISOString().slice(0, -5)}.${micros}Z`;
}
