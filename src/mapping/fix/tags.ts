/** The user-defined tags of contract C.1; their numbers are data of the venue profile. */
export interface CustomTags {
  readonly venueRejectNumber: number;
  readonly venueCode: number;
  readonly book: number;
  readonly stpMode: number;
  readonly triggerDirection: number;
  readonly conditionalKind: number;
  readonly algoKind: number;
  readonly sliceQty: number;
  readonly sliceIntervalMs: number;
  readonly venueSeq: number;
  readonly nonceConsumed: number;
  readonly parentOrderId: number;
  readonly legIndex: number;
  readonly reduceOnly: number;
}

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
