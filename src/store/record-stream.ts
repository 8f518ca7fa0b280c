/** Streams that are read whole at a start, such as the acts of operators. */
import type { JournalRecord, Store } from './store.ts';
import type { Transactions } from './transactions.ts';

const readAtOnce = 512;

/** The records after a position. */
export async function* recordsAfter(
  store: Pick<Store, 'read'>,
  stream: string,
  position: number,
): AsyncGenerator<JournalRecord> {
  for (let end = position; ; ) {
    const records = await store.read(stream, end, readAtOnce);
    yield* records;
    if (records.length < readAtOnce) return;
    end = records.at(-1)?.position ?? end;
  }
}

/** A stream of JSON, which one object reads at a start and then appends to. */
export class RecordStream<Value> {
  readonly #transactions: Transactions;
  readonly #stream: string;
  readonly #take: (value: Value) => void;
  #end = 0;

  /** `take` gets each value, one that was read and one that is appended. */
  constructor(transactions: Transactions, stream: string, take: (value: Value) => void) {
    this.#transactions = transactions;
    this.#stream = stream;
    this.#take = take;
  }

  async read(): Promise<void> {
    const { store } = this.#transactions;
    for await (const { payload, position } of recordsAfter(store, this.#stream, this.#end)) {
      this.#take(JSON.parse(Buffer.from(payload).toString()));
      this.#end = position;
    }
  }

  /** Called within a transaction. */
  append(value: Value): void {
    const payload = new TextEncoder().encode(JSON.stringify(value));
    const [stream, expected] = [this.#stream, this.#end];
    this.#transactions.write({ kind: 'append', stream, expected, payload });
    this.#end += 1;
    this.#take(value);
  }
}
