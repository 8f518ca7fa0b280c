/** A ledger's file without a disk, for tests of what stands above it. */
import { entryBytes, type LedgerFile } from '../../src/signer/ledger-file.ts';

export class MemoryLedger implements LedgerFile {
  bytes = Buffer.alloc(0);

  read(onEntry: (entry: Buffer) => void): void {
    for (let at = 0; at < this.bytes.length; at += entryBytes) {
      onEntry(this.bytes.subarray(at, at + entryBytes));
    }
  }

  append(entries: Uint8Array): void {
    this.bytes = Buffer.concat([this.bytes, entries]);
  }

  rewrite(entries: Uint8Array): void {
    this.bytes = Buffer.from(entries);
  }

  close(): void {}
}
