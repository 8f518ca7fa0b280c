/**
 * An instrument in a message: SecurityID(48) with 22=8 is authoritative, and Symbol(55) is always sent (contract C.3).
 */
import { type Denial, deny } from '../../domain/denial.ts';
import type { Instrument, InstrumentRef } from '../../domain/instrument.ts';
import type { Book } from '../../domain/units.ts';
import type { FieldWriter } from '../../fix/field-writer.ts';
import type { FieldReader } from '../../fix/message.ts';
import { books } from './codes.ts';
import type { CustomTags } from './tags.ts';

export interface InstrumentSettings {
  readonly tags: CustomTags;
  /** Whether PutOrCall(201) selects the book: 1 is YES, 0 is NO. */
  readonly putOrCallAsBook: boolean;
}

/** The value of Symbol(55) in FIX 4.4 if there is none. */
const noSymbol = '[N/A]';
const exchangeSymbol = '8';

export function readInstrument(
  fields: FieldReader,
  { tags, putOrCallAsBook }: InstrumentSettings,
): InstrumentRef {
  const symbol = fields.text(55) ?? null;
  const securityId = fields.text(22) === exchangeSymbol ? fields.text(48) : undefined;
  const putOrCall = putOrCallAsBook ? fields.int(201) : undefined;
  const byPutOrCall = putOrCall === undefined ? null : putOrCall === 1 ? 'YES' : 'NO';
  const stated = fields.text(tags.book);
  const book = stated === undefined ? byPutOrCall : (books.word(stated) ?? null);
  const isOne = stated === undefined || (book !== null && book === (byPutOrCall ?? book));
  return {
    symbol: symbol === noSymbol ? null : symbol,
    securityId: securityId ?? null,
    book,
    ...(!isOne && { fault: bookFault(`Book(${tags.book})=${stated}`, book) }),
  };
}

function bookFault(text: string, book: Book | null): Denial {
  if (book === null) return deny('bridge.unsupported', text);
  return deny('bridge.instrument_conflict', `${text} contradicts PutOrCall(201)`);
}

/** Whether any field that identifies an instrument is present. */
export function namesInstrument(fields: FieldReader): boolean {
  return fields.has(55) || fields.has(48);
}

export function writeInstrument(out: FieldWriter, { symbol, securityId }: Instrument): void {
  out.text(55, symbol).text(48, securityId).char(22, exchangeSymbol);
}

export function writeBook(out: FieldWriter, { book }: Instrument, tags: CustomTags): void {
  if (book !== null) out.text(tags.book, book);
}

/** Echoes the client's own fields if they do not identify an existing instrument. */
export function echoInstrument(out: FieldWriter, fields: FieldReader): void {
  for (const tag of [55, 48, 22]) echo(out, fields, tag);
}

export function echo(out: FieldWriter, fields: FieldReader, tag: number): void {
  const value = fields.bytes(tag);
  if (value !== undefined && value.length > 0) out.value(tag, value);
}
