/**
 * Extracts the messages of each direction of a connection; its first bytes determine whether it is FIX or framed SBE.
 */
import { Deframer, framingHeaderSize, isFramed, orderOf } from '../../fixp/framing.ts';
import { entryOf } from '../../runtime/entry-of.ts';
import { findMessage, Pieces } from './fix-lines.ts';

/** A message and its origin: the preceding text in the log, or the direction of the connection. */
export interface Found {
  readonly protocol: 'fix' | 'sbe';
  readonly where: string;
  readonly bytes: Buffer;
}

type Message = Omit<Found, 'where'>;

/** Counts messages that could not be displayed. */
export interface Missed {
  otherLines: number;
  droppedBytes: number;
}

const largestFrame = 65_536;

/** One direction of one connection. */
class Flow {
  readonly #deframer: Deframer | undefined;
  readonly #pieces = new Pieces();
  /** The bytes that are in no message yet; after an invalid frame no message follows. */
  #unread = 0;

  constructor(first: Uint8Array) {
    if (isFramed(first)) this.#deframer = new Deframer(orderOf(first) ?? 'big', largestFrame);
  }

  get dropped(): number {
    return this.#unread + this.#pieces.dropped;
  }

  push(bytes: Buffer): readonly Message[] {
    if (this.#deframer !== undefined) return this.#frames(this.#deframer, bytes);
    return fixMessages(this.#pieces.push(bytes.toString('latin1')));
  }

  end(): readonly Message[] {
    return fixMessages(this.#pieces.end());
  }

  #frames(deframer: Deframer, bytes: Buffer): readonly Message[] {
    this.#unread += bytes.length;
    return deframer
      .messages(bytes)
      .map((message) => {
        this.#unread -= framingHeaderSize + message.length;
        return { protocol: 'sbe', bytes: Buffer.from(message) } as const;
      })
      .toArray();
  }
}

function fixMessages(texts: readonly string[]): readonly Message[] {
  return texts.flatMap((text) => {
    const bytes = findMessage(text)?.bytes;
    return bytes === undefined ? [] : [{ protocol: 'fix', bytes } as const];
  });
}

export class Flows {
  readonly #missed: Missed;
  readonly #flows = new Map<string, Flow>();

  constructor(missed: Missed) {
    this.#missed = missed;
  }

  *messages(direction: string, bytes: Buffer): Generator<Found> {
    const flow = entryOf(this.#flows, direction, () => new Flow(bytes));
    for (const found of flow.push(bytes)) yield { ...found, where: direction };
  }

  *end(): Generator<Found> {
    for (const [where, flow] of this.#flows) {
      for (const found of flow.end()) yield { ...found, where };
      this.#missed.droppedBytes += flow.dropped;
    }
  }
}
