/**
 * Reads the terms of an order from NewOrderSingle(100) and OrderCancelReplaceRequest(101): the SBE side of contract
 * C.5.
 */
import type { AlgoRequest, RequestedTerms } from '../../domain/command.ts';
import type { StpMode } from '../../domain/units.ts';
import {
  algoKinds,
  conditionalKinds,
  lifetimes,
  ordTypes,
  sides,
  stpModes,
  triggerDirections,
} from './codes.ts';
import { OrderFlags } from './generated/codes.ts';
import type * as orders from './generated/messages.ts';
import { decimal, type RequestValues } from './request-values.ts';

export type TermsFields = orders.NewOrderSingle | orders.OrderCancelReplaceRequest;

const knownFlags = OrderFlags.PostOnly | OrderFlags.ReduceOnly;

export function readTerms(fields: TermsFields, values: RequestValues): RequestedTerms {
  const priceScale = values.scale(fields.termsPriceExponent, 'PriceExponent');
  const qtyScale = values.scale(fields.termsQtyExponent, 'QtyExponent');
  const { termsFlags: flags } = fields;
  if ((flags & ~knownFlags) !== 0) values.refuse('bridge.unsupported', `OrderFlags=${flags}`);
  return {
    side: values.required(sides, fields.termsSide, 'Side(54)', 'Bid'),
    ordType: values.required(ordTypes, fields.termsOrdType, 'OrdType(40)', 'limit'),
    lifetime: values.optional(lifetimes, fields.termsTimeInForce, 'TimeInForce(59)') ?? 'day',
    qty: { mantissa: fields.termsOrderQtyBig, scale: qtyScale },
    price: decimal(fields.termsPriceBig, priceScale),
    stopPrice: decimal(fields.termsStopPxBig, priceScale),
    maxFloor: decimal(fields.termsMaxFloorBig, qtyScale),
    expireTimeMs: values.utcMs(fields.termsExpireTimeBig, 'ExpireTime(126)'),
    postOnly: (flags & OrderFlags.PostOnly) !== 0,
    reduceOnly: (flags & OrderFlags.ReduceOnly) !== 0,
    stp: readStp(fields.termsStpMode, values),
    algo: readAlgo(fields, qtyScale, values),
    triggerDirection: values.optional(
      triggerDirections,
      fields.termsTriggerDirection,
      'TriggerDirection(9105)',
    ),
    conditionalKind: values.optional(
      conditionalKinds,
      fields.termsConditionalKind,
      'ConditionalKind(9106)',
    ),
    currency: values.name(fields.termsCurrency, 'Currency(15)'),
  };
}

function readStp(code: number, values: RequestValues): StpMode | null | undefined {
  if (stpModes.isUnset(code)) return undefined;
  const mode = stpModes.word(code);
  if (mode === undefined) values.refuse('bridge.invalid_stp_mode', String(code));
  return mode === undefined || mode === 'none' ? null : mode;
}

function readAlgo(fields: TermsFields, scale: number, values: RequestValues): AlgoRequest | null {
  const kind = values.optional(algoKinds, fields.termsAlgoKind, 'AlgoKind(9107)');
  const sliceQty = decimal(fields.termsSliceQtyBig, scale);
  const intervalMs = fields.termsSliceIntervalMs ?? null;
  if (kind !== null) return { kind, sliceQty, intervalMs };
  if (sliceQty !== null || intervalMs !== null) {
    values.refuse('bridge.unsupported', 'a slice without AlgoKind(9107)');
  }
  return null;
}
