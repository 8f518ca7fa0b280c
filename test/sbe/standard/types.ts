// Generated from standard-examples.xml by "causeway sbe generate". Change the schema, not this file.
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
/** The header of variable data. */
export const data = {
  data: { length: { at: 0, bytes: 2, max: 65535, littleEndian: true }, offset: 2, characters: undefined },
} as const;

/** The header of a group. */
export const dimensions = {
  groupSizeEncoding: { size: 4, blockLength: { at: 0, bytes: 2, max: 65535, littleEndian: true }, numInGroup: { at: 2, bytes: 2, max: 65535, littleEndian: true } },
} as const;
