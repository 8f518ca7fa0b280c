/** The story of an order, from records as the bridge writes them into a trail on disk. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { array, assert, asyncProperty, constantFrom, nat, record, uint8Array } from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { pieceRows } from '../../src/console/long-list.ts';
import { orderStory } from '../../src/console/story.ts';
import { TrailBatch, type TrailKind, trailKinds } from '../../src/console/trail-batch.ts';
import { TrailRing } from '../../src/console/trail-ring.ts';
import type { TrailRow } from '../../src/console/trail-segment.ts';
import { framed } from '../support/fix-text.ts';

const account = `0x${'1'.repeat(40)}`;
const session = 'FIX.4.4:US/->ALPHA/';
const order = { key: 'desk-a#1', session, clOrdId: 'a1' };
const id = (number: number, of = 'f') => `0x${of}${number.toString(16).padStart(63, '0')}`;
const market = { priceScale: 6, qtyScale: 8 };
let directory: string;
let ring: TrailRing;
let atUs = 0;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'causeway-story-'));
  ring = new TrailRing({ directory, maxRecords: 100_000 });
  atUs = 0;
});

afterEach(() => {
  ring.close();
  rmSync(directory, { recursive: true });
});

type Entry = readonly [TrailKind, content: Uint8Array | string, name?: string];

/** Each entry is a microsecond after the one before. */
function happened(...entries: readonly Entry[]): void {
  const batch = new TrailBatch(4_000_000);
  for (const [kind, content, name] of entries) {
    atUs += 1;
    const usual = kind === 'in' || kind === 'out' ? session : account;
    batch.add(kind, atUs, name ?? usual, content);
  }
  ring.take(batch.buffer, batch.length);
}

const source = { linked: async (links: readonly string[]) => ring.linked(links) };
const story = (of = order) => orderStory(source, of, account);
const titles = async (of = order) => (await story(of)).map(({ title }) => title);

const journal = (inputs: object[], actions: object[] = []): Entry => [
  'journal',
  JSON.stringify({ v: 4, inputs, actions }),
];
const event = (kind: string, orderId: string, more: object = {}) => ({
  kind: 'event',
  event: { kind, orderId, serverTsMs: 1, ...more },
});
const action = (nonce: number, placed: object, key = order.key) => ({
  key,
  nonce,
  actionHash: id(nonce, 'a'),
  placed,
  canonical: `{"nonce":${nonce}}`,
});
const signed = (nonce: number) => ({
  payload: { account, nonce },
  signature: { scheme: 'EcdsaSecp256k1', bytes: [1, 254] },
});
const request = (key: string, body: object): Entry => [
  'request',
  JSON.stringify({ target: '/actions', key }) + JSON.stringify(body),
];
const answer = (key: string, exchange: object): Entry => [
  'answer',
  JSON.stringify({ key, ...exchange }),
];
const message = (type: string, seq: number, fields: string) =>
  framed(`35=${type}|34=${seq}|${fields}`);
const entry = (key = order.key, clOrdId = order.clOrdId) => ({
  kind: 'entry',
  owner: { key },
  clOrdId,
  instrument: { market },
  terms: { side: 'Bid', qty: '1000000', price: '40000000000', limitPrice: null },
});

/** The messages, records and requests of one order that rests. */
function rests(): void {
  happened(
    ['in', message('D', 2, '11=a1|55=BTC-USDC|54=1|38=0.01|44=40000|60=x|')],
    journal([entry()], [action(7, { kind: 'order', orderId: id(1) })]),
    request('ab', signed(7)),
    journal([event('resting', id(1), { price: '40000000000', qty: { $: '1000000' } })]),
    answer('ab', { kind: 'response', status: 200, body: '{"ok":true}' }),
    ['out', message('8', 3, `37=${id(1)}|11=a1|150=0|39=0|55=BTC-USDC|58=well|`)],
  );
}

test('an order has each of its steps once, by time, with amounts in decimals', async () => {
  rests();
  const steps = await story();
  expect(steps.map((step) => [step.kind, step.title, step.atUs])).toEqual([
    ['received', 'NewOrderSingle', 1],
    ['recorded', 'Command accepted: new order', 2],
    ['recorded', 'Action recorded before it is signed (J1)', 2],
    ['asked', 'POST /actions', 3],
    ['event', 'Stream event resting', 4],
    ['answered', 'HTTP 200', 5],
    ['reported', 'ExecutionReport', 6],
  ]);
  const [received, recorded, made, asked, rested, answered, reported] = steps;
  expect(received?.facts).toEqual([
    ...[['ClOrdID(11)', 'a1'] as const, ['Symbol(55)', 'BTC-USDC'] as const],
    ...[['Side(54)', '1 BUY'] as const, ['OrderQty(38)', '0.01'] as const],
    ['Price(44)', '40000'],
  ]);
  expect(received?.message).toMatchObject({ direction: 'in', type: 'D', seq: 2 });
  expect(recorded?.facts).toEqual([
    ['clOrdId', 'a1'],
    ...[['side', 'Bid'] as const, ['qty', '0.01'] as const, ['price', '40000'] as const],
  ]);
  expect(made).toMatchObject({
    facts: [
      ['nonce', '7'],
      ['digest', id(7, 'a')],
      ['derived order id', id(1)],
    ],
    text: '{"nonce":7}',
  });
  expect(asked).toMatchObject({
    facts: [
      ['nonce', '7'],
      ['signature scheme', 'EcdsaSecp256k1'],
      ['signature', '01fe'],
      ['idempotency key', 'ab'],
    ],
    text: JSON.stringify({ account, nonce: 7 }),
  });
  expect(rested?.facts).toEqual([
    ['orderId', id(1)],
    ['price', '40000'],
    ['qty', '0.01'],
  ]);
  expect(answered?.text).toBe('{"ok":true}');
  expect(reported?.facts).toContainEqual(['Text(58)', 'well']);
});

test('a replaced order goes on under its new names, and reports to other sessions belong to it', async () => {
  rests();
  const replace = { kind: 'replace', clOrdId: 'a2', terms: { qty: { $: '2000000' } } };
  happened(
    ['in', message('G', 3, '11=a2|41=a1|38=0.02|')],
    journal(
      [{ kind: 'order', key: order.key, input: replace }],
      [action(8, { kind: 'legs', legIds: [id(2)] })],
    ),
    ['out', message('8', 9, `37=${id(2)}|11=c9|150=5|`), 'FIX.4.4:US/->COPY/'],
    journal([event('canceled', id(2), { parentOrderId: id(1) })]),
    journal(
      ['8', '9'].map((nonce) => ({
        kind: 'venue',
        input: { kind: 'receipt', actionHash: id(Number(nonce), 'a'), nonce },
      })),
    ),
    journal([{ kind: 'venue', input: { kind: 'listed', orders: [{ orderId: id(2) }] } }]),
    journal([event('canceled', id(9), { parentOrderId: id(8) })]),
  );
  expect((await titles()).slice(7)).toEqual([
    'OrderCancelReplaceRequest',
    'Command accepted: replace',
    'Action recorded before it is signed (J1)',
    'ExecutionReport',
    'Stream event canceled',
    'Input receipt',
    'Input listed',
  ]);
  const steps = await story();
  expect(steps[12]?.facts).toContainEqual(['nonce', '8']);
  expect(steps[8]?.facts).toEqual([
    ['clOrdId', 'a2'],
    ['qty', '0.02'],
  ]);
});

test('of what several orders share, a story has only the part of its own', async () => {
  happened(
    journal(
      [entry(), entry('desk-a#2', 'b1')],
      [action(7, { orderId: id(1) }), action(8, { orderId: id(2) }, 'desk-a#2')],
    ),
    request('ab', { actions: [signed(7), signed(8)] }),
    journal([event('resting', id(1)), event('resting', id(2))]),
    ['in', message('D', 2, '11=a1|'), 'FIX.4.4:US/->BRAVO/'],
  );
  const steps = await story();
  expect(steps.map(({ kind }) => kind)).toEqual(['recorded', 'recorded', 'asked', 'event']);
  expect(steps[2]?.facts[0]).toEqual(['nonce', '7']);
  expect(JSON.stringify(steps)).not.toMatch(new RegExp(`b1|${id(2)}|${id(8, 'a')}`));
});

test('each leg of a quote has its own terms, id and events, and the action of both', async () => {
  const legs = [
    ['desk-a#1', 'Bid', '45000000000', id(1)],
    ['desk-a#2', 'Ask', '60000000000', id(2)],
  ] as const;
  const orders = legs.map(([key, side, price], legIndex) => {
    return {
      owner: { key, quoteId: 'q1' },
      legIndex,
      instrument: { market },
      terms: { side, price },
    };
  });
  happened(
    ['in', message('S', 2, '117=q1|')],
    journal(
      [{ kind: 'quotes', key: 'group', orders }],
      [action(7, { kind: 'legs', legIds: [id(1), id(2)] }, 'group')],
    ),
    request('ab', signed(7)),
    journal([event('resting', id(1)), event('resting', id(2))]),
  );
  for (const [key, side, price, orderId] of legs) {
    const steps = await story({ ...order, key, clOrdId: 'q1' });
    expect(steps.map(({ title }) => title)).toEqual([
      'Quote',
      'Command accepted: quotes',
      'Action recorded before it is signed (J1)',
      'POST /actions',
      'Stream event resting',
    ]);
    expect(steps[1]?.facts).toEqual([
      ['side', side],
      ['price', price.slice(0, 5)],
    ]);
    expect(steps[2]?.facts).toContainEqual(['derived order id', orderId]);
    expect(steps[4]?.facts).toEqual([['orderId', orderId]]);
  }
});

test('an order that was refused has its messages, and no record is no story', async () => {
  happened(
    ['in', message('D', 2, '11=a1|')],
    ['out', message('8', 2, '37=NONE|11=a1|150=8|')],
    ['in', message('D', 3, '11=other|')],
  );
  expect(await titles({ ...order, key: 'exec-1' })).toEqual(['NewOrderSingle', 'ExecutionReport']);
  expect(await titles({ ...order, key: 'exec-2', clOrdId: 'unknown' })).toEqual([]);
});

test.each([
  [{ kind: 'response', status: 503, body: 'busy' }, 'HTTP 503', 'busy'],
  [{ kind: 'failed', problem: 'connection reset' }, 'No answer: connection reset', ''],
])('the answer %j is the step %s', async (exchange, title, text) => {
  happened(
    journal([entry()], [action(7, { orderId: id(1) })]),
    request('ab', signed(7)),
    answer('ab', exchange),
  );
  expect((await story()).at(-1)).toMatchObject({ kind: 'answered', title, text });
});

/** An order that its client replaces again and again. */
function replaced(times: number): void {
  rests();
  const one = (number: number): Entry[] => {
    const input = { kind: 'replace', clOrdId: `r${number}` };
    const actions = [action(number, { kind: 'legs', legIds: [id(number)] })];
    const others = Array.from({ length: 3 }, (_, other) => entry(`desk-a#${number}${other}`, 'x'));
    const ids = `37=${id(number)}|11=r${number}|150=5|`;
    return [
      ['in', message('G', number, `11=r${number}|41=r${number - 1}|`)],
      journal([{ kind: 'order', key: order.key, input }, ...others], actions),
      request(`${number}`, signed(number)),
      answer(`${number}`, { kind: 'response', status: 200, body: '{}' }),
      ['out', message('8', number, ids)],
    ];
  };
  happened(...Array.from({ length: times }, (_, index) => one(index + 10)).flat());
}

test('a long story has its beginning and its end, and says where steps are missing', async () => {
  replaced(230);
  const steps = await story();
  expect(steps.length).toBeLessThan(1_300);
  const isGap = ({ title }: { title: string }) => title.startsWith('The steps in between');
  const gap = steps.findIndex(isGap);
  expect([gap, steps.findLastIndex(isGap)]).toEqual([gap, gap]);
  expect(steps.slice(0, 7).map(({ kind }) => kind)).toContain('asked');
  expect(steps.slice(-6).map(({ kind }) => kind)).toEqual([
    ...['received', 'recorded', 'recorded', 'asked', 'answered', 'reported'],
  ]);
  expect(steps.at(-1)).toMatchObject({ atUs, kind: 'reported' });
  const times = steps.map((step) => step.atUs);
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  const inOrder = Array.from({ length: gap }, (_, index) => times[index]);
  expect(new Set(inOrder).size).toBe(inOrder.at(-1));
});

test('a story of more commands than it looks up says so, even if few records are left', async () => {
  const commands = Array.from({ length: 500 }, (_, number) =>
    journal([{ kind: 'order', key: order.key, input: { kind: 'overdue', number } }]),
  );
  happened(...commands);
  const steps = await story();
  expect(steps).toHaveLength(401);
  expect(steps[200]).toMatchObject({
    atUs: 201,
    facts: [],
    title: expect.stringContaining('between'),
  });
  expect(steps[201]?.facts).toEqual([['number', '300']]);
});

test('while a long story is told, the messages of clients get their turns', async () => {
  replaced(40);
  let turns = 0;
  let isOver = false;
  const turn = () => {
    turns += 1;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  const steps = await story();
  isOver = true;
  const rows = new Set(steps.map((step) => step.atUs)).size;
  expect(turns).toBeGreaterThanOrEqual(Math.floor(rows / pieceRows));
});

test('whatever bytes a peer sent, or a full disk left of a record, the rest is told', async () => {
  rests();
  const whole = ring.linked(['k desk-a#1', `o ${id(1)}`, `n ${account} 7`]);
  const cut = record({
    row: constantFrom(...whole),
    length: nat(400),
  }).map(({ row, length }) => ({ ...row, bytes: row.bytes.subarray(0, length) }));
  const foreign = record({
    kind: constantFrom(...trailKinds.filter((kind) => kind === 'in' || kind === 'out')),
    head: constantFrom('8=FIX.4.4\x01', '', '\x00\x00\x00\x20\x5b\xe0'),
    bytes: uint8Array({ maxLength: 60 }),
  }).map(({ bytes, head, kind }): TrailRow => {
    const all = Buffer.concat([Buffer.from(head, 'latin1'), bytes]);
    return { id: 99, kind, atUs: 5, name: session, type: '', seq: null, bytes: all };
  });
  await assert(
    asyncProperty(array(cut, { maxLength: 6 }), array(foreign, { maxLength: 1 }), async (a, b) => {
      const rows = [...a, ...b].map((row, index) => ({ ...row, id: index }));
      const steps = await orderStory({ linked: async () => rows }, order, account);
      const messages = rows.filter(({ kind }) => kind === 'in' || kind === 'out');
      expect(steps.filter(({ message }) => message !== null)).toHaveLength(messages.length);
      for (const { facts, message } of steps) {
        const shown = [message?.text ?? '', ...facts.flat()].join('');
        expect(shown.replace(/\P{Cc}/gu, '')).toBe('');
      }
    }),
  );
});
