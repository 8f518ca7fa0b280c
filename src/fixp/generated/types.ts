// Generated from fixp.xml by "causeway sbe generate". Change the schema, not this file.
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
/** The header of variable data. */
export const data = {
  data: { length: { at: 0, bytes: 2, max: 65535, littleEndian: true }, offset: 2, characters: undefined },
  text: { length: { at: 0, bytes: 2, max: 65535, littleEndian: true }, offset: 2, characters: 'utf8' },
} as const;
