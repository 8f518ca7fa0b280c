/**
 * The store: what a durable commit costs, how far groups share that cost, what a resend reads and what a start checks;
 * and how much of the time of a durable commit is left to other work.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLogStore } from '../src/store/log/log-store.ts';
import type { Durability, Store, Write } from '../src/store/store.ts';
import type { Row } from './main.ts';

const messageBytes = 200;
const rounds = 400;

export async function run(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'causeway-store-bench-'));
  try {
    return [
      ...(await commits(folder)),
      ...(await beside(folder)),
      await resend(folder),
      await start(folder),
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** One turn of a session: a range of messages, its numbers, a record and a cursor. */
function turn(session: string, round: number, messages: number): Write[] {
  const firstSeq = 1 + round * messages;
  const bytes = Buffer.alloc(messages * messageBytes, 120);
  const ends = Array.from({ length: messages }, (_, i) => (i + 1) * messageBytes);
  return [
    { kind: 'messages', session, firstSeq, bytes, ends },
    { kind: 'numbers', session, nextIn: firstSeq, nextOut: firstSeq + messages },
  ];
}

async function commits(folder: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (const durability of ['power', 'process'] satisfies Durability[]) {
    for (const [waiting, messages] of [
      [1, 1],
      [1, 256],
      [50, 1],
      [50, 16],
    ] as const) {
      const path = join(folder, `${durability}-${waiting}-${messages}.db`);
      const store = await openLogStore({ path, durability });
      const tookUs: number[] = [];
      for (let round = 0; round < rounds; round += 1) {
        const startNs = process.hrtime.bigint();
        await Promise.all(
          Array.from({ length: waiting }, (_, i) => store.commit(turn(`S${i}`, round, messages))),
        );
        tookUs.push(Number(process.hrtime.bigint() - startNs) / 1000);
      }
      await store.close();
      tookUs.sort((a, b) => a - b);
      const p50 = tookUs[rounds / 2] ?? 0;
      const perSecond = Math.round((waiting * messages * 1e6) / p50);
      rows.push({
        name: `${durability}: ${waiting} commits at once, ${messages} messages each`,
        value: `p50 ${p50.toFixed(0)} µs, ${perSecond} messages/s`,
      });
    }
  }
  return rows;
}

/** How much other work the thread of the turns does in the time of a durable commit. */
async function beside(folder: string): Promise<Row[]> {
  const store = await openLogStore({ path: join(folder, 'beside.db'), durability: 'power' });
  const startMs = performance.now();
  const freeUs = await workDone((writes) => store.commit(writes));
  const tookUs = ((performance.now() - startMs) * 1000) / rounds;
  await store.close();
  return [
    {
      name: 'of a durable commit, free for other work',
      value: `${freeUs.toFixed(0)} of ${tookUs.toFixed(0)} µs`,
      ratio: freeUs / tookUs,
    },
  ];
}

/** Microseconds a commit that the main thread had for other things. */
async function workDone(commit: (writes: Write[]) => Promise<void>): Promise<number> {
  let workedUs = 0;
  for (let round = 0; round < rounds; round += 1) {
    let isDone = false;
    void commit(turn('S', round, 16)).then(() => {
      isDone = true;
    });
    while (!isDone) {
      const startNs = process.hrtime.bigint();
      await new Promise((resolve) => setImmediate(resolve));
      workedUs += Number(process.hrtime.bigint() - startNs) / 1000;
    }
  }
  return workedUs / rounds;
}

async function filled(path: string): Promise<Store> {
  const store = await openLogStore({ path, durability: 'process' });
  const all = Array.from({ length: 2_000 }, (_, round) => store.commit(turn('S', round, 100)));
  await Promise.all(all);
  return store;
}

async function resend(folder: string): Promise<Row> {
  const store = await filled(join(folder, 'resend.db'));
  const startMs = performance.now();
  let next = 1;
  while (next <= 200_000) {
    const messages = await store.messages('S', next, 200_000, 64 * 1024);
    next = (messages.at(-1)?.seq ?? 200_000) + 1;
  }
  const perSecond = Math.round((200_000 * 1000) / (performance.now() - startMs));
  await store.close();
  return { name: 'resend: 200,000 messages in pieces of 64 KiB', value: `${perSecond} messages/s` };
}

async function start(folder: string): Promise<Row> {
  const path = join(folder, 'start.db');
  await (await filled(path)).close();
  const startMs = performance.now();
  const store = await openLogStore({ path, durability: 'power' });
  const tookMs = performance.now() - startMs;
  await store.close();
  return { name: 'start: all of 200,000 kept messages checked', value: `${tookMs.toFixed(0)} ms` };
}
