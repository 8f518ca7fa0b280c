/**
 * The FIX messages in a captured log, whatever stands around them: times, directions, SOH or `|` between the fields.
 * Messages are cut by BodyLength(9), because data fields may hold whole messages themselves.
 */
export interface LoggedMessage {
  /** The first value of each tag, groups included. */
  readonly field: (tag: number) => string | undefined;
  readonly fields: readonly (readonly [tag: number, value: string])[];
}

/** What divides the fields is told by the log itself. */
const head = /8=FIX\.4\.4(\P{L})9=(\d{1,6})\1/gu;
const trailerLength = '10=000|'.length;
/** Longer ones are no message; what is cut at the end of a piece waits for the next. */
const longestMessage = 1_100_000;

export class FixLog {
  #text = '';

  /** The next piece of the log as Latin-1; answers the messages that it completes. */
  push(piece: string): readonly LoggedMessage[] {
    this.#text += piece;
    const found: LoggedMessage[] = [];
    let from = 0;
    head.lastIndex = 0;
    for (let match = head.exec(this.#text); match !== null; match = head.exec(this.#text)) {
      const [start, separator = '', length = ''] = match;
      const end = match.index + start.length + Number(length) + trailerLength;
      if (end > this.#text.length) {
        from = match.index;
        break;
      }
      const message = this.#text.slice(match.index, end);
      from = match.index + start.length;
      if (!message.slice(-trailerLength).startsWith('10=')) continue;
      found.push(parsed(message, separator));
      from = end;
      head.lastIndex = end;
    }
    this.#text = this.#text.slice(Math.max(from, this.#text.length - longestMessage));
    return found;
  }
}

/** RawData(96) is as long as RawDataLength(95) says, and is left out. */
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
