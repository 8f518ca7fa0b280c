/** The archives are read back by GNU tar, which nobody here wrote. */
import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { tar, withParents } from '../../packaging/tar.ts';

const epochS = 1_700_000_000;
const text = (name: string, content = name) => ({
  name,
  mode: 0o644,
  content: Buffer.from(content),
});
const listed = (archive: Buffer) =>
  execFileSync('tar', ['--utc', '--numeric-owner', '--full-time', '-tvf', '-'], {
    input: archive,
    encoding: 'utf8',
  })
    .trim()
    .split('\n')
    .map((line) => line.replace(/ +/g, ' '));

test('tar lists modes, owners, times, links and the folders that no entry named, in order', () => {
  const archive = tar(
    [
      { ...text('usr/bin/b'), mode: 0o755 },
      text('etc/a', 'x'.repeat(513)),
      { name: 'lib', mode: 0o777, target: 'usr/lib' },
      { name: 'data', mode: 0o700, uid: 10_001, gid: 10_001 },
      { name: 'tmp', mode: 0o1777 },
    ],
    epochS,
  );
  const at = '2023-11-14 22:13:20';
  expect(listed(archive)).toEqual([
    `drwx------ 10001/10001 0 ${at} data/`,
    `drwxr-xr-x 0/0 0 ${at} etc/`,
    `-rw-r--r-- 0/0 513 ${at} etc/a`,
    `lrwxrwxrwx 0/0 0 ${at} lib -> usr/lib`,
    `drwxrwxrwt 0/0 0 ${at} tmp/`,
    `drwxr-xr-x 0/0 0 ${at} usr/`,
    `drwxr-xr-x 0/0 0 ${at} usr/bin/`,
    `-rwxr-xr-x 0/0 9 ${at} usr/bin/b`,
  ]);
});

test('the bytes depend on content and time, and not on the order of the entries', () => {
  const entries = ['c', 'a/b', 'a/a', 'b'].map((name) => text(name));
  expect(tar(entries.toReversed(), epochS)).toEqual(tar(entries, epochS));
  expect(tar(entries, epochS + 1)).not.toEqual(tar(entries, epochS));
});

test('contents come back whole, at every length around a block', () => {
  for (const length of [0, 1, 511, 512, 513, 1024]) {
    const archive = tar([text('file', 'y'.repeat(length))], epochS, './');
    expect(execFileSync('tar', ['-xOf', '-', './file'], { input: archive })).toHaveLength(length);
  }
});

test('a path beyond 100 bytes is divided, and one that cannot be is refused', () => {
  const long = `${'folder/'.repeat(15)}${'n'.repeat(90)}`;
  expect(listed(tar([text(long)], epochS)).at(-1)).toContain(long);
  expect(() => tar([text('n'.repeat(101))], epochS)).toThrow('too long');
  expect(() => tar([text(`${'f'.repeat(156)}/name`)], epochS)).toThrow('too long');
});

test('a name that comes twice is refused', () => {
  expect(() => withParents([text('a'), text('a')])).toThrow('twice');
});
