import { expect, test } from 'vitest';
import {
  type AgentCode,
  AgentError,
  agentCodes,
  EnvelopeError,
  type EnvelopeStatus,
  envelope,
  envelopeCodes,
  flat,
  json,
  text,
  withoutEffect,
} from '../../src/sandbox/http-message.ts';

const statuses = Object.keys(envelopeCodes).map(Number) as EnvelopeStatus[];

test('retriable is said of 409, 429, 500 and 503, and Retry-After only of 429 and 503', () => {
  const of = (wanted: (status: EnvelopeStatus) => boolean) => statuses.filter(wanted);
  const answer = (status: EnvelopeStatus) => envelope(new EnvelopeError(status, 'no'), 'req-1');
  expect(of((status) => JSON.parse(answer(status).body).error.retriable)).toEqual([
    409, 429, 500, 503,
  ]);
  expect(of((status) => answer(status).headers['retry-after'] !== undefined)).toEqual([429, 503]);
  expect(of((status) => answer(status).status !== status)).toEqual([]);
});

test('the wrapped envelope has details only when there is a reason', () => {
  const plain = envelope(new EnvelopeError(404, 'no such route'), 'req-7');
  expect(JSON.parse(plain.body)).toEqual({
    ok: false,
    error: { code: 'NOT_FOUND', message: 'no such route', retriable: false, requestId: 'req-7' },
  });
  const structured = envelope(new EnvelopeError(422, 'no', 'unknown_field'), 'req-8');
  expect(JSON.parse(structured.body).error).toMatchObject({
    code: 'BAD_REQUEST',
    details: { cause: 'unknown_field' },
  });
});

test('a refused agent is told flat, and to wait only where waiting helps', () => {
  const codes = Object.keys(agentCodes) as AgentCode[];
  for (const code of codes) {
    const answer = flat(new AgentError(code, 'why'));
    expect(JSON.parse(answer.body)).toEqual({ ok: false, code, error: 'why' });
    expect(answer.status).toBe(agentCodes[code]);
    expect(answer.headers['retry-after']).toBe(answer.status === 429 ? '1' : undefined);
  }
});

test('an answer keeps its type beside headers of its own, and text is no JSON', () => {
  const answer = json(200, { a: 1 }, { 'x-more': '1' });
  expect(answer).toEqual({
    status: 200,
    headers: { 'content-type': 'application/json', 'x-more': '1' },
    body: '{"a":1}',
  });
  expect(text(429, 'Wait\n').headers['content-type']).toMatch(/^text\/plain/);
  expect(withoutEffect(answer)).toEqual({ ...answer, isWithoutEffect: true });
});
