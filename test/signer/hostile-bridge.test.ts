/** Everything that somebody with the bridge's privileges could send, over the real socket; `npm run long -- hostile-bridge` sends more. */

import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ManualClock, systemClock } from '../../src/runtime/clock.ts';
import type { Action, SpotPlaceOrder } from '../../src/signer/action.ts';
import { referenceBlake3 } from '../../src/signer/blake3.ts';
import { Derivation } from '../../src/signer/digest.ts';
import { localKey } from '../../src/signer/key-holder.ts';
import { LedgerAnchors } from '../../src/signer/ledger-anchors.ts';
import { RemoteSigner } from '../../src/signer/remote-signer.ts';
import type { SignerAlarm } from '../../src/signer/signer-alarm.ts';
import { FrameSplitter, readAnswer, signFrame } from '../../src/signer/signer-frame.ts';
import { socketLink } from '../../src/signer/signer-link.ts';
import { serveSigner } from '../../src/signer/signer-server.ts';
import {
  belowOf,
  HostileBridge,
  hostileCore,
  Judge,
  limits,
  policy,
  type Wire,
} from './hostile-bridge.ts';
import {
  account,
  cancel,
  contract,
  coreWith,
  ecdsa,
  envelope,
  request,
  secretKey,
  spot,
} from './signer-samples.ts';

let directory: string;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'hostile-'));
});

afterAll(() => rmSync(directory, { recursive: true }));

/** A connection that is opened again when the signer ends it; `hello` after each write shows when all of it was answered. */
class SocketWire implements Wire {
  readonly #path: string;
  #socket: Socket | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  send(bytes: Uint8Array): Promise<readonly Uint8Array[] | 'closed'> {
    this.#socket ??= connect(this.#path);
    const socket = this.#socket;
    const frames: Uint8Array[] = [];
    return new Promise((resolve) => {
      const splitter = new FrameSplitter();
      let quiet: NodeJS.Timeout | undefined;
      const finish = (result: readonly Uint8Array[] | 'closed') => {
        clearTimeout(quiet);
        socket.removeAllListeners();
        socket.on('error', () => {});
        resolve(result);
      };
      // A part of a frame is never answered, so the connection is left behind.
      const abandon = () => {
        socket.destroy();
        this.#socket = undefined;
        finish(frames);
      };
      quiet = setTimeout(abandon, 30);
      socket.on('data', (chunk) => {
        splitter.push(chunk, (body) => frames.push(body));
        if (frames.length > 0) finish(frames);
      });
      socket.on('error', () => {});
      socket.on('close', () => {
        this.#socket = undefined;
        finish('closed');
      });
      socket.write(bytes);
    });
  }

  end(): void {
    this.#socket?.destroy();
  }
}

test('nothing outside the policy is signed and no nonce has two placements, whatever is sent, and the signer goes on', async () => {
  const { alarms, core, faults, watch } = hostileCore(ecdsa);
  const path = join(directory, 'signer.sock');
  const server = await serveSigner(core, { socket: path, connections: 8 }, watch);
  const judge = new Judge(ecdsa, referenceBlake3, core.keys.get(account) ?? account);
  const wire = new SocketWire(path);
  const bridge = new HostileBridge(wire, judge, belowOf(7));
  await bridge.attack(300);
  wire.end();
  expect(judge.faults).toEqual([]);
  for (const outcome of ['signed', 'policy', 'unreadable', 'other_digest']) {
    expect([outcome, judge.counts[outcome] ?? 0]).not.toEqual([outcome, 0]);
  }
  // The manual clock stands still, so each code has one alarm, however often something was refused.
  const refused = Object.keys(judge.counts).filter((outcome) => outcome !== 'signed');
  for (const code of refused) expect([code, alarms.get(code as SignerAlarm)]).toEqual([code, 1]);
  expect(alarms.get('connection_ended')).toBeGreaterThan(0);
  expect(faults).toEqual([]);
  const honest = await RemoteSigner.open({
    ...{ contract, clock: systemClock, link: socketLink(path), report: () => {} },
    anchors: new LedgerAnchors(null, systemClock, () => {}),
  });
  expect((await honest.sign(request(envelope(3, cancel)))).kind).toBe('signed');
  await honest.close();
  await server.close();
}, 30_000);

/** Some connections at once, each with what was answered on it. */
async function connections(count: number) {
  const { alarms, clock, core, watch } = hostileCore(ecdsa);
  const path = join(directory, `combined-${Math.random()}.sock`);
  const server = await serveSigner(core, { socket: path, connections: 8 }, watch);
  const sockets = await Promise.all(
    Array.from({ length: count }, async () => {
      const socket = connect(path).on('error', () => {});
      await once(socket, 'connect');
      return socket;
    }),
  );
  const answers = sockets.map((socket) => {
    const codes: string[] = [];
    const splitter = new FrameSplitter();
    socket.on('data', (chunk) =>
      splitter.push(chunk, (body) => {
        const frame = readAnswer(body, () => 'ecdsa');
        if (frame.kind !== 'signed') return;
        for (const one of frame.results) codes.push(one.kind === 'signed' ? 'signed' : one.code);
      }),
    );
    return codes;
  });
  const close = async () => {
    for (const socket of sockets) socket.destroy();
    await server.close();
  };
  return { alarms, answers, clock, close, core, sockets };
}

const answered = (answers: string[][], count: number) =>
  expect.poll(() => answers.flat().length).toBe(count);

test('one nonce with two orders on two connections at once: one is signed, the same order twice is one order', async () => {
  const { alarms, answers, close, core, sockets } = await connections(2);
  const [first, second] = sockets as [Socket, Socket];
  for (let nonce = 100; nonce < 150; nonce += 1) {
    first.write(signFrame(nonce, [request(envelope(nonce, spot(50n, 10n)))]));
    second.write(signFrame(nonce, [request(envelope(nonce, spot(51n, 10n)))]));
  }
  await answered(answers, 100);
  const counts = (code: string) => answers.flat().filter((one) => one === code).length;
  expect([counts('signed'), counts('other_digest')]).toEqual([50, 50]);
  expect(alarms.get('other_digest')).toBe(1);
  // 500 of the day are used; the same 95 again and again use them once.
  const same = request(envelope(200, spot(50n, 95n)));
  for (const socket of sockets) socket.write(signFrame(1, [same, same, same]));
  await answered(answers, 106);
  expect(counts('signed')).toBe(56);
  const rest = await Promise.all(
    Array.from({ length: 300 }, (_, at) => core.sign(request(envelope(300 + at, spot(50n, 95n))))),
  );
  const signed = rest.filter(({ kind }) => kind === 'signed').length;
  expect(signed).toBe(Math.floor((limits.daily - 500 - 95) / 95));
  await close();
});

test('legs that are all the same count one by one, and legs that only cancel carry no order', async () => {
  const { close, core } = await connections(1);
  const leg = (qty: bigint, price = 50n) => ({
    ...(spot(price, qty) as SpotPlaceOrder),
    cancel_order_id: qty === 0n ? `0x${'ab'.repeat(32)}` : null,
  });
  const quote = (legs: object[]) =>
    ({ kind: 'SpotQuoteReplace', market: 1, legs }) as unknown as Action;
  const many = quote(Array.from({ length: 40 }, () => leg(100n)));
  const kinds: string[] = [];
  for (let nonce = 1; nonce <= 6; nonce += 1) {
    const result = await core.sign(request(envelope(nonce, many)));
    kinds.push(result.kind === 'signed' ? 'signed' : result.text);
  }
  expect(kinds.slice(0, 5)).toEqual(Array(5).fill('signed'));
  expect(kinds[5]).toBe('Bid quantity 24000 is over 20000 in market 1 today');
  // Of another market and without a sensible price, but nothing is placed; with one order among them it is refused as a whole.
  const away = [leg(0n, 9_999n), leg(0n, 1n)];
  expect((await core.sign(request(envelope(7, quote(away))))).kind).toBe('signed');
  const smuggled = quote([...away, leg(101n)]);
  expect(await core.sign(request(envelope(8, smuggled)))).toMatchObject({ code: 'policy' });
  await close();
});

test('halves of a frame on two connections are no frame, and a frame with anything behind its end is none', async () => {
  const { answers, close, sockets } = await connections(3);
  const [first, second, third] = sockets as [Socket, Socket, Socket];
  const frame = signFrame(1, [request(envelope(1))]);
  const closed = once(second, 'close');
  first.write(frame.subarray(0, 60));
  second.write(frame.subarray(60));
  await closed;
  const longer = Buffer.concat([frame, Buffer.from([1])]);
  longer.writeUInt32LE(longer.length - 4);
  const ended = once(third, 'close');
  third.write(longer);
  await ended;
  expect(answers.flat()).toEqual([]);
  first.write(frame.subarray(60));
  await answered(answers, 1);
  expect(answers[0]).toEqual(['signed']);
  await close();
});

test('no clock opens a nonce again: an hour back and a day on, the other order stays refused, and no rate refills', async () => {
  const clock = new ManualClock(Date.UTC(2026, 0, 5, 0, 10));
  const limited = { ...policy, placementsPerSecond: 1, burst: 2 };
  const core = await coreWith({
    clock,
    keys: [{ holder: localKey(ecdsa, secretKey()), policy: limited }],
  });
  const codeOf = async (nonce: number, price = 50n, qty = 100n) => {
    const result = await core.sign(request(envelope(nonce, spot(price, qty))));
    return result.kind === 'signed' ? 'signed' : result.code;
  };
  expect([await codeOf(1), await codeOf(2), await codeOf(3)]).toEqual(['signed', 'signed', 'rate']);
  for (const step of [-3_600_000, 3_600_000, 86_400_000, -86_400_000]) {
    clock.stepWall(step);
    expect([await codeOf(1, 51n), await codeOf(2), await codeOf(3)]).toEqual([
      ...['other_digest', 'signed', 'rate'],
    ]);
  }
});

test('a bridge that was set back to a backup may use the newer ledger, and gets no second order for a nonce', async () => {
  const { core } = hostileCore(ecdsa);
  const anchors = new LedgerAnchors(null, new ManualClock(), () => {});
  expect((await core.sign(request(envelope(1)))).kind).toBe('signed');
  anchors.keep(core.anchor);
  const journal = { floor: 1, digests: new Map<number, string>() };
  for (let nonce = 2; nonce <= 9; nonce += 1) await core.sign(request(envelope(nonce)));
  // The backup knows neither these nonces nor the entries behind its anchor.
  const { anchor, chain } = await core.greet(anchors.last);
  expect(anchors.problem(anchor, chain)).toBeUndefined();
  core.recall(account, journal.floor, journal.digests);
  for (let nonce = 2; nonce <= 9; nonce += 1) {
    expect(await core.sign(request(envelope(nonce, spot(51n))))).toMatchObject({
      code: 'other_digest',
    });
  }
  expect((await core.sign(request(envelope(10, spot(51n))))).kind).toBe('signed');
});

test('what a bridge recalls as signed before is held against the whole policy, and moves no limit', async () => {
  const { core } = hostileCore(ecdsa);
  const asked = request(envelope(5, spot(1_000_000n, 1_000_000n, 9)));
  const digest = new Derivation(contract, referenceBlake3).actionHash(asked.canonical);
  core.recall(account, 0, new Map([[5, Buffer.from(digest).toString('hex')]]));
  expect(await core.sign(asked)).toMatchObject({ code: 'policy' });
  expect((await core.sign(request(envelope(6)))).kind).toBe('signed');
  core.recall(account, 6_000_000, new Map());
  expect(await core.sign(request(envelope(6_000_000)))).toMatchObject({
    text: 'nonce 6000000 is 5999994 above all others, more than 5000',
  });
});

test('the judge finds what a signer without a rule would sign', () => {
  const judge = new Judge(ecdsa, referenceBlake3, account);
  const { canonical } = request(envelope(1));
  const bytes = new Uint8Array(65);
  const signature = { scheme: contract.signing.schemes.ecdsa, bytes };
  judge.judge(canonical, { kind: 'signed', digest: new Uint8Array(32), signature, key: account });
  expect(judge.faults.map((fault) => fault.split(' was signed')[0])).toEqual([
    'another digest',
    'another signer',
  ]);
});
