/**
 * The terms of an order in NewOrderSingle(D) and OrderCancelReplaceRequest(G): the FIX side of contract C.5. Values
 * that the domain has no word for are refused here; combinations that mean nothing are refused by its admission.
 */
import type { AlgoRequest, Lifetime, RequestedTerms } from '../../domain/command.ts';
import { type Denial, deny, isDenial } from '../../domain/denial.ts';
import { type Decimal, parseDecimal, type StpMode } from '../../domain/units.ts';
import type { FieldReader } from '../../fix/message.ts';
import {
  algoKinds,
  type Codes,
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
import type { CustomTags } from './tags.ts';

const dayMs = 86_400_000;

/** Fields of which only these values are understood; the first is also what absence means, where that is said. */
const supportedValues: readonly (readonly [tag: number, name: string, values: string])[] = [
  [423, 'PriceType', '2'],
  [21, 'HandlInst', '1'],
];

type Options = Omit<RequestedTerms, 'side' | 'ordType' | 'lifetime' | 'qty' | 'price' | 'currency'>;

/** What an order means that has none of the tags below. */
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

/** All tags that say something of an order besides its side, type, lifetime, quantity, price and currency. */
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

export function readTerms(fields: FieldReader, tags: CustomTags): RequestedTerms | Denial {
  // Few orders have any, and to look for each of some forty takes longer than all else.
  const isPlain = !fields.hasAny(optionTagsOf(tags));
  const refused = isPlain ? undefined : refusedField(fields);
  if (refused !== undefined) return refused;
  const side = required(fields, 54, 'Side', sides);
  if (isDenial(side)) return side;
  const ordType = required(fields, 40, 'OrdType', ordTypes);
  if (isDenial(ordType)) return ordType;
  const lifetime = optional(fields, 59, 'TimeInForce', lifetimes) ?? 'day';
  if (isDenial(lifetime)) return lifetime;
  const qty = readDecimal(fields, 38, 'OrderQty');
  if (qty === null) return deny('field_missing', 'OrderQty(38)');
  if (isDenial(qty)) return qty;
  const price = readDecimal(fields, 44, 'Price');
  if (isDenial(price)) return price;
  const options = isPlain ? noOptions : readOptions(fields, tags, lifetime);
  if (isDenial(options)) return options;
  return { ...options, side, ordType, qty, price, lifetime, currency: fields.text(15) ?? null };
}

function readOptions(fields: FieldReader, tags: CustomTags, lifetime: Lifetime): Options | Denial {
  const stopPrice = readDecimal(fields, 99, 'StopPx');
  if (isDenial(stopPrice)) return stopPrice;
  const maxFloor = readDecimal(fields, 111, 'MaxFloor');
  if (isDenial(maxFloor)) return maxFloor;
  const execInst = readExecInst(fields.text(18));
  if (isDenial(execInst)) return execInst;
  const reduceOnly = readReduceOnly(fields, tags);
  if (isDenial(reduceOnly)) return reduceOnly;
  const stp = readStp(fields.text(tags.stpMode));
  if (isDenial(stp)) return stp;
  const algo = readAlgo(fields, tags);
  if (isDenial(algo)) return algo;
  const direction = optional(fields, tags.triggerDirection, 'TriggerDirection', triggerDirections);
  if (isDenial(direction)) return direction;
  const kind = optional(fields, tags.conditionalKind, 'ConditionalKind', conditionalKinds);
  if (isDenial(kind)) return kind;
  return {
    stopPrice,
    maxFloor,
    expireTimeMs: readExpiry(fields, lifetime),
    ...(!fields.has(126) && fields.has(432) && { isExpireDate: true }),
    postOnly: execInst.has('post_only'),
    reduceOnly,
    stp,
    algo,
    triggerDirection: direction ?? null,
    conditionalKind: kind ?? null,
  };
}

function refusedField(fields: FieldReader): Denial | undefined {
  for (const [tag, name, values] of supportedValues) {
    const value = fields.text(tag);
    if (value !== undefined && !values.includes(value)) {
      return deny('bridge.unsupported', `${name}(${tag})=${value}`);
    }
  }
  return undefined;
}

/** ExpireDate(432) means the end of that day in UTC. */
function readExpiry(fields: FieldReader, lifetime: Lifetime): number | null {
  const expireDateMs = fields.dateMs(432);
  const endOfDateMs = expireDateMs === undefined ? null : expireDateMs + dayMs;
  return fields.utcMs(126) ?? (lifetime === 'gtd' || fields.has(432) ? endOfDateMs : null);
}

function readExecInst(text: string | undefined): ReadonlySet<string> | Denial {
  const asked = new Set<string>();
  for (const code of text?.split(' ') ?? []) {
    const word = execInsts.word(code);
    if (word === undefined) return deny('bridge.unsupported', `ExecInst(18)=${code}`);
    asked.add(word);
  }
  return asked;
}

function readReduceOnly(fields: FieldReader, { reduceOnly: tag }: CustomTags): boolean | Denial {
  const effect = optional(fields, 77, 'PositionEffect', positionEffects);
  if (isDenial(effect)) return effect;
  const flag = fields.bool(tag);
  if (effect !== undefined && flag !== undefined && (effect === 'reduce_only') !== flag) {
    const code = positionEffects.code[effect];
    return deny('bridge.unsupported', `PositionEffect(77)=${code} against ReduceOnly(${tag})`);
  }
  return effect === 'reduce_only' || flag === true;
}

function readStp(text: string | undefined): StpMode | null | undefined | Denial {
  if (text === undefined) return undefined;
  const mode = stpModes.word(text);
  if (mode === undefined) return deny('bridge.invalid_stp_mode', text);
  return mode === 'none' ? null : mode;
}

/** By AlgoKind(9107), or by TargetStrategy(847). */
function readAlgo(fields: FieldReader, tags: CustomTags): AlgoRequest | null | Denial {
  const named = optional(fields, tags.algoKind, 'AlgoKind', algoKinds);
  if (isDenial(named)) return named;
  const byStrategy = optional(fields, 847, 'TargetStrategy', targetStrategies);
  if (isDenial(byStrategy)) return byStrategy;
  const kind = named ?? byStrategy;
  if (named !== undefined && byStrategy !== undefined && named !== byStrategy) {
    return deny('bridge.unsupported', `AlgoKind(${tags.algoKind}) against TargetStrategy(847)`);
  }
  const parameters = readParameters(fields.text(848) ?? '');
  if (isDenial(parameters)) return parameters;
  const sliceQty = readDecimal(fields, tags.sliceQty, 'SliceQty');
  if (isDenial(sliceQty)) return sliceQty;
  const intervalMs = fields.int(tags.sliceIntervalMs) ?? parameters.intervalMs;
  const slice = sliceQty ?? parameters.sliceQty;
  if (kind !== undefined) return { kind, sliceQty: slice, intervalMs };
  if (slice === null && intervalMs === null) return null;
  return deny('bridge.unsupported', `a slice without AlgoKind(${tags.algoKind})`);
}

/** TargetStrategyParameters(848): `slice_qty=…;interval_ms=…`. */
function readParameters(text: string): Pick<AlgoRequest, 'sliceQty' | 'intervalMs'> | Denial {
  let sliceQty: Decimal | null = null;
  let intervalMs: number | null = null;
  for (const part of text.split(';').filter((piece) => piece !== '')) {
    const [name, value = ''] = part.split('=', 2);
    if (name === 'slice_qty') sliceQty = parseDecimal(value) ?? null;
    else if (name === 'interval_ms') intervalMs = /^\d{1,12}$/.test(value) ? Number(value) : null;
    const isUnread = name === 'slice_qty' ? sliceQty === null : intervalMs === null;
    if (isUnread) return deny('bridge.unsupported', `TargetStrategyParameters(848): ${part}`);
  }
  return { sliceQty, intervalMs };
}

export function readDecimal(
  fields: FieldReader,
  tag: number,
  name: string,
): Decimal | null | Denial {
  const text = fields.text(tag);
  if (text === undefined) return null;
  return parseDecimal(text) ?? deny('bridge.value_out_of_range', `${name}(${tag})`);
}

export function required<Word extends string>(
  fields: FieldReader,
  tag: number,
  name: string,
  codes: Codes<Word>,
): Word | Denial {
  return optional(fields, tag, name, codes) ?? deny('field_missing', `${name}(${tag})`);
}

function optional<Word extends string>(
  fields: FieldReader,
  tag: number,
  name: string,
  codes: Codes<Word>,
): Word | Denial | undefined {
  const text = fields.text(tag);
  if (text === undefined) return undefined;
  return codes.word(text) ?? deny('bridge.unsupported', `${name}(${tag})=${text}`);
}
