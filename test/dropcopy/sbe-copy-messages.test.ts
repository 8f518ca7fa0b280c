import { expect, test } from 'vitest';
import {
  readReaderMessage,
  writeRequestAck,
  writeTradeAnswer,
} from '../../src/dropcopy/sbe-copy-messages.ts';
import { decodeMessage } from '../../src/sbe/generic-decoder.ts';
import { encodeMessage } from '../../src/sbe/generic-encoder.ts';
import { orders } from '../acceptance/parity/fixp-words.ts';

const asked = {
  CopyReqType: 'ExecIDs',
  FromTime: null,
  ToTime: '1795000000000',
  FromVenueSeq: '18446744073709551614',
  ToVenueSeq: null,
  CopyReqID: 'r',
  Account: '',
  FromExecID: 'desk-1-0',
  ToExecID: '',
};

test('a request is read as it was asked, and no number is greater than one can be', () => {
  expect(
    readReaderMessage(encodeMessage(orders, { message: 'CopyRequest', fields: asked })),
  ).toEqual({
    kind: 'request',
    request: {
      reqId: 'r',
      reqType: 1,
      account: null,
      fromExecId: 'desk-1-0',
      toExecId: null,
      fromMs: null,
      toMs: 1_795_000_000_000,
      fromSeq: Number.MAX_SAFE_INTEGER,
      toSeq: null,
    },
  });
});

test('an acknowledgement names a copy, and an account if it must', () => {
  const fields = { ExecID: 'desk-1-0', Account: 'desk' };
  expect(readReaderMessage(encodeMessage(orders, { message: 'CopyAcknowledge', fields }))).toEqual({
    kind: 'acknowledge',
    execId: 'desk-1-0',
    account: 'desk',
  });
});

test('bytes that are cut anywhere are said to be wrong, and other messages are left to others', () => {
  const whole = encodeMessage(orders, { message: 'CopyRequest', fields: asked });
  for (let end = 0; end < whole.length; end += 1) {
    expect(readReaderMessage(whole.subarray(0, end)), `${end} bytes`).toBeTypeOf('string');
  }
  const other = encodeMessage(orders, {
    message: 'UserStatusRequest',
    fields: { UserRequestID: 'u', Username: 'x' },
  });
  expect(readReaderMessage(other)).toBeUndefined();
});

test('an answer says what the FIX lane says', () => {
  const answer = { reqId: 'r', reqType: 2, status: 'refused', count: null } as const;
  const written = writeRequestAck(Buffer.alloc(256), { ...answer, reason: 'tooMany', text: 'no' });
  expect(decodeMessage(orders, written)).toMatchObject({
    message: 'CopyRequestAck',
    fields: {
      CopyReqType: 'Times',
      CopyReqStatus: 'Refused',
      CopyReqReason: 5,
      CopyCount: null,
      CopyReqID: 'r',
      Text: 'no',
    },
  });
});

test('an id that is not UTF-8 is said to be wrong, and one of any length is read and answered', () => {
  const named = (name: string) =>
    encodeMessage(orders, { message: 'CopyRequest', fields: { ...asked, CopyReqID: name } });
  const garbled = Buffer.from(named('x'.repeat(255)));
  garbled.set(Buffer.alloc(255, 0xe9), garbled.indexOf('xx'));
  expect(readReaderMessage(garbled)).toBe('a text is not UTF-8');
  const long = 'ā'.repeat(127);
  expect(readReaderMessage(named(long))).toMatchObject({ request: { reqId: long } });
});

test('an id that an earlier version has stored with replacement characters is cut, and stops nothing', () => {
  const id = '\ufffd'.repeat(255);
  const answer = { reqId: id, reqType: 2, status: 'refused', count: null } as const;
  const request = writeRequestAck(Buffer.alloc(1024), { ...answer, reason: 'tooMany', text: null });
  expect(decodeMessage(orders, request)).toMatchObject({
    fields: { CopyReqID: '' },
  });
  const trades = writeTradeAnswer(Buffer.alloc(1024), {
    ...{ tradeRequestId: id, requestType: 0, result: 0, status: 'accepted', total: 0, text: null },
  } as never);
  expect(decodeMessage(orders, trades)).toMatchObject({ fields: { TradeRequestID: '' } });
});
