/**
 * The bridge that `nonce-kill.long.ts` kills: the engine of an account takes orders, records, has them signed by a
 * signer in another process and "sends" by appending a line to a file. That file is the venue: what stands in it was
 * applied. Some answers are lost, before or after that. In its last life (`drain`) it takes no orders, ends all that it
 * has and says what became of each.
 */

import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Account, OrderId, Price, Qty } from '../../src/domain/units.ts';
import { AccountRunner } from '../../src/gateway/account/account-runner.ts';
import { Hops } from '../../src/gateway/account/hops.ts';
import { nobody } from '../../src/gateway/account/observer.ts';
import { openEngine } from '../../src/gateway/account/open-engine.ts';
import { venueSettings } from '../../src/gateway/config/engine-settings.ts';
import { systemClock as clock } from '../../src/runtime/clock.ts';
import { fastestBlake3 } from '../../src/signer/blake3.ts';
import { LedgerAnchors } from '../../src/signer/ledger-anchors.ts';
import { RemoteSigner } from '../../src/signer/remote-signer.ts';
import { socketLink } from '../../src/signer/signer-link.ts';
import { openLogStore } from '../../src/store/log/log-store.ts';
import { Transactions } from '../../src/store/transactions.ts';
import { Dispatcher } from '../../src/venue/dispatcher.ts';
import type { HttpRequest } from '../../src/venue/http-client.ts';
import { Pacer } from '../../src/venue/pacer.ts';
import type { Exchange } from '../../src/venue/verdict.ts';
import { fullRules, Ladder, terms } from '../domain/ladder.ts';
import { sandbox, streamEvent, submitResponse } from '../venue/samples.ts';

const [directory = '', round = '0', task = 'trade'] = process.argv.slice(2);
const enteredFile = join(directory, 'entered.log');
const account = `0x${'1'.repeat(40)}` as Account;
const venueFile = join(directory, 'venue.log');
/** Orders of one transaction. */
const atOnce = 8;
const patienceMs = 600_000;
const { blake3 } = await fastestBlake3();
const profile = { ...sandbox, idempotency: { ...sandbox.idempotency, keyHexChars: 64 } };
const failing = (error: unknown) => {
  throw error;
};

/** By nonce the hash of what was applied with it, in that order. */
const applied = new Map<number, string>();
if (existsSync(venueFile)) {
  // The process before this one may have been killed in the middle of a line; the venue takes a request whole or not at
  // all.
  for (const line of readFileSync(venueFile, 'utf8').split('\n')) {
    const [nonce, hash] = line.split(' ');
    if (hash !== undefined) applied.set(Number(nonce), hash);
  }
}
interface Payload {
  readonly nonce: number;
  readonly client_order_id?: string;
}

let posts = 0;
let isAtWork = false;

/**
 * The same bytes once more are the same order; a second action under a nonce is written down as well, and found out.
 */
function venue({ body = '', headers }: HttpRequest): Exchange {
  posts += 1;
  const lost = { kind: 'broken', problem: 'lost' } as const;
  if (posts % 7 === 3) return lost;
  const { payload } = JSON.parse(body) as { payload: Payload };
  const { client_order_id: key = '', nonce } = payload;
  // The key is the whole hash of the action.
  const [, hash = ''] = headers ?? [];
  if (applied.get(nonce) !== hash) {
    appendFileSync(venueFile, `${nonce} ${hash} ${key}\n`);
    applied.set(nonce, hash);
    setImmediate(stream);
  }
  if (posts % 11 === 5) return lost;
  if (!isAtWork) process.stdout.write('at work\n');
  isAtWork = true;
  const accepted = submitResponse({ seq: nonce + 1, nonceConsumed: true });
  return { kind: 'response', status: 200, headers: {}, body: JSON.stringify(accepted) };
}

/** Each order that was applied ends at once. */
function stream(): void {
  const events = [...applied].map(([nonce, hash], index) =>
    streamEvent(index + 1, {
      kind: 'canceled',
      account,
      orderId: null,
      venueRef: `0x${hash}` as OrderId,
      nonce: BigInt(nonce),
    }),
  );
  const news = events.slice(line.orders.lastSeq);
  if (news.length > 0) void line.onEvents(news);
}

const store = await openLogStore({ path: join(directory, 'bridge.db'), durability: 'process' });
const transactions = new Transactions(store, failing);
const standard = venueSettings(profile, patienceMs);
const settings = {
  sessionRules: {},
  otherRules: fullRules,
  ...standard,
  submissions: {
    ...standard.submissions,
    backoff: { firstMs: 1, maxMs: 8 },
    staleAfterMs: patienceMs,
  },
};
const core = await openEngine({
  account,
  store,
  transactions,
  clock,
  keptDays: () => 1,
  snapshotEvery: 500,
  blake3,
  contract: profile,
  configured: () => settings,
});
const signer = await RemoteSigner.open({
  contract: profile,
  clock,
  link: socketLink(join(directory, 'signer.sock')),
  report: () => {},
  anchors: new LedgerAnchors(join(directory, 'signer.anchor'), clock, failing),
});
const dispatcher = new Dispatcher({
  profile,
  http: { exchange: async (request) => venue(request) },
  clock,
  pacer: new Pacer(),
  maxQueued: 10_000,
  patienceMs,
});
const line = new AccountRunner({
  account,
  ...core,
  transactions,
  clock,
  signer,
  scheme: 'ecdsa',
  dispatcher,
  hops: new Hops(),
  observer: nobody,
  patienceMs,
  unknownAfterMs: patienceMs,
  report: () => {},
  answer: () => {},
  authorize: () => undefined,
  foreign: () => undefined,
  isOfOtherAccount: () => false,
  trading: () => {},
  act: () => {},
  alarm: () => {},
  probe: () => {},
  lookUp: async ({ hash }) => {
    const isApplied = [...applied.values()].includes(hash);
    return isApplied ? { kind: 'applied', seq: null } : { kind: 'nothing' };
  },
  currentNonce: async () => {
    let floor = 0;
    while (applied.has(floor)) floor += 1;
    return { floor };
  },
});

line.started();
await line.discover();
stream();
line.resume();
line.open();

const { instrument, owner } = new Ladder(terms({ qty: 10n as Qty })).order;
if (task === 'drain') await drain();
for (let count = 0; ; ) {
  const keys: string[] = [];
  transactions.run(() => {
    for (let each = 0; each < atOnce; each += 1) {
      count += 1;
      const key = `${round}-${count}`;
      keys.push(key);
      enter(key);
    }
    // What is durable here was promised to a client.
    transactions.after(() => appendFileSync(enteredFile, `${keys.join('\n')}\n`));
  });
  do await new Promise(setImmediate);
  while (line.waiting > 0);
}

/** Ends the process once every order has ended, with the status of each that was entered. */
async function drain(): Promise<never> {
  process.stdout.write('at work\n');
  while (line.waiting > 0 || line.orders.openCount > 0) {
    stream();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const entered = readFileSync(enteredFile, 'utf8').split('\n').filter(Boolean);
  const lines = entered.map((key) => {
    const order = line.orders.get(key);
    return `${key} ${order?.phase ?? 'forgotten'}\n`;
  });
  writeFileSync(join(directory, 'statuses.log'), lines.join(''));
  process.exit(0);
}

/** Inside a transaction. */
function enter(key: string): void {
  line.apply({
    kind: 'entry',
    owner: { ...owner, account, key },
    clOrdId: key,
    instrument,
    terms: terms({ qty: 10n as Qty, price: 100n as Price }),
    nowMs: clock.now().wallMs,
  });
}
