/**
 * The whole bridge against a bare loop of the same libraries, both in a process of their own, with the same clients and
 * the same venue that only fills: what it adds to an order on its way out, to an event on its way back, and how many it
 * carries. The two take turns, so that the machine's noise hits both.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  fdatasyncSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { demoSessions, writeDemoFiles } from '../src/cli/demo-files.ts';
import { hopNames, hopTexts } from '../src/gateway/account/hops.ts';
import { BenchClient } from './bridge/client.ts';
import { profileFile } from './bridge/profile-file.ts';
import { SinkVenue } from './bridge/sink-venue.ts';
import type { Row } from './main.ts';
import { median } from './median.ts';

const seed = 1;
/** One process of the same program differs from the next by a tenth, so there are several of each. */
const launches = { whole: 3, quick: 1 };
const rounds = 5;
/** What the bare loop does on this kind of machine when it has its two cores for itself. */
const usualPerSecond = 5_000;
/** Below this part of it others have the cores, and a ratio says more of them than of the bridge. */
const starvedBelow = 0.5;
/** Until the compiler has seen everything, with many orders under way and with one: a bridge runs for weeks. */
const ordersBefore = 20_000;
const roundsBefore = 15;
const ordersAlone = 300;
const ordersTogether = 2_000;
const inFlight = 32;
/** Beside those of the bridges before it: a bridge that starts must have read all of them before it takes an order. */
const eventsBehind = 100_000;
const sessionCount = 200;
/** Such as --cpu-prof, to see where the bridge spends its time. */
const { BRIDGE_NODE_OPTIONS = '' } = process.env;
const nodeOptions = BRIDGE_NODE_OPTIONS.split(' ').filter((word) => word !== '');
const [user] = demoSessions(seed);

export interface Server {
  readonly port: number;
  readonly fixpPort?: number;
  readonly child: ChildProcess;
}

/** What the bridge and the bare loop say when they are asked; the times are of the orders since it was asked before. */
export interface Said {
  readonly heapBytes: number;
  readonly rssBytes: number;
  /** Of all threads, since the process began. */
  readonly cpuUs: number;
  readonly hopsUs: readonly (readonly [hop: string, p50Us: number])[];
}

/** A client of any protocol. */
export type OrderSender = Pick<BenchClient, 'onFill' | 'order'>;

interface Latency {
  readonly outUs: number;
  readonly backUs: number;
}

interface Rate {
  readonly perSecond: number;
  readonly cpuUs: number;
}

export async function run({ isQuick }: { readonly isQuick: boolean }): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'causeway-bridge-bench-'));
  const venue = await SinkVenue.start(seed);
  const servers: Server[] = [];
  const opened = async (server: Promise<Server>) => {
    servers.push(await server);
    return server;
  };
  try {
    const measured = noMeasures();
    for (let launch = 0; launch < launches[isQuick ? 'quick' : 'whole']; launch += 1) {
      const bare = await opened(start('bare-process.ts', venue.baseUrl));
      const bridge = await opened(startBridge(venue, folder, { accounts: ['desk-a'] }));
      const power = await opened(
        startBridge(venue, folder, { durability: 'power', accounts: ['desk-b'] }),
      );
      measured.syncsUs.push(...syncs(folder));
      await compare(venue, { bare, bridge, power }, measured);
      for (const { child } of [bare, bridge, power]) await stop(child);
    }
    const rows = comparison(measured);
    // Last, because a bridge that starts reads all that those before it did on its account.
    const batches = await opened(startBridge(venue, folder, { profile: batchProfile(folder) }));
    const bare = await opened(start('bare-process.ts', venue.baseUrl));
    rows.push(await batched(batches, bare));
    for (const { child } of [batches, bare]) await stop(child);
    if (!isQuick) {
      for (const { account } of venue.sandbox.info.accounts.slice(0, 2)) {
        venue.addOthers(account, eventsBehind / 2);
      }
      const beganMs = performance.now();
      const many = await opened(startBridge(venue, folder, { sessions: sessionCount }));
      rows.push(startRow(performance.now() - beganMs, await ask(many)));
      rows.push(...(await paced(venue, many)));
    }
    return judged(rows, median(measured.rates.bare.map(({ perSecond }) => perSecond)));
  } finally {
    for (const { child } of servers) await stop(child);
    await venue.stop();
    rmSync(folder, { recursive: true });
  }
}

/** Where others have the machine's cores nothing is judged. */
function judged(rows: readonly Row[], barePerSecond: number): Row[] {
  if (barePerSecond >= starvedBelow * usualPerSecond) return [...rows];
  const value = `${barePerSecond.toFixed(0)} orders a second, usually ${usualPerSecond}`;
  const told = { name: 'NOT JUDGED: the bare loop is far below its usual rate', value };
  return [told, ...rows.map(({ demand: _, ...row }) => row)];
}

/** What the disk alone takes to keep as much as an order's record. */
function syncs(folder: string): number[] {
  const file = openSync(join(folder, 'sync'), 'w');
  const record = Buffer.alloc(1_024, 1);
  const times = Array.from({ length: ordersAlone }, () => {
    const beganMs = performance.now();
    writeSync(file, record);
    fdatasyncSync(file);
    return (performance.now() - beganMs) * 1000;
  });
  closeSync(file);
  return times;
}

/** The bare loop has the bridge's settings of the engine. */
type Compared = 'bare' | 'bridge' | 'power';

/** Of all rounds, whichever process they were in. */
interface Measures {
  readonly latencies: Record<Compared, Latency[]>;
  readonly rates: Record<Exclude<Compared, 'power'>, Rate[]>;
  readonly hops: Record<Compared, Said['hopsUs'][]>;
  readonly syncsUs: number[];
}

function noMeasures(): Measures {
  return {
    latencies: { bare: [], bridge: [], power: [] },
    rates: { bare: [], bridge: [] },
    hops: { bare: [], bridge: [], power: [] },
    syncsUs: [],
  };
}

const names = ['bare', 'bridge', 'power'] as const;

async function compare(
  venue: SinkVenue,
  servers: Readonly<Record<Compared, Server>>,
  { latencies, rates, hops }: Measures,
): Promise<void> {
  const clients = {
    bare: await logon(servers.bare),
    bridge: await logon(servers.bridge),
    power: await logon(servers.power),
  };
  for (const client of Object.values(clients)) {
    await together(client, ordersBefore);
    for (let round = 0; round < roundsBefore; round += 1) await alone(venue, client);
  }
  for (let round = 0; round < rounds; round += 1) {
    await Promise.all(names.map((name) => ask(servers[name])));
    for (const name of inTurns(names, round)) {
      latencies[name].push(await alone(venue, clients[name]));
    }
    for (const name of names) {
      hops[name].push((await ask(servers[name])).hopsUs);
    }
    for (const name of inTurns(['bare', 'bridge'] as const, round)) {
      rates[name].push(await loaded(servers[name], clients[name]));
    }
  }
  for (const client of Object.values(clients)) client.close();
}

/** Who is first and whom one follows makes a difference, so rounds go either way and begin with another. */
function inTurns<T>(names: readonly T[], round: number): readonly T[] {
  const way = round % 2 === 0 ? names : names.toReversed();
  const first = round % way.length;
  return [...way.slice(first), ...way.slice(0, first)];
}

function comparison({ latencies, rates, hops, syncsUs }: Measures): Row[] {
  const out = (name: Compared) => median(latencies[name].map(({ outUs }) => outUs));
  const back = (name: Compared) => median(latencies[name].map(({ backUs }) => backUs));
  const rate = (name: keyof Measures['rates']) =>
    median(rates[name].map(({ perSecond }) => perSecond));
  const cpu = (name: keyof Measures['rates']) => median(rates[name].map(({ cpuUs }) => cpuUs));
  const inbound = (name: Compared) => median(hops[name].map((said) => hopOf(said, 'inbound')));
  const moreUs = out('power') - out('bridge');
  const syncUs = median(syncsUs);
  return [
    atMost('FIX bytes in to HTTP bytes out, p50, durability process', out, ' µs', 1.4),
    {
      name: 'the same with durability power: µs more, over a bare sync and 50 µs',
      value: `${moreUs.toFixed(0)} to ${syncUs.toFixed(0)} + 50 µs`,
      ratio: moreUs / (syncUs + 50),
      demand: 1,
      atLeast: false,
    },
    atMost('event to report, p50', back, ' µs', 1.4),
    atMost('the bridge itself: from bytes read to request written, p50', inbound, ' µs', 2),
    atMost(`processor time of an order, all threads, ${inFlight} in flight`, cpu, ' µs', 1.6),
    {
      name: `orders a second, ${inFlight} in flight, against the bare loop`,
      value: `${rate('bridge').toFixed(0)} to ${rate('bare').toFixed(0)}`,
      ratio: rate('bridge') / rate('bare'),
      demand: 0.85,
    },
    ...hopRows(hops.bridge, hops.power),
  ];
}

function hopOf(hops: Said['hopsUs'], hop: string): number {
  return hops.find(([name]) => name === hop)?.[1] ?? 0;
}

function atMost(
  name: string,
  of: (name: 'bridge' | 'bare') => number,
  unit: string,
  demand: number,
): Row {
  const [ours, bare] = [of('bridge'), of('bare')];
  const value = `${ours.toFixed(0)} to ${bare.toFixed(0)}${unit}`;
  return { name, value, ratio: ours / bare, demand, atLeast: false };
}

/** Many orders in one request, where the venue takes that: the bridge's own means, which the bare loop has not. */
async function batched(batches: Server, bare: Server): Promise<Row> {
  const [batch, single] = [await logon(batches), await logon(bare)];
  await together(batch, ordersBefore);
  const rates = { batch: [] as number[], single: [] as number[] };
  for (let round = 0; round < rounds; round += 1) {
    rates.single.push(await together(single, ordersTogether));
    rates.batch.push(await together(batch, ordersTogether));
  }
  batch.close();
  single.close();
  const [ours, theirs] = [median(rates.batch), median(rates.single)];
  return {
    name: `orders a second, ${inFlight} in flight, in batches (lane jsonBatch), against the bare loop one by one`,
    value: `${ours.toFixed(0)} to ${theirs.toFixed(0)}`,
    ratio: ours / theirs,
    demand: 1.2,
  };
}

function batchProfile(folder: string): string {
  const file = join(folder, 'batches.yaml');
  const profile = parse(readFileSync(profileFile, 'utf8'));
  const lanes = { ...profile.lanes, order: ['jsonBatch', 'actions'] };
  writeFileSync(file, stringify({ ...profile, lanes }, { aliasDuplicateObjects: false }));
  return file;
}

/** The processor time says what an order takes where the machine gives its time to others, too. */
async function loaded(server: Server, client: OrderSender): Promise<Rate> {
  const before = await ask(server);
  const perSecond = await together(client, ordersTogether);
  const after = await ask(server);
  return { perSecond, cpuUs: (after.cpuUs - before.cpuUs) / ordersTogether };
}

/** Where the time of one order goes, one order at a time. */
function hopRows(process: Said['hopsUs'][], power: Said['hopsUs'][]): Row[] {
  const medianOf = (said: Said['hopsUs'][], hop: string) =>
    median(said.map((hops) => hopOf(hops, hop))).toFixed(0);
  return hopNames.map((hop) => ({
    name: `hop, p50: ${hopTexts[hop]}`,
    value: `${medianOf(process, hop)} µs, power ${medianOf(power, hop)} µs`,
  }));
}

/** One order at a time. */
export async function alone(venue: SinkVenue, client: OrderSender): Promise<Latency> {
  const orders: Latency[] = [];
  for (let i = 0; i < ordersAlone; i += 1) orders.push(await oneOrder(venue, client));
  return {
    outUs: median(orders.map(({ outUs }) => outUs)),
    backUs: median(orders.map(({ backUs }) => backUs)),
  };
}

/** From the client to the venue, and from the venue's event to the client. */
export async function oneOrder(venue: SinkVenue, client: OrderSender): Promise<Latency> {
  const filled = new Promise<void>((resolve) => {
    client.onFill = resolve;
  });
  const sentMs = performance.now();
  client.order();
  await filled;
  const backUs = (performance.now() - venue.toldMs) * 1000;
  return { outUs: (venue.arrivedMs - sentMs) * 1000, backUs };
}

export async function together(client: OrderSender, orders: number): Promise<number> {
  const beganMs = performance.now();
  let sent = inFlight;
  let open = orders;
  await new Promise<void>((resolve) => {
    client.onFill = () => {
      open -= 1;
      if (open === 0) resolve();
      if (sent < orders) client.order();
      sent += 1;
    };
    for (let i = 0; i < inFlight; i += 1) client.order();
  });
  return (orders * 1000) / (performance.now() - beganMs);
}

function startRow(tookMs: number, { cpuUs }: Said): Row {
  const value = `${(tookMs / 1000).toFixed(1)} s, ${(cpuUs / 1e6).toFixed(1)} s of processor time`;
  return { name: `a start behind ${eventsBehind} and more events of other programs`, value };
}

/** 1,000 orders a second over many sessions, none lost. */
async function paced(venue: SinkVenue, server: Server): Promise<Row[]> {
  const clients: BenchClient[] = [];
  for (let i = 0; i < sessionCount; i += 1) clients.push(await logon(server, `CLIENT${i}`));
  const before = venue.orders;
  const seconds = 10;
  const { orders, tookMs } = await pace(clients, 1_000, seconds);
  const filled = clients.reduce((sum, one) => sum + one.filled, 0);
  for (const client of clients) client.close();
  const refused = clients.reduce((sum, one) => sum + one.refused, 0);
  const lost = orders - filled - refused;
  const name = `${sessionCount} sessions, 1,000 orders a second for ${seconds} s`;
  return [
    {
      name: `${name}: filled of sent`,
      value: `${venue.orders - before} at the venue, ${refused} refused, ${lost} lost`,
      ratio: filled / orders,
      demand: 1,
    },
    {
      name: `${name}: all answered after, of the time of sending`,
      value: `${(tookMs / 1000).toFixed(1)} s`,
      ratio: tookMs / 1000 / seconds,
      demand: 1.05,
      atLeast: false,
    },
  ];
}

const tickMs = 10;

/** An order that the venue may or may not have is open until its time at the venue is over, and a while more. */
const openAtMostMs = 60_000;

/** Sends at the rate, whatever comes back, and then waits until all is answered. */
export async function pace(
  clients: readonly BenchClient[],
  perSecond: number,
  seconds: number,
): Promise<{ readonly orders: number; readonly tookMs: number }> {
  const beganMs = performance.now();
  const orders = perSecond * seconds;
  const answered = () => clients.reduce((sum, one) => sum + one.filled + one.refused, 0);
  const already = answered();
  let sent = 0;
  const endMs = beganMs + seconds * 2_000 + openAtMostMs;
  while (answered() - already < orders && performance.now() < endMs) {
    const due = Math.min(orders, ((performance.now() - beganMs) * perSecond) / 1000);
    for (; sent < due; sent += 1) clients[sent % clients.length]?.order();
    await new Promise((resolve) => setTimeout(resolve, tickMs));
  }
  return { orders, tookMs: performance.now() - beganMs };
}

export function logon({ port }: Server, compId = 'CLIENT0'): Promise<BenchClient> {
  return BenchClient.logon(port, compId, user?.password ?? '');
}

export async function start(file: string, ...words: string[]): Promise<Server> {
  const child = fork(join(import.meta.dirname, 'bridge', file), words, {
    execArgv: ['--expose-gc', ...nodeOptions],
  });
  const ports = await new Promise<Pick<Server, 'port' | 'fixpPort'>>((resolve, reject) => {
    child.once('message', (said) => resolve(said as Pick<Server, 'port' | 'fixpPort'>));
    child.once('exit', (code) => reject(new Error(`${file} ended with ${code}`)));
  });
  return { ...ports, child };
}

export async function ask(
  { child }: Server,
  word: 'say' | 'collect and say' = 'say',
): Promise<Said> {
  const answer = once(child, 'message');
  child.send(word);
  const [said] = await answer;
  return said as Said;
}

export async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const exited = once(child, 'exit');
  child.disconnect();
  await exited;
}

export interface BridgeMake {
  readonly durability?: 'process' | 'power';
  readonly sessions?: number;
  readonly readers?: number;
  readonly profile?: string;
  /** A bridge hears all that happens on its accounts, so two that are compared have different ones. */
  readonly accounts?: readonly string[];
}

export async function startBridge(
  venue: SinkVenue,
  folder: string,
  make: BridgeMake = {},
): Promise<Server> {
  return start('gateway-process.ts', await bridgeFile(venue, folder, make));
}

/**
 * As an operator would configure it, with a signer inside and the reports that the bare loop has too; and with readers
 * of drop copies, where they are what is measured.
 */
export async function bridgeFile(
  venue: SinkVenue,
  folder: string,
  {
    durability = 'process',
    sessions = 1,
    readers = 0,
    profile = profileFile,
    accounts = ['desk-a', 'desk-b'],
  }: BridgeMake,
): Promise<string> {
  const directory = mkdtempSync(join(folder, `${durability}-`));
  const file = await writeDemoFiles({
    directory,
    seed,
    fixHost: '127.0.0.1',
    fixPort: 0,
    venueUrl: venue.baseUrl,
    profileFile: profile,
    accounts: venue.sandbox.info.accounts,
    cancelOnDisconnect: false,
  });
  const config = parse(readFileSync(file, 'utf8'));
  const signerFile = join(directory, 'signer.yaml');
  const signer = parse(readFileSync(signerFile, 'utf8'));
  // The signer's own limit is not what is measured.
  const unlimited = { placementsPerSecond: 1_000_000, burst: 1_000_000 };
  const keys = signer.keys.map((key: { readonly policy: object }) => ({
    ...key,
    policy: { ...key.policy, ...unlimited },
  }));
  writeFileSync(signerFile, stringify({ ...signer, durability, keys }));
  const [like] = config.sessions;
  const names = Array.from({ length: sessions }, (_, i) => `CLIENT${i}`);
  const readerNames = Array.from({ length: readers }, (_, i) => `READER${i}`);
  writeFileSync(
    file,
    stringify(
      {
        ...config,
        durability,
        signer: { mode: 'inline', configFile: 'signer.yaml' },
        accounts: config.accounts.filter(({ name }: { name: string }) => accounts.includes(name)),
        profiles: { bench: { pending: 'reduced' } },
        users: [...names, ...readerNames].map((name) => ({
          name: name.toLowerCase(),
          secretHashFile: 'secrets/alpha.hash',
        })),
        sessions: [...names, ...readerNames].map((name, i) => ({
          ...like,
          senderCompId: name,
          role: i < sessions ? 'order-entry' : 'drop-copy',
          profile: 'bench',
          users: [name.toLowerCase()],
          accounts: [i < sessions ? accounts[i % accounts.length] : accounts[0]],
        })),
      },
      { aliasDuplicateObjects: false },
    ),
  );
  return file;
}
