/** A lock is one process's at a time, and its end is the end of the lock. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ProcessLock } from '../../src/runtime/process-lock.ts';

const source = join(import.meta.dirname, '../../src/runtime/process-lock.ts');
let directory: string;
let path: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'lock-'));
  path = join(directory, 'own.lock');
});

afterEach(() => rmSync(directory, { recursive: true }));

test('what one has another cannot take, until it is released', () => {
  const one = ProcessLock.take(path);
  expect(one?.isLost).toBe(false);
  expect(ProcessLock.take(path)).toBeUndefined();
  one?.release();
  const another = ProcessLock.take(path);
  expect(another).toBeInstanceOf(ProcessLock);
  another?.release();
  expect(readdirSync(directory)).toEqual(['own.lock']);
});

test('the lock of a process that is killed is free', { timeout: 30_000 }, async () => {
  const script = `
    const { ProcessLock } = await import(${JSON.stringify(source)});
    globalThis.lock = ProcessLock.take(${JSON.stringify(path)});
    console.log('held');
    setInterval(() => {}, 1000);`;
  const holder = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  expect(String(await once(holder.stdout, 'data'))).toBe('held\n');
  expect(ProcessLock.take(path)).toBeUndefined();
  const ended = once(holder, 'exit');
  holder.kill('SIGKILL');
  await ended;
  const own = ProcessLock.take(path);
  expect(own?.isLost).toBe(false);
  own?.release();
});

test('a lock file that the process may not write is refused by name, because it would exclude nobody', async () => {
  writeFileSync(path, '');
  chmodSync(path, 0o444);
  chmodSync(directory, 0o755);
  const script = `
    const { ProcessLock } = await import(${JSON.stringify(source)});
    if (process.getuid() === 0) process.setuid(65534);
    try {
      console.log(ProcessLock.take(${JSON.stringify(path)}));
    } catch (error) {
      console.log(error.code, error.path);
    }`;
  const one = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  expect(String(await once(one.stdout, 'data'))).toBe(`EACCES ${path}\n`);
});

test('who seizes a lock has it alone, and who had it can see that', () => {
  const before = ProcessLock.take(path);
  const seized = ProcessLock.seize(path);
  expect([before?.isLost, seized.isLost]).toEqual([true, false]);
  expect(ProcessLock.take(path)).toBeUndefined();
  before?.release();
  expect(ProcessLock.take(path)).toBeUndefined();
  seized.release();
  expect(readdirSync(directory)).toEqual(['own.lock']);
});

test('a lock whose file is gone is not lost: nobody else has it', () => {
  const own = ProcessLock.take(path);
  rmSync(path);
  expect(own?.isLost).toBe(false);
  own?.release();
});

test('a directory that cannot be locked is reported, and not mistaken for one that another process has locked', () => {
  expect(() => ProcessLock.take(directory)).toThrow(
    `${directory} cannot be locked: unable to open database file`,
  );
  writeFileSync(path, 'not a lock');
  expect(() => ProcessLock.take(path)).toThrow(`${path} cannot be locked: file is not a database`);
});
