// Generated from features.xml by "causeway sbe generate". Change the schema, not this file.
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
/** The header of variable data. */
export const data = {
  latinText: { length: { at: 0, bytes: 2, max: 65535, littleEndian: false }, offset: 2, characters: 'latin1' },
  octets: { length: { at: 0, bytes: 4, max: 4294967295, littleEndian: false }, offset: 4, characters: undefined },
  longText: { length: { at: 0, bytes: 4, max: 4294967295, littleEndian: false }, offset: 4, characters: 'utf8' },
  shortText: { length: { at: 0, bytes: 1, max: 200, littleEndian: false }, offset: 1, characters: 'ascii' },
} as const;

/** The header of a group. */
export const dimensions = {
  smallGroup: { size: 2, blockLength: { at: 1, bytes: 1, max: 255, littleEndian: false }, numInGroup: { at: 0, bytes: 1, max: 5, littleEndian: false } },
  groupSizeEncoding: { size: 4, blockLength: { at: 0, bytes: 2, max: 65535, littleEndian: false }, numInGroup: { at: 2, bytes: 2, max: 65535, littleEndian: false } },
  largeGroup: { size: 12, blockLength: { at: 0, bytes: 4, max: 4294967295, littleEndian: false }, numInGroup: { at: 4, bytes: 4, max: 4294967295, littleEndian: false } },
} as const;
