/** The disk in memory: it is a disk like the real one, and what a power loss may leave of it. */
import { expect, test } from 'vitest';
import { diskContract } from '../store/log/disk-contract.ts';
import { SimulatedDisk } from './simulated-disk.ts';

diskContract(() => ({ disk: new SimulatedDisk(1).disk, folder: '/data/log' }));

const seeds = Array.from({ length: 200 }, (_, seed) => seed);

/** A disk with a folder whose name is kept. */
function made(seed = 1): SimulatedDisk {
  const simulated = new SimulatedDisk(seed);
  simulated.disk.makeDirectory('/d');
  return simulated;
}

const contentOf = ({ disk }: SimulatedDisk, path: string) =>
  disk.has(path) ? disk.open(path, 'read').read(0, 100).toString() : 'gone';

async function kept(simulated: SimulatedDisk, path: string, text: string) {
  const file = simulated.disk.open(path, 'new');
  file.write(Buffer.from(text), 0);
  await file.sync();
  await simulated.disk.syncDirectory('/d');
  return file;
}

test('what was synced with its name outlives a power loss, and a process that ends loses nothing', async () => {
  for (const seed of seeds) {
    const simulated = made(seed);
    const file = await kept(simulated, '/d/a', 'synced');
    file.write(Buffer.from('S'), 0);
    simulated.end(false);
    expect(contentOf(simulated, '/d/a')).toBe('Synced');
    simulated.end(true);
    expect(['synced', 'Synced']).toContain(contentOf(simulated, '/d/a'));
  }
});

test('a process that was replaced goes on with the same disk until it is ended', () => {
  const simulated = made();
  const former = simulated.disk;
  const endFormer = simulated.share();
  former.open('/d/a', 'new').write(Buffer.from('a'), 0);
  expect(contentOf(simulated, '/d/a')).toBe('a');
  endFormer();
  former.remove('/d/a');
  simulated.disk.open('/d/a', 'write').write(Buffer.from('b'), 1);
  expect(contentOf(simulated, '/d/a')).toBe('ab');
});

test('each unsynced write is kept, torn or lost, whatever became of those before it', async () => {
  const seen = new Set<string>();
  for (const seed of seeds) {
    const simulated = made(seed);
    const file = await kept(simulated, '/d/a', '....');
    file.write(Buffer.from('ab'), 0);
    file.write(Buffer.from('cd'), 2);
    simulated.end(true);
    seen.add(contentOf(simulated, '/d/a'));
  }
  const first = ['..', 'a.', 'ab'];
  const every = first.flatMap((one) => ['..', 'c.', 'cd'].map((two) => one + two));
  expect([...seen].sort()).toEqual(every.sort());
});

test('of names that were not synced a power loss keeps the first so many changes', async () => {
  const seen = new Set<string>();
  for (const seed of seeds) {
    const simulated = made(seed);
    await kept(simulated, '/d/a', 'a');
    simulated.disk.rename('/d/a', '/d/b');
    simulated.disk.open('/d/c', 'new').close();
    simulated.end(true);
    seen.add(simulated.disk.list('/d').toSorted().join());
  }
  expect([...seen].sort()).toEqual(['a', 'b', 'b,c']);
});

test('a process that has ended changes nothing any more, and none of its syncs comes back', async () => {
  const simulated = made();
  const old = simulated.disk;
  const file = await kept(simulated, '/d/a', 'a');
  simulated.end(false);
  let isBack = false;
  for (const sync of [file.sync(), old.syncDirectory('/d')]) {
    void sync.then(() => {
      isBack = true;
    });
  }
  file.write(Buffer.from('x'), 0);
  old.remove('/d/a');
  old.open('/d/b', 'new').write(Buffer.from('b'), 0);
  await new Promise(setImmediate);
  expect([contentOf(simulated, '/d/a'), simulated.disk.list('/d'), isBack]).toEqual([
    'a',
    ['a'],
    false,
  ]);
});

test('a process dies before the operation that it was told, and that is not done', () => {
  const simulated = made();
  const { disk } = simulated;
  simulated.diesBefore = simulated.operations + 2;
  disk.open('/d/a', 'new').write(Buffer.from('x'), 0);
  expect(simulated.hasDied).toBe(true);
  simulated.end(false);
  expect(contentOf(simulated, '/d/a')).toBe('');
});

test('a sync that failed leaves what it was of unsynced for ever, and says so only once', async () => {
  const found = new Set<string>();
  for (const seed of seeds) {
    const simulated = made(seed);
    const file = await kept(simulated, '/d/a', '-');
    file.write(Buffer.from('x'), 0);
    simulated.fault = (operation) => (operation === 'sync' ? 'EIO' : undefined);
    await expect(file.sync()).rejects.toThrow('EIO');
    simulated.fault = () => undefined;
    await file.sync();
    expect(contentOf(simulated, '/d/a')).toBe('x');
    simulated.end(true);
    found.add(contentOf(simulated, '/d/a'));
  }
  expect([...found].sort()).toEqual(['-', 'x']);
});

test('a full disk takes the part of a write that it has room for', () => {
  const simulated = made();
  simulated.capacity = 5;
  const file = simulated.disk.open('/d/a', 'new');
  file.write(Buffer.from('abc'), 0);
  expect(simulated.disk.freeBytes('/d')).toBe(2);
  expect(() => file.write(Buffer.from('defg'), 3)).toThrow('ENOSPC');
  file.write(Buffer.from('ABCDE'), 0);
  expect(contentOf(simulated, '/d/a')).toBe('ABCDE');
  simulated.disk.remove('/d/a');
  expect(simulated.disk.freeBytes('/d')).toBe(5);
});

test('a slow sync keeps what was written before it, and not what was written meanwhile', async () => {
  const ends: (() => void)[] = [];
  const seen = new Set<string>();
  for (const seed of seeds) {
    const simulated = made(seed);
    const file = await kept(simulated, '/d/a', '--');
    simulated.delay = () => new Promise((resolve) => ends.push(resolve));
    file.write(Buffer.from('a'), 0);
    const sync = file.sync();
    file.write(Buffer.from('b'), 1);
    ends.pop()?.();
    await sync;
    simulated.end(true);
    seen.add(contentOf(simulated, '/d/a'));
  }
  expect([...seen].sort()).toEqual(['a-', 'ab']);
});
