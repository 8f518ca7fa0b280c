/** SessionRejectReason(373) of FIX 4.4. Text(58) has the wording that counterparties know from QuickFIX. */
export const sessionRejects = {
  invalidTagNumber: { reason: 0, text: 'Invalid tag number' },
  requiredTagMissing: { reason: 1, text: 'Required tag missing' },
  tagNotOfThisMessage: { reason: 2, text: 'Tag not defined for this message type' },
  undefinedTag: { reason: 3, text: 'Undefined Tag' },
  tagWithoutValue: { reason: 4, text: 'Tag specified without a value' },
  valueOutOfRange: { reason: 5, text: 'Value is incorrect (out of range) for this tag' },
  incorrectFormat: { reason: 6, text: 'Incorrect data format for value' },
  decryption: { reason: 7, text: 'Decryption problem' },
  signature: { reason: 8, text: 'Signature problem' },
  compId: { reason: 9, text: 'CompID problem' },
  sendingTime: { reason: 10, text: 'SendingTime accuracy problem' },
  invalidMsgType: { reason: 11, text: 'Invalid MsgType' },
  xmlValidation: { reason: 12, text: 'XML Validation error' },
  tagRepeated: { reason: 13, text: 'Tag appears more than once' },
  tagOutOfOrder: { reason: 14, text: 'Tag specified out of required order' },
  groupOutOfOrder: { reason: 15, text: 'Repeating group fields out of order' },
  groupCount: { reason: 16, text: 'Incorrect NumInGroup count for repeating group' },
  fieldDelimiter: { reason: 17, text: 'Non "data" value includes field delimiter' },
  other: { reason: 99, text: 'Other' },
} as const;
/** Whether this is Reject(3) or BusinessMessageReject(j). Neither is ever rejected in turn. */
export function isReject(msgType: string): boolean {
  return msgType === '3' || msgType === 'j';
}

export type SessionReject = keyof typeof sessionRejects;

/** An error in a message, as RefTagID(371), SessionRejectReason(373) and Text(58) of Reject(3). */
export interface Fault {
  readonly reject: SessionReject;
  /** RefTagID(371); 0 if no tag is responsible. */
  readonly tag: number;
  /** Text(58), if the reason alone is not enough. */
  readonly text?: string;
}

/** The text for the operator. */
export function faultText({ reject, tag }: Fault): string {
  return `${sessionRejects[reject].text} (${tag})`;
}
