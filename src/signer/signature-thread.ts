/**
 * A thread that does nothing but sign, so that a signer uses two cores where several actions come together
 * (docs/decisions/0208-a-thread-signs-beside-the-bridge.md). What may be signed is decided before: it is asked for
 * digests that are checked and recorded. Questions are answered in their order, in memory that both threads share: to
 * hand a message to another thread and back takes longer than most of these signatures.
 *
 *     counts     asked i32 | signed i32 | whether the thread sleeps i32 | whether it is to end i32
 *     jobs       (key u8 | digest 32)*       a ring of `places`
 *     answers    (signature 65)*             a ring of as many
 */
import { Worker } from 'node:worker_threads';
import { beside } from '../runtime/beside.ts';
import { type BackendName, type Ecdsa, openEcdsa } from './ecdsa.ts';

export interface SignatureThreadData {
  readonly backend: BackendName;
  readonly secretKeys: readonly Uint8Array[];
}

export interface SignatureJob {
  /** Which of the secret keys. */
  readonly key: number;
  /** 32 bytes. */
  readonly digest: Uint8Array;
}

const jobBytes = 33;
const signatureBytes = 65;
/** Signatures that may be asked for and not taken yet. */
const places = 256;
/** In the place of a key: whoever asked signs it after all. */
const givenUp = 255;
/** How long one signature alone is waited for: a thread that gets no processor now would hold up a cancel. */
const patienceMs = 0.3;
const countAt = { asked: 0, signed: 1, isAsleep: 2, isOver: 3 } as const;
const jobsAt = 16;
const answersAt = jobsAt + places * jobBytes;
const memoryBytes = answersAt + places * signatureBytes;

/** What both threads see. The counts only grow, and wrap. */
class Ring {
  readonly counts: Int32Array;
  readonly #jobs: Uint8Array;
  readonly #answers: Uint8Array;

  constructor(memory: SharedArrayBuffer) {
    this.counts = new Int32Array(memory, 0, jobsAt / Int32Array.BYTES_PER_ELEMENT);
    this.#jobs = new Uint8Array(memory, jobsAt, places * jobBytes);
    this.#answers = new Uint8Array(memory, answersAt, places * signatureBytes);
  }

  job(number: number): Uint8Array {
    return piece(this.#jobs, place(number), jobBytes);
  }

  answer(number: number): Uint8Array {
    return piece(this.#answers, place(number), signatureBytes);
  }
}

interface Question {
  /** The numbers of its jobs are those from here on. */
  readonly first: number;
  readonly count: number;
  readonly untilMs: number;
  readonly resolve: (answer: readonly Uint8Array[] | undefined) => void;
}

export class SignatureThread {
  readonly #data: SignatureThreadData;
  readonly #memory = new SharedArrayBuffer(memoryBytes);
  readonly #ring = new Ring(this.#memory);
  /** In their order. */
  #questions: Question[] = [];
  #asked = 0;
  #worker: Worker | undefined;
  #ended: Promise<void> = Promise.resolve();
  #isReady = false;
  #isWatching = false;

  constructor(data: SignatureThreadData) {
    this.#data = data;
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  /**
   * The signatures, in the order of the jobs; undefined where others must sign, because the thread is gone, not ready, has
   * too much to do, or does not come to it. The first question starts it, so that a signer with little to do has none.
   */
  sign(jobs: readonly SignatureJob[]): Promise<readonly Uint8Array[] | undefined> {
    this.#worker ??= this.#start();
    if (!this.#isReady || jobs.length > this.#room) return Promise.resolve(undefined);
    const first = this.#asked;
    for (const [index, { key, digest }] of jobs.entries()) {
      const job = this.#ring.job(first + index);
      job[0] = key;
      job.set(digest, 1);
    }
    this.#asked = (first + jobs.length) | 0;
    const { counts } = this.#ring;
    Atomics.store(counts, countAt.asked, this.#asked);
    if (Atomics.exchange(counts, countAt.isAsleep, 0) === 1) Atomics.notify(counts, countAt.asked);
    const untilMs = jobs.length === 1 ? performance.now() + patienceMs : Number.POSITIVE_INFINITY;
    return new Promise((resolve) => {
      this.#questions.push({ first, count: jobs.length, untilMs, resolve });
      this.#watch();
    });
  }

  /** Takes what is signed already. */
  look(): void {
    const signed = Atomics.load(this.#ring.counts, countAt.signed);
    for (let next = this.#questions[0]; next !== undefined; next = this.#questions[0]) {
      const { first, count, resolve } = next;
      if (((signed - first) | 0) < count) return;
      this.#questions.shift();
      // The place is another's soon.
      resolve(
        Array.from({ length: count }, (_, index) => this.#ring.answer(first + index).slice()),
      );
    }
  }

  /** Asks it to end: native code that is interrupted in a thread takes the whole process with it. */
  close(): Promise<void> {
    const { counts } = this.#ring;
    this.#isReady = false;
    Atomics.store(counts, countAt.isOver, 1);
    // A thread that is about to sleep looks at this count last.
    Atomics.add(counts, countAt.asked, 1);
    Atomics.notify(counts, countAt.asked);
    return this.#ended;
  }

  /** Signatures take less time than to be woken for them, so the loop goes round until they are there. */
  #watch(): void {
    if (this.#isWatching) return;
    this.#isWatching = true;
    setImmediate(() => {
      this.#isWatching = false;
      this.look();
      this.#giveUp();
      if (this.#questions.length > 0) this.#watch();
    });
  }

  /** Places that the thread is done with and whose answers are taken. */
  get #room(): number {
    const unsigned = (this.#asked - Atomics.load(this.#ring.counts, countAt.signed)) | 0;
    const oldest = this.#questions[0]?.first ?? this.#asked;
    return places - Math.max(unsigned, (this.#asked - oldest) | 0);
  }

  #giveUp(): void {
    const nowMs = performance.now();
    const late = this.#questions.filter(({ untilMs }) => untilMs <= nowMs);
    if (late.length === 0) return;
    this.#questions = this.#questions.filter(({ untilMs }) => untilMs > nowMs);
    for (const { first, resolve } of late) {
      this.#ring.job(first)[0] = givenUp;
      resolve(undefined);
    }
  }

  #start(): Worker {
    const entry = beside(import.meta.url, 'signature-worker');
    const workerData = { ...this.#data, memory: this.#memory };
    const worker = new Worker(entry, { workerData });
    worker.once('message', () => {
      this.#isReady = Atomics.load(this.#ring.counts, countAt.isOver) === 0;
    });
    // Whoever asked signs then; the end that follows each error says so.
    worker.on('error', () => {});
    this.#ended = new Promise((resolve) => {
      worker.once('exit', () => {
        this.#isReady = false;
        this.look();
        for (const question of this.#questions.splice(0)) question.resolve(undefined);
        resolve();
      });
    });
    return worker;
  }
}

/** How long the thread stays awake for the next question, which mostly comes with the one before or much later. */
const awakeMs = 0.005;

export interface SignatureWorkerData extends SignatureThreadData {
  readonly memory: SharedArrayBuffer;
}

/** In the thread: signs what is asked for until it is told to end. */
export async function signatureMaker(data: SignatureWorkerData): Promise<() => void> {
  const { backend, memory, secretKeys } = data;
  const ecdsa = await openEcdsa(backend);
  return () => {
    signAll(new Ring(memory), ecdsa, secretKeys);
    for (const secretKey of secretKeys) secretKey.fill(0);
  };
}

function signAll(ring: Ring, ecdsa: Ecdsa, secretKeys: readonly Uint8Array[]): void {
  const { counts } = ring;
  let signed = Atomics.load(counts, countAt.signed);
  for (;;) {
    const asked = Atomics.load(counts, countAt.asked);
    if (Atomics.load(counts, countAt.isOver) === 1) return;
    if (asked === signed) {
      awaitMore(counts, signed);
      continue;
    }
    // A copy, because no library takes shared memory.
    const job = ring.job(signed).slice();
    const [key = 0] = job;
    const secretKey = secretKeys[key];
    if (secretKey !== undefined) ring.answer(signed).set(ecdsa.sign(job.subarray(1), secretKey));
    else if (key !== givenUp) throw new Error(`there is no key ${key}`);
    signed = (signed + 1) | 0;
    Atomics.store(counts, countAt.signed, signed);
  }
}

function awaitMore(counts: Int32Array, signed: number): void {
  const untilMs = performance.now() + awakeMs;
  while (performance.now() < untilMs) {
    if (Atomics.load(counts, countAt.asked) !== signed) return;
  }
  Atomics.store(counts, countAt.isAsleep, 1);
  Atomics.wait(counts, countAt.asked, signed);
  Atomics.store(counts, countAt.isAsleep, 0);
}

/** The counts wrap at a multiple of `places`. */
function place(number: number): number {
  return number & (places - 1);
}

function piece(bytes: Uint8Array, index: number, length: number): Uint8Array {
  return bytes.subarray(index * length, (index + 1) * length);
}
