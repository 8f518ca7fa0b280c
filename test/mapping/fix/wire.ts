/** FIX messages as text with `|` for SOH, decoded and checked against the dictionary of the bridge on both ways. */
import { InstrumentList, type Market } from '../../../src/domain/instrument.ts';
import type { MarketId, Price, Qty } from '../../../src/domain/units.ts';
import { Decoder } from '../../../src/fix/decoder.ts';
import { causeway44 } from '../../../src/fix/dictionaries.ts';
import { FieldWriter } from '../../../src/fix/field-writer.ts';
import { Framer } from '../../../src/fix/framer.ts';
import type { Message } from '../../../src/fix/message.ts';
import { Validator } from '../../../src/fix/validator.ts';
import type { ReportSettings } from '../../../src/mapping/fix/report-message.ts';
import { defaultTags } from '../../support/default-tags.ts';

export const nowMs = Date.UTC(2026, 0, 5, 12);
export const settings: ReportSettings = { tags: defaultTags, feeCurrency: 'USDC' };
export const readSettings = {
  session: 'S',
  clientFields: 'echo',
  quoteResponse: 'none',
  tags: defaultTags,
  putOrCallAsBook: false,
} as const;

export const btc: Market = {
  marketId: 1 as MarketId,
  kind: 'spot',
  symbol: 'BTC-USDC',
  base: 'BTC',
  quote: 'USDC',
  status: 'open',
  priceScale: 6,
  qtyScale: 8,
  tick: 10_000n as Price,
  lot: 1000n as Qty,
  minNotional: 1_000_000n as Price,
  maxQty: 100_000_000_000n as Qty,
  expiryMs: null,
};
export const rain: Market = {
  ...btc,
  marketId: 7 as MarketId,
  kind: 'prediction',
  symbol: 'RAIN-2026',
  base: 'RAIN',
  qtyScale: 6,
  tick: 1000n as Price,
  lot: 1_000_000n as Qty,
  expiryMs: Date.UTC(2026, 11, 31),
};
export const instruments = new InstrumentList([btc, rain]);
export const spotInstrument = instruments.of(btc.marketId, null)!;
export const noBook = instruments.of(rain.marketId, 'NO')!;

/** Fields that are bytes already, from text such as `11=X|55=BTC-USDC`. */
function bodyOf(text: string): Uint8Array {
  return Buffer.from(`${text.replace(/\|$/, '').replaceAll('|', '\x01')}\x01`);
}

function decoded(msgType: string, body: Uint8Array, extras = {}, strictUserTags = true): Message {
  const framer = new Framer({ senderCompId: 'C', targetCompId: 'B' });
  const decoder = new Decoder(causeway44());
  decoder.push(framer.frame(msgType, 7, nowMs, body, extras).slice());
  if (decoder.next() !== 'message') throw new Error(`${decoder.reason}: ${Buffer.from(body)}`);
  const message = decoder.message.detach();
  const fault = new Validator(causeway44(), { strictUserTags }).validate(message);
  if (fault !== undefined) {
    throw new Error(
      `${fault.reject} of tag ${fault.tag}: ${Buffer.from(body)}`.replaceAll('\x01', '|'),
    );
  }
  return message;
}

/** A valid message of a client. */
export function received(
  msgType: string,
  body: string,
  extras = {},
  strictUserTags = true,
): Message {
  return decoded(msgType, bodyOf(body), extras, strictUserTags);
}

/** What `write` says, as `35=…|…` without the session's own fields, proven valid. */
export function said(write: (out: FieldWriter) => string): string {
  const out = new FieldWriter();
  const msgType = write(out);
  decoded(msgType, out.bytes.slice());
  const text = Buffer.from(out.bytes).toString().replaceAll('\x01', '|');
  return `35=${msgType}|${text}`.replace(/\|$/, '');
}
