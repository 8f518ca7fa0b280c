/** User-defined tags as the profile of the sandbox numbers them. */
import type { CustomTags } from '../../src/mapping/fix/tags.ts';

export const defaultTags: CustomTags = {
  venueRejectNumber: 9101,
  venueCode: 9102,
  book: 9103,
  stpMode: 9104,
  triggerDirection: 9105,
  conditionalKind: 9106,
  algoKind: 9107,
  sliceQty: 9108,
  sliceIntervalMs: 9109,
  venueSeq: 9110,
  nonceConsumed: 9111,
  parentOrderId: 9112,
  legIndex: 9113,
  reduceOnly: 9114,
};
