/**
 * kill -9 of the whole bridge under load, again and again, while the venue loses answers, cuts sockets and drops
 * frames; it is started again, or a standby takes over (V-03). In the end the client's log and
 * the venue's own ledger must agree order by order: nothing lost, nothing doubled, nothing refused that the venue has
 * (docs/ARCHITECTURE.md, "Durability").
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DemoFixpSession, DemoSession } from '../../src/cli/demo-files.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts';
import { RunProcess } from '../support/run-process.ts';
import type { LongRun } from './main.ts';
import { fieldOf, PlainFixPeer } from './plain-fix-peer.ts';

const main = join(import.meta.dirname, '../../src/main.ts');
const inFlight = 16;
/** Of so many kills one is survived by a standby. */
const standbyEvery = 3;
/** An order that never reached the venue is refused when the venue would refuse it as expired, not before. */
const patienceMs = 120_000;
const faults = [
  { kind: 'cut_after', atByte: 5, perMille: 30 },
  { kind: 'cut_before', perMille: 30 },
  { kind: 'fail_after', status: 503, perMille: 20 },
  { kind: 'fail_before', status: 500, perMille: 20 },
  { kind: 'frame_drop', perMille: 20 },
  { kind: 'frame_double', perMille: 20 },
  { kind: 'frame_reorder', perMille: 20 },
] as const;

export function run(long: LongRun): Promise<string> {
  return killBridge(long, fixLane);
}

/** A client of one protocol: how it is made of the demo's info, and which port it uses. */
export interface KillLane {
  trader(info: BridgeInfo, random: () => number): Trader;
  port(info: BridgeInfo): number;
  /** What must hold of the client in the end. */
  check(trader: Trader, info: BridgeInfo): Promise<void>;
}

const fixLane: KillLane = {
  trader: ({ fix: { sessions } }, random) => {
    const [session] = sessions;
    if (session === undefined) throw new Error('the demo has no session');
    return new Trader(fixPeer(session), random);
  },
  port: ({ fix }) => fix.port,
  check: async ({ peer }) => {
    if (peer instanceof PlainFixPeer) await peer.checkResendOfAll();
  },
};

export async function killBridge({ short, seed }: LongRun, lane: KillLane): Promise<string> {
  const kills = short ? 4 : 200;
  const folder = mkdtempSync(join(tmpdir(), 'causeway-kill-bridge-'));
  const sandbox = await startSandbox({ seed, makers: true });
  const bridge = new BridgeProcess(folder, sandbox, seed);
  try {
    await admin(sandbox, '/limits', { actionsPerSecond: 0, edgeRequestsPerSecond: 0 });
    for (const fault of faults) {
      await admin(sandbox, '/faults', { ...fault, path: pathOf(fault.kind), times: null });
    }
    const random = randomFrom(seed);
    const trader = lane.trader(await bridge.begin(), random);
    for (let kill = 0; kill < kills; kill += 1) {
      if (kill > 0) await bridge.begin();
      await trader.logon(lane.port(bridge.info));
      const enough = trader.heard + 20 + Math.floor(random() * 200);
      trader.isTrading = true;
      trader.keepFlying();
      if (kill % standbyEvery === 1) await bridge.standBy();
      await trader.peer.until(() => trader.heard >= enough, patienceMs);
      bridge.kill();
      trader.isTrading = false;
      await trader.peer.cut();
    }
    await admin(sandbox, '/faults', undefined, 'DELETE');
    await bridge.begin();
    await trader.logon(lane.port(bridge.info));
    await trader.finish((orderId) => standing(sandbox, orderId));
    await lane.check(trader, bridge.info);
    await trader.peer.cut();
    return `${kills} kills, ${bridge.takeovers} of them taken over, ${await compared(sandbox, trader)}`;
  } finally {
    bridge.end();
    await sandbox.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function pathOf(kind: string): string | undefined {
  return kind.startsWith('frame') ? undefined : '/trading/actions';
}

/** What the demo says of itself. */
export interface BridgeInfo {
  readonly fix: { readonly port: number; readonly sessions: readonly DemoSession[] };
  readonly fixp: { readonly port: number; readonly sessions: readonly DemoFixpSession[] };
}

export class BridgeProcess {
  port = 0;
  takeovers = 0;
  #info: BridgeInfo | undefined;
  readonly #folder: string;
  readonly #sandbox: Sandbox;
  readonly #seed: number;
  #standby: RunProcess | undefined;
  #kill = () => {};

  constructor(folder: string, sandbox: Sandbox, seed: number) {
    this.#folder = folder;
    this.#sandbox = sandbox;
    this.#seed = seed;
  }

  /** Of the process that runs now. */
  get info(): BridgeInfo {
    if (this.#info === undefined) throw new Error('the bridge was not started');
    return this.#info;
  }

  /** Starts it and answers its first FIX session. */
  async start(): Promise<DemoSession> {
    const { fix } = await this.begin();
    const [session] = fix.sessions;
    if (session === undefined) throw new Error('the demo has no session');
    this.port = fix.port;
    return session;
  }

  /** Anew, or as a standby that takes over. */
  async begin(): Promise<BridgeInfo> {
    this.#info = await (this.#standby === undefined ? this.#demo() : this.#takeover(this.#standby));
    return this.#info;
  }

  /** From now on another process waits for the end of this one. */
  async standBy(): Promise<void> {
    const file = join(this.#folder, 'data/gateway.yaml');
    this.#standby = new RunProcess(file, ['--standby']);
    await this.#standby.says(/standing by/);
  }

  async #takeover(standby: RunProcess): Promise<BridgeInfo> {
    const { fix, fixp } = this.info;
    this.#kill = () => standby.signal('SIGKILL');
    this.#standby = undefined;
    const port = await standby.port();
    this.takeovers += 1;
    return { fix: { ...fix, port }, fixp: { ...fixp, port: await standby.fixpPort() } };
  }

  async #demo(): Promise<BridgeInfo> {
    const info = join(this.#folder, 'info.json');
    rmSync(info, { force: true });
    const args = ['demo', '--port', '0', '--info', info, '--data', join(this.#folder, 'data')];
    const venue = ['--venue', this.#sandbox.info.baseUrl, '--seed', String(this.#seed)];
    const child = spawn(process.execPath, [main, ...args, ...venue], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    this.#kill = () => child.kill('SIGKILL');
    while (!existsSync(info)) {
      if (child.exitCode !== null) throw new Error(`the bridge ended with ${child.exitCode}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return JSON.parse(readFileSync(info, 'utf8')) as BridgeInfo;
  }

  /** Nobody takes over. */
  end(): void {
    this.#standby?.signal('SIGKILL');
    this.#kill();
  }

  kill(): void {
    this.#kill();
  }
}

interface Told {
  readonly orderId: string;
  readonly status: string;
  readonly cumQty: string;
  readonly isRejected: boolean;
}

/** What a trader needs of its connection, whatever that speaks. */
export type TraderPeer = Pick<PlainFixPeer, 'cut' | 'send' | 'until'> & {
  logon(port: number, hear: (message: string) => void): Promise<void>;
};

/** Sends orders around the market and cancels some; remembers what it was told of each. */
export class Trader {
  readonly peer: TraderPeer;
  readonly told = new Map<string, Told>();
  readonly #execIds = new Set<string>();
  readonly #random: () => number;
  readonly #open = new Set<string>();
  readonly #asked = new Map<string, string>();
  /** Orders that rest and that nobody has asked to cancel, with their Side(54). */
  readonly #resting = new Map<string, string>();
  heard = 0;
  sent = 0;
  isTrading = false;

  constructor(peer: TraderPeer, random: () => number) {
    this.peer = peer;
    this.#random = random;
  }

  logon(port: number): Promise<void> {
    return this.peer.logon(port, (message) => this.#hear(message));
  }

  keepFlying(): void {
    if (!this.isTrading) return;
    while (this.#open.size < inFlight) this.#order();
    const [oldest] = this.#resting;
    if (this.#resting.size > inFlight / 2 && oldest !== undefined) this.#cancel(...oldest);
  }

  /** Cancels all that is left and waits until every order has ended; of one that does not, says what is known of it. */
  async finish(
    atVenue: (orderId: string | undefined) => Promise<string> = async () => 'not asked',
  ): Promise<void> {
    const cancel = () =>
      this.peer.send('q', [
        [11, `mass-${Date.now()}`],
        [530, '7'],
        [60, now()],
      ]);
    cancel();
    const timer = setInterval(cancel, 2_000);
    try {
      await this.peer.until(() => this.#open.size === 0, patienceMs);
    } catch (error) {
      const open: string[] = [];
      for (const id of this.#open) {
        const told = this.told.get(id);
        const standing = await atVenue(told?.orderId);
        open.push(`${id} told ${JSON.stringify(told ?? null)}, at the venue ${standing}`);
      }
      throw new Error(`${(error as Error).message}; open:\n${open.join('\n')}`);
    } finally {
      clearInterval(timer);
    }
  }

  #order(): void {
    this.sent += 1;
    const id = `o${this.sent}`;
    this.#open.add(id);
    const isBuy = this.#random() < 0.5;
    const away = Math.floor(this.#random() * 40) - 10;
    const price = 50_000 + (isBuy ? -away : away);
    this.peer.send('D', [
      [11, id],
      [55, 'BTC-USDC'],
      [54, isBuy ? '1' : '2'],
      [60, now()],
      [38, '0.001'],
      [40, '2'],
      [44, String(price)],
      [59, this.#random() < 0.2 ? '3' : '1'],
    ]);
  }

  #hear(message: string): void {
    this.heard += 1;
    const type = fieldOf(message, 35);
    const id = fieldOf(message, 11) ?? '';
    const about = this.#asked.get(id) ?? id;
    const status = fieldOf(message, 39) ?? '';
    if (type === '8') {
      const execId = fieldOf(message, 17) ?? '';
      if (execId !== '0' && this.#execIds.has(execId))
        throw new Error(`ExecID ${execId} came twice`);
      this.#execIds.add(execId);
      this.told.set(about, {
        orderId: fieldOf(message, 37) ?? '',
        status,
        cumQty: fieldOf(message, 14) ?? '',
        isRejected: fieldOf(message, 150) === '8',
      });
      if (fieldOf(message, 150) === '0') this.#resting.set(about, fieldOf(message, 54) ?? '');
    }
    // Of an order that was filled while its cancel was pending, the refusal of the cancel says that it has ended.
    if ((type === '8' || type === '9') && '248C'.includes(status)) {
      this.#open.delete(about);
      this.#resting.delete(about);
    }
    this.keepFlying();
  }

  #cancel(about: string, side: string): void {
    this.#resting.delete(about);
    const id = `c${this.#asked.size + 1}`;
    this.#asked.set(id, about);
    this.peer.send('F', [
      [41, about],
      [11, id],
      [55, 'BTC-USDC'],
      [54, side],
      [60, now()],
    ]);
  }
}

export function fixPeer(session: DemoSession): PlainFixPeer {
  const { senderCompId, targetCompId, username, password } = session;
  const logon = [
    [553, username],
    [554, password],
  ] as const;
  return new PlainFixPeer({ senderCompId, targetCompId, logon });
}

export interface LedgerOrder {
  readonly orderId: string;
  readonly account: string;
  readonly state: string;
  readonly filledQty: number;
}

async function standing(sandbox: Sandbox, orderId: string | undefined): Promise<string> {
  const order = (await ledger(sandbox)).find((one) => one.orderId === orderId);
  return JSON.stringify(order ?? null);
}

async function ledger(sandbox: Sandbox): Promise<readonly LedgerOrder[]> {
  const { orders } = (await admin(sandbox, '/ledger', undefined, 'GET')) as {
    orders: LedgerOrder[];
  };
  return orders;
}

async function compared(sandbox: Sandbox, trader: Trader): Promise<string> {
  const orders = await ledger(sandbox);
  const account = sandbox.info.accounts[0]?.account;
  const atVenue = new Map(
    orders.filter((order) => order.account === account).map((order) => [order.orderId, order]),
  );
  let fills = 0;
  for (const [id, { orderId, status, cumQty, isRejected }] of trader.told) {
    const order = atVenue.get(orderId);
    atVenue.delete(orderId);
    if (isRejected) {
      if (order !== undefined && order.state !== 'rejected') {
        throw new Error(`${id} was refused to the client, and is ${order.state} at the venue`);
      }
      continue;
    }
    if (order === undefined) throw new Error(`${id}: the venue has no order ${orderId}`);
    const atoms = Math.round(Number(cumQty) * 1e8);
    if (atoms !== order.filledQty) {
      throw new Error(`${id}: CumQty ${cumQty} (39=${status}), at the venue ${order.filledQty}`);
    }
    fills += atoms > 0 ? 1 : 0;
  }
  const doubled = [...atVenue.values()].filter(({ state }) => state !== 'rejected');
  if (doubled.length > 0) throw new Error(`${doubled.length} orders that nobody was told of`);
  if (trader.told.size !== trader.sent) {
    throw new Error(`${trader.sent} orders sent, ${trader.told.size} heard of`);
  }
  return `${trader.sent} orders, ${fills} filled in part or whole: 0 lost, 0 doubled, 0 falsely refused`;
}

export async function admin(
  { info }: Sandbox,
  path: string,
  body?: object,
  method = 'POST',
): Promise<unknown> {
  const answer = await fetch(`${info.adminUrl}${path}`, {
    method,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: HTTP ${answer.status} ${text}`);
  return text === '' ? undefined : JSON.parse(text);
}

function now(): string {
  return new Date().toISOString().replaceAll('-', '').replace('T', '-').slice(0, 21);
}

export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
