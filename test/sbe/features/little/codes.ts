// Generated from features.xml by "causeway sbe generate". Change the schema, not this file.
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
export const Side = {
  Buy: 49,
  Sell: 50,
} as const;

export const Color = {
  Red: 1,
  Green: 2,
  Blue: 3,
} as const;

export const Reason = {
  None: 0,
  /** More than there are. */
  Many: 65534,
} as const;

export const TimeUnit = {
  second: 0,
  nanosecond: 9,
} as const;

export const BoostType = {
  Turbo: 84,
  Nitrous: 78,
} as const;

/** The bits of Bits8. */
export const Bits8 = {
  first: 1,
  last: 128,
} as const;

/** The bits of Bits16. */
export const Bits16 = {
  middle: 512,
} as const;

/** The bits of Bits32. */
export const Bits32 = {
  one: 2,
  top: 2147483648,
} as const;

/** The bits of Bits64. */
export const Bits64 = {
  low: 1n,
  high: 9223372036854775808n,
} as const;

/** The bits of Options. */
export const Options = {
  sunRoof: 1,
  sportsPack: 2,
} as const;
