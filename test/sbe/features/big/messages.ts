// Generated from features.xml by "causeway sbe generate". Change the schema, not this file.
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
/** All messages, to be imported together. */
export * from './empty.ts';
export * from './everything.ts';
export * from './grown.ts';
export * from './parts.ts';
