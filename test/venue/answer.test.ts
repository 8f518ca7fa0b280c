/** The shapes of a venue answer (contract A.12-A.14, G30). */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readAnswer } from '../../src/venue/answer.ts';
import { submitResponse } from './samples.ts';

const read = (value: unknown) => readAnswer(JSON.stringify(value));

describe('R37: the shape is told by the members', () => {
  test('accepted makes a SubmitResponse of 11 keys', () => {
    const id = `0x${'cd'.repeat(32)}`;
    expect(read(submitResponse({ seq: 4, derivedOrderId: id }))).toEqual({
      kind: 'submit',
      accepted: true,
      seq: 4,
      derivedOrderId: id,
      error: null,
      code: null,
      nonceConsumed: null,
      nextUsableNonce: null,
      nonceFloor: null,
      nonceWindow: null,
    });
  });

  test('an error object makes the wrapped envelope, with its cause where there is one', () => {
    const error = { code: 'BAD_REQUEST', message: 'no', retriable: false, requestId: 'r-1' };
    expect(read({ ok: false, error })).toEqual({
      kind: 'envelope',
      code: 'BAD_REQUEST',
      message: 'no',
      requestId: 'r-1',
      cause: null,
    });
    const details = { cause: 'unknown_field' };
    expect(read({ ok: false, error: { ...error, details } })).toMatchObject({
      cause: 'unknown_field',
    });
  });

  test('an error text with a code makes the flat shape', () => {
    expect(read({ ok: false, code: 'AGENT_REVOKED', error: 'gone' })).toEqual({
      kind: 'flat',
      code: 'AGENT_REVOKED',
      error: 'gone',
    });
  });

  test('R49: a batch keeps one entry for each action, null where there is no result', () => {
    const results = [{ seq: 1, status: 'resting', clientOrderId: 'A', nonceConsumed: true }, null];
    expect(read({ ok: true, actionResults: results, derivedOrderIds: [null, [null]] })).toEqual({
      kind: 'batch',
      ok: true,
      results: [
        {
          seq: 1,
          status: 'resting',
          clientOrderId: 'A',
          nonceConsumed: true,
          rejectCode: null,
          rejectReason: null,
        },
        null,
      ],
      derivedOrderIds: [[null], [null]],
    });
  });

  test('any other object is a record, and what is no object is text', () => {
    expect(read({ markets: [] })).toEqual({ kind: 'record', value: { markets: [] } });
    expect(readAnswer('slow down')).toEqual({ kind: 'text', text: 'slow down' });
    expect(readAnswer('')).toEqual({ kind: 'text', text: '' });
    expect(readAnswer('[1]')).toEqual({ kind: 'text', text: '[1]' });
  });
});

test.each([
  ['cut short', '{"accepted":tr', /broken JSON/],
  [
    'accepted that is no boolean',
    '{"accepted":"yes"}',
    /^accepted: must be true or false, not "yes"/,
  ],
  ['ok against accepted', '{"accepted":true,"ok":false}', /^ok: contradicts accepted/],
  [
    'a rounded integer',
    '{"accepted":true,"seq":9007199254740993}',
    /^seq: must be an integer within 2\^53-1/,
  ],
  [
    'an order id in capitals',
    `{"accepted":true,"derivedOrderId":"0x${'AB'.repeat(32)}"}`,
    /^derivedOrderId: /,
  ],
  [
    'an unknown result status',
    '{"ok":true,"actionResults":[{"status":"done"}]}',
    /^actionResults\[0\]\.status: must be one of filled/,
  ],
  [
    'a list beyond its bound',
    `{"ok":true,"actionResults":[${'0,'.repeat(1024)}0]}`,
    /^actionResults: must be a list of at most 1024, not a list of 1025/,
  ],
  ['nesting without end', `{"a":${'['.repeat(500_000)}`, /broken JSON/],
])('an answer with %s is unreadable, and the place is named', (_, body, problem) => {
  expect(readAnswer(body)).toEqual({ kind: 'unreadable', problem: expect.stringMatching(problem) });
});

test('no bytes make the parser throw', () => {
  const whole = JSON.stringify(submitResponse({ code: 'expired', nonceFloor: 3 }));
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.json(),
        fc
          .tuple(fc.nat(whole.length), fc.string({ maxLength: 3 }))
          .map(([at, piece]) => whole.slice(0, at) + piece + whole.slice(at + 1)),
      ),
      (body) => {
        readAnswer(body);
      },
    ),
    { numRuns: 2000 },
  );
});
