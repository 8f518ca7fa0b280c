/**
 * From a signed command to its acknowledgement, closed loop at depth 64, against a sink in a process of its own that
 * only acknowledges. The yardstick does the same work with the same libraries and nothing else: it writes canonical
 * bytes, hashes, signs, authenticates and posts. Both ways take turns, so that the machine's noise hits both.
 */
import { fork } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Pool } from 'undici';
import type { Account, MarketId, Price, Qty } from '../src/domain/units.ts';
import { systemClock } from '../src/runtime/clock.ts';
import { hexOf } from '../src/runtime/hex.ts';
import { fastestBlake3 } from '../src/signer/blake3.ts';
import { CanonicalEncoder } from '../src/signer/canonical.ts';
import { Derivation } from '../src/signer/digest.ts';
import { openEcdsa } from '../src/signer/ecdsa.ts';
import { signatureOf, signedDigest } from '../src/signer/scheme.ts';
import { type SignedSend, signedActionJson } from '../src/venue/action-json.ts';
import { Credentials } from '../src/venue/credentials.ts';
import { Dispatcher } from '../src/venue/dispatcher.ts';
import { HttpClient } from '../src/venue/http-client.ts';
import { Pacer } from '../src/venue/pacer.ts';
import { loadProfile, type Profile } from '../src/venue/profile.ts';
import { RequestAuth } from '../src/venue/request-auth.ts';
import type { Verdict } from '../src/venue/verdict.ts';
import type { Row } from './main.ts';

const depth = 64;
const connections = 8;
const actionsARound = 3000;
const rounds = 5;
const account = `0x${'11'.repeat(20)}` as Account;
const credential = { key: 'spk_bench', secret: 'sps_bench', passphrase: 'spp_bench' };
const secretKey = new Uint8Array(32).fill(7);

const read = loadProfile(join(import.meta.dirname, '../dictionaries/venue.sandbox.yaml'));
const profile: Profile = {
  ...read,
  http: { ...read.http, connections },
  limits: { ...read.limits, batch: { ...read.limits.batch, inFlight: connections } },
};

type Send = (signed: SignedSend) => Promise<unknown>;

export async function run(): Promise<Row[]> {
  const sink = fork(fileURLToPath(import.meta.url), ['sink']);
  const port = await new Promise<number>((resolve) => sink.once('message', resolve as never));
  const baseUrl = `http://127.0.0.1:${port}`;
  const http = new HttpClient({
    baseUrl,
    rules: profile.http,
    clock: systemClock,
    auth: new Credentials(profile.auth.http, credential, () => {}),
  });
  const pool = new Pool(baseUrl, { connections, pipelining: 1 });
  try {
    return await measure(client(http, profile), client(http, batching), bare(pool));
  } finally {
    await http.close();
    await pool.destroy();
    sink.kill();
  }
}

const batching: Profile = {
  ...profile,
  lanes: { ...profile.lanes, order: ['jsonBatch', 'actions'] },
};

async function measure(single: Send, batched: Send, yardstick: Send): Promise<Row[]> {
  const signer = await newSigner();
  const rates: number[][] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const inTurn = [];
    for (const send of [single, yardstick, batched]) inTurn.push(await rate(signer, send));
    if (round > 0) rates.push(inTurn);
  }
  const median = (at: number) =>
    rates.map((round) => round[at] ?? 0).sort((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0;
  const ratio = (at: number) =>
    rates.map((round) => (round[at] ?? 0) / (round[1] ?? 1)).sort((a, b) => a - b)[
      Math.floor(rounds / 2)
    ] ?? 0;
  const show = (at: number) => `${Math.round(median(at))} actions/s`;
  return [
    { name: 'bare loop: encode, hash, sign, post', value: show(1) },
    {
      name: 'dispatcher, one action a request, to the bare loop',
      value: show(0),
      ratio: ratio(0),
      demand: 0.7,
    },
    { name: 'dispatcher, JSON batches, to the bare loop', value: show(2), ratio: ratio(2) },
  ];
}

async function newSigner(): Promise<(nonce: number) => SignedSend> {
  const { blake3 } = await fastestBlake3();
  const ecdsa = await openEcdsa();
  const encoder = new CanonicalEncoder(profile);
  const derivation = new Derivation(profile, blake3);
  return (nonce) => {
    const canonical = Uint8Array.from(
      encoder.encode({
        account,
        nonce: BigInt(nonce),
        nonce_reservation_id: null,
        client_order_id: `C-${nonce}`,
        ts: Date.now(),
        action: {
          kind: 'SpotPlaceOrder',
          market: 1 as MarketId,
          side: 'Bid',
          price: 50_000_000_000n as Price,
          qty: 1_000_000n as Qty,
          stp_mode: 'cancel_taker',
          time_in_force: 'gtc',
          is_market: false,
          reduce_only: false,
          expires_at: null,
        },
      }),
    );
    const actionHash = derivation.actionHash(canonical);
    const signature = signatureOf(
      profile.signing,
      'ecdsa',
      ecdsa.sign(signedDigest('ecdsa', actionHash), secretKey),
    );
    const text = Buffer.from(canonical).toString();
    return { account, nonce: BigInt(nonce), canonical: text, hash: hexOf(actionHash), signature };
  };
}

async function rate(signer: (nonce: number) => SignedSend, send: Send): Promise<number> {
  let next = 0;
  const begin = performance.now();
  const worker = async () => {
    while (next < actionsARound) await send(signer(next++));
  };
  await Promise.all(Array.from({ length: depth }, worker));
  return (actionsARound * 1000) / (performance.now() - begin);
}

function client(http: HttpClient, used: Profile): Send {
  const dispatcher = new Dispatcher({
    profile: used,
    http,
    clock: systemClock,
    pacer: new Pacer(),
    maxQueued: 10_000,
    patienceMs: 5_000,
  });
  return async (send) => {
    const verdict = await new Promise<Verdict>((answered) => {
      dispatcher.submit({ id: 1, send, priority: 'place', sent: () => {}, answered });
    });
    if (verdict.kind !== 'accepted') throw new Error(`refused: ${verdict.refusal.name}`);
  };
}

function bare(pool: Pool): Send {
  const auth = new RequestAuth(profile.auth.http, credential);
  const path = profile.routes.actions;
  return async (send) => {
    const body = signedActionJson(send, 'documented');
    const headers = auth.headers('POST', path, body, Date.now());
    headers.push('content-type', 'application/json');
    const response = await pool.request({ method: 'POST', path, headers, body });
    const answer = (await response.body.json()) as { accepted: boolean };
    if (!answer.accepted) throw new Error('refused');
  };
}

/** Acknowledges whatever comes, a batch by a result for each action. */
function serveSink(): void {
  const accepted = JSON.stringify({
    accepted: true,
    ok: true,
    seq: 1,
    derivedOrderId: null,
    error: null,
    code: null,
    nonceConsumed: null,
    nextUsableNonce: null,
    nonceFloor: null,
    nonceWindow: null,
    nonceHoles: null,
  });
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      response.setHeader('content-type', 'application/json');
      if (request.url === profile.routes.actions) response.end(accepted);
      else {
        const count = body.split('"payload":').length - 1;
        const results = new Array(count).fill('{"seq":1,"status":"resting","nonceConsumed":true}');
        response.end(`{"ok":true,"actionResults":[${results.join(',')}]}`);
      }
    });
  });
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
}

if (process.argv[2] === 'sink' && process.send !== undefined) serveSink();
