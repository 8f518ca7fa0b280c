/** The custom tags of contract C.1, whose numbers are in the venue profile. */
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
