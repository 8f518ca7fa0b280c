/**
 * What transactions write and how long they hold the loop, seen from outside: the methods of `Transactions` are
 * wrapped. The pauses of the garbage collector are observed, because a turn that allocates may pay for all that was
 * allocated before it.
 */
import { PerformanceObserver } from 'node:perf_hooks';
import { constants, zstdCompressSync } from 'node:zlib';
import type { Write } from '../../src/store/store.ts';
import { Transactions } from '../../src/store/transactions.ts';

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
  /** How much of that turn was a pause of the garbage collector. */
  readonly collectedInItMs: number;
  /** The longest pause of the garbage collector, in a turn or between two. */
  readonly longestPauseMs: number;
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
  #longest: Span = nowhere;
  #pauses: Span[] = [];
  #longestSnapshotUs = 0;
  #snapshotTurns = 0;
  #isOpen = false;
  #hasSnapshot = false;
  #isSampling = false;

  static install(): TurnCosts {
    const costs = new TurnCosts();
    const { run, write } = Transactions.prototype;
    Transactions.prototype.run = function timed<T>(this: Transactions, call: () => T): T {
      return costs.#timed(() => run.call(this, call) as T);
    };
    Transactions.prototype.write = function counted(this: Transactions, one: Write): void {
      costs.#count(one);
      write.call(this, one);
    };
    new PerformanceObserver((list) => {
      for (const { duration, startTime } of list.getEntries()) {
        if (duration >= shortestPauseMs) {
          costs.#pauses.push({ fromMs: startTime, toMs: startTime + duration });
        }
      }
    }).observe({ entryTypes: ['gc'] });
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
      collectedInItMs: this.#pauses.reduce((sum, pause) => sum + shared(pause, this.#longest), 0),
      longestPauseMs: Math.max(0, ...this.#pauses.map(({ fromMs, toMs }) => toMs - fromMs)),
      longestSnapshotMs: this.#longestSnapshotUs / 1000,
      snapshotTurns: this.#snapshotTurns,
    };
    this.#counts = emptyCounts();
    this.#longestUs = 0;
    this.#longest = nowhere;
    this.#pauses = [];
    this.#longestSnapshotUs = 0;
    this.#snapshotTurns = 0;
    this.#isSampling = false;
    return costs;
  }

  #timed<T>(call: () => T): T {
    if (this.#isOpen) return call();
    this.#isOpen = true;
    const fromMs = performance.now();
    const before = process.threadCpuUsage();
    try {
      return call();
    } finally {
      const { system, user } = process.threadCpuUsage(before);
      this.#isOpen = false;
      if (system + user > this.#longestUs) {
        this.#longestUs = system + user;
        this.#longest = { fromMs, toMs: performance.now() };
      }
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

interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

const nowhere: Span = { fromMs: 0, toMs: 0 };
/** Shorter ones are too many to be kept. */
const shortestPauseMs = 1;

function shared(one: Span, other: Span): number {
  return Math.max(0, Math.min(one.toMs, other.toMs) - Math.max(one.fromMs, other.fromMs));
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
