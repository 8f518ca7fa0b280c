/**
 * kill -9 of a loaded, durable acceptor, again and again. The client's log, the store and the resends must agree: no
 * number lost or used twice, each order answered exactly once, every resend the message that was sent first.
 */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLogStore } from '../../src/store/log/log-store.ts';
import type { LongRun } from './main.ts';
import { fieldOf, lasting, PlainFixPeer } from './plain-fix-peer.ts';
import { startServer } from './server-process.ts';

const acceptor = join(import.meta.dirname, '../../bench/session/engine-acceptor.ts');
const session = 'FIX.4.4:SERVER/->CLIENT0/';
const inFlight = 64;

export async function run({ short, seed }: LongRun): Promise<string> {
  const kills = short ? 5 : 50;
  const folder = mkdtempSync(join(tmpdir(), 'causeway-kill-'));
  const peer = new PlainFixPeer();
  const orders = new Orders(peer);
  const random = randomFrom(seed);
  const acceptors: ChildProcess[] = [];
  const start = () => startServer([acceptor, 'power', folder, '1'], acceptors);
  try {
    for (let kill = 0; kill < kills; kill += 1) {
      const { child, port } = await start();
      await peer.logon(port, (message) => orders.answered(message));
      const enough = orders.done + 1 + Math.floor(random() * 3_000);
      orders.keepFlying();
      await peer.until(() => orders.done >= enough);
      child.kill('SIGKILL');
      orders.stop();
      await once(child, 'exit');
      await peer.cut();
    }
    const { child, port } = await start();
    await peer.logon(port, (message) => orders.answered(message));
    await peer.until(() => orders.done === orders.sent);
    await peer.checkResendOfAll();
    await peer.cut();
    child.kill('SIGTERM');
    await once(child, 'exit');
    const stored = await compareWithStore(folder, peer);
    return `${kills} kills, ${orders.sent} orders, each answered once; ${peer.resends} resends and ${stored} stored messages exact`;
  } finally {
    await peer.cut();
    for (const child of acceptors) child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Orders in flight: each answer is counted, and makes room for the next. */
class Orders {
  sent = 0;
  done = 0;
  readonly #peer: PlainFixPeer;
  readonly #answered = new Set<string>();
  #isFlying = false;

  constructor(peer: PlainFixPeer) {
    this.#peer = peer;
  }

  keepFlying(): void {
    this.#isFlying = true;
    while (this.sent - this.done < inFlight) this.#send();
  }

  stop(): void {
    this.#isFlying = false;
  }

  answered(report: string): void {
    const clOrdId = fieldOf(report, 11) ?? '';
    if (this.#answered.has(clOrdId)) throw new Error(`order ${clOrdId} was answered twice`);
    this.#answered.add(clOrdId);
    this.done += 1;
    if (this.#isFlying) this.#send();
  }

  #send(): void {
    this.sent += 1;
    this.#peer.send('D', [
      [11, `ORDER-${this.sent}`],
      [55, 'BTC-USDC'],
      [54, '1'],
      [60, '20261121-10:38:16.123'],
      [38, '10'],
      [40, '2'],
      [44, '50000.10'],
    ]);
  }
}

/** The store has all that the client has, byte for byte, and its numbers are those of the client. */
async function compareWithStore(folder: string, peer: PlainFixPeer): Promise<number> {
  const store = await openLogStore({ path: join(folder, 'bench.db'), durability: 'process' });
  const { nextIn, nextOut } = await store.numbers(session);
  // The client asked for a resend at last, with the number before its next one; Heartbeats may have followed.
  if (nextIn !== peer.nextOut) throw new Error(`the store expects ${nextIn}, not ${peer.nextOut}`);
  if (nextOut < peer.nextIn) throw new Error(`the store would use ${nextOut} again`);
  let count = 0;
  for (let from = 1; from < nextOut; ) {
    const messages = await store.messages(session, from, nextOut - 1, 1_000_000);
    for (const { seq, bytes } of messages) {
      const first = peer.received.get(seq);
      const text = Buffer.from(bytes).toString('latin1');
      const isSame = first !== undefined && sameMessage(first, text);
      if (!isSame) throw new Error(`stored message ${seq} is not what was received`);
      count += 1;
      from = seq + 1;
    }
    if (messages.length === 0) break;
  }
  await store.close();
  return count;
}

/** A message that was first received as a resend differs in what a resend changes. */
function sameMessage(received: string, stored: string): boolean {
  if (fieldOf(received, 43) !== 'Y') return received === stored;
  return lasting(received) === lasting(stored);
}

/** A small generator, so that a seed gives the same run again as far as the machine lets it. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
