/** A message as it was received, copied out of the decoder and checked against the dictionary. */
import { Decoder } from '../fix/decoder.ts';
import { causeway44 } from '../fix/dictionaries.ts';
import { type Fault, sessionRejects } from '../fix/reject.ts';
import { Validator } from '../fix/validator.ts';
import { kind } from '../fix/value-kind.ts';

/** The key of a field: a tag in FIX; in FIXP a name, qualified by its groups if necessary. */
export type Key = number | string;

export interface ReceivedMessage {
  readonly atMs: number;
  readonly raw: Uint8Array;
  /** MsgType(35) of FIX, or the name of a message of FIXP. */
  readonly msgType: string;
  /** The fields in the order received. */
  readonly fields: readonly (readonly [key: Key, value: string])[];
  /** The fault found by the dictionary. */
  readonly fault: Fault | undefined;
}

export type Incoming =
  | {
      readonly kind: 'message';
      readonly from: 'peer' | 'bridge';
      readonly message: ReceivedMessage;
    }
  | { readonly kind: 'garbled'; readonly raw: Uint8Array; readonly reason: string }
  | { readonly kind: 'closed'; readonly by: 'peer' | 'bridge' };

export function fieldOf({ fields }: ReceivedMessage, key: Key): string | undefined {
  const found = fields.find(([one]) => one === key);
  if (found !== undefined || typeof key === 'number') return found?.[1];
  return fields.find(([one]) => String(one).endsWith(`.${key}`))?.[1];
}

export function numberOf(message: ReceivedMessage, key: Key): number | undefined {
  const text = fieldOf(message, key);
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

export function isFlagged(message: ReceivedMessage, tag: number): boolean {
  return fieldOf(message, tag) === 'Y';
}

/** Keepalive messages and market news, which arrive unsolicited. */
const housekeeping = new Set([
  ...['0', '1', '2', '4', 'B', 'f', 'h'],
  ...['Sequence', 'UnsequencedHeartbeat', 'TradingStatus', 'TradingSessionStatus'],
]);

/** Whether the message is unsolicited; a resend is recognized by its PossDupFlag(43). */
export function isHousekeeping(message: ReceivedMessage): boolean {
  return housekeeping.has(message.msgType) || isFlagged(message, 43);
}

/** The venue's id of the order in a report. */
export function orderIdOf(message: ReceivedMessage): string | undefined {
  const id = fieldOf(message, 37) ?? fieldOf(message, 'OrderID');
  return id === 'NONE' ? undefined : id;
}

/** Splits one direction of a connection into messages. */
export type Listener = (bytes: Uint8Array) => void;
/** Creates a listener that reports what it receives. */
export type Listen = (from: 'peer' | 'bridge', report: (incoming: Incoming) => void) => Listener;

export const listenToFix: Listen = (from, report) => {
  const decoder = new Decoder(causeway44());
  const validator = new Validator(causeway44());
  return (bytes) => {
    decoder.push(bytes);
    for (let step = decoder.next(); step !== 'more'; step = decoder.next()) {
      if (step !== 'message') {
        report({ kind: 'garbled', raw: bytes.slice(0, 1024), reason: decoder.reason });
        if (step === 'fatal') return;
        continue;
      }
      const { message } = decoder;
      const fields = [...message.fields()].map(
        ({ tag, value }) => [tag, Buffer.from(value).toString('utf8')] as const,
      );
      const received = {
        atMs: Date.now(),
        raw: new Uint8Array(message.raw),
        msgType: message.msgType,
        fields,
        fault: validator.validate(message),
      };
      report({ kind: 'message', from, message: received });
    }
  };
};

export function faultText({ reject, tag }: Fault): string {
  return `${sessionRejects[reject].text}: ${keyName(tag)}`;
}

/** Formats a tag like `ClOrdID(11)`; returns a name unchanged. */
export function keyName(tag: Key): string {
  if (typeof tag === 'string') return tag;
  const { fieldOf: numbers, fields } = causeway44();
  const name = fields[numbers[tag] ?? 0]?.name;
  return name === undefined ? `(${tag})` : `${name}(${tag})`;
}

/** Formats a message type like `D NewOrderSingle`. */
export function typeName(msgType: string): string {
  const name = causeway44().messages.get(msgType)?.name;
  return name === undefined ? msgType : `${msgType} ${name}`;
}

export function isDecimal(tag: Key): boolean {
  if (typeof tag === 'string') return /(Px|Price|Qty|Size)$/.test(tag);
  const { fieldOf: numbers, fields } = causeway44();
  return fields[numbers[tag] ?? 0]?.kind === kind.decimal;
}
