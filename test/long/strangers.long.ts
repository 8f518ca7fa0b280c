/**
 * Strangers do all that they can at once: thousands of connections that say nothing, wrong logons from as many
 * addresses, and a console whose connections one address takes, against a bridge with 1,024 descriptors and passwords at
 * their full cost. A client that is logged on keeps its latency, others log on, operators get in, no alarm is lost and
 * the memory comes back.
 *
 * The latency is compared with what the same client has of the same bridge while the same strangers are at another
 * bridge, its neighbour. Strangers, client, venue and both bridges share the cores of one machine with whoever else is
 * at work on it; against a quiet moment, how few they are would be measured. Turns alternate and each pair gives one
 * ratio, so what comes and goes on the machine meets both. The strangers have a low priority: elsewhere they have cores
 * of their own. What they cost the thread that trades has a bound as well, in its CPU time, which no other process changes.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type IncomingHttpHeaders, request } from 'node:http';
import { constants, setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { demoOperator, demoSessions, writeDemoFiles } from '../../src/cli/demo-files.ts';
import { hashSecret } from '../../src/gateway/passwords/secret-hash.ts';
import { startSandbox } from '../../src/sandbox/server.ts';
import { FixPeer } from '../support/fix-peer.ts';
import { quickProfile } from '../support/quick-files.ts';
import { RunProcess } from '../support/run-process.ts';
import type { LongRun } from './main.ts';

const descriptors = 1_024;
/** Of each round: clients who were not here since the start. */
const newcomers = 2;
const small = { halfOpen: 750, logons: 90, seconds: 3, rounds: 5 };
const full = { halfOpen: 5_000, logons: 1_200, seconds: 30, rounds: 3 };
const password = 'a password at its full cost';
const maxTimes = 3;
/** Of a core, for the thread that trades; without strangers it takes a tenth of one. */
const maxWork = 0.6;
/** A machine where one of them takes longer with strangers at another bridge may take `maxTimes` as long here. */
const within = [
  { what: 'a first logon', name: 'logonsMs', ms: 2_000 },
  { what: 'health', name: 'healthMs', ms: 1_000 },
  { what: 'the kill switch', name: 'killsMs', ms: 1_000 },
] as const;
const askApartMs = 5;
const mebibyte = 1024;
const memoryWithinMs = 120_000;
const memorySlackMb = 32;

type Size = typeof small;

interface Stand {
  readonly bridge: RunProcess;
  readonly fixPort: number;
  readonly url: string;
  close(): Promise<void>;
}

/** What a client got for some time, and what the thread that trades had of a core. */
interface Service {
  readonly p99Ms: number;
  readonly work: number;
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

export async function run({ short, seed }: LongRun): Promise<string> {
  const size = short ? small : full;
  const stand = await open(seed, size);
  try {
    const neighbour = await open(seed, size);
    try {
      return await measure(stand, neighbour, seed, size);
    } finally {
      await neighbour.close();
    }
  } finally {
    await stand.close();
  }
}

/** A bridge in a process of its own, and its venue. */
async function open(seed: number, size: Size): Promise<Stand> {
  const folder = mkdtempSync(join(tmpdir(), 'causeway-strangers-'));
  const sandbox = await startSandbox({ seed, makers: false });
  const more = 2 * size.rounds * newcomers + 1;
  const bridge = RunProcess.within(
    descriptors,
    await writeConfig(folder, seed, sandbox.info, more),
  );
  const close = async () => {
    await bridge.kill();
    await sandbox.stop();
    rmSync(folder, { recursive: true });
  };
  const fixPort = await bridge.port();
  const url = await bridge.says(/console on (http:\/\/[\d.:]+)/);
  return { bridge, fixPort, url, close };
}

async function measure(stand: Stand, neighbour: Stand, seed: number, size: Size): Promise<string> {
  const { bridge, fixPort, url } = stand;
  const operator = await logIn(url, seed);
  const [charlie] = demoSessions(seed).slice(2);
  if (charlie === undefined) throw new Error('the demo has no third session');
  const client = await FixPeer.connect(fixPort, charlie);
  await client.logon();
  await newLogons(fixPort, seed, 0, [2 * size.rounds * newcomers]);
  await operator.kill('NEW0');
  const firstAlarm = (await operator.alarms()).at(-1);
  // Small attacks first: what is compiled and allocated once is there before anything is measured.
  for (const each of [stand, neighbour, stand]) await attack(each, small);
  const quiet = await service(client, bridge, pause(small.seconds * 1_000));
  let baseMb = 0;
  const rounds: {
    readonly elsewhere: Awaited<ReturnType<typeof attacked>>;
    readonly here: Awaited<ReturnType<typeof attacked>>;
  }[] = [];
  for (let round = 0; round < size.rounds; round += 1) {
    const watch = { stand, seed, size, client, operator };
    const elsewhere = await attacked(neighbour, { ...watch, newcomer: 2 * newcomers * round });
    // One whole attack is over: what the process keeps once it has seen so many connections is there.
    if (round === 1) baseMb = await collectedMb(bridge);
    const newcomer = 2 * newcomers * round + newcomers;
    rounds.push({ elsewhere, here: await attacked(stand, { ...watch, newcomer }) });
  }
  client.hangUp();

  const heres = rounds.map(({ here }) => here);
  const elsewheres = rounds.map(({ elsewhere }) => elsewhere);
  const times = middle(rounds.map(({ elsewhere, here }) => here.p99Ms / elsewhere.p99Ms));
  const waits = within.map(({ ms, name, what }) => {
    const [here, elsewhere] = [heres, elsewheres].map((all) => all.flatMap((one) => one[name]));
    const [maxMs, otherMs] = [Math.max(...(here ?? [])), Math.max(...(elsewhere ?? []))];
    return { what, maxMs, otherMs, isTooLong: maxMs > Math.max(ms, maxTimes * otherMs) };
  });
  const peakMb = Math.max(...heres.map((one) => one.peakMb));
  const said = [
    `${rounds.length} times ${heres.at(-1)?.sent} in ${size.seconds} s`,
    `p99 of a client ${shown([quiet])} without strangers, ${shown(elsewheres)} with strangers at another bridge, ${shown(heres)} with them here, which is ${times.toFixed(1)} times`,
    ...waits.map(
      ({ maxMs, otherMs, what }) => `${what} ${otherMs} ms at most there and ${maxMs} ms here`,
    ),
  ];
  const alarms = await operator.alarms();
  const came = heres.map(({ sent }) => JSON.parse(sent) as Size);
  const areAllHere = came.every(
    ({ halfOpen, logons }) => halfOpen === size.halfOpen && logons === size.logons,
  );
  const faults = [
    ...(areAllHere ? [] : ['not all strangers came']),
    ...(middle(heres.map(({ work }) => work)) > maxWork ? ['strangers keep the bridge busy'] : []),
    ...(times > maxTimes ? [`the p99 rose ${times.toFixed(1)} times`] : []),
    ...waits.filter(({ isTooLong }) => isTooLong).map(({ what }) => `${what} took too long`),
    ...(alarms.some((text) => text === firstAlarm) ? [] : ['an alarm was pushed out']),
  ];
  const endMb = await settled(bridge, baseMb + memorySlackMb);
  said.push(`memory ${baseMb} MB before, ${peakMb} MB at most, ${endMb} MB after`);
  if (endMb > baseMb + memorySlackMb) faults.push('the memory did not come back');
  const figures = said.join('; ');
  if (faults.length > 0) throw new Error(`${faults.join(', ')}: ${figures}`);
  return figures;
}

/** Of the addresses of wrong logons: each attack comes from networks that have not guessed yet. */
let block = 40;

/** Strangers, in a process of their own; resolves with what they have done. */
async function attack({ fixPort, url }: Stand, size: Size): Promise<string> {
  const consolePort = Number(new URL(url).port);
  block += 1;
  const words = [
    join(import.meta.dirname, 'strangers-load.ts'),
    JSON.stringify({ ...size, block, fixPort, consolePort }),
  ];
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] });
  setPriority(child.pid ?? 0, constants.priority.PRIORITY_LOW);
  const [said] = await once(child.stdout, 'data');
  return String(said).trim();
}

interface Watch {
  readonly stand: Stand;
  readonly seed: number;
  readonly size: Size;
  readonly newcomer: number;
  readonly client: FixPeer;
  readonly operator: { kill(session: string): Promise<void> };
}

/** What the bridge of `stand` did while strangers were at `target`. */
async function attacked(target: Stand, { client, newcomer, operator, seed, size, stand }: Watch) {
  const { bridge, fixPort, url } = stand;
  const isOver = attack(target, size);
  let peakMb = 0;
  const watch = setInterval(() => {
    peakMb = Math.max(peakMb, residentMb(bridge.pid));
  }, 200);
  const apartMs = (size.seconds * 1_000) / (newcomers + 1);
  const which = Array.from({ length: newcomers }, (_, i) => newcomer + i);
  try {
    const [served, logonsMs, healthMs, killsMs, sent] = await Promise.all([
      service(client, bridge, isOver),
      newLogons(fixPort, seed, apartMs, which),
      repeated(size.seconds * 4, 250, () => health(url)),
      repeated(size.seconds, 1_000, () => operator.kill('NEW0')),
      isOver,
    ]);
    return { ...served, logonsMs, healthMs, killsMs, sent, peakMb };
  } finally {
    clearInterval(watch);
  }
}

/** A demo with a console and some more clients, whose passwords cost what new ones do. */
async function writeConfig(
  folder: string,
  seed: number,
  venue: Awaited<ReturnType<typeof startSandbox>>['info'],
  more: number,
): Promise<string> {
  const file = await writeDemoFiles({
    directory: folder,
    seed,
    fixHost: '127.0.0.1',
    fixPort: 0,
    consolePort: 0,
    venueUrl: venue.baseUrl,
    profileFile: quickProfile(folder),
    accounts: venue.accounts,
    cancelOnDisconnect: false,
  });
  const config = parse(readFileSync(file, 'utf8')) as { users: object[]; sessions: object[] };
  const hash = hashSecret(password);
  for (const name of ['alpha', 'bravo', 'new']) {
    writeFileSync(join(folder, `secrets/${name}.hash`), `${hash}\n`, { mode: 0o600 });
  }
  for (let i = 0; i < more; i += 1) {
    config.users.push({ name: `new${i}`, secretHashFile: 'secrets/new.hash' });
    config.sessions.push({ ...config.sessions[0], senderCompId: `NEW${i}`, users: [`new${i}`] });
  }
  writeFileSync(file, stringify(config));
  return file;
}

/** TestRequests one after the other until it is over, each answered before the next. */
async function service(
  client: FixPeer,
  { pid }: RunProcess,
  isOver: Promise<unknown>,
): Promise<Service> {
  const found: number[] = [];
  const [beginMs, begunCpuMs] = [performance.now(), mainThreadMs(pid)];
  let isDone = false;
  void isOver.finally(() => {
    isDone = true;
  });
  while (!isDone) {
    const startMs = performance.now();
    const id = `${block}-${found.length}`;
    client.say(`1|112=${id}`);
    await client.next((message) => message.includes(`|112=${id}|`));
    found.push(performance.now() - startMs);
    await pause(askApartMs);
  }
  const work = (mainThreadMs(pid) - begunCpuMs) / (performance.now() - beginMs);
  return { p99Ms: found.sort((a, b) => a - b)[Math.floor(found.length * 0.99)] ?? 0, work };
}

/** What the thread that trades had of a core so far; the kernel counts it in nanoseconds. */
function mainThreadMs(pid: number): number {
  const [ranNs = ''] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ');
  return Number(ranNs) / 1e6;
}

function middle(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;
}

function shown(services: readonly Service[]): string {
  const cores = middle(services.map(({ work }) => work)).toFixed(2);
  return `${services.map(({ p99Ms }) => p99Ms.toFixed(1)).join(' ')} ms (${cores} of a core)`;
}

/** Clients with the right password who were not here since the start, one after the other. */
async function newLogons(
  port: number,
  seed: number,
  apartMs: number,
  which: readonly number[],
): Promise<number[]> {
  const [session] = demoSessions(seed);
  if (session === undefined) throw new Error('the demo has no session');
  const found: number[] = [];
  for (const i of which) {
    await pause(apartMs);
    const startMs = performance.now();
    const peer = await FixPeer.connect(port, {
      ...session,
      senderCompId: `NEW${i}`,
      username: `new${i}`,
      password,
    });
    const answer = await peer.logon();
    if (!answer.includes('|35=A|')) throw new Error(`NEW${i} heard ${answer}`);
    found.push(Math.round(performance.now() - startMs));
    peer.hangUp();
  }
  return found;
}

async function repeated(
  times: number,
  apartMs: number,
  call: () => Promise<void>,
): Promise<number[]> {
  const found: number[] = [];
  for (let i = 0; i < times; i += 1) {
    const startMs = performance.now();
    await call();
    const tookMs = performance.now() - startMs;
    found.push(Math.round(tookMs));
    await pause(Math.max(0, apartMs - tookMs));
  }
  return found;
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** On a connection of its own, as a health check or an operator who opens the page. */
function asked(
  url: string,
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body?: object,
): Promise<Answer> {
  const sent = request(`${url}${path}`, { method, headers, agent: false });
  sent.end(body && JSON.stringify(body));
  return new Promise((resolve, reject) => {
    sent.once('error', reject);
    sent.once('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
      });
      response.once('error', reject);
      response.once('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
      );
    });
  });
}

async function health(url: string): Promise<void> {
  const { status } = await asked(url, 'GET', '/healthz');
  if (status !== 200) throw new Error(`health: ${status}`);
}

async function logIn(url: string, seed: number) {
  const json = { origin: url, 'content-type': 'application/json' };
  const login = await asked(url, 'POST', '/api/login', json, demoOperator(seed));
  const cookie = login.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
  const me = await asked(url, 'GET', '/api/me', { cookie });
  const { csrf } = JSON.parse(me.text) as { csrf: string };
  const act = async (what: object) => {
    const headers = { ...json, cookie, 'x-causeway-csrf': csrf };
    const { status, text } = await asked(url, 'POST', '/api/act', headers, what);
    if (status !== 200) throw new Error(`act: ${status} ${text}`);
  };
  return {
    async kill(session: string) {
      const scope = { kind: 'session', name: `FIX.4.4:CAUSEWAY/->${session}/` };
      await act({ act: 'kill', scope, why: 'long run', confirm: 'KILL' });
      await act({ act: 'release', scope, why: 'long run' });
    },
    async alarms(): Promise<string[]> {
      const { text } = await asked(url, 'GET', '/api/alarms?level=alarm', { cookie });
      return (JSON.parse(text) as { text: string }[]).map((one) => one.text);
    },
  };
}

function residentMb(pid: number): number {
  const [, kib] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Math.round(Number(kib) / mebibyte);
}

/**
 * The memory without what is garbage, which a process that has nothing to do does not collect. It is collected through
 * the inspector that Node.js opens at a signal, so that the program under test is the one that operators run.
 */
async function collectedMb(bridge: RunProcess): Promise<number> {
  bridge.signal('SIGUSR1');
  const inspector = new WebSocket(await bridge.says(/Debugger listening on (ws:\S+)/));
  await once(inspector, 'open');
  inspector.send(JSON.stringify({ id: 1, method: 'HeapProfiler.collectGarbage' }));
  await once(inspector, 'message');
  inspector.close();
  await once(inspector, 'close');
  return residentMb(bridge.pid);
}

/** The memory once it is below the bound, or when it has had its time. */
async function settled(bridge: RunProcess, boundMb: number): Promise<number> {
  const endMs = Date.now() + memoryWithinMs;
  let mb = await collectedMb(bridge);
  while (mb > boundMb && Date.now() < endMs) {
    await pause(2_000);
    mb = await collectedMb(bridge);
  }
  return mb;
}
