/** Converts field values to values of the domain. */
import { type Decimal, parseDecimal } from '../../domain/units.ts';
import type { FieldReader } from '../../fix/message.ts';
import { RequestFault } from '../request-fault.ts';
import type { Codes } from './codes.ts';

export class FieldValues extends RequestFault {
  decimal(fields: FieldReader, tag: number, name: string): Decimal | null {
    const text = fields.text(tag);
    if (text === undefined) return null;
    const value = parseDecimal(text);
    if (value === undefined) this.refuse('bridge.value_out_of_range', `${name}(${tag})`);
    return value ?? null;
  }

  required<Word extends string>(
    fields: FieldReader,
    tag: number,
    name: string,
    codes: Codes<Word>,
    placeholder: Word,
  ): Word {
    if (!fields.has(tag)) this.refuse('field_missing', `${name}(${tag})`);
    return this.optional(fields, tag, name, codes) ?? placeholder;
  }

  optional<Word extends string>(
    fields: FieldReader,
    tag: number,
    name: string,
    codes: Codes<Word>,
  ): Word | undefined {
    const text = fields.text(tag);
    if (text === undefined) return undefined;
    const word = codes.word(text);
    if (word === undefined) this.refuse('bridge.unsupported', `${name}(${tag})=${text}`);
    return word;
  }
}
