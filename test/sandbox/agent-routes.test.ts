import { afterAll, expect, test } from 'vitest';
import { delegationFields } from '../../src/sandbox/agent-routes.ts';
import { openEcdsa } from '../../src/signer/ecdsa.ts';
import { addressOf } from '../../src/signer/scheme.ts';
import { type Client, type Loose, open, signatureOf, spot } from './client.ts';

const venue = await open();
afterAll(() => venue.stop());
const [one, two] = [venue.client(0), venue.client(1)];
const ecdsa = await openEcdsa();
const key = '33'.repeat(32);
const actions = '/api/v1/trading/actions';

function delegation(client: Client, over: Loose = {}): Loose {
  const values: Loose = {
    account: client.account,
    agentId: 'night-desk',
    address: addressOf(ecdsa.publicKey(Buffer.from(key, 'hex'))),
    agentType: 'institutional_agent',
    scopes: ['trade'],
    expiresAtMs: venue.clock.now().wallMs + 10_000,
    nonce: 1,
    ...over,
  };
  const signed = Object.fromEntries(delegationFields.map((name) => [name, values[name]]));
  const domain = 'SANDBOX/AGENT_DELEGATION/v1';
  const signature = signatureOf(JSON.stringify(signed), client.facts.ownerKey, 'ecdsa', domain);
  return { ...values, signature };
}

const code = async (action: Loose) =>
  (await one.post(actions, one.sign(one.payload(action), key))).body.code;

test('an agent that its owner registers signs within its scopes until it is revoked', async () => {
  expect(await code(spot())).toBe('invalid_signature');
  const registered = await one.post('/api/agents', delegation(one));
  expect(registered.body).toEqual({ ok: true, agentId: 'night-desk', state: 'active' });
  expect(await code(spot())).toBeNull();
  expect(await code({ Cancel: { order_id: `0x${'00'.repeat(32)}` } })).toBe('INVALID_SCOPE');
  const shown = await one.get('/api/agents/night-desk');
  expect(shown.body).toMatchObject({ ok: true, state: 'active', scopes: ['trade'] });
  const revoked = await one.post('/api/agents/night-desk/revoke', {});
  expect(revoked.body).toEqual({ ok: true, agentId: 'night-desk', state: 'revoked' });
  expect(await code(spot())).toBe('AGENT_REVOKED');
  expect((await one.post('/api/agents/night-desk/revoke', {})).body.code).toBe('AGENT_REVOKED');
});

test('an agent expires at its time', async () => {
  const other = '44'.repeat(32);
  const address = addressOf(ecdsa.publicKey(Buffer.from(other, 'hex')));
  await one.post('/api/agents', delegation(one, { agentId: 'day-desk', address, nonce: 2 }));
  venue.clock.advance(10_000);
  const answer = await one.post(actions, one.sign(one.payload(spot()), other));
  expect(answer.body.code).toBe('AGENT_EXPIRED');
  expect((await one.get('/api/agents/day-desk')).body.state).toBe('expired');
});

test('an agent is its account’s alone, and exists once', async () => {
  expect((await two.get('/api/agents/night-desk')).body.code).toBe('ACCOUNT_MISMATCH');
  expect((await two.post('/api/agents/night-desk/revoke', {})).body.code).toBe('ACCOUNT_MISMATCH');
  const foreign = await two.post('/api/agents', delegation(one, { nonce: 3 }));
  expect(foreign.body.code).toBe('ACCOUNT_MISMATCH');
  const again = await one.post('/api/agents', delegation(one, { nonce: 4 }));
  expect(again.body.code).toBe('AGENT_POLICY_REJECTED');
});

test.each([
  [{ agentId: '../x' }, 'agentId'],
  [{ address: '0x1' }, 'address'],
  [{ scopes: 'trade' }, 'scopes'],
  [{ nonce: -1 }, 'nonce'],
  [{ expiresAtMs: 'soon' }, 'expiresAtMs'],
])('%j is refused by name', async (over, name) => {
  const { body, status } = await one.post('/api/agents', delegation(one, { nonce: 9, ...over }));
  expect([status, body.error.code]).toEqual([422, 'BAD_REQUEST']);
  expect(body.error.message).toContain(name);
});

test('R56: the signature of a delegation has the strict form of any other', async () => {
  const signed = delegation(one, { agentId: 'strict', address: `0x${'5'.repeat(40)}`, nonce: 10 });
  const { bytes } = signed.signature;
  const refused = async (over: Loose) => {
    const signature = { ...signed.signature, ...over };
    return (await one.post('/api/agents', { ...signed, signature })).status;
  };
  expect(await refused({ memo: 1 })).toBe(422);
  expect(await refused({ bytes: [bytes[0] + 256, ...bytes.slice(1)] })).toBe(422);
  expect(await refused({ bytes: [...bytes.slice(1)] })).toBe(422);
  expect(await refused({})).toBe(200);
});

test('an agent’s policy bounds market, address and notional', async () => {
  const set = (policy: Loose) => venue.admin('/agents/dev2-desk', { policy });
  const act = async (over: Loose = {}) => (await two.act(spot(over))).body;
  await set({ maxNotional: 499_000_000 });
  expect((await act()).error).toContain('notional above 499000000');
  await set({ maxNotional: 500_000_000 });
  expect((await act()).code).toBeNull();
  const { derivedOrderId } = await act();
  const cancel = async () => (await two.act({ Cancel: { order_id: derivedOrderId } })).body;
  await set({ markets: [2] });
  expect((await act()).error).toContain('market 1');
  expect((await cancel()).error).toContain('market 1');
  const amend = { AmendOrder: { order_id: derivedOrderId, new_qty: 1 } };
  expect((await two.act(amend)).body.error).toContain('market 1');
  const theirs = (await one.act(spot())).body.derivedOrderId;
  const foreign = (await two.act({ Cancel: { order_id: theirs } })).body;
  expect(foreign).toMatchObject({ code: 'unauthorized_cancel' });
  await set({ markets: [1] });
  expect((await cancel()).code).toBeNull();
  await set({ addresses: ['10.0.0.1'] });
  expect((await act()).error).toContain('address');
  await set({ accounts: [one.account] });
  expect((await act()).error).toContain('account');
  await set({});
  expect((await act()).code).toBeNull();
});
