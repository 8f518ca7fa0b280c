/**
 * kill -9 of a loaded, durable FIXP acceptor, again and again. After each start the client goes back to the first order
 * that it is not sure of, hears what became of each, and sends those again. The client's log, the store and what is sent
 * once more must agree: no number lost or used twice, each order answered exactly once, every retransmission exact.
 */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NewOrderSingle } from '../../src/mapping/sbe/generated/new-order-single.ts';
import { decodeMessage } from '../../src/sbe/generic-decoder.ts';
import { readSchema } from '../../src/sbe/schema.ts';
import { openLogStore } from '../../src/store/log/log-store.ts';
import { Dice } from './crash-line.ts';
import type { LongRun } from './main.ts';
import { PlainFixpPeer, type Told } from './plain-fixp-peer.ts';
import { startServer } from './server-process.ts';

const acceptor = join(import.meta.dirname, '../../bench/fixp-session/fixp-acceptor.ts');
const orders = readSchema(
  readFileSync(join(import.meta.dirname, '../../dictionaries/orders.xml'), 'utf8'),
);
const session = 'FIXP:CLIENT0';
const inFlight = 64;
const retransmitCount = 500;

export async function run({ short, seed }: LongRun): Promise<string> {
  const kills = short ? 5 : 50;
  const folder = mkdtempSync(join(tmpdir(), 'causeway-kill-fixp-'));
  const orders = new Orders();
  const dice = new Dice(seed);
  const acceptors: ChildProcess[] = [];
  const start = () => startServer([acceptor, 'power', folder, '1'], acceptors);
  try {
    for (let kill = 0; kill < kills; kill += 1) {
      const { child, port } = await start();
      await orders.resume(port, dice.once(2));
      const enough = orders.done + 1 + dice.below(3_000);
      orders.keepFlying();
      await orders.peer.until(() => orders.done >= enough);
      child.kill('SIGKILL');
      orders.stop();
      await once(child, 'exit');
      await orders.peer.cut();
    }
    const { child, port } = await start();
    await orders.resume(port, false);
    await orders.peer.until(() => orders.done === orders.said);
    const last = orders.peer.nextIn - 1;
    for (let from = 1; from <= last; from += retransmitCount) {
      await orders.peer.askAgain(from, Math.min(retransmitCount, last - from + 1));
    }
    await orders.peer.cut();
    child.kill('SIGTERM');
    await once(child, 'exit');
    const stored = await compareWithStore(folder, orders.peer);
    const told = `${orders.lost} not applied and sent again, ${orders.repeated} told as applied`;
    return `${kills} kills, ${orders.said} orders, each answered once, ${told}; ${last} numbers retransmitted and ${stored} stored messages exact`;
  } finally {
    await orders.peer.cut();
    for (const child of acceptors) child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Orders in flight: each answer is counted, and makes room for the next. */
class Orders implements Told {
  readonly peer = new PlainFixpPeer('CLIENT0', this);
  said = 0;
  done = 0;
  lost = 0;
  repeated = 0;
  readonly #order = new NewOrderSingle();
  readonly #buffer = Buffer.alloc(1024);
  /** What was sent under each number and is not answered. */
  readonly #unsure = new Map<number, string>();
  readonly #numberOf = new Map<string, number>();
  readonly #answered = new Set<string>();
  #again: string[] = [];
  #isFlying = false;

  /** Comes back: to the first order that it is not sure of, sending those again, or behind the last. */
  async resume(port: number, goesBack: boolean): Promise<void> {
    const { peer } = this;
    const next = peer.nextOut;
    const from = goesBack ? Math.min(next, ...this.#unsure.keys()) : next;
    const repeats = [...this.#unsure].filter(([seq]) => seq >= from);
    await peer.establish(port, from);
    if (goesBack) {
      // Every number from there on is sent once more; what was taken before is dropped.
      const texts = new Map(repeats);
      for (let seq = from; seq < next; seq += 1)
        peer.send(this.#bytes(texts.get(seq) ?? 'ANSWERED'));
    }
    for (const clOrdId of this.#again.splice(0)) this.#send(clOrdId);
  }

  keepFlying(): void {
    this.#isFlying = true;
    while (this.said - this.done < inFlight) this.#sendNew();
  }

  stop(): void {
    this.#isFlying = false;
  }

  answer(report: Buffer): void {
    const told = decodeMessage(orders, report);
    if (typeof told === 'string') throw new Error(told);
    const { ClOrdID } = told.fields;
    const clOrdId = String(ClOrdID);
    if (this.#answered.has(clOrdId)) throw new Error(`order ${clOrdId} was answered twice`);
    if (!this.#numberOf.has(clOrdId)) throw new Error(`${clOrdId} was never sent`);
    this.#answered.add(clOrdId);
    this.#unsure.delete(this.#numberOf.get(clOrdId) ?? 0);
    this.done += 1;
    if (this.#isFlying) this.#sendNew();
  }

  applied(_fromSeq: number, count: number): void {
    this.repeated += count;
  }

  /** Some of these may be told a second time, when the client goes back again. */
  notApplied(fromSeq: number, count: number): void {
    for (let seq = fromSeq; seq < fromSeq + count; seq += 1) {
      const clOrdId = this.#unsure.get(seq);
      if (clOrdId === undefined) continue;
      if (this.#answered.has(clOrdId)) throw new Error(`order ${clOrdId} was answered`);
      this.#unsure.delete(seq);
      this.lost += 1;
      this.#again.push(clOrdId);
    }
  }

  #sendNew(): void {
    this.said += 1;
    this.#send(`ORDER-${this.said}`);
  }

  #send(clOrdId: string): void {
    this.#unsure.set(this.peer.nextOut, clOrdId);
    this.#numberOf.set(clOrdId, this.peer.nextOut);
    this.peer.send(this.#bytes(clOrdId));
  }

  #bytes(clOrdId: string): Uint8Array {
    const order = this.#order.encode(this.#buffer).setClOrdId(clOrdId);
    order.setTermsSide(1).setTermsOrdType(2).setTermsOrderQty(10).setTermsPrice(5_000_010);
    return Buffer.from(order.bytes);
  }
}

/** The store has all that the client has, byte for byte, and its numbers are those of the client. */
async function compareWithStore(folder: string, peer: PlainFixpPeer): Promise<number> {
  const store = await openLogStore({ path: join(folder, 'bench.db'), durability: 'process' });
  const { nextIn, nextOut } = await store.numbers(session);
  if (nextIn !== peer.nextOut) throw new Error(`the store expects ${nextIn}, not ${peer.nextOut}`);
  if (nextOut !== peer.nextIn) throw new Error(`the store is at ${nextOut}, not at ${peer.nextIn}`);
  let next = 1;
  while (next < nextOut) {
    const messages = await store.messages(session, next, nextOut - 1, 1_000_000);
    for (const { seq, bytes } of messages) {
      const message = Buffer.from(bytes.subarray(6)).toString('hex');
      if (seq !== next || message !== peer.received.get(seq))
        throw new Error(`stored message ${seq} is not what was received`);
      next += 1;
    }
    if (messages.length === 0) throw new Error(`message ${next} is not in the store`);
  }
  await store.close();
  return next - 1;
}
