/**
 * Reads the terms of an order from NewOrderSingle(D) and OrderCancelReplaceRequest(G): the FIX side of contract C.5.
 * Values that the domain does not have are refused here; its admission refuses meaningless combinations.
 */
import type { AlgoRequest, Lifetime, RequestedTerms } from '../../domain/command.ts';
import { type Decimal, latestMs, parseDecimal, type StpMode } from '../../domain/units.ts';
import type { FieldReader } from '../../fix/message.ts';
import {
  algoKinds,
  conditionalKinds,
  execInsts,
  lifetimes,
  ordTypes,
  positionEffects,
  sides,
  stpModes,
  targetStrategies,
  triggerDirections,
} from './codes.ts';
import type { FieldValues } from './field-values.ts';
import type { CustomTags } from './tags.ts';

const dayMs = 86_400_000;

/** Fields of which only these values are supported; the first value is also the meaning of an absent field. */
const supportedValues: readonly (readonly [tag: number, name: string, values: string])[] = [
  [423, 'PriceType', '2'],
  [21, 'HandlInst', '1'],
];

type Options = Omit<RequestedTerms, 'side' | 'ordType' | 'lifetime' | 'qty' | 'price' | 'currency'>;

/** The defaults for an order without the tags below. */
const noOptions: Options = {
  stopPrice: null,
  maxFloor: null,
  expireTimeMs: null,
  postOnly: false,
  reduceOnly: false,
  stp: undefined,
  algo: null,
  triggerDirection: null,
  conditionalKind: null,
};

const standardOptions = [99, 111, 18, 77, 126, 432, 847, 848];
const optionTags = new WeakMap<CustomTags, ReadonlySet<number>>();

/** All tags that describe an order, except its side, type, lifetime, quantity, price and currency. */
function optionTagsOf(tags: CustomTags): ReadonlySet<number> {
  const known = optionTags.get(tags);
  if (known !== undefined) return known;
  const fixed = supportedValues.map(([tag]) => tag);
  const { reduceOnly, stpMode, algoKind, sliceQty, sliceIntervalMs } = tags;
  const own = [reduceOnly, stpMode, algoKind, sliceQty, sliceIntervalMs];
  const triggers = [tags.triggerDirection, tags.conditionalKind];
  const all = new Set([...fixed, ...standardOptions, ...own, ...triggers]);
  optionTags.set(tags, all);
  return all;
}

/** A placeholder for a missing or invalid quantity. */
const noQty: Decimal = { mantissa: 0n, scale: 0 };

export function readTerms(fields: FieldReader, tags: CustomTags, v: FieldValues): RequestedTerms {
  // Few orders have any of these, and looking for each of some forty would take longer than everything else.
  const isPlain = !fields.hasAny(optionTagsOf(tags));
  if (!isPlain) checkSupported(fields, v);
  const side = v.required(fields, 54, 'Side', sides, 'Bid');
  const ordType = v.required(fields, 40, 'OrdType', ordTypes, 'limit');
  const lifetime = v.optional(fields, 59, 'TimeInForce', lifetimes) ?? 'day';
  const qty = v.decimal(fields, 38, 'OrderQty');
  if (qty === null) v.refuse('field_missing', 'OrderQty(38)');
  const price = v.decimal(fields, 44, 'Price');
  const options = isPlain ? noOptions : readOptions(fields, tags, lifetime, v);
  const currency = fields.text(15) ?? null;
  return { ...options, side, ordType, qty: qty ?? noQty, price, lifetime, currency };
}

function readOptions(
  fields: FieldReader,
  tags: CustomTags,
  lifetime: Lifetime,
  v: FieldValues,
): Options {
  const { conditionalKind, triggerDirection } = tags;
  return {
    stopPrice: v.decimal(fields, 99, 'StopPx'),
    maxFloor: v.decimal(fields, 111, 'MaxFloor'),
    expireTimeMs: readExpiry(fields, lifetime),
    ...(!fields.has(126) && fields.has(432) && { isExpireDate: true }),
    postOnly: isPostOnly(fields.text(18), v),
    reduceOnly: readReduceOnly(fields, tags, v),
    stp: readStp(fields.text(tags.stpMode), v),
    algo: readAlgo(fields, tags, v),
    triggerDirection:
      v.optional(fields, triggerDirection, 'TriggerDirection', triggerDirections) ?? null,
    conditionalKind:
      v.optional(fields, conditionalKind, 'ConditionalKind', conditionalKinds) ?? null,
  };
}

function checkSupported(fields: FieldReader, v: FieldValues): void {
  for (const [tag, name, values] of supportedValues) {
    const value = fields.text(tag);
    if (value !== undefined && !values.includes(value)) {
      v.refuse('bridge.unsupported', `${name}(${tag})=${value}`);
    }
  }
}

/** ExpireDate(432) means the end of that day in UTC. */
function readExpiry(fields: FieldReader, lifetime: Lifetime): number | null {
  const expireDateMs = fields.dateMs(432);
  // 99991231 stands for "never" with some systems, and a report cannot have the midnight after it.
  const endOfDateMs = expireDateMs === undefined ? null : Math.min(expireDateMs + dayMs, latestMs);
  return fields.utcMs(126) ?? (lifetime === 'gtd' || fields.has(432) ? endOfDateMs : null);
}

/** ExecInst(18) is a list of codes. */
function isPostOnly(text: string | undefined, v: FieldValues): boolean {
  const asked = text?.split(' ').map((code) => {
    const word = execInsts.word(code);
    if (word === undefined) v.refuse('bridge.unsupported', `ExecInst(18)=${code}`);
    return word;
  });
  return asked?.includes('post_only') === true;
}

function readReduceOnly(
  fields: FieldReader,
  { reduceOnly: tag }: CustomTags,
  v: FieldValues,
): boolean {
  const effect = v.optional(fields, 77, 'PositionEffect', positionEffects);
  const flag = fields.bool(tag);
  if (effect !== undefined && flag !== undefined && (effect === 'reduce_only') !== flag) {
    const code = positionEffects.code[effect];
    v.refuse('bridge.unsupported', `PositionEffect(77)=${code} contradicts ReduceOnly(${tag})`);
  }
  return effect === 'reduce_only' || flag === true;
}

function readStp(text: string | undefined, v: FieldValues): StpMode | null | undefined {
  if (text === undefined) return undefined;
  const mode = stpModes.word(text);
  if (mode === undefined) v.refuse('bridge.invalid_stp_mode', text);
  return mode === undefined || mode === 'none' ? null : mode;
}

/** Reads AlgoKind(9107) or TargetStrategy(847). */
function readAlgo(fields: FieldReader, tags: CustomTags, v: FieldValues): AlgoRequest | null {
  const named = v.optional(fields, tags.algoKind, 'AlgoKind', algoKinds);
  const byStrategy = v.optional(fields, 847, 'TargetStrategy', targetStrategies);
  const kind = named ?? byStrategy;
  if (named !== undefined && byStrategy !== undefined && named !== byStrategy) {
    v.refuse('bridge.unsupported', `AlgoKind(${tags.algoKind}) contradicts TargetStrategy(847)`);
  }
  const parameters = readParameters(fields.text(848) ?? '', v);
  const sliceQty = v.decimal(fields, tags.sliceQty, 'SliceQty') ?? parameters.sliceQty;
  const intervalMs = fields.int(tags.sliceIntervalMs) ?? parameters.intervalMs;
  if (kind !== undefined) return { kind, sliceQty, intervalMs };
  if (sliceQty !== null || intervalMs !== null) {
    v.refuse('bridge.unsupported', `a slice without AlgoKind(${tags.algoKind})`);
  }
  return null;
}

/** TargetStrategyParameters(848): `slice_qty=…;interval_ms=…`. */
function readParameters(
  text: string,
  v: FieldValues,
): Pick<AlgoRequest, 'sliceQty' | 'intervalMs'> {
  let sliceQty: Decimal | null = null;
  let intervalMs: number | null = null;
  for (const part of text.split(';').filter((piece) => piece !== '')) {
    const [name, ...values] = part.split('=');
    const value = values.join('=');
    if (name === 'slice_qty') sliceQty = parseDecimal(value) ?? null;
    else if (name === 'interval_ms') intervalMs = /^\d{1,12}$/.test(value) ? Number(value) : null;
    const isRead =
      name === 'slice_qty' ? sliceQty !== null : name === 'interval_ms' && intervalMs !== null;
    if (!isRead) v.refuse('bridge.unsupported', `TargetStrategyParameters(848): ${part}`);
  }
  return { sliceQty, intervalMs };
}
