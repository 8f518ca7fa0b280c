/** The real disk, until the process that uses it dies: after so many changes, or before one of this name. What it did is listed. */
import { basename } from 'node:path';
import { type Disk, realDisk } from '../../../src/store/log/disk.ts';

export class CrashingDisk implements Disk {
  readonly changes: string[] = [];
  hasCrashed = false;
  readonly #before: number | string | undefined;

  constructor(before?: number | string) {
    this.#before = before;
  }

  #change(kind: string, path: string): void {
    const { length } = this.changes;
    this.hasCrashed ||= length === this.#before || `${kind} ${basename(path)}` === this.#before;
    if (this.hasCrashed) throw new Error('the process has died');
    this.changes.push(`${kind} ${path}`);
  }

  readonly list = realDisk.list;
  readonly has = realDisk.has;
  readonly freeBytes = realDisk.freeBytes;

  makeDirectory(path: string): void {
    this.#change('makeDirectory', path);
    realDisk.makeDirectory(path);
  }

  open(...[path, mode]: Parameters<Disk['open']>): ReturnType<Disk['open']> {
    if (mode !== 'read') this.#change('open', path);
    const file = realDisk.open(path, mode);
    return {
      size: () => file.size(),
      read: (at, bytes) => file.read(at, bytes),
      write: (bytes, at) => {
        this.#change('write', path);
        file.write(bytes, at);
      },
      sync: async () => {
        this.#change('sync', path);
        await file.sync();
      },
      syncNow: () => {
        this.#change('sync', path);
        file.syncNow();
      },
      close: () => file.close(),
      [Symbol.dispose]: () => file.close(),
    };
  }

  rename(from: string, to: string): void {
    this.#change('rename', from);
    realDisk.rename(from, to);
  }

  remove(path: string): void {
    this.#change('remove', path);
    realDisk.remove(path);
  }

  async syncDirectory(path: string): Promise<void> {
    this.#change('syncDirectory', path);
    await realDisk.syncDirectory(path);
  }
}
