/** An action whose request is made before it may leave (decision 0213). */
import { expect, test } from 'vitest';
import type { HttpRequest } from '../../src/venue/http-client.ts';
import { plainSubmitter } from './plain-submitter.ts';
import { sandbox, signed, submitResponse } from './samples.ts';

const taken = JSON.stringify(submitResponse({ seq: 1 }));

function open(profile = sandbox) {
  const prepared: HttpRequest[] = [];
  const sent: HttpRequest[] = [];
  const http = {
    prepare: (request: HttpRequest) => void prepared.push(request),
    exchange: async (request: HttpRequest) => {
      sent.push(request);
      return { kind: 'response', status: 200, headers: {}, body: taken } as const;
    },
  };
  return { prepared, sent, subject: plainSubmitter(http, { profile }) };
}

test('goes out with the request that was made', async () => {
  const { prepared, sent, subject } = open();
  const send = subject.prepared(signed(7));
  expect(prepared).toHaveLength(1);
  await subject.submit({ send, priority: 'place' });
  expect(sent[0]).toBe(prepared[0]);
});

test('has the same request as one that was not made before', async () => {
  const { prepared, sent, subject } = open();
  subject.prepared(signed(7));
  await subject.submit({ send: signed(7), priority: 'place' });
  expect(sent).toEqual(prepared);
});

test('is not made where it may go out in a batch', () => {
  const lanes = { ...sandbox.lanes, order: ['jsonBatch' as const] };
  const { prepared, subject } = open({ ...sandbox, lanes });
  subject.limit({ jsonEnabled: true, maxActions: 8, maxInFlight: 1 });
  const send = signed(7);
  expect(subject.prepared(send)).toBe(send);
  expect(prepared).toEqual([]);
});
