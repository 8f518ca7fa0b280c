import { chmodSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ManualClock, systemClock } from '../../src/runtime/clock.ts';
import { LedgerAnchors } from '../../src/signer/ledger-anchors.ts';
import { RemoteSigner } from '../../src/signer/remote-signer.ts';
import type { SignResult } from '../../src/signer/signer.ts';
import type { SignerParts } from '../../src/signer/signer-core.ts';
import { readRequest } from '../../src/signer/signer-frame.ts';
import {
  inTurn,
  type LinkEvents,
  type SignerLink,
  socketLink,
} from '../../src/signer/signer-link.ts';
import { answerFrame, type SignerServer, serveSigner } from '../../src/signer/signer-server.ts';
import { MemoryLedger } from './memory-ledger.ts';
import { account, contract, coreWith, envelope, request, spot } from './signer-samples.ts';

let directory: string;
let path: string;
let ledger: MemoryLedger;
let anchors: LedgerAnchors;
const running = new Set<{ close(): Promise<void> }>();

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'signer-'));
  path = join(directory, 'signer.sock');
  ledger = new MemoryLedger();
  anchors = new LedgerAnchors(null, systemClock, () => {});
});

afterEach(async () => {
  for (const each of running) await each.close();
  running.clear();
  rmSync(directory, { recursive: true });
});

async function serve(reports: string[] = []): Promise<SignerServer> {
  const place = { socket: path, connections: 8 };
  const report = (text: string) => reports.push(text);
  const server = await serveSigner(await coreWith({}, ledger), place, { report, ended: report });
  running.add(server);
  return server;
}

async function connected(
  link: SignerLink = socketLink(path),
  deadlineMs?: number,
): Promise<RemoteSigner> {
  const signer = await RemoteSigner.open({
    ...{ contract, clock: systemClock, link, ...(deadlineMs !== undefined && { deadlineMs }) },
    anchors,
    report: () => {},
  });
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
  expect(await signer.sign(overNonceOne(60n))).toMatchObject({ code: 'other_digest' });
});

test('a signer that is connected and silent is left for the next one, which is asked the same again', async () => {
  const clock = new ManualClock();
  const opened: string[] = [];
  const linkTo = (name: string, isSilent: boolean): SignerLink => {
    let core: Awaited<ReturnType<typeof coreWith>> | undefined;
    let frames: ((body: Uint8Array) => void) | undefined;
    return {
      open(events) {
        opened.push(name);
        frames = events.frame;
        void coreWith().then((made) => {
          core = made;
          events.up();
        });
      },
      send(frame) {
        if (isSilent || core === undefined) return;
        void answerFrame(core, frame.subarray(4)).then((answer) => {
          if (answer !== undefined) frames?.(answer.subarray(4));
        });
      },
      close: async () => {},
    };
  };
  const link = inTurn([linkTo('first', true), linkTo('second', false)]);
  const options = { contract, clock, link, anchors, report: () => {} };
  const opening = RemoteSigner.open(options);
  for (let turn = 0; opened.length < 2; turn += 1) {
    expect(turn).toBeLessThan(100);
    clock.advance(100);
    await new Promise((resolve) => setImmediate(resolve));
  }
  const signer = await opening;
  running.add(signer);
  expect(opened).toEqual(['first', 'second']);
  expect((await signer.sign(request(envelope(1)))).kind).toBe('signed');
});

test('a signer that is refused at each greeting for the same reason is one alarm, and another reason another one', async () => {
  const clock = new ManualClock();
  const [core, reports]: [Awaited<ReturnType<typeof coreWith>>, string[]] = [await coreWith(), []];
  let frames: LinkEvents['frame'] = () => {};
  let opened = 0;
  const link: SignerLink = {
    open(events) {
      opened += 1;
      frames = events.frame;
      events.up();
    },
    send(frame) {
      void answerFrame(core, frame.subarray(4)).then(
        (answer) => answer && frames(answer.subarray(4)),
      );
    },
    close: async () => {},
  };
  const other = new LedgerAnchors(null, clock, () => {});
  const seen = { id: 'cd'.repeat(16), count: 1, chain: 'ab'.repeat(16) };
  other.keep(seen);
  // That a start takes longer is an alarm by itself.
  const report = (text: string) => !text.includes('not there yet') && reports.push(text);
  const refused = expect(
    RemoteSigner.open({ contract, clock, link, report, anchors: other, startMs: 10_000 }),
  ).rejects;
  const tries = async (count: number) => {
    for (const end = opened + count; opened < end; clock.advance(500)) await turns();
    await turns();
  };
  await tries(5);
  expect(reports).toEqual([expect.stringContaining(`has used ledger ${seen.id}`)]);
  other.keep({ ...seen, id: 'ef'.repeat(16) });
  await tries(3);
  expect(reports.slice(1)).toEqual([expect.stringContaining('has used ledger efef')]);
  clock.advance(10_000);
  await refused.toThrow('the signer did not answer within 10000 ms');
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
  // On a busy machine the next one takes more than the deadline of a bridge to start.
  const signer = await connected(socketLink(path), 30_000);
  const before = await signer.sign(request(envelope(1)));
  await first.close();
  running.delete(first);
  const waiting = signer.sign(request(envelope(1)));
  await serve();
  expect(await waiting).toEqual(before);
});

test('a signer that goes and comes back is reported twice, and it is known why nothing is signed in between', async () => {
  const reports: string[] = [];
  const first = await serve();
  const signer = await RemoteSigner.open({
    ...{ contract, clock: systemClock, link: socketLink(path), anchors },
    report: (_, code) => reports.push(code),
  });
  running.add(signer);
  expect(signer.away).toBeUndefined();
  await first.close();
  running.delete(first);
  await expect.poll(() => signer.away).toMatch(/ENOENT|ECONNREFUSED/);
  expect(reports).toEqual(['signer_away']);
  await serve();
  await expect.poll(() => signer.away).toBeUndefined();
  expect(reports).toEqual(['signer_away', 'signer_back']);
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
  expect(asked).toMatchObject([{ kind: 'refused', code: 'unanswered' }]);
  expect(asked).toMatchObject([{ text: 'the signer did not answer within 500 ms' }]);
});

const overNonceOne = (price: bigint) => request(envelope(1, spot(price)));

test('what was never handed over was not signed, and the nonce can still place something', async () => {
  const { alarms, clock, link, signer } = await beforeCore();
  link.isDeaf = true;
  // Both frames that may be under way are, so that the next request stays in the queue.
  for (const nonce of [8, 9]) {
    void signer.sign(request(envelope(nonce)));
    await turns();
  }
  const late = signer.sign(overNonceOne(60n));
  clock.advance(500);
  expect(await late).toMatchObject({ kind: 'refused', code: 'unavailable' });
  link.isDeaf = false;
  await turns();
  clock.advance(20);
  await turns();
  expect(await signer.sign(overNonceOne(70n))).toMatchObject({ kind: 'signed' });
  expect(alarms).toEqual([]);
});

test('what was handed over and not answered may have been signed, and is not asked again', async () => {
  const { clock, link, signer } = await beforeCore();
  link.isMute = true;
  const late = signer.sign(overNonceOne(60n));
  await turns();
  clock.advance(500);
  expect(await late).toMatchObject({ kind: 'refused', code: 'unanswered' });
  link.isMute = false;
  await turns();
  clock.advance(20);
  await turns();
  expect(await signer.sign(overNonceOne(70n))).toMatchObject({ code: 'other_digest' });
  expect(await signer.sign(overNonceOne(60n))).toMatchObject({ kind: 'signed' });
});

test('what an earlier signer may have recorded is not called unsigned by one that cannot sign it now', async () => {
  const { clock, link, signer } = await beforeCore();
  link.isMute = true;
  const asked = signer.sign(overNonceOne(60n));
  await turns();
  link.isMute = false;
  await link.restart({ paused: () => 'unexplained fills' });
  await turns();
  clock.advance(20);
  await turns();
  expect(await asked).toMatchObject({
    code: 'unanswered',
    text: expect.stringContaining('unexplained fills'),
  });
  expect(await signer.sign(request(envelope(2)))).toMatchObject({ code: 'paused' });
});

test('what the journal recalls reaches the signer before anything is asked, and again after it died', async () => {
  const { clock, link, signer } = await beforeCore();
  signer.recall(account, 100, new Map([[101, 'ab'.repeat(32)]]));
  expect(await signer.sign(request(envelope(99)))).toMatchObject({ code: 'nonce_too_old' });
  expect(await signer.sign(request(envelope(101)))).toMatchObject({ code: 'other_digest' });
  await link.restart();
  await turns();
  clock.advance(20);
  await turns();
  expect(await signer.sign(request(envelope(99)))).toMatchObject({ code: 'nonce_too_old' });
});

test('a signer whose ledger is not the one that was used before is not used', async () => {
  await serve();
  const before = await connected();
  await before.sign(request(envelope(1)));
  await before.sign(request(envelope(2)));
  const seen = anchors.last;
  expect(seen.count).toBe(2);
  for (const last of [
    { ...seen, count: 3 },
    { ...seen, count: 1 },
    { ...seen, id: 'cd'.repeat(16) },
  ]) {
    const clock = new ManualClock();
    const other = new LedgerAnchors(null, clock, () => {});
    other.keep(last);
    const reports: string[] = [];
    const report = (text: string) => reports.push(text);
    const options = { contract, clock, report, anchors: other, startMs: 100 };
    const refused = expect(RemoteSigner.open({ ...options, link: socketLink(path) })).rejects;
    await expect.poll(() => reports.join()).toMatch(/the signer('s ledger| has ledger)/);
    clock.advance(100);
    await refused.toThrow('ledger');
  }
});

test('a signer that does not come up in time is an error that says why', async () => {
  const options = { contract, clock: systemClock, report: () => {}, anchors, startMs: 100 };
  await expect(RemoteSigner.open({ ...options, link: socketLink(path) })).rejects.toThrow(
    /did not answer within 100 ms: .*ENOENT/,
  );
});

test('a bridge that starts a moment before its signer raises no alarm, and one that waits for longer raises one', async () => {
  const clock = new ManualClock();
  const reports: string[] = [];
  let isThere = false;
  const link: SignerLink = {
    open: (events) => (isThere ? events.up() : events.down('nobody listens')),
    send() {},
    close: async () => {},
  };
  const report = (text: string) => void reports.push(text);
  const opening = RemoteSigner.open({ contract, clock, link, anchors, report, startMs: 10_000 });
  const failure = opening.catch((error) => error);
  clock.advance(2_999);
  expect(reports).toEqual([]);
  clock.advance(1);
  expect(reports).toEqual([expect.stringMatching(/signer.*nobody listens/)]);
  isThere = true;
  clock.advance(7_000);
  expect(await failure).toMatchObject({ message: expect.stringContaining('10000 ms') });
  expect(reports).toHaveLength(1);
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
  expect(reports).toEqual([expect.stringMatching(/ended.*4294967295/)]);
  expect((await signer.sign(request(envelope(1)))).kind).toBe('signed');
});

test('the socket is for its own user alone, and one signer serves it', async () => {
  await serve();
  expect(statSync(path).mode & 0o777).toBe(0o600);
  await expect(serve()).rejects.toThrow('served by another process');
  chmodSync(directory, 0o755);
  await expect(serve()).rejects.toThrow('must belong to this user');
});

test('a signer of another version is not used', async () => {
  const clock = new ManualClock();
  const link = silentLink(() => {}, { version: 1 });
  const opening = RemoteSigner.open({
    contract,
    clock,
    link,
    anchors,
    report: () => {},
    startMs: 1000,
  });
  clock.advance(1000);
  await expect(opening).rejects.toThrow('version 1');
});

function nonceIn(canonical: Uint8Array): number {
  return Number(/"nonce":(\d+)/.exec(Buffer.from(canonical).toString())?.[1]);
}

const turns = () => new Promise((resolve) => setImmediate(resolve));

/** A signer in this process behind a link that loses what is sent while it is deaf, and manual time. */
async function beforeCore() {
  const alarms: string[] = [];
  const start = (change: Partial<SignerParts> = {}) =>
    coreWith({ alarm: (text) => alarms.push(text), ...change }, ledger);
  let core = await start();
  let events: LinkEvents | undefined;
  const link = {
    isDeaf: false,
    /** What it is asked reaches the signer, and no answer comes back. */
    isMute: false,
    open(given: LinkEvents) {
      events = given;
      given.up();
    },
    send(frame: Uint8Array) {
      if (link.isDeaf) return;
      const to = events;
      void answerFrame(core, frame.subarray(4)).then((answer) => {
        if (answer !== undefined && !link.isMute) to?.frame(answer.subarray(4));
      });
    },
    async restart(change: Partial<SignerParts> = {}) {
      core = await start(change);
      events?.down('the signer died');
    },
    async close() {},
  };
  const clock = new ManualClock();
  const signer = await RemoteSigner.open({ contract, clock, link, anchors, report: () => {} });
  running.add(signer);
  return { alarms, clock, link, signer };
}

/** A signer that says hello and then nothing. */
function silentLink(onFrame: (body: Uint8Array) => void, { version = 3 } = {}): SignerLink {
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
      const hello = Buffer.from([
        0,
        0,
        0,
        0,
        0,
        version,
        0,
        ...Array(56).fill(0),
        1,
        ...Array(40).fill(1),
      ]);
      events?.frame(hello);
    },
    async close() {},
  };
}

async function connectedTo(link: SignerLink, clock = new ManualClock()): Promise<RemoteSigner> {
  const signer = await RemoteSigner.open({ contract, clock, link, anchors, report: () => {} });
  running.add(signer);
  expect([...signer.keys.keys()]).not.toContain(account);
  return signer;
}

test('a standby waits for a signer that is away as long as it takes; any other start gives up after 30 s', async () => {
  const clock = new ManualClock();
  const opened = (startMs?: number) => {
    const seen: { result?: string } = {};
    const link = socketLink(path);
    const limit = startMs === undefined ? {} : { startMs };
    RemoteSigner.open({ contract, clock, link, anchors, report: () => {}, ...limit }).then(
      (signer) => {
        running.add(signer);
        seen.result = 'open';
      },
      (error: Error) => {
        seen.result = error.message;
      },
    );
    return seen;
  };
  const [start, standby] = [opened(), opened(Number.POSITIVE_INFINITY)];
  const pass = async (ms: number, isOver: () => boolean) =>
    expect
      .poll(
        () => {
          clock.advance(ms);
          return isOver();
        },
        { timeout: 10_000 },
      )
      .toBe(true);
  await pass(10_000, () => start.result !== undefined);
  expect(start.result).toMatch(/^the signer did not answer within 30000 ms/);
  expect(standby.result).toBeUndefined();
  await serve();
  // A longer step would end each greeting before it is answered.
  await pass(100, () => standby.result === 'open');
});
