// Generated from fixp.xml by "causeway sbe generate". Change the schema, not this file.
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
/** All messages, to be imported together. */
export * from './applied.ts';
export * from './context.ts';
export * from './establish.ts';
export * from './establishment-ack.ts';
export * from './establishment-reject.ts';
export * from './finished-receiving.ts';
export * from './finished-sending.ts';
export * from './message-template.ts';
export * from './negotiate.ts';
export * from './negotiation-reject.ts';
export * from './negotiation-response.ts';
export * from './not-applied.ts';
export * from './retransmission.ts';
export * from './retransmit-reject.ts';
export * from './retransmit-request.ts';
export * from './sequence.ts';
export * from './terminate.ts';
export * from './topic.ts';
export * from './unsequenced-heartbeat.ts';
