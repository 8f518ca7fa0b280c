// Generated from standard-examples.xml by "causeway sbe generate". Change the schema, not this file.
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
/** All messages, to be imported together. */
export * from './business-message-reject.ts';
export * from './execution-report.ts';
export * from './field-encodings.ts';
export * from './new-order-single.ts';
