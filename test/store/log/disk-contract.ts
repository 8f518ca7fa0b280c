/** What any disk does: the test of each calls this with a folder of its own that is not made yet. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Disk } from '../../../src/store/log/disk.ts';

const bytes = (text: string) => Buffer.from(text);

export function diskContract(fresh: () => { readonly disk: Disk; readonly folder: string }): void {
  test('a folder that is missing has no names, and one that is made twice keeps them', () => {
    const { disk, folder } = fresh();
    expect(disk.list(folder)).toEqual([]);
    disk.makeDirectory(folder);
    disk.open(join(folder, 'a'), 'new').close();
    disk.makeDirectory(folder);
    expect(disk.list(folder)).toEqual(['a']);
    expect([disk.has(join(folder, 'a')), disk.has(join(folder, 'b'))]).toEqual([true, false]);
    expect(disk.freeBytes(folder)).toBeGreaterThan(0);
  });

  test('what is written at a position is read there, and a read ends with the file', () => {
    const { disk, folder } = fresh();
    disk.makeDirectory(folder);
    const file = disk.open(join(folder, 'a'), 'new');
    file.write(bytes('world'), 6);
    file.write(bytes('hello '), 0);
    expect(file.read(0, 100).toString()).toBe('hello world');
    expect(file.read(6, 3).toString()).toBe('wor');
    expect([file.read(11, 5).length, file.read(50, 5).length, file.size()]).toEqual([0, 0, 11]);
    file.write(bytes('x'), 20);
    expect(file.read(10, 11)).toEqual(bytes('d\0\0\0\0\0\0\0\0\0x'));
    file.close();
  });

  test('each way to open a file finds what is there, or says that it is not', () => {
    const { disk, folder } = fresh();
    disk.makeDirectory(folder);
    const path = join(folder, 'a');
    const code = (call: () => unknown) => {
      try {
        call();
      } catch (error) {
        return (error as NodeJS.ErrnoException).code;
      }
      return 'none';
    };
    expect(code(() => disk.open(path, 'read'))).toBe('ENOENT');
    const made = disk.open(path, 'write');
    made.write(bytes('one'), 0);
    made.close();
    expect(code(() => disk.open(path, 'new'))).toBe('EEXIST');
    const again = disk.open(path, 'write');
    again.write(bytes('O'), 0);
    again.close();
    const read = disk.open(path, 'read');
    expect(read.read(0, 10).toString()).toBe('One');
    read.close();
  });

  test('a renamed file replaces the other, and a removed one can be read by who has it open', async () => {
    const { disk, folder } = fresh();
    disk.makeDirectory(folder);
    const [from, to] = [join(folder, 'from'), join(folder, 'to')];
    const old = disk.open(to, 'new');
    old.write(bytes('old'), 0);
    const file = disk.open(from, 'new');
    file.write(bytes('new'), 0);
    await file.sync();
    file.syncNow();
    disk.rename(from, to);
    await disk.syncDirectory(folder);
    expect(disk.list(folder)).toEqual(['to']);
    expect([old.read(0, 9).toString(), file.read(0, 9).toString()]).toEqual(['old', 'new']);
    disk.remove(to);
    disk.remove(to);
    expect([disk.list(folder), file.read(0, 9).toString()]).toEqual([[], 'new']);
    file.write(bytes('N'), 0);
    expect(file.read(0, 9).toString()).toBe('New');
    for (const each of [old, file]) each.close();
  });
}
