/** The console from outside, over a real socket, with a real bridge behind it. */
import { once } from 'node:events';
import { get as httpGet } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { demoFixpSessions } from '../../src/cli/demo-files.ts';
import type { AlarmRow } from '../../src/console/alarm-list.ts';
import type { SessionRow } from '../../src/gateway/console-view.ts';
import type { FoundOrders } from '../../src/gateway/view/order-search.ts';
import type { FoundSessions } from '../../src/gateway/view/session-search.ts';
import { listOf } from '../acceptance/parity/lanes.ts';
import { type ConsoleDesk, startConsoleDesk, type Visitor } from '../support/console-desk.ts';
import { type FixPeer, fieldOf } from '../support/fix-peer.ts';
import { FixpPeer } from '../support/fixp-peer.ts';

let desk: ConsoleDesk;
let visitor: Visitor;
let alpha: FixPeer;
const alphaSession = 'FIX.4.4:CAUSEWAY/->ALPHA/';

beforeAll(async () => {
  desk = await startConsoleDesk();
  visitor = await desk.login();
});

afterAll(async () => {
  await desk.stop();
});

const json = () => ({ origin: desk.url, 'content-type': 'application/json' });
const isReport = (execType: string) => (message: string) => fieldOf(message, '150') === execType;

test('every answer forbids what a page of ours does not need', async () => {
  for (const path of ['/', '/nothing', '/api/orders', '/healthz']) {
    const { headers } = await desk.ask('GET', path);
    expect(headers['content-security-policy']).toContain("default-src 'self'");
    expect(headers['content-security-policy']).not.toContain('unsafe');
    expect(headers['x-frame-options']).toBe('DENY');
    expect(headers['x-content-type-options']).toBe('nosniff');
  }
});

test('a name that is not its own is not answered, whatever is asked', async () => {
  for (const path of ['/', '/metrics', '/api/me']) {
    expect((await desk.ask('GET', path, { host: 'evil.example:80' })).status).toBe(421);
  }
  const { port } = new URL(desk.url);
  expect((await desk.ask('GET', '/', { host: `localhost:${port}` })).status).toBe(200);
});

test('a file that the browser has is not sent again, and one that it has not is packed', async () => {
  const first = await desk.ask('GET', '/style.css');
  const { etag = '' } = first.headers;
  const again = await desk.ask('GET', '/style.css', { 'if-none-match': etag });
  expect([again.status, again.text]).toEqual([304, '']);
  expect((await desk.ask('GET', '/style.css', { 'if-none-match': '"old"' })).status).toBe(200);
  const packed = await desk.ask('GET', '/style.css', { 'accept-encoding': 'gzip' });
  expect(packed.headers['content-encoding']).toBe('gzip');
  expect(packed.text.length).toBeLessThan(first.text.length);
});

test('nothing is shown and nothing done without a login', async () => {
  for (const path of ['/api/orders', '/api/live', '/api/config', '/api/message/raw?id=1']) {
    expect((await desk.ask('GET', path)).status).toBe(401);
  }
  const act = JSON.stringify({ act: 'release', scope: { kind: 'all' }, why: 'test' });
  expect((await desk.ask('POST', '/api/act', json(), act)).status).toBe(401);
  expect((await desk.ask('GET', '/api/me')).text).toBe('null');
});

test('an operator who may only look sees everything and can do nothing', async () => {
  const own = await startConsoleDesk([]);
  try {
    const viewer = await own.login();
    expect(await viewer.get('/api/orders')).toBeDefined();
    const kill = { act: 'kill', scope: { kind: 'all' }, why: 'test', confirm: 'KILL' };
    const { status, text } = await viewer.act(kill);
    expect([status, text]).toEqual([403, expect.stringContaining('needs the role operate')]);
    expect(own.bridge.gateway.view.kills).toEqual([]);
  } finally {
    await own.stop();
  }
});

test('the cookie is kept from scripts and from other sites, and logging out ends it', async () => {
  const login = await desk.ask('POST', '/api/login', json(), JSON.stringify(desk.operator));
  const [cookie = ''] = login.headers['set-cookie'] ?? [];
  expect(cookie).toMatch(/; HttpOnly; SameSite=Strict/);
  const other = await desk.login();
  expect((await desk.ask('GET', '/api/sessions', { cookie: other.cookie })).status).toBe(200);
  const headers = { ...json(), cookie: other.cookie, 'x-causeway-csrf': other.csrf };
  expect((await desk.ask('POST', '/api/logout', headers, '{}')).status).toBe(200);
  expect((await desk.ask('GET', '/api/sessions', { cookie: other.cookie })).status).toBe(401);
});

test.each([
  ['another origin', { origin: 'http://evil.example' }, 403],
  ['no origin', { origin: '' }, 403],
  ['another site by the browser', { 'sec-fetch-site': 'cross-site' }, 403],
  ['a wrong anti-forgery token', { 'x-causeway-csrf': 'x'.repeat(32) }, 403],
  ['no anti-forgery token', { 'x-causeway-csrf': '' }, 403],
  ['a form', { 'content-type': 'text/plain' }, 415],
])('a change with %s is refused', async (_, headers, status) => {
  const act = { act: 'stop', session: alphaSession, why: 'forged' };
  const before = await visitor.get('/api/audit');
  expect((await visitor.act(act, headers)).status).toBe(status);
  expect(await visitor.get('/api/audit')).toEqual(before);
});

test('what is too long or no JSON or not known gets a short answer without the inside', async () => {
  const long = await visitor.act({ act: 'stop', session: 'x'.repeat(20_000), why: 'long' });
  expect(long.status).toBe(413);
  const headers = { ...json(), cookie: visitor.cookie, 'x-causeway-csrf': visitor.csrf };
  expect((await desk.ask('POST', '/api/act', headers, '{')).status).toBe(400);
  expect((await desk.ask('GET', `/api/orders?text=${'x'.repeat(5_000)}`)).status).toBe(414);
  const cookie = { cookie: visitor.cookie };
  for (const [path, status] of [
    ['/api/nothing', 404],
    ['/api/__proto__', 404],
    ['/api/orders?limit=100000', 400],
    ['/api/orders?nonsense=1', 400],
    ['/api/orders?before=yesterday', 400],
    ['/api/orders?before=1:ALPHA', 200],
    ['/api/orders?before=x:ALPHA', 400],
    ['/api/messages?tag=0', 400],
    ['/api/order?key=none', 404],
    ['/app/../console.ts', 404],
    ['/app/%2e%2e/server.ts', 404],
  ] as const) {
    const answer = await desk.ask('GET', path, cookie);
    expect([path, answer.status]).toEqual([path, status]);
    expect(answer.text).not.toMatch(/node_modules|\.ts:|at /);
  }
  expect((await desk.ask('DELETE', '/api/orders', cookie)).status).toBe(405);
});

test('an order is seen, searched and told as a story, with hostile text as text', async () => {
  alpha = await desk.client('ALPHA');
  alpha.say('D|11=story-1|55=BTC-USDC|54=1|38=0.01|40=2|44=40000|59=1|58=<b>x</b>|60=now');
  await alpha.next(isReport('0'));
  const { rows } = await visitor.get<FoundOrders>('/api/orders?text=STORY&state=open');
  const [order] = rows;
  expect(order).toMatchObject({ clOrdId: 'story-1', status: 'new', price: '40000' });
  const none = { count: 0, newer: 0, rows: [], next: null };
  expect(await visitor.get('/api/orders?text=story&state=ended')).toEqual(none);
  const { steps } = await visitor.get<{
    steps: { kind: string; text: string; facts: [string, string][]; atUs: number }[];
  }>(`/api/order?key=${encodeURIComponent(order?.key ?? '')}`);
  const kinds = new Set(steps.map(({ kind }) => kind));
  for (const kind of ['received', 'recorded', 'asked', 'answered', 'event', 'reported']) {
    expect(kinds).toContain(kind);
  }
  expect(steps[0]?.facts).toContainEqual(['Text(58)', '<b>x</b>']);
  const signed = steps.find(({ kind }) => kind === 'asked')?.facts ?? [];
  expect(new Map(signed).get('signature')).toMatch(/^[0-9a-f]{130}$/);
  expect(steps.map(({ atUs }) => atUs)).toEqual(
    steps.map(({ atUs }) => atUs).sort((a, b) => a - b),
  );
  alpha.say('F|11=story-2|41=story-1|55=BTC-USDC|54=1|60=now');
  await alpha.next(isReport('4'));
});

test('an order that the bridge refused is a row of the blotter, and its page has its messages', async () => {
  alpha.say('D|11=bad-1|55=NOPE|54=2|38=12345.5|40=2|44=1|59=1|60=now');
  await alpha.next(isReport('8'));
  const { rows } = await visitor.get<FoundOrders>('/api/orders?text=bad-1&state=rejected');
  const [order] = rows;
  expect(order).toMatchObject({
    ...{ clOrdId: 'bad-1', status: 'rejected', symbol: 'NOPE', side: 'Sell', qty: '12345.5' },
    ...{ account: 'desk-a', orderId: null, isOpen: false },
    reason: 'bridge.unknown_instrument: NOPE',
  });
  const page = await visitor.get<{ order: object; steps: { kind: string }[] }>(
    `/api/order?key=${encodeURIComponent(order?.key ?? '')}`,
  );
  expect(page.order).toEqual(order);
  expect(page.steps.map(({ kind }) => kind)).toEqual(['received', 'reported']);
});

test('a leg of a quote has the story of its quote, and not that of the other leg', async () => {
  alpha.say('S|117=quote-1|55=BTC-USDC|132=45000|133=60000.5|134=0.1|135=0.2|60=now');
  const legs = async () => (await visitor.get<FoundOrders>('/api/orders?text=quote-1')).rows;
  await expect.poll(async () => (await legs()).map(({ status }) => status)).toEqual(['new', 'new']);
  const found = await legs();
  const [bid, ask] = ['Buy', 'Sell'].map((side) => found.find((leg) => leg.side === side));
  const { steps } = await visitor.get<{
    steps: { kind: string; title: string; facts: [string, string][] }[];
  }>(`/api/order?key=${encodeURIComponent(ask?.key ?? '')}`);
  expect(steps[0]).toMatchObject({ kind: 'received', title: 'Quote' });
  const kinds = steps.map(({ kind }) => kind);
  for (const kind of ['recorded', 'asked', 'answered', 'event']) expect(kinds).toContain(kind);
  const terms = steps.find(({ title }) => title === 'Command accepted: quotes')?.facts;
  expect(terms).toContainEqual(['price', '60000.5']);
  expect(terms).toContainEqual(['qty', '0.2']);
  const ids = steps
    .filter(({ kind }) => kind === 'event')
    .map(({ facts }) => new Map(facts).get('orderId'));
  expect(ids).toContain(ask?.orderId);
  expect(ids).not.toContain(bid?.orderId);
  alpha.say('Z|117=quote-2|298=4');
  await expect
    .poll(async () => (await legs()).map(({ status }) => status))
    .toEqual(['canceled', 'canceled']);
});

test('messages are found by tag and value, decoded by name and downloaded without secrets', async () => {
  await desk.client('CHARLIE');
  const logons = 'type=A&direction=in&tag=553&value=charlie';
  const find = (query: string) =>
    visitor.get<{ rows: { id: number; text: string }[] }>(`/api/messages?${query}`);
  await expect.poll(async () => (await find(logons)).rows.length).toBeGreaterThan(0);
  const [logon] = (await find(logons)).rows;
  const { fields } = await visitor.get<{ fields: { tag: number; name: string; value: string }[] }>(
    `/api/message?id=${logon?.id}`,
  );
  expect(fields).toContainEqual({ tag: 553, name: 'Username', value: 'charlie', meaning: '' });
  expect(fields.find(({ tag }) => tag === 554)?.value).toMatch(/^\*+$/);
  const raw = await desk.ask('GET', `/api/message/raw?id=${logon?.id}`, { cookie: visitor.cookie });
  expect(raw.headers['content-disposition']).toContain('attachment');
  expect(raw.text).toContain('\x0135=A\x01');
  expect((await find('tag=553&value=nobody')).rows).toEqual([]);
});

test('only messages are downloaded, and no other record of the trail', async () => {
  const { rows } = await visitor.get<{ rows: { id: number }[] }>('/api/messages');
  const messages = rows.map(({ id }) => id);
  const newest = Math.max(...messages);
  const ids = Array.from(
    { length: newest - Math.min(...messages) + 1 },
    (_, back) => newest - back,
  );
  const statuses = async (path: string) => {
    const { cookie } = visitor;
    const answers = ids.map((id) => desk.ask('GET', `${path}?id=${id}`, { cookie }));
    return (await Promise.all(answers)).map(({ status }) => status);
  };
  const raw = await statuses('/api/message/raw');
  expect(new Set(raw)).toEqual(new Set([200, 404]));
  expect(raw).toEqual(await statuses('/api/message'));
});

test('the second lane is shown like the first: its session, its messages, the story of its order', async () => {
  const [user] = demoFixpSessions(1);
  if (user === undefined) throw new Error('the demo has no FIXP session');
  const { gateway } = desk.bridge;
  const delta = await FixpPeer.connect(gateway.fixpPort, user, listOf(gateway));
  try {
    await delta.logon();
    delta.say('D|11=fixp-1|55=BTC-USDC|54=1|38=0.01|40=2|44=40000|59=1|60=now');
    await delta.next((line) => line.includes('|150=0|'));
    const { rows } = await visitor.get<FoundSessions<SessionRow>>('/api/sessions?text=delta');
    expect(rows).toMatchObject([{ compId: 'DELTA', lane: 'fixp', nextIn: 2 }]);
    const found = await visitor.get<FoundOrders>('/api/orders?text=fixp-1');
    const path = `/api/order?key=${encodeURIComponent(found.rows[0]?.key ?? '')}`;
    const { steps } = await visitor.get<{ steps: { kind: string; title: string }[] }>(path);
    const messages = steps.filter(({ kind }) => kind === 'received' || kind === 'reported');
    expect(messages[0]).toMatchObject({ kind: 'received', title: 'NewOrderSingle' });
    expect(messages.map(({ title }) => title)).toContain('ExecutionReportNew');
    const all = await desk.ask('GET', '/api/messages?limit=500', { cookie: visitor.cookie });
    expect(all.text).toContain('Negotiate');
    expect(all.text).not.toContain(user.password);
    expect(all.text).not.toContain(Buffer.from(user.password).toString('hex'));
    delta.say('F|11=fixp-2|41=fixp-1|55=BTC-USDC|54=1|60=now');
    await delta.next((line) => line.includes('|150=4|'));
  } finally {
    delta.hangUp();
  }
});

test('sessions come a page at a time, in the order of their names', async () => {
  const page = (query: string) => visitor.get<FoundSessions<SessionRow>>(`/api/sessions?${query}`);
  const names = await visitor.get<string[]>('/api/session-names');
  const sorted = [...names].sort();
  const told: string[] = [];
  for (let after = ''; told.length < names.length; after = told.at(-1) ?? '') {
    const { count, earlier, rows } = await page(`limit=2&after=${encodeURIComponent(after)}`);
    expect([count, earlier]).toEqual([names.length, told.length]);
    expect(rows.length).toBe(Math.min(2, names.length - told.length));
    told.push(...rows.map(({ name }) => name));
  }
  expect(told).toEqual(sorted);
  expect(await page('text=charlie')).toMatchObject({ count: 1, rows: [{ compId: 'CHARLIE' }] });
  expect(await page('text=nobody')).toEqual({ count: 0, earlier: 0, rows: [] });
  const { cookie } = visitor;
  expect((await desk.ask('GET', '/api/session?name=nobody', { cookie })).status).toBe(404);
  expect((await desk.ask('GET', '/api/sessions?limit=501', { cookie })).status).toBe(400);
});

test('an act on a session is done, refused in its wrong state, and kept in the audit chain', async () => {
  const bravo = await desk.client('BRAVO');
  const session = 'FIX.4.4:CAUSEWAY/->BRAVO/';
  const set = { act: 'set_numbers', session, nextIn: 5, nextOut: 9, why: 'agreed by phone' };
  const early = await visitor.act(set);
  expect([early.status, early.text]).toEqual([409, expect.stringContaining('has a connection')]);
  expect((await visitor.act({ act: 'test_request', session, why: 'alive?' })).status).toBe(200);
  await bravo.next((message) => fieldOf(message, '35') === '1');
  expect((await visitor.act({ act: 'stop', session, why: 'maintenance' })).status).toBe(200);
  await bravo.next((message) => fieldOf(message, '35') === '5');
  bravo.hangUp();
  const rowOf = () => visitor.get<SessionRow>(`/api/session?name=${encodeURIComponent(session)}`);
  await expect.poll(async () => (await rowOf()).phase).toBe('down');
  expect((await visitor.act(set)).status).toBe(200);
  expect(await rowOf()).toMatchObject({ nextIn: 5, nextOut: 9, isStopped: true });
  const { records } = await visitor.get<{ records: Record<string, unknown>[] }>('/api/audit');
  expect(records[0]).toMatchObject({
    who: 'demo',
    what: 'set_numbers',
    subject: `session ${session}`,
    why: 'agreed by phone',
    after: { nextIn: 5, nextOut: 9 },
  });
  expect((await visitor.act({ act: 'start', session: 'nobody', why: 'test' })).status).toBe(409);
});

test('the kill switch asks for its word, cancels, shows, and makes the bridge not ready', async () => {
  alpha.say('D|11=kill-1|55=BTC-USDC|54=1|38=0.01|40=2|44=40000|59=1|60=now');
  await alpha.next(isReport('0'));
  const kill = { act: 'kill', scope: { kind: 'all' }, why: 'runaway' };
  expect((await visitor.act(kill)).status).toBe(400);
  expect((await visitor.act({ ...kill, confirm: 'yes' })).status).toBe(400);
  expect((await visitor.act({ ...kill, why: 'x', confirm: 'KILL' })).status).toBe(400);
  expect((await desk.ask('GET', '/readyz')).text).toBe('ready\n');
  expect((await visitor.act({ ...kill, confirm: 'KILL' })).text).toContain('1 order is');
  await alpha.next(isReport('4'));
  const ready = await desk.ask('GET', '/readyz');
  expect([ready.status, ready.text]).toEqual([503, 'the kill switch is on for everything\n']);
  expect((await visitor.act({ act: 'release', scope: { kind: 'all' }, why: 'over' })).status).toBe(
    200,
  );
  expect((await desk.ask('GET', '/readyz')).status).toBe(200);
  const scope = { kind: 'account', name: 'nobody' };
  expect((await visitor.act({ ...kill, scope, confirm: 'KILL' })).status).toBe(409);
});

test.each([
  [{ act: 'certify', folder: 'nobody' }, 409, 'there is no interview.yaml'],
  [{ act: 'certify', folder: '../secrets' }, 409, 'there is no interview.yaml'],
  [{ act: 'certify', folder: 'example', only: ['--out'] }, 400, 'only.0'],
  [{ act: 'certify_stop', folder: 'example' }, 409, 'is not being certified'],
])('the act %o is refused and not in the audit chain', async (act, status, text) => {
  const before = await visitor.get<{ length: number }>('/api/audit');
  const answer = await visitor.act({ ...act, why: 'test' });
  expect([answer.status, answer.text]).toEqual([status, expect.stringContaining(text)]);
  expect(await visitor.get('/api/audit')).toEqual(before);
});

test('a counterparty that has shown nothing has no report', async () => {
  const { cookie } = visitor;
  for (const folder of ['example', '', '..', 'nobody']) {
    const path = `/api/certification/report?folder=${encodeURIComponent(folder)}`;
    expect((await desk.ask('GET', path, { cookie })).status).toBe(404);
  }
  expect((await desk.ask('GET', '/api/certification/report?folder=example')).status).toBe(401);
});

test('a page is told of changes as they come, and no more once it is logged out', async () => {
  const other = await desk.login();
  const told: string[] = [];
  let isOver = false;
  const stream = httpGet(
    `${desk.url}/api/live`,
    { headers: { cookie: other.cookie } },
    (response) => {
      response.on('data', (piece: Buffer) => told.push(piece.toString()));
      response.on('close', () => {
        isOver = true;
      });
      response.on('error', () => {});
    },
  );
  stream.on('error', () => {});
  await expect.poll(() => told.length, { timeout: 5_000 }).toBeGreaterThan(0);
  const before = told.length;
  alpha.say('D|11=live-1|55=NOPE|54=1|38=1|40=2|44=1|59=1|60=now');
  await expect.poll(() => told.length, { timeout: 5_000 }).toBeGreaterThan(before);
  expect(told[0]).toMatch(/^data: \{"orders":\d+/);
  const headers = { ...json(), cookie: other.cookie, 'x-causeway-csrf': other.csrf };
  await desk.ask('POST', '/api/logout', headers, '{}');
  alpha.say('D|11=live-2|55=NOPE|54=1|38=1|40=2|44=1|59=1|60=now');
  await expect.poll(() => isOver, { timeout: 5_000 }).toBe(true);
});

test('metrics and health need no login and name no client', async () => {
  const { headers, status, text } = await desk.ask('GET', '/metrics');
  expect([status, headers['content-type']]).toEqual([200, expect.stringContaining('text/plain')]);
  expect(text).toMatch(/causeway_hop_us_count\{hop="inbound"\} [1-9]/);
  expect(text).toMatch(/causeway_store_us_count\{part="commit"\} [1-9]/);
  expect(text).toContain('causeway_rejects_total{code="bridge.unknown_instrument"}');
  expect(text).toContain('causeway_sessions{phase="active"}');
  expect(text).not.toMatch(/ALPHA|desk-a|0x[0-9a-f]{40}/);
  expect((await desk.ask('GET', '/healthz')).text).toBe('alive\n');
});

test('the page and its modules are served whole, with libraries from here', async () => {
  const page = await desk.ask('GET', '/');
  expect(page.text).not.toMatch(/<script>|style=|https?:/);
  const main = await desk.ask('GET', '/app/main.ts');
  expect(main.headers['content-type']).toContain('javascript');
  expect(main.text).toContain("'/vendor/preact.js'");
  expect(main.text).not.toMatch(/from '[a-z]/);
  for (const path of ['/vendor/preact.js', '/style.css', '/icon.svg']) {
    expect((await desk.ask('GET', path)).status).toBe(200);
  }
});

test.each([
  ['//', 404],
  ['//[x', 404],
  ['//evil/healthz', 404],
  ['http://evil/healthz', 400],
  ['*', 400],
])('the target %s is another name and no path of this console', async (path, status) => {
  expect((await desk.ask('GET', path)).status).toBe(status);
});

test('a page is told of its login who it is, and nothing else', async () => {
  const me = await visitor.get<object>('/api/me');
  expect(Object.keys(me).sort()).toEqual(['csrf', 'roles', 'who']);
});

test('an anti-forgery token that is no ASCII is wrong, and no fault of ours', async () => {
  const act = { act: 'stop', session: alphaSession, why: 'forged' };
  const forged = { 'x-causeway-csrf': '\xe9'.repeat(visitor.csrf.length) };
  expect((await visitor.act(act, forged)).status).toBe(403);
});

test('metrics are rendered once for many who ask at the same time', async () => {
  const all = await Promise.all(Array.from({ length: 5 }, () => desk.ask('GET', '/metrics')));
  expect(new Set(all.map(({ text }) => text)).size).toBeLessThanOrEqual(2);
});

test('one address that takes all connections keeps neither health nor an operator out', async () => {
  const { hostname, port } = new URL(desk.url);
  const held: Socket[] = [];
  for (let i = 0; i < 400; i += 1) {
    const socket = connect({ host: hostname, port: Number(port) });
    socket.on('error', () => {});
    socket.write(`GET / HTTP/1.1\r\nHost: ${hostname}:${port}\r\nX: `);
    held.push(socket);
  }
  await once(held.at(-1) as Socket, 'connect');
  expect((await desk.ask('GET', '/healthz')).text).toBe('alive\n');
  expect((await desk.ask('GET', '/metrics')).status).toBe(200);
  const act = { act: 'kill', scope: { kind: 'account', name: 'desk-a' }, why: 'flood' };
  expect((await visitor.act({ ...act, confirm: 'KILL' })).status).toBe(200);
  expect((await visitor.act({ ...act, act: 'release' })).status).toBe(200);
  expect(held.filter(({ destroyed }) => !destroyed).length).toBeLessThan(250);
  for (const socket of held) socket.destroy();
});

test('an alarm of the process is listed with its code and the section of the runbook', async () => {
  const text = 'the certificate fix.pem expires within a week';
  desk.bridge.lines?.alarm(text, { event: 'expiry', code: 'within_week' });
  desk.bridge.lines?.notice('the configuration was read again', { event: 'config_read' });
  const rows = await visitor.get<AlarmRow[]>('/api/alarms');
  expect(rows.some(({ event }) => event === 'config_read')).toBe(true);
  expect(rows.find((row) => row.text === text)).toMatchObject({
    ...{ level: 'alarm', event: 'expiry', code: 'within_week' },
    runbook: 'docs/OPERATING.md#rotating-keys-credentials-and-certificates',
  });
});

test('logons that strangers try again and again are one row of the notices', async () => {
  const { port } = desk.bridge.gateway;
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const socket = connect({ host: '127.0.0.1', port, localAddress: `127.6.6.${attempt + 1}` });
    socket.end('no message at all\x01'.repeat(9));
    socket.resume();
    await once(socket, 'close');
  }
  const notices = () => visitor.get<AlarmRow[]>('/api/alarms?level=notice');
  const ofStrangers = async () => (await notices()).filter(({ text }) => text.includes('127.6.6.'));
  await expect.poll(async () => (await ofStrangers()).map(({ times }) => times)).toEqual([3]);
});

test('a login is in the audit chain, and one that failed', async () => {
  await desk.login();
  const wrong = JSON.stringify({ name: 'demo', token: 'guess' });
  expect((await desk.ask('POST', '/api/login', json(), wrong)).status).toBe(401);
  const { records } = await visitor.get<{ records: Record<string, unknown>[] }>('/api/audit');
  expect(records[0]).toMatchObject({
    who: 'somebody',
    what: 'login_failed',
    after: { attempts: 1, known: { demo: 1 } },
  });
  expect(records[1]).toMatchObject({ who: 'demo', what: 'login', subject: 'console' });
});

test('three wrong tokens, one of them above, block the source, and the right one waits', async () => {
  const wrong = JSON.stringify({ name: 'demo', token: 'guess' });
  const statuses: number[] = [];
  for (let guess = 0; guess < 3; guess += 1) {
    statuses.push((await desk.ask('POST', '/api/login', json(), wrong)).status);
  }
  expect(statuses).toEqual([401, 401, 429]);
  const right = await desk.ask('POST', '/api/login', json(), JSON.stringify(desk.operator));
  expect(right.status).toBe(429);
  expect((await desk.ask('GET', '/api/me', { cookie: visitor.cookie })).text).toContain('demo');
});
