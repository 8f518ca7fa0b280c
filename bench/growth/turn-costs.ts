/** What turns write and how long they hold the loop, seen from outside: the methods of `Turns` are wrapped. */
import { constants, zstdCompressSync } from 'node:zlib';
import type { Write } from '../../src/store/store.ts';
import { Turns } from '../../src/store/turns.ts';

/** Kinds of records, in the order of the report. */
export const recordKinds = ['journal', 'state', 'copies', 'messages', 'numbers', 'other'] as const;
export type RecordKind = (typeof recordKinds)[number];

/** Bytes of payload, and compressed in blocks as a sealed segment of a log would be; the latter only of a sample. */
export interface Bytes {
  readonly writes: number;
  readonly raw: number;
  readonly sampleRaw: number;
  readonly sampleZstd: number;
}

export interface Costs {
  readonly bytes: Readonly<Record<RecordKind, Bytes>>;
  /** Processor time of the thread: another process that has the core does not count. */
  readonly longestTurnMs: number;
  /** Of the turns that wrote a part of a snapshot. */
  readonly longestSnapshotMs: number;
  readonly snapshotTurns: number;
}

const block = 256 * 1024;
const sampleBytes = 8 * 1024 * 1024;
/** The default of the log that is to be compressed. */
const level = 3;

export class TurnCosts {
  #counts = emptyCounts();
  #longestUs = 0;
  #longestSnapshotUs = 0;
  #snapshotTurns = 0;
  #isOpen = false;
  #hasSnapshot = false;
  #isSampling = false;

  static install(): TurnCosts {
    const costs = new TurnCosts();
    const { run, write } = Turns.prototype;
    Turns.prototype.run = function timed<T>(this: Turns, call: () => T): T {
      return costs.#timed(() => run.call(this, call) as T);
    };
    Turns.prototype.write = function counted(this: Turns, one: Write): void {
      costs.#count(one);
      write.call(this, one);
    };
    return costs;
  }

  /** From now until the next report, a part of what is written is kept and compressed. */
  sample(): void {
    this.#isSampling = true;
  }

  /** What happened since the last call. */
  take(): Costs {
    const entries = recordKinds.map((kind) => [kind, bytesOf(this.#counts[kind])]);
    const costs = {
      bytes: Object.fromEntries(entries) as Record<RecordKind, Bytes>,
      longestTurnMs: this.#longestUs / 1000,
      longestSnapshotMs: this.#longestSnapshotUs / 1000,
      snapshotTurns: this.#snapshotTurns,
    };
    this.#counts = emptyCounts();
    this.#longestUs = 0;
    this.#longestSnapshotUs = 0;
    this.#snapshotTurns = 0;
    this.#isSampling = false;
    return costs;
  }

  #timed<T>(call: () => T): T {
    if (this.#isOpen) return call();
    this.#isOpen = true;
    const before = process.threadCpuUsage();
    try {
      return call();
    } finally {
      const { system, user } = process.threadCpuUsage(before);
      this.#isOpen = false;
      this.#longestUs = Math.max(this.#longestUs, system + user);
      if (this.#hasSnapshot) {
        this.#longestSnapshotUs = Math.max(this.#longestSnapshotUs, system + user);
        this.#snapshotTurns += 1;
      }
      this.#hasSnapshot = false;
    }
  }

  #count(write: Write): void {
    const kind = kindOf(write);
    const payload = payloadOf(write);
    const count = this.#counts[kind];
    if (kind === 'state') this.#hasSnapshot = true;
    count.writes += 1;
    count.raw += payload?.length ?? 0;
    if (!this.#isSampling || payload === undefined || count.sampleRaw >= sampleBytes) return;
    count.sampleRaw += payload.length;
    count.sample.push(payload);
  }
}

interface Count {
  writes: number;
  raw: number;
  sampleRaw: number;
  sample: Uint8Array[];
}

function emptyCounts(): Record<RecordKind, Count> {
  const entries = recordKinds.map((kind): [RecordKind, Count] => [
    kind,
    { writes: 0, raw: 0, sampleRaw: 0, sample: [] },
  ]);
  return Object.fromEntries(entries) as Record<RecordKind, Count>;
}

function bytesOf({ raw, sample, sampleRaw, writes }: Count): Bytes {
  return { writes, raw, sampleRaw, sampleZstd: compressed(sample) };
}

function compressed(sample: readonly Uint8Array[]): number {
  const all = Buffer.concat(sample);
  const params = { [constants.ZSTD_c_compressionLevel]: level };
  let total = 0;
  for (let from = 0; from < all.length; from += block) {
    total += zstdCompressSync(all.subarray(from, from + block), { params }).length;
  }
  return total;
}

/** Names of streams as the bridge gives them. */
function kindOf(write: Write): RecordKind {
  switch (write.kind) {
    case 'messages':
    case 'hold':
      return 'messages';
    case 'numbers':
    case 'mark':
      return 'numbers';
    case 'append':
    case 'snapshot':
      if (write.stream.startsWith('copies/')) return 'copies';
      if (!write.stream.startsWith('desk/')) return 'other';
      return write.kind === 'snapshot' || write.stream.endsWith('/state') ? 'state' : 'journal';
    default:
      return 'other';
  }
}

function payloadOf(write: Write): Uint8Array | undefined {
  if (write.kind === 'append' || write.kind === 'snapshot') return write.payload;
  return write.kind === 'messages' || write.kind === 'hold' ? write.bytes : undefined;
}
