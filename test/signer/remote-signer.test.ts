import { chmodSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ManualClock, systemClock } from '../../src/runtime/clock.ts';
import { RemoteSigner } from '../../src/signer/remote-signer.ts';
import type { SignResult } from '../../src/signer/signer.ts';
import { readRequest } from '../../src/signer/signer-frame.ts';
import { type LinkEvents, type SignerLink, socketLink } from '../../src/signer/signer-link.ts';
import { answerFrame, type SignerServer, serveSigner } from '../../src/signer/signer-server.ts';
import { MemoryLedger } from './memory-ledger.ts';
import { account, cancel, contract, coreWith, envelope, request, spot } from './signer-samples.ts';

let directory: string;
let path: string;
let ledger: MemoryLedger;
const running = new Set<{ close(): Promise<void> }>();

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'signer-'));
  path = join(directory, 'signer.sock');
  ledger = new MemoryLedger();
});

afterEach(async () => {
  for (const each of running) await each.close();
  running.clear();
  rmSync(directory, { recursive: true });
});

async function serve(reports: string[] = []): Promise<SignerServer> {
  const server = await serveSigner(await coreWith({}, ledger), path, (text) => reports.push(text));
  running.add(server);
  return server;
}

async function connected(link: SignerLink = socketLink(path)): Promise<RemoteSigner> {
  const signer = await RemoteSigner.open({ contract, clock: systemClock, link, report: () => {} });
  running.add(signer);
  return signer;
}

test('an action signed over the socket has the bytes of the signer inside', async () => {
  await serve();
  const signer = await connected();
  const inside = await coreWith();
  expect(signer.keys).toEqual(inside.keys);
  const results = await Promise.all(
    [1, 2, 3].map((nonce) => signer.sign(request(envelope(nonce)))),
  );
  for (const [index, result] of results.entries()) {
    expect(result).toEqual(await inside.sign(request(envelope(index + 1))));
  }
  expect(await signer.sign(request(envelope(2, cancel)))).toMatchObject({ code: 'other_digest' });
});

test('requests of one turn reach the signer in their order and in few frames', async () => {
  const frames: number[][] = [];
  const link = silentLink((body) => {
    const frame = readRequest(body);
    if (frame.kind === 'sign')
      frames.push(frame.requests.map(({ canonical }) => nonceIn(canonical)));
  });
  const signer = await connectedTo(link);
  for (let nonce = 0; nonce < 200; nonce += 1) void signer.sign(request(envelope(nonce)));
  await Promise.resolve();
  expect(frames.map((frame) => frame.length)).toEqual([128, 72]);
  expect(frames.flat()).toEqual(Array.from({ length: 200 }, (_, index) => index));
});

test('a signer that dies is found again, and the same action gets the same signature', async () => {
  const first = await serve();
  const signer = await connected();
  const before = await signer.sign(request(envelope(1)));
  await first.close();
  running.delete(first);
  const waiting = signer.sign(request(envelope(1)));
  await serve();
  expect(await waiting).toEqual(before);
});

test('without a signer an action is refused after 500 ms, and nothing was handed on', async () => {
  const clock = new ManualClock();
  const link = silentLink(() => {});
  const signer = await connectedTo(link, clock);
  const asked: SignResult[] = [];
  void signer.sign(request(envelope(1))).then((result) => asked.push(result));
  clock.advance(499);
  await Promise.resolve();
  expect(asked).toEqual([]);
  clock.advance(1);
  await new Promise((resolve) => setImmediate(resolve));
  expect(asked).toMatchObject([{ kind: 'refused', code: 'unavailable' }]);
  expect(asked).toMatchObject([{ text: 'the signer did not answer within 500 ms' }]);
});

const overNonceOne = (price: bigint, digest: string) =>
  request(envelope(1, spot(price)), { supersedes: { digest, proof: 'never_sent' } });

test('what was never handed over leaves the nonce to the action before, and no alarm follows', async () => {
  const { alarms, clock, link, signer } = await beforeCore();
  const first = await digestOf(signer.sign(request(envelope(1))));
  link.isDeaf = true;
  // Both frames that may be under way are, so that the next request stays in the queue.
  for (const nonce of [8, 9]) {
    void signer.sign(request(envelope(nonce)));
    await turns();
  }
  const late = signer.sign(overNonceOne(60n, first));
  clock.advance(500);
  expect(await late).toMatchObject({ kind: 'refused', code: 'unavailable', digest: first });
  link.isDeaf = false;
  await turns();
  clock.advance(20);
  await turns();
  expect(await signer.sign(overNonceOne(70n, first))).toMatchObject({ kind: 'signed' });
  expect(alarms).toEqual([]);
});

test('what was handed over and not answered is asked again, so that the next action of its nonce may name it', async () => {
  const { alarms, clock, link, signer } = await beforeCore();
  const first = await digestOf(signer.sign(request(envelope(1))));
  const second = await digestOf((await coreWith()).sign(request(envelope(1, spot(60n)))));
  link.isDeaf = true;
  const late = signer.sign(overNonceOne(60n, first));
  await turns();
  clock.advance(500);
  expect(await late).toMatchObject({ kind: 'refused', code: 'unavailable', digest: null });
  link.isDeaf = false;
  await turns();
  clock.advance(20);
  await turns();
  expect(await signer.sign(overNonceOne(70n, second))).toMatchObject({ kind: 'signed' });
  expect(alarms).toEqual([]);
});

test('what is refused at the door leaves the nonce to the action before, too', async () => {
  const { clock, signer } = await beforeCore();
  const digest = 'ab'.repeat(32);
  for (let nonce = 0; nonce < 4096; nonce += 1) void signer.sign(request(envelope(1)));
  expect(await signer.sign(overNonceOne(60n, digest))).toMatchObject({ digest });
  clock.advance(500);
});

test('a signer that does not come up in time is an error that says why', async () => {
  const reports: string[] = [];
  const report = (text: string) => reports.push(text);
  const options = { contract, clock: systemClock, report, startMs: 100 };
  await expect(RemoteSigner.open({ ...options, link: socketLink(path) })).rejects.toThrow(
    /did not answer within 100 ms: .*ENOENT/,
  );
  // Said once and at once, so that whoever waits for the start knows for what.
  expect(reports).toEqual([expect.stringMatching(/^signer is not there yet: .*ENOENT/)]);
});

test('what waits for the signer is bounded', async () => {
  const signer = await connectedTo(silentLink(() => {}));
  for (let nonce = 0; nonce < 4096; nonce += 1) void signer.sign(request(envelope(1)));
  expect(await signer.sign(request(envelope(1)))).toMatchObject({
    code: 'unavailable',
    text: '4096 actions wait for the signer',
  });
});

test('a peer that breaks the protocol is cut off, others go on', async () => {
  const reports: string[] = [];
  await serve(reports);
  const signer = await connected();
  const bad = connect(path);
  bad.write(Buffer.from([255, 255, 255, 255]));
  await new Promise((resolve) => bad.on('close', resolve));
  expect(reports).toEqual(['connection ended: a frame of 4294967295 bytes']);
  expect((await signer.sign(request(envelope(1)))).kind).toBe('signed');
});

test('the socket is for its own user alone, and one signer serves it', async () => {
  await serve();
  expect(statSync(path).mode & 0o777).toBe(0o600);
  await expect(serve()).rejects.toThrow('served by another signer');
  chmodSync(directory, 0o755);
  await expect(serve()).rejects.toThrow('must belong to this user alone');
});

test('a signer of another version is not used', async () => {
  const clock = new ManualClock();
  const link = silentLink(() => {}, { version: 2 });
  const opening = RemoteSigner.open({ contract, clock, link, report: () => {}, startMs: 1000 });
  clock.advance(1000);
  await expect(opening).rejects.toThrow('version 2');
});

function nonceIn(canonical: Uint8Array): number {
  return Number(/"nonce":(\d+)/.exec(Buffer.from(canonical).toString())?.[1]);
}

const turns = () => new Promise((resolve) => setImmediate(resolve));

async function digestOf(signing: Promise<SignResult>): Promise<string> {
  const signed = await signing;
  if (signed.kind === 'refused') throw new Error(signed.text);
  return Buffer.from(signed.digest).toString('hex');
}

/** A signer in this process behind a link that loses what is sent while it is deaf, and manual time. */
async function beforeCore() {
  const alarms: string[] = [];
  const core = await coreWith({ alarm: (text) => alarms.push(text) }, ledger);
  let events: LinkEvents | undefined;
  const link = {
    isDeaf: false,
    open(given: LinkEvents) {
      events = given;
      given.up();
    },
    send(frame: Uint8Array) {
      if (link.isDeaf) return;
      void answerFrame(core, frame.subarray(4)).then((answer) => events?.frame(answer.subarray(4)));
    },
    async close() {},
  };
  const clock = new ManualClock();
  const signer = await RemoteSigner.open({ contract, clock, link, report: () => {} });
  running.add(signer);
  return { alarms, clock, link, signer };
}

/** A signer that says hello and then nothing. */
function silentLink(onFrame: (body: Uint8Array) => void, { version = 1 } = {}): SignerLink {
  let events: LinkEvents | undefined;
  return {
    open(given) {
      events = given;
      events.up();
    },
    send(frame) {
      const body = frame.subarray(4);
      onFrame(body);
      if (readRequest(body).kind !== 'hello') return;
      const hello = Buffer.from([0, 0, 0, 0, 0, version, 0, 1, ...Array(40).fill(1)]);
      events?.frame(hello);
    },
    async close() {},
  };
}

async function connectedTo(link: SignerLink, clock = new ManualClock()): Promise<RemoteSigner> {
  const signer = await RemoteSigner.open({ contract, clock, link, report: () => {} });
  running.add(signer);
  expect([...signer.keys.keys()]).not.toContain(account);
  return signer;
}
