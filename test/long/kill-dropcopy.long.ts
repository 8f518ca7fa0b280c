/**
 * kill -9 of the bridge and of a drop-copy reader, again and again, under load and with resets of the reader's numbers.
 * In the end the reader's trades are those of the venue's ledger, and nothing came twice without PossDupFlag(43) or
 * PossResend(97) (docs/DROPCOPY.md, "Delivery").
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { demoSessions } from '../../src/cli/demo-files.ts';
import { startSandbox } from '../../src/sandbox/server.ts';
import {
  admin,
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
  const rounds = short ? 6 : 150;
  const folder = mkdtempSync(join(tmpdir(), 'causeway-kill-dropcopy-'));
  const sandbox = await startSandbox({ seed, makers: true });
  const bridge = new BridgeProcess(folder, sandbox, seed);
  try {
    await admin(sandbox, '/limits', { actionsPerSecond: 0, edgeRequestsPerSecond: 0 });
    for (const kind of faults) await admin(sandbox, '/faults', { kind, perMille: 20, times: null });
    const random = randomFrom(seed);
    const trader = new Trader(fixPeer(await bridge.start()), random);
    const reader = new CopyReader(seed);
    let kills = 0;
    for (let round = 0; round < rounds; round += 1) {
      await trader.logon(bridge.port);
      await reader.logon(bridge.port);
      await flow(trader, 20 + Math.floor(random() * 150));
      // The reader dies alone first, now and then, and the bridge under it; it may come back with new numbers.
      await reader.die(random() < 0.3);
      if (random() < 0.5) await reader.logon(bridge.port);
      if (random() < 0.7) {
        bridge.kill();
        kills += 1;
        await trader.peer.cut();
        await reader.die(random() < 0.3);
        await bridge.start();
      } else {
        await trader.peer.cut();
        await reader.die(false);
      }
    }
    await admin(sandbox, '/faults', undefined, 'DELETE');
    await trader.logon(bridge.port);
    await reader.logon(bridge.port);
    await trader.finish();
    const { orders } = (await admin(sandbox, '/ledger', undefined, 'GET')) as {
      orders: LedgerOrder[];
    };
    const account = sandbox.info.accounts[0]?.account;
    const own = orders.filter((order) => order.account === account);
    await reader.hasAll(own);
    await trader.peer.cut();
    await reader.die(false);
    return `${kills} kills of the bridge, ${reader.deaths} of the reader, ${reader.resets} resets: ${own.length} orders, ${reader.trades} trades, ${reader.again} copies again and marked, 0 lost, 0 doubled`;
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

/** What it has heard is on its disk; what dies is its connection, and with it, where it says so, its numbers. */
class CopyReader {
  readonly #seed: number;
  readonly #execIds = new Set<string>();
  /** LastQty(32) by OrderID(37), in atoms. */
  readonly #filled = new Map<string, number>();
  readonly #ended = new Map<string, string>();
  /** The further fields of the peer's next Logon. */
  #logon: [number, string][] = [];
  #peer: PlainFixPeer;
  #isHere = false;
  #fault: string | undefined;
  deaths = 0;
  resets = 0;
  again = 0;
  trades = 0;

  constructor(seed: number) {
    this.#seed = seed;
    this.#peer = this.#newPeer(false);
  }

  async logon(port: number): Promise<void> {
    await this.#peer.logon(port, (message) => this.#hear(message));
    // Its numbers start anew once, not at each logon.
    if (this.#logon[0]?.[0] === 141) this.#logon.shift();
    this.#isHere = true;
  }

  async die(forgetsNumbers: boolean): Promise<void> {
    if (!this.#isHere) return;
    this.#isHere = false;
    this.deaths += 1;
    await this.#peer.cut();
    if (!forgetsNumbers) return;
    this.resets += 1;
    this.#peer = this.#newPeer(true);
  }

  /** Until every order of the ledger is known by its trades and its end. */
  async hasAll(orders: readonly LedgerOrder[]): Promise<void> {
    const missing = () =>
      orders.filter(({ orderId, filledQty }) => {
        return (this.#filled.get(orderId) ?? 0) !== filledQty || !this.#ended.has(orderId);
      });
    try {
      await this.#peer.until(() => this.#fault !== undefined || missing().length === 0, 30_000);
    } catch (error) {
      const [first] = missing();
      const told = this.#filled.get(first?.orderId ?? '');
      const what = `${missing().length} orders differ, such as ${JSON.stringify(first)}, told ${told}`;
      throw new Error(`${(error as Error).message}: ${what}`);
    }
    if (this.#fault !== undefined) throw new Error(this.#fault);
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

  #hear(message: string): void {
    if (fieldOf(message, 35) !== '8' || fieldOf(message, 1) !== 'desk-a') return;
    const execId = fieldOf(message, 17) ?? '';
    const isMarked = fieldOf(message, 97) === 'Y' || fieldOf(message, 43) === 'Y';
    if (this.#execIds.has(execId)) {
      if (isMarked) this.again += 1;
      else this.#fault ??= `${execId} came twice without a mark`;
      return;
    }
    this.#execIds.add(execId);
    const orderId = fieldOf(message, 37) ?? '';
    if (fieldOf(message, 150) === 'F') {
      this.trades += 1;
      const atoms = Math.round(Number(fieldOf(message, 32)) * 1e8);
      this.#filled.set(orderId, (this.#filled.get(orderId) ?? 0) + atoms);
    }
    const status = fieldOf(message, 39) ?? '';
    if ('248C'.includes(status)) this.#ended.set(orderId, status);
  }
}
