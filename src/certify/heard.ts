/** A message as it was heard, copied out of the decoder and held against the dictionary. */
import { Decoder } from '../fix/decoder.ts';
import { causeway44 } from '../fix/dictionaries.ts';
import { type Fault, sessionRejects } from '../fix/reject.ts';
import { Validator } from '../fix/validator.ts';
import { kind } from '../fix/value-kind.ts';

export interface Heard {
  readonly atMs: number;
  readonly raw: Uint8Array;
  readonly msgType: string;
  /** In the order received. */
  readonly fields: readonly (readonly [tag: number, value: string])[];
  /** What the dictionary has against it. */
  readonly fault: Fault | undefined;
}

export type Incoming =
  | { readonly kind: 'message'; readonly from: 'peer' | 'bridge'; readonly message: Heard }
  | { readonly kind: 'garbled'; readonly raw: Uint8Array; readonly reason: string }
  | { readonly kind: 'closed'; readonly by: 'peer' | 'bridge' };

export function fieldOf({ fields }: Heard, tag: number): string | undefined {
  return fields.find(([one]) => one === tag)?.[1];
}

export function numberOf(message: Heard, tag: number): number | undefined {
  const text = fieldOf(message, tag);
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

export function isFlagged(message: Heard, tag: number): boolean {
  return fieldOf(message, tag) === 'Y';
}

/** Cuts one direction of a connection into messages. */
export class Ear {
  readonly #decoder = new Decoder(causeway44());
  readonly #validator = new Validator(causeway44());
  readonly #from: 'peer' | 'bridge';
  readonly #told: (incoming: Incoming) => void;

  constructor(from: 'peer' | 'bridge', told: (incoming: Incoming) => void) {
    this.#from = from;
    this.#told = told;
  }

  hear(bytes: Uint8Array): void {
    const decoder = this.#decoder;
    decoder.push(bytes);
    for (let step = decoder.next(); step !== 'more'; step = decoder.next()) {
      if (step !== 'message') {
        this.#told({ kind: 'garbled', raw: bytes.slice(0, 1024), reason: decoder.reason });
        if (step === 'fatal') return;
        continue;
      }
      const { message } = decoder;
      const fields = [...message.fields()].map(
        ({ tag, value }) => [tag, Buffer.from(value).toString('utf8')] as const,
      );
      const heard = {
        atMs: Date.now(),
        raw: message.raw.slice(),
        msgType: message.msgType,
        fields,
        fault: this.#validator.validate(message),
      };
      this.#told({ kind: 'message', from: this.#from, message: heard });
    }
  }
}

export function faultText({ reject, tag }: Fault): string {
  return `${sessionRejects[reject].text}: ${tagName(tag)}`;
}

/** `ClOrdID(11)`. */
export function tagName(tag: number): string {
  const { fieldOf: numbers, fields } = causeway44();
  const name = fields[numbers[tag] ?? 0]?.name;
  return name === undefined ? `(${tag})` : `${name}(${tag})`;
}

/** `D NewOrderSingle`. */
export function typeName(msgType: string): string {
  const name = causeway44().messages.get(msgType)?.name;
  return name === undefined ? msgType : `${msgType} ${name}`;
}

export function isDecimalTag(tag: number): boolean {
  const { fieldOf: numbers, fields } = causeway44();
  return fields[numbers[tag] ?? 0]?.kind === kind.decimal;
}
