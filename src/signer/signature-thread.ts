/**
 * A thread that does nothing but sign, so that a signer in a thread or process of its own uses two cores where many
 * actions come together (docs/decisions/0183-two-threads-sign.md). What may be signed is decided before: it is asked for
 * digests that are checked and recorded. Questions are answered in their order.
 *
 *     question  (key u8 | digest 32)*
 *     answer    (signature 65)*
 */
import { Worker } from 'node:worker_threads';
import { beside } from '../runtime/beside.ts';
import { type BackendName, openEcdsa } from './ecdsa.ts';

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

export class SignatureThread {
  readonly #data: SignatureThreadData;
  /** Who waits for an answer, in the order of the questions. */
  readonly #waiting: ((answer: Uint8Array | undefined) => void)[] = [];
  #worker: Worker | undefined;
  #ended: Promise<void> = Promise.resolve();
  #isReady = false;

  constructor(data: SignatureThreadData) {
    this.#data = data;
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  /**
   * The signatures, in the order of the jobs; undefined where others must sign, because the thread is gone or not ready.
   * The first question starts it, so that a signer with little to do has none.
   */
  async sign(jobs: readonly SignatureJob[]): Promise<readonly Uint8Array[] | undefined> {
    this.#worker ??= this.#start();
    if (!this.#isReady) return undefined;
    const question = new Uint8Array(jobs.length * jobBytes);
    for (const [index, { key, digest }] of jobs.entries()) {
      question[index * jobBytes] = key;
      question.set(digest, index * jobBytes + 1);
    }
    const answer = await new Promise<Uint8Array | undefined>((resolve) => {
      this.#waiting.push(resolve);
      this.#worker?.postMessage(question);
    });
    return answer && jobs.map((_, index) => piece(answer, index, signatureBytes));
  }

  /** Asks it to end: native code that is interrupted in a thread takes the whole process with it. */
  close(): Promise<void> {
    this.#worker?.postMessage('close');
    return this.#ended;
  }

  #start(): Worker {
    const entry = beside(import.meta.url, 'signature-worker');
    const worker = new Worker(entry, { workerData: this.#data });
    worker.on('message', (word: 'ready' | Uint8Array) => {
      if (word === 'ready') this.#isReady = true;
      else this.#waiting.shift()?.(word);
    });
    // Whoever asked signs then; the end that follows each error says so.
    worker.on('error', () => {});
    this.#ended = new Promise((resolve) => {
      worker.once('exit', () => {
        this.#isReady = false;
        for (const answer of this.#waiting.splice(0)) answer(undefined);
        resolve();
      });
    });
    return worker;
  }
}

/** In the thread: questions to answers. */
export async function signatureMaker({
  backend,
  secretKeys,
}: SignatureThreadData): Promise<(question: Uint8Array) => Uint8Array> {
  const ecdsa = await openEcdsa(backend);
  return (question) => {
    const count = question.length / jobBytes;
    const answer = new Uint8Array(count * signatureBytes);
    for (let index = 0; index < count; index += 1) {
      const job = piece(question, index, jobBytes);
      const secretKey = secretKeys[job[0] ?? 0];
      if (secretKey === undefined) throw new Error(`there is no key ${job[0]}`);
      answer.set(ecdsa.sign(job.subarray(1), secretKey), index * signatureBytes);
    }
    return answer;
  };
}

function piece(bytes: Uint8Array, index: number, length: number): Uint8Array {
  return bytes.subarray(index * length, (index + 1) * length);
}
