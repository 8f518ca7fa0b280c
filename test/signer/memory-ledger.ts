/** A ledger's file without a disk, for tests of what runs above it. */
import { hash } from 'node:crypto';
import { type Anchor, entryBytes, type LedgerFile } from '../../src/signer/ledger-file.ts';

export class MemoryLedger implements LedgerFile {
  #space = Buffer.alloc(64 * 1024);
  #length = 0;
  #chains: string[] = [];

  get bytes(): Buffer {
    return this.#space.subarray(0, this.#length);
  }

  get anchor(): Anchor {
    const count = this.bytes.length / entryBytes;
    return { id: 'ab'.repeat(16), count, chain: this.chainAt(count) ?? '' };
  }

  chainAt(count: number): string | undefined {
    return count === 0 ? 'ab'.repeat(16) : this.#chains[count - 1];
  }

  read(onEntry: (entry: Buffer) => void): void {
    for (let at = 0; at < this.bytes.length; at += entryBytes) {
      onEntry(this.bytes.subarray(at, at + entryBytes));
    }
  }

  append(entries: Uint8Array): void {
    while (this.#length + entries.length > this.#space.length) {
      this.#space = Buffer.concat([this.#space], 2 * this.#space.length);
    }
    this.#space.set(entries, this.#length);
    this.#length += entries.length;
    for (let at = 0; at < entries.length; at += entryBytes) {
      const before = this.#chains.at(-1) ?? '';
      const entry = Buffer.from(entries.subarray(at, at + entryBytes));
      this.#chains.push(hash('sha256', before + entry.toString('latin1')).slice(0, 32));
    }
  }

  rewrite(entries: Uint8Array): void {
    this.#length = 0;
    this.#chains = [];
    this.append(entries);
  }

  close(): void {}
}
