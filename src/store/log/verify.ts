/**
 * Checks a whole log: each record against its checksum and number, each state against the records before it, each table
 * against the records of its segment. It continues after a fault.
 */
import { CorruptRecord } from '../store.ts';
import { LiveIndex } from './live-index.ts';
import { applyRecord, noteRecord, type Recovered, stateOf } from './recover.ts';
import { headBytes, type LogRecord, type SegmentReader } from './segment.ts';
import { SegmentTable } from './segment-table.ts';

export function* verifyLog({ segments }: Recovered): Generator<CorruptRecord> {
  const checker = new Checker();
  for (const { segment } of segments.infos.values()) {
    const path = segments.pathOf(segment);
    let reader: SegmentReader;
    try {
      reader = segments.reader(segment);
    } catch (error) {
      checker.lose();
      if (!(error instanceof CorruptRecord)) throw error;
      yield error;
      continue;
    }
    const table = new SegmentTable();
    let isWhole = true;
    for (let block = 0; block < reader.table.blocks.length; block += 1) {
      const { records, damage } = segments.wholeOf(segment, block);
      if (damage !== undefined) {
        isWhole = false;
        checker.lose();
        yield damage;
      }
      for (const record of records) {
        const found = checker.take(
          record,
          { segment, block: noteRecord(table, record, reader.head) },
          path,
        );
        if (found !== undefined) yield found;
      }
    }
    if (isWhole && JSON.stringify(table.pack()) !== JSON.stringify(reader.table.pack()))
      yield new CorruptRecord(path, 'its table does not fit its records');
  }
}

/** The index that results from the records so far. */
class Checker {
  #index: LiveIndex | undefined;
  #sequence: number | undefined;

  /** A part is missing, so nothing follows from the records before it. */
  lose(): void {
    this.#index = undefined;
    this.#sequence = undefined;
  }

  take(
    record: LogRecord,
    place: { readonly segment: number; readonly block: number },
    path: string,
  ): CorruptRecord | undefined {
    const before = this.#sequence;
    this.#sequence = record.sequence;
    const isNext = before === undefined || record.sequence === before + 1;
    if (record.offset === headBytes) {
      const fault = this.#takeState(record, isNext, path);
      if (fault !== undefined) return fault;
    } else if (!isNext) {
      this.#index = undefined;
      return new CorruptRecord(
        `${path}, offset ${record.offset}`,
        `it has number ${record.sequence} and follows number ${before}`,
      );
    }
    if (this.#index === undefined) return undefined;
    try {
      applyRecord(this.#index, record, place, path);
      return undefined;
    } catch (error) {
      this.#index = undefined;
      if (error instanceof CorruptRecord) return error;
      throw error;
    }
  }

  /** Segments between these two may have been removed. */
  #takeState(record: LogRecord, isNext: boolean, path: string): CorruptRecord | undefined {
    const state = stateOf(record);
    const expected = isNext ? this.#index?.pack() : undefined;
    this.#index = undefined;
    if (state === undefined)
      return new CorruptRecord(`${path}, offset ${headBytes}`, 'its state is missing');
    this.#index = LiveIndex.unpack(state, state.keptBytesPerSession);
    if (expected === undefined || JSON.stringify(expected) === JSON.stringify(this.#index.pack()))
      return undefined;
    return new CorruptRecord(
      `${path}, offset ${headBytes}`,
      'its state does not follow from the records before it',
    );
  }
}
