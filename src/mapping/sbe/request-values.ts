/** Converts values of a request to values of the domain. */
import type { Origin } from '../../domain/command.ts';
import type { InstrumentRef } from '../../domain/instrument.ts';
import { type Decimal, latestMs, maxScale } from '../../domain/units.ts';
import { RequestFault } from '../request-fault.ts';
import { type ByteCodes, books } from './codes.ts';

/** As on the FIX lane, longer names would be stored and sent in every report. */
export const maxNameBytes = 64;
/** Text from clients ends up in FIX drop copies, logs and terminals. */
const printable = /^[\x20-\x7e]*$/;

/** The fields that name an instrument in a message. */
export interface InstrumentFields {
  readonly instrumentMarketIdBig: bigint | undefined;
  readonly instrumentBook: number;
  readonly symbol: string;
}

/** Where a request comes from: its session, and its number in the client's flow. */
export interface RequestFrame {
  readonly session: string;
  readonly seq: number;
}

export class RequestValues extends RequestFault {
  readonly #frame: RequestFrame;

  constructor(frame: RequestFrame) {
    super();
    this.#frame = frame;
  }

  /** The age of a request follows from its TransactTime(60); without one it counts as new. */
  origin(transactTime?: bigint, possResend = false): Origin {
    const { session, seq } = this.#frame;
    const transactTimeMs = this.utcMs(transactTime, 'TransactTime(60)');
    return { session, seq, sendingTimeMs: null, transactTimeMs, possDup: false, possResend };
  }

  /** Empty text means that the field is absent. */
  name(text: string, field: string): string | null {
    if (text === '') return null;
    if (text.length > maxNameBytes) {
      this.refuse('bridge.value_out_of_range', `${field}: more than ${maxNameBytes} characters`);
    } else if (!printable.test(text)) {
      this.refuse('bridge.value_out_of_range', `${field}: not printable ASCII`);
    }
    return text;
  }

  /** The ClOrdID of an existing order, which is composed of three ids for a side of a quote. */
  existing(text: string, field: string): string | null {
    if (!printable.test(text)) {
      this.refuse('bridge.value_out_of_range', `${field}: not printable ASCII`);
    }
    return text === '' ? null : text;
  }

  /** A required name. */
  id(text: string, field: string): string {
    if (text === '') this.refuse('field_missing', field);
    return this.name(text, field) ?? '';
  }

  utcMs(value: bigint | undefined, field: string): number | null {
    if (value === undefined) return null;
    if (value <= latestMs) return Number(value);
    this.refuse('bridge.value_out_of_range', `${field}=${value}`);
    return 0;
  }

  /** Converts an exponent to a scale. */
  scale(exponent: number, field: string): number {
    if (exponent <= 0 && exponent >= -maxScale) return 0 - exponent;
    this.refuse('bridge.value_out_of_range', `${field}=${exponent}`);
    return 0;
  }

  /** A code that may be absent. */
  optional<Word extends string>(codes: ByteCodes<Word>, code: number, field: string): Word | null {
    if (codes.isUnset(code)) return null;
    const word = codes.word(code);
    if (word === undefined) this.refuse('bridge.unsupported', `${field}=${shownCode(code)}`);
    return word ?? null;
  }

  required<Word extends string>(
    codes: ByteCodes<Word>,
    code: number,
    field: string,
    placeholder: Word,
  ): Word {
    if (codes.isUnset(code)) this.refuse('field_missing', field);
    return this.optional(codes, code, field) ?? placeholder;
  }

  instrument(fields: InstrumentFields): InstrumentRef {
    const { instrumentMarketIdBig: marketId, instrumentBook, symbol } = fields;
    return {
      symbol: this.name(symbol, 'Symbol(55)'),
      securityId: marketId === undefined ? null : String(marketId),
      book: this.optional(books, instrumentBook, 'Book(9103)'),
    };
  }
}

export function decimal(mantissa: bigint | undefined, scale: number): Decimal | null {
  return mantissa === undefined ? null : { mantissa, scale };
}

/** Displays a char as a letter. */
export function shownCode(code: number): string {
  return code > 0x20 && code < 0x7f ? String.fromCharCode(code) : String(code);
}

const noOrderId = Buffer.alloc(32);

/** Formats 32 bytes like the venue does; all zero means that there is no id. */
export function orderIdOf(bytes: Uint8Array): string | null {
  const octets = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  return octets.equals(noOrderId) ? null : `0x${octets.toString('hex')}`;
}
