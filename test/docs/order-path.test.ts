/** The two tables of docs/ARCHITECTURE.md that follow an order, held against the calls of a real bridge. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { Orders } from '../../src/engine/orders.ts';
import type { OrdersInput } from '../../src/engine/orders-input.ts';
import { FixSession } from '../../src/fix/session.ts';
import { SocketLink } from '../../src/transport/link.ts';
import { HttpClient } from '../../src/venue/http-client.ts';
import { ActionBytes } from '../../src/venue/outbox/action-bytes.ts';
import { type Bridge, startBridge } from '../support/bridge.ts';
import { FixPeer, fieldOf } from '../support/fix-peer.ts';

Error.stackTraceLimit = 60;
const page = readFileSync(join(import.meta.dirname, '../../docs/ARCHITECTURE.md'), 'utf8');
const maxHops = 16;
const maxFiles = 20;
/** A commit of the store around the calls inside it. */
const transaction = 'store/transactions.ts';

let bridge: Bridge;
let peer: FixPeer;
const restores: (() => void)[] = [];
const paths = new Map<string, readonly string[]>();

beforeAll(async () => {
  bridge = await startBridge();
  peer = await FixPeer.connect(bridge.gateway.port, bridge.user());
  await peer.logon();
  await vi.waitUntil(() => bridge.gateway.gate.state === 'open', 8_000);
  watch('made', 'venue/outbox/action-bytes.ts', ActionBytes, 'of');
  watch('sent', 'venue/http-client.ts', HttpClient, 'exchange', ([{ target }]) =>
    target.endsWith('/actions'),
  );
  const isEvent = ([{ kind }]: [OrdersInput]) => kind === 'event';
  watch<'apply', [OrdersInput], unknown>('stepped', 'engine/orders.ts', Orders, 'apply', isEvent);
  type Sent = Parameters<FixSession['send']>;
  const isReport = ([, body]: Sent) => isNew(body);
  watch<'send', Sent, unknown>('reported', 'fix/session.ts', FixSession, 'send', isReport);
  watch<'write', [Uint8Array], void>('written', 'transport/link.ts', SocketLink, 'write', ([b]) =>
    isNew(b),
  );
  peer.say('D|11=1|55=BTC-USDC|54=1|38=0.01|40=2|44=40000|59=1|60=now');
  await peer.next((one) => fieldOf(one, '150') === '0');
});

afterAll(async () => {
  for (const restore of restores) restore();
  peer.hangUp();
  await bridge.stop();
});

test('an order goes from the bytes of its D to its HTTP request by the calls that the page lists', () => {
  const listed = table('From the bytes of an order to its HTTP request');
  expect([...path('made'), ...path('sent')]).toEqual(listed.calls);
});

test('an event goes from the stream to the bytes of its report by the calls that the page lists', () => {
  const listed = table('From a stream event to the bytes of its report');
  const reported = path('reported');
  const after = reported.indexOf('gateway/account/account-runner.ts AccountRunner.onEvents') + 1;
  const calls = [...path('stepped'), ...reported.slice(after), ...path('written')];
  expect(calls).toEqual(listed.calls);
});

test.each([
  'From the bytes of an order to its HTTP request',
  'From a stream event to the bytes of its report',
])('%s: at most 16 hops and 20 files, and every file that is asked on the way exists', (title) => {
  const { asked, calls } = table(title);
  expect(calls.length).toBeLessThanOrEqual(maxHops);
  const files = new Set([...calls.map((call) => call.split(' ')[0]), ...asked]);
  expect(files.size).toBeLessThanOrEqual(maxFiles);
  for (const file of asked) {
    expect(readFileSync(join(import.meta.dirname, '../../src', file), 'utf8')).not.toBe('');
  }
});

/** The rows below a heading: file and function, and the files in the last column. */
function table(title: string): { calls: readonly string[]; asked: readonly string[] } {
  const part = page.split(`**${title}**`)[1]?.split('\n\n')[1] ?? '';
  const rows = [...part.matchAll(/^\| \d+ \| `([^`]+)` \| `([^`]+)` \|(.*)\|$/gm)];
  return {
    calls: rows.map(([, file, call]) => `${file} ${call}`),
    asked: rows.flatMap(([, , , rest = '']) =>
      [...rest.matchAll(/`([a-z/-]+\.ts)`/g)].map(([, file = '']) => file),
    ),
  };
}

const path = (as: string) => paths.get(as) ?? [];

/** Notes by which calls a method is reached for the first time. */
function watch<Name extends string, Args extends unknown[], Result>(
  as: string,
  file: string,
  owner: {
    readonly name: string;
    readonly prototype: { [key in Name]: (...args: Args) => Result };
  },
  name: Name,
  isMeant: (args: Args) => boolean = () => true,
): void {
  const { prototype } = owner;
  const before = prototype[name];
  const last = `${file} ${owner.name}.${name}`;
  const watched = function (this: unknown, ...args: Args): Result {
    if (!paths.has(as) && isMeant(args)) paths.set(as, [...callsBefore(new Error()), last]);
    return before.apply(this, args);
  };
  Object.assign(prototype, { [name]: watched });
  restores.push(() => Object.assign(prototype, { [name]: before }));
}

const isNew = (bytes: Uint8Array) => Buffer.from(bytes).includes('\u0001150=0\u0001');

/** Of each file on the way the function that was entered. */
function callsBefore({ stack = '' }: Error): readonly string[] {
  const frames = [
    ...stack.matchAll(/^ +at (?:async )?(?:(\S.*?) \()?[^\n]*\/src\/([a-z/-]+\.ts)/gm),
  ]
    .map(([, name = '', file = '']) => ({ file, name: plain(name) }))
    .filter(({ file }) => file !== transaction)
    .reverse();
  const calls: string[] = [];
  let last = '';
  for (const { file, name } of frames) {
    if (file === last) continue;
    calls.push(`${file} ${name}`);
    last = file;
  }
  return calls;
}

/** As the page names it: a function without a name is a callback. */
function plain(name: string): string {
  const short = name.replace(/^(?:Object|Socket|Array)\./, '');
  return short === '' || short.startsWith('<') || short.startsWith('new ') ? 'callback' : short;
}
