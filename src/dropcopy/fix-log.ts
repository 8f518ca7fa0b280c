/**
 * Finds the FIX messages in a captured log that may also contain times and directions, with SOH or `|` between fields.
 * BodyLength(9) delimits messages, because data fields may contain whole messages.
 */
export interface LoggedMessage {
  /** The first value of each tag, groups included. */
  readonly field: (tag: number) => string | undefined;
  readonly fields: readonly (readonly [tag: number, value: string])[];
}

/** The start of a message; the log's own field separator follows from it. */
const head = /8=FIX\.4\.4(\P{L})9=(\d{1,6})\1/gu;
const trailerLength = '10=000|'.length;
/** Anything longer is not a message. An incomplete message at the end of a piece waits for the next piece. */
const longestMessage = 1_100_000;

export class FixLog {
  #text = '';

  /** Takes the next piece of the log as Latin-1 and returns the messages that it completes. */
  push(piece: string, isLast = false): readonly LoggedMessage[] {
    this.#text += piece;
    const found: LoggedMessage[] = [];
    let from = 0;
    head.lastIndex = 0;
    for (let match = head.exec(this.#text); match !== null; match = head.exec(this.#text)) {
      const [start, separator = '', length = ''] = match;
      const end = match.index + start.length + Number(length) + trailerLength;
      const isCutOff = end > this.#text.length;
      if (isCutOff && !isLast) {
        from = match.index;
        break;
      }
      const message = this.#text.slice(match.index, end);
      from = match.index + start.length;
      if (isCutOff || !message.slice(-trailerLength).startsWith('10=')) continue;
      found.push(parsed(message, separator));
      from = end;
      head.lastIndex = end;
    }
    this.#text = this.#text.slice(Math.max(from, this.#text.length - longestMessage));
    return found;
  }
}

/** RawDataLength(95) is the length of RawData(96), which is omitted. */
function parsed(message: string, separator: string): LoggedMessage {
  const fields: (readonly [number, string])[] = [];
  const first = new Map<number, string>();
  for (let at = 0; at < message.length; ) {
    const equals = message.indexOf('=', at);
    const tag = Number(message.slice(at, equals));
    const dataLength = tag === 96 ? Number(first.get(95)) : Number.NaN;
    const isData = dataLength >= 0 && dataLength < message.length;
    const end = isData ? equals + 1 + dataLength : message.indexOf(separator, at);
    if (equals < 0 || end < 0) break;
    const value = isData ? '' : message.slice(equals + 1, end);
    fields.push([tag, value]);
    if (!first.has(tag)) first.set(tag, value);
    at = end + 1;
  }
  return { fields, field: (tag) => first.get(tag) };
}
