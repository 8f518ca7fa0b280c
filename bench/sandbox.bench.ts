/**
 * Actions a second over real HTTP with every signature checked, client and sandbox on the same two cores: the client
 * only plays requests that were signed before, and the first of them are not counted, because a sandbox that has just
 * started is compiled meanwhile. Demand: 5,000 a second (docs/SANDBOX.md).
 */
import { createHmac } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import { systemClock } from '../src/runtime/clock.ts';
import { type Sandbox, startSandbox } from '../src/sandbox/server.ts';
import { fastestBlake3 } from '../src/signer/blake3.ts';
import { openEcdsa } from '../src/signer/ecdsa.ts';
import type { Row } from './main.ts';

const demand = 5000;
const path = '/api/v1/trading/actions';
const accounts = 32;
const warmUpEach = 250;
const eachAccount = 750;
const depth = 16;

export async function run(): Promise<Row[]> {
  const sandbox = await startSandbox({ seed: 1, accounts });
  try {
    sandbox.venue.state.setLimits({ actionsPerSecond: 0, edgeRequestsPerSecond: 0 });
    const requests = await signedRequests(sandbox);
    const { name } = sandbox.venue.ecdsa;
    const warmUp = warmUpEach * accounts;
    await play(sandbox, requests.slice(0, warmUp));
    const single = await play(sandbox, requests.slice(warmUp));
    const batches = await play(sandbox, await signedBatches(sandbox));
    const batched = accounts * batchesEach * batchSize;
    return [
      ...rows(
        `single actions over HTTP, ${name} signature checks`,
        single,
        requests.length - warmUp,
      ),
      ...rows(`batches of ${batchSize} over HTTP`, batches, batched),
    ];
  } finally {
    await sandbox.stop();
  }
}

/** The second row is what one core of the sandbox gives when nobody else wants it. */
function rows(name: string, { cpuMs, elapsedMs }: Played, count: number): Row[] {
  return [
    [name, elapsedMs],
    ['  by the CPU time of the sandbox alone', cpuMs],
  ].map(([what, ms]) => {
    const perSecond = Math.round((count / Number(ms)) * 1000);
    const value = `${perSecond} actions/s`;
    return { name: String(what), value, ratio: perSecond / demand, demand: 1 };
  });
}

interface Played {
  readonly elapsedMs: number;
  readonly cpuMs: number;
}

const batchSize = 32;
const batchesEach = 12;

async function signedRequests(sandbox: Sandbox): Promise<string[]> {
  const sign = await signer(sandbox);
  const requests: string[] = [];
  for (let nonce = 0; nonce < eachAccount; nonce += 1) {
    for (let account = 0; account < accounts; account += 1) {
      requests.push(httpRequest(sandbox, account, path, JSON.stringify(sign(account, nonce))));
    }
  }
  return requests;
}

async function signedBatches(sandbox: Sandbox): Promise<string[]> {
  const sign = await signer(sandbox);
  const requests: string[] = [];
  for (let batch = 0; batch < batchesEach; batch += 1) {
    for (let account = 0; account < accounts; account += 1) {
      const first = eachAccount + batch * batchSize;
      const actions = Array.from({ length: batchSize }, (_, index) => sign(account, first + index));
      const body = JSON.stringify({ version: 1, actions });
      requests.push(httpRequest(sandbox, account, '/api/v1/order-entry/orders', body));
    }
  }
  return requests;
}

/** Bids and asks that meet every other time, so that books stay small and trades happen. */
async function signer({ info }: Sandbox) {
  const { blake3 } = await fastestBlake3();
  const ecdsa = await openEcdsa();
  return (account: number, nonce: number): unknown => {
    const facts = info.accounts[account];
    const key = facts?.agents[0]?.key ?? '';
    const payload = {
      account: facts?.account,
      nonce,
      nonce_reservation_id: null,
      ts: systemClock.now().wallMs,
      action: {
        SpotPlaceOrder: {
          market: 1 + (account % 5),
          side: (nonce + Math.floor(account / 5)) % 2 === 0 ? 'Bid' : 'Ask',
          price: 50_000_000_000,
          qty: 100_000_000,
          stp_mode: 'cancel_maker',
          time_in_force: 'gtc',
          is_market: false,
          reduce_only: false,
          expires_at: null,
        },
      },
    };
    const hash = blake3(Buffer.from(`SANDBOX/ACTION_PAYLOAD/v1${JSON.stringify(payload)}`));
    const bytes = [...ecdsa.sign(hash, Buffer.from(key, 'hex'))];
    return { payload, signature: { scheme: 'EcdsaSecp256k1', bytes } };
  };
}

function httpRequest({ info }: Sandbox, account: number, target: string, body: string): string {
  const facts = info.accounts[account];
  const timestamp = String(systemClock.now().wallMs);
  const signature = createHmac('sha256', facts?.apiSecret ?? '')
    .update(`${timestamp}POST${target}${body}`)
    .digest('base64');
  return [
    `POST ${target} HTTP/1.1`,
    'Host: 127.0.0.1',
    `X-API-Key: ${facts?.apiKey}`,
    `X-API-Passphrase: ${facts?.passphrase}`,
    `X-API-Timestamp: ${timestamp}`,
    `X-API-Signature: ${signature}`,
    'x-bsl-result-mode: full',
    `Content-Length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n');
}

/** The client runs on the other core: it writes the next request of each connection when an answer has come. */
const client = `
const { connect } = require('node:net');
const { parentPort, workerData } = require('node:worker_threads');
const { port, requests, depth } = workerData;
let next = 0, done = 0, refused = 0;
const start = performance.now();
for (let connection = 0; connection < depth; connection += 1) {
  const socket = connect(port, '127.0.0.1');
  socket.setNoDelay(true);
  const send = () => { if (next < requests.length) socket.write(requests[next++]); };
  let text = '';
  socket.on('connect', send);
  socket.on('data', (chunk) => {
    text += chunk;
    for (;;) {
      const end = text.indexOf('\\r\\n\\r\\n');
      if (end < 0) return;
      const length = Number(/content-length: (\\d+)/i.exec(text.slice(0, end))[1]);
      if (text.length < end + 4 + length) return;
      const body = text.slice(end + 4, end + 4 + length);
      if (!text.startsWith('HTTP/1.1 200') || body.includes('"rejected"')) {
        if (refused++ === 0) parentPort.postMessage({ refusal: body.slice(0, 300) });
      }
      text = text.slice(end + 4 + length);
      done += 1;
      if (done === requests.length) parentPort.postMessage({ elapsedMs: performance.now() - start, refused });
      else send();
    }
  });
}`;

async function play({ info }: Sandbox, requests: readonly string[]): Promise<Played> {
  const port = Number(new URL(info.baseUrl).port);
  const before = process.threadCpuUsage();
  const worker = new Worker(client, { eval: true, workerData: { port, requests, depth } });
  try {
    const elapsedMs = await new Promise<number>((resolve, reject) => {
      worker.on('error', reject);
      worker.on('message', (message: { elapsedMs?: number; refusal?: string }) => {
        if (message.refusal !== undefined) reject(new Error(`refused: ${message.refusal}`));
        else if (message.elapsedMs !== undefined) resolve(message.elapsedMs);
      });
    });
    const { system, user } = process.threadCpuUsage(before);
    return { elapsedMs, cpuMs: (system + user) / 1000 };
  } finally {
    await worker.terminate();
  }
}
