/** Everything that somebody with the bridge's privileges could send, over the real socket; `npm run long -- hostile-bridge` sends more. */
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../src/runtime/clock.ts';
import { referenceBlake3 } from '../../src/signer/blake3.ts';
import { LedgerAnchors } from '../../src/signer/ledger-anchors.ts';
import { RemoteSigner } from '../../src/signer/remote-signer.ts';
import { FrameSplitter } from '../../src/signer/signer-frame.ts';
import { socketLink } from '../../src/signer/signer-link.ts';
import { serveSigner } from '../../src/signer/signer-server.ts';
import { belowOf, HostileBridge, hostileCore, Judge, type Wire } from './hostile-bridge.ts';
import { account, cancel, contract, ecdsa, envelope, request } from './signer-samples.ts';

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
  const { alarms, core } = hostileCore(ecdsa);
  const path = join(directory, 'signer.sock');
  const reports: string[] = [];
  const server = await serveSigner(
    core,
    { socket: path, connections: 8 },
    {
      report: (text) => reports.push(text),
    },
  );
  const judge = new Judge(ecdsa, referenceBlake3, core.keys.get(account) ?? account);
  const wire = new SocketWire(path);
  const bridge = new HostileBridge(wire, judge, belowOf(7));
  await bridge.attack(300);
  wire.end();
  expect(judge.faults).toEqual([]);
  for (const outcome of ['signed', 'policy', 'unreadable', 'other_digest']) {
    expect([outcome, judge.counts[outcome] ?? 0]).not.toEqual([outcome, 0]);
  }
  expect(alarms.count).toBeGreaterThan(0);
  expect(reports.every((text) => text.startsWith('connection ended: '))).toBe(true);
  const honest = await RemoteSigner.open({
    ...{ contract, clock: systemClock, link: socketLink(path), report: () => {} },
    anchors: new LedgerAnchors(null, systemClock, () => {}),
  });
  expect((await honest.sign(request(envelope(3, cancel)))).kind).toBe('signed');
  await honest.close();
  await server.close();
}, 30_000);

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
