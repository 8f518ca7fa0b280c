/**
 * kill -9 of the bridge and of two drop-copy readers, one over FIX and one over FIXP, again and again, under load and with
 * numbers and session ids that begin anew. In the end the trades of each reader are those of the venue's ledger, and
 * nothing came twice without PossDupFlag(43) or PossResend(97) (docs/DROPCOPY.md, "Delivery").
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { demoFixpSessions, demoSessions } from '../../src/cli/demo-files.ts';
import { startSandbox } from '../../src/sandbox/server.ts';
import { FixpOrderPeer } from './fixp-order-peer.ts';
import {
  admin,
  type BridgeInfo,
  BridgeProcess,
  fixPeer,
  type LedgerOrder,
  randomFrom,
  Trader,
} from './kill-bridge.long.ts';
import type { LongRun } from './main.ts';
import { fieldOf, PlainFixPeer } from './plain-fix-peer.ts';

const patienceMs = 120_000;
const faults = ['frame_drop', 'frame_double', 'frame_reorder'];

export async function run({ short, seed }: LongRun): Promise<string> {
  const rounds = short ? 5 : 150;
  const folder = mkdtempSync(join(tmpdir(), 'causeway-kill-dropcopy-'));
  const sandbox = await startSandbox({ seed, makers: true });
  const bridge = new BridgeProcess(folder, sandbox, seed);
  try {
    await admin(sandbox, '/limits', { actionsPerSecond: 0, edgeRequestsPerSecond: 0 });
    for (const kind of faults) await admin(sandbox, '/faults', { kind, perMille: 20, times: null });
    const random = randomFrom(seed);
    const trader = new Trader(fixPeer(await bridge.start()), random);
    const readers = [new CopyReader(new FixLine(seed)), new CopyReader(new FixpLine(seed))];
    let kills = 0;
    for (let round = 0; round < rounds; round += 1) {
      await trader.logon(bridge.port);
      for (const reader of readers) await reader.logon(bridge.info);
      await flow(trader, 20 + Math.floor(random() * 150));
      // A reader dies alone first, now and then, and the bridge under it; it may come back with new numbers.
      for (const reader of readers) {
        await reader.die(random() < 0.3);
        if (random() < 0.5) await reader.logon(bridge.info);
      }
      if (random() < 0.7) {
        bridge.kill();
        kills += 1;
        await trader.peer.cut();
        for (const reader of readers) await reader.die(random() < 0.3);
        await bridge.start();
      } else {
        await trader.peer.cut();
        for (const reader of readers) await reader.die(false);
      }
    }
    await admin(sandbox, '/faults', undefined, 'DELETE');
    await trader.logon(bridge.port);
    for (const reader of readers) await reader.logon(bridge.info);
    await trader.finish();
    const { orders } = (await admin(sandbox, '/ledger', undefined, 'GET')) as {
      orders: LedgerOrder[];
    };
    const account = sandbox.info.accounts[0]?.account;
    const own = orders.filter((order) => order.account === account);
    for (const reader of readers) await reader.hasAll(own);
    await trader.peer.cut();
    for (const reader of readers) await reader.die(false);
    const told = readers.map((reader) => reader.summary).join('; ');
    return `${kills} kills of the bridge, ${own.length} orders; ${told}; 0 lost, 0 doubled`;
  } finally {
    bridge.kill();
    await sandbox.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function flow(trader: Trader, reports: number): Promise<void> {
  const enough = trader.heard + reports;
  trader.isTrading = true;
  trader.keepFlying();
  await trader.peer.until(() => trader.heard >= enough, patienceMs);
  trader.isTrading = false;
}

/** A connection to the bridge, of one protocol. */
interface Line {
  readonly name: string;
  /** Messages in the text of FIX. */
  logon(info: BridgeInfo, hear: (message: string) => void): Promise<void>;
  until(isSo: () => boolean, withinMs: number): Promise<void>;
  cut(): Promise<void>;
  /** The next logon begins numbers anew, or a session id. */
  forget(): void;
}

/** What it has heard is on its disk; what dies is its connection, and with it, where it says so, its numbers. */
class CopyReader {
  readonly #line: Line;
  readonly #execIds = new Set<string>();
  /** LastQty(32) by OrderID(37), in atoms. */
  readonly #filled = new Map<string, number>();
  readonly #ended = new Map<string, string>();
  #isHere = false;
  #fault: string | undefined;
  #deaths = 0;
  #resets = 0;
  #again = 0;
  #trades = 0;

  constructor(line: Line) {
    this.#line = line;
  }

  get summary(): string {
    return `${this.#line.name}: ${this.#deaths} deaths, ${this.#resets} resets, ${this.#trades} trades, ${this.#again} copies again and marked`;
  }

  async logon(info: BridgeInfo): Promise<void> {
    await this.#line.logon(info, (message) => this.#hear(message));
    this.#isHere = true;
  }

  async die(forgetsNumbers: boolean): Promise<void> {
    if (!this.#isHere) return;
    this.#isHere = false;
    this.#deaths += 1;
    await this.#line.cut();
    if (!forgetsNumbers) return;
    this.#resets += 1;
    this.#line.forget();
  }

  /** Until every order of the ledger is known by its trades and its end. */
  async hasAll(orders: readonly LedgerOrder[]): Promise<void> {
    const missing = () =>
      orders.filter(({ orderId, filledQty }) => {
        return (this.#filled.get(orderId) ?? 0) !== filledQty || !this.#ended.has(orderId);
      });
    try {
      await this.#line.until(() => this.#fault !== undefined || missing().length === 0, 30_000);
    } catch (error) {
      const [first] = missing();
      const told = this.#filled.get(first?.orderId ?? '');
      const what = `${missing().length} orders differ, such as ${JSON.stringify(first)}, told ${told}`;
      throw new Error(`${this.#line.name}: ${(error as Error).message}: ${what}`);
    }
    if (this.#fault !== undefined) throw new Error(`${this.#line.name}: ${this.#fault}`);
  }

  #hear(message: string): void {
    if (fieldOf(message, 35) !== '8' || fieldOf(message, 1) !== 'desk-a') return;
    const execId = fieldOf(message, 17) ?? '';
    const isMarked = fieldOf(message, 97) === 'Y' || fieldOf(message, 43) === 'Y';
    if (this.#execIds.has(execId)) {
      if (isMarked) this.#again += 1;
      else this.#fault ??= `${execId} came twice without a mark`;
      return;
    }
    this.#execIds.add(execId);
    const orderId = fieldOf(message, 37) ?? '';
    if (fieldOf(message, 150) === 'F') {
      this.#trades += 1;
      const atoms = Math.round(Number(fieldOf(message, 32)) * 1e8);
      this.#filled.set(orderId, (this.#filled.get(orderId) ?? 0) + atoms);
    }
    const status = fieldOf(message, 39) ?? '';
    if ('248C'.includes(status)) this.#ended.set(orderId, status);
  }
}

class FixLine implements Line {
  readonly name = 'FIX';
  readonly #seed: number;
  /** The further fields of the peer's next Logon. */
  #logon: [number, string][] = [];
  #peer: PlainFixPeer;

  constructor(seed: number) {
    this.#seed = seed;
    this.#peer = this.#newPeer(false);
  }

  async logon({ fix }: BridgeInfo, hear: (message: string) => void): Promise<void> {
    await this.#peer.logon(fix.port, hear);
    // Its numbers start anew once, not at each logon.
    if (this.#logon[0]?.[0] === 141) this.#logon.shift();
  }

  until(isSo: () => boolean, withinMs: number): Promise<void> {
    return this.#peer.until(isSo, withinMs);
  }

  async cut(): Promise<void> {
    await this.#peer.cut();
  }

  forget(): void {
    this.#peer = this.#newPeer(true);
  }

  #newPeer(resets: boolean): PlainFixPeer {
    const session = demoSessions(this.#seed).find(({ senderCompId }) => senderCompId === 'DROP');
    if (session === undefined) throw new Error('the demo has no session DROP');
    const { senderCompId, targetCompId, username, password } = session;
    this.#logon = [
      [553, username],
      [554, password],
    ];
    if (resets) this.#logon.unshift([141, 'Y']);
    return new PlainFixPeer({ senderCompId, targetCompId, logon: this.#logon });
  }
}

/** Copies that were said and not read before a new session id are asked for, by time. */
class FixpLine implements Line {
  readonly name = 'FIXP';
  readonly #peer: FixpOrderPeer;
  #isNew = true;

  constructor(seed: number) {
    const session = demoFixpSessions(seed).find(({ role }) => role === 'drop-copy');
    if (session === undefined) throw new Error('the demo has no FIXP session for copies');
    this.#peer = new FixpOrderPeer(session);
  }

  async logon({ fixp }: BridgeInfo, hear: (message: string) => void): Promise<void> {
    await this.#peer.logon(fixp.port, hear, this.#isNew);
    if (this.#isNew) {
      this.#peer.send('UR', [
        [9120, 'missed'],
        [9121, '2'],
        [9124, 'now-3600s'],
      ]);
    }
    this.#isNew = false;
  }

  until(isSo: () => boolean, withinMs: number): Promise<void> {
    return this.#peer.until(isSo, withinMs);
  }

  async cut(): Promise<void> {
    await this.#peer.cut();
  }

  forget(): void {
    this.#isNew = true;
  }
}
