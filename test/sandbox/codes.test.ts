/** Runs the tables of docs/SANDBOX.md over the wire: the document says how to get each code, and it is right. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { delegationFields } from '../../src/sandbox/agent-routes.ts';
import { agentCodes } from '../../src/sandbox/http-message.ts';
import { refusalNumbers, refusals } from '../../src/venue/refusals.ts';
import {
  type Answer,
  type Client,
  type Loose,
  open,
  outcome,
  type Stream,
  signatureOf,
  spot,
} from './client.ts';

const text = readFileSync(join(import.meta.dirname, '../../docs/SANDBOX.md'), 'utf8');
const venue = await open();
afterAll(() => venue.stop());

interface Row {
  readonly name: string;
  readonly second: string;
  readonly steps: readonly string[];
}

function table(heading: string): readonly Row[] {
  const section = text.split(`\n### ${heading}\n`)[1]?.split('\n#')[0] ?? '';
  const lines = section.split('\n').filter((line) => line.startsWith('| ') && line.includes('`'));
  return lines.map((line) => {
    const [name = '', second = '', ...rest] = line.slice(2).split(' | ');
    const steps = [...rest.join(' | ').matchAll(/`([^`]+)`/g)].map(([, step]) => step ?? '');
    return { name: name.replaceAll('`', ''), second, steps };
  });
}

const stranger = '11'.repeat(32);
let order = '';

beforeEach(() => venue.fresh());

function filled(step: string): string {
  return step
    .replaceAll('$order', order)
    .replace(/\$account(\d?)/g, (_, number) => venue.client(Number(number || 1) - 1).account)
    .replaceAll('$apiKey', venue.client(0).facts.apiKey)
    .replaceAll('$now', String(venue.clock.now().wallMs));
}

async function run(raw: string): Promise<Answer> {
  const step = filled(raw);
  const admin = /^admin (\w+) (\S+) (.*)$/.exec(step);
  if (admin !== null) return venue.admin(admin[2]!, JSON.parse(admin[3]!), admin[1]);
  const [, number = '1', rest = ''] = /^(?:(\d): )?(.*)$/.exec(step) ?? [];
  const client = venue.client(Number(number) - 1);
  const request = /^(GET|POST) (\S+) ?(.*)$/.exec(rest);
  if (request !== null) return runRequest(client, request[1]!, request[2]!, request[3]!);
  const delegation = /^delegate (\S+) nonce (\d+) by (\w+)$/.exec(rest);
  if (delegation !== null)
    return delegate(client, delegation[1]!, Number(delegation[2]), delegation[3]!);
  return runAction(client, rest);
}

async function runRequest(client: Client, method: string, path: string, how: string) {
  if (method === 'POST') return client.post(path, how);
  if (how === 'anonymously') return client.get(path, { 'X-API-Key': '' });
  if (how === 'badly signed') return client.get(path, { 'X-API-Signature': 'AAAA' });
  if (how.startsWith('as ')) return client.get(path, { accept: how.slice(3) });
  if (how === 'signed before') {
    return client.get(path, { 'X-API-Timestamp': String(venue.clock.now().wallMs - 60_000) });
  }
  return client.get(path);
}

async function runAction(client: Client, step: string): Promise<Answer> {
  const parts = /^(\w+) (\{.*?\})(?: with (\{.*?\}))?(?: by (\S+))?(?: key (\S+))?$/.exec(step)!;
  const [, variant = '', fields = '', envelope = '{}', by, key] = parts;
  const over = JSON.parse(envelope);
  if (over.nonce === 'floor+1') {
    const facts = await venue.admin(`/accounts/${client.account}`, undefined, 'GET');
    over.nonce = facts.body.nonces.floor + 1;
  }
  const payload = client.payload(actionOf(variant, JSON.parse(fields)), over);
  const agents = venue.info.accounts.flatMap((account) => account.agents);
  const secret = by === 'stranger' ? stranger : agents.find(({ agentId }) => agentId === by)?.key;
  const headers: Record<string, string> = key === undefined ? {} : { 'Idempotency-Key': key };
  const answer = await client.post(
    '/api/v1/trading/actions',
    client.sign(payload, secret),
    headers,
  );
  if (answer.body?.derivedOrderId) order = answer.body.derivedOrderId;
  return answer;
}

function actionOf(variant: string, fields: Loose): Loose {
  if (variant === 'SpotPlaceOrder') return spot(fields);
  return variant === 'PlaceOrder' ? outcome(fields) : { [variant]: fields };
}

function delegate(client: Client, agentId: string, nonce: number, by: string): Promise<Answer> {
  const values: Loose = {
    account: client.account,
    agentId,
    address: `0x${Buffer.from(agentId).toString('hex').padStart(40, '0')}`,
    agentType: 'institutional_agent',
    scopes: ['trade'],
    expiresAtMs: null,
    nonce,
  };
  const canonical = JSON.stringify(
    Object.fromEntries(delegationFields.map((name) => [name, values[name]])),
  );
  const key = by === 'owner' ? client.facts.ownerKey : stranger;
  const signature = signatureOf(canonical, key, 'ecdsa', 'SANDBOX/AGENT_DELEGATION/v1');
  return client.post('/api/agents', { ...values, signature });
}

async function lastAnswer(steps: readonly string[]): Promise<Answer> {
  let answer: Answer | undefined;
  for (const step of steps) answer = await run(step);
  return answer!;
}

const submitKeys = [
  'accepted',
  'code',
  'derivedOrderId',
  'error',
  'nonceConsumed',
  'nonceFloor',
  'nonceHoles',
  'nonceWindow',
  'nextUsableNonce',
  'ok',
  'seq',
].sort();

describe('R114: every submit code of A.18.3 is provoked as the document says', () => {
  const rows = table('Submit codes');
  test('the table holds exactly the 48 codes', () => {
    const codes = refusals.filter(({ source }) => source === 'submit').map(({ code }) => code);
    expect(rows.map(({ name }) => name).sort()).toEqual(codes.sort());
    expect(rows).toHaveLength(48);
  });
  test.each(rows)('$name', async ({ name, second, steps }) => {
    const answer = await lastAnswer(steps);
    expect(answer.body).toMatchObject({ accepted: false, ok: false, code: name });
    expect(answer.status).toBe(Number(second));
    expect(Object.keys(answer.body).sort()).toEqual(submitKeys);
  });
});

describe('the lane codes of A.18.4 are provoked', () => {
  test.each(table('Order-entry lane codes'))('$name', async ({ name, second, steps }) => {
    const answer = await lastAnswer(steps);
    expect(answer.body).toMatchObject({ accepted: false, code: name });
    expect(answer.status).toBe(Number(second));
  });
});

describe('R59: every code of A.18.2 is provoked in the flat shape with its status', () => {
  const rows = table('Delegated agents and credentials');
  test('the table holds exactly the 14 codes', () => {
    expect(rows.map(({ name }) => name).sort()).toEqual(Object.keys(agentCodes).sort());
  });
  test.each(rows)('$name', async ({ name, second, steps }) => {
    const answer = await lastAnswer(steps);
    expect(answer.body).toEqual({ ok: false, code: name, error: expect.any(String) });
    expect(answer.status).toBe(Number(second));
  });
});

describe('every envelope code of A.18.1 is provoked in the wrapped shape', () => {
  test.each(table('Envelope codes'))('$name $second', async ({ name, second, steps }) => {
    const answer = await lastAnswer(steps);
    const { details, ...rest } = answer.body.error;
    expect(answer.body.ok).toBe(false);
    expect(rest).toEqual({
      code: name,
      message: expect.any(String),
      retriable: ['409', '429', '500', '503'].includes(second),
      requestId: expect.stringMatching(/^req-\d+$/),
    });
    expect(details === undefined || typeof details.cause === 'string').toBe(true);
    expect(answer.status).toBe(Number(second));
  });
});

describe('R71: every number of A.18.5 is provoked on the private WebSocket', () => {
  const rows = table('Numbers on the private WebSocket');
  test('the table holds exactly the 17 numbers', () => {
    expect(rows.map(({ name }) => Number(name))).toEqual([...refusalNumbers]);
  });
  test.each(rows)('$name', async ({ name, second, steps }) => {
    const stream = await venue.client(0).stream();
    await send(stream, steps[0]!);
    const frame = await stream.next(({ op }) => op === 'error');
    expect(frame.error).toMatchObject({
      message: expect.any(String),
      data: { code: Number(name) },
    });
    if (second === 'yes') expect(await stream.closed()).toBe(4000 + Number(name));
    else {
      venue.clock.advance(5000);
      const pongs = stream.frames.filter(({ op }) => op === 'pong').length;
      stream.send({ op: 'ping' });
      await stream.next(() => stream.frames.filter(({ op }) => op === 'pong').length > pongs);
    }
    stream.close();
  });
});

async function send(stream: Stream, step: string): Promise<void> {
  if (step === 'frame as bytes') return stream.send(Buffer.of(1, 2, 3));
  const many = /^(\d+) frames (.*)$/.exec(step);
  const frame = /^frame (.*)$/.exec(step);
  if (frame !== null) return stream.send(filled(frame[1]!));
  if (many === null) await run(step);
  else for (let count = 0; count < Number(many[1]); count += 1) stream.send(many[2]!);
}
