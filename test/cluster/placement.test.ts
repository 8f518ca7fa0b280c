/** An account that changed its shard would forget its orders, so a node refuses to start with it. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { keepPlacement } from '../../src/cluster/placement.ts';
import { placementFile } from '../../src/gateway/data/data-lock.ts';

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'causeway-placement-'));
});

afterEach(() => rmSync(directory, { recursive: true }));

const shard = (name: string, accounts: string[], sessions: string[] = []) => ({
  name,
  accounts,
  sessions,
});
const kept = () => readFileSync(join(directory, placementFile), 'utf8');

test('the same shards may start again, and new accounts join them', () => {
  keepPlacement(directory, [shard('a', ['x'], ['C'])]);
  keepPlacement(directory, [shard('a', ['x'], ['C'])]);
  keepPlacement(directory, [shard('a', ['x', 'z'], ['C']), shard('b', ['y'])]);
  expect(JSON.parse(kept())).toEqual({
    accounts: { x: 'a', y: 'b', z: 'a' },
    sessions: { C: 'a' },
  });
});

test('an account or session that is in another shard than its data is refused, and nothing changes', () => {
  keepPlacement(directory, [shard('a', ['x', 'y'], ['C'])]);
  const before = kept();
  expect(() => keepPlacement(directory, [shard('a', ['x']), shard('b', ['y'], ['C'])])).toThrow(
    /account y has its data in shard a and is now in b[\s\S]*session C has its data in shard a/,
  );
  expect(kept()).toBe(before);
});

test('an account that was taken out of the configuration may not come back in another shard', () => {
  keepPlacement(directory, [shard('a', ['x', 'y'])]);
  expect(keepPlacement(directory, [shard('a', ['x'])])).toEqual([]);
  expect(() => keepPlacement(directory, [shard('a', ['x']), shard('b', ['y'])])).toThrow(
    /account y has its data in shard a/,
  );
});

test('a shard that is not configured any more is named', () => {
  expect(keepPlacement(directory, [shard('a', ['x']), shard('b', ['y', 'z'])])).toEqual([]);
  for (let times = 0; times < 2; times += 1)
    expect(keepPlacement(directory, [shard('a', ['x'])])).toEqual(['b']);
});

test('the directory of a bridge that ran as one process is refused', () => {
  mkdirSync(join(directory, 'gateway-log'));
  expect(() => keepPlacement(directory, [shard('a', ['x'])])).toThrow(
    /ran as one process \(gateway-log\): use causeway run/,
  );
});

test('a file that somebody damaged is refused', () => {
  writeFileSync(join(directory, placementFile), '{"accounts":');
  expect(() => keepPlacement(directory, [shard('a', ['x'])])).toThrow(/cannot be read/);
});

test('a file that cannot be looked up is refused: it may have the place of every account', () => {
  const file = join(directory, placementFile);
  symlinkSync(file, file);
  expect(() => keepPlacement(directory, [shard('a', ['x'])])).toThrow('ELOOP');
});
