import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { AuditHeadFile, readAuditHead, setAside } from '../../src/store/audit-head-file.ts';

const root = mkdtempSync(join(tmpdir(), 'causeway-head-'));
const hash = 'ab'.repeat(32);
let file: string;
let alarms: string[];
let made = 0;

beforeEach(() => {
  made += 1;
  file = join(root, `head-${made}`);
  alarms = [];
});
afterAll(() => rmSync(root, { recursive: true }));

const headFile = (path = file) => new AuditHeadFile(path, (text) => void alarms.push(text));

test('a head that is written is the head that is read', async () => {
  const out = headFile();
  out.write({ position: 7, hash });
  await out.close();
  expect(readFileSync(file, 'utf8')).toBe(`7 ${hash}\n`);
  expect(readAuditHead(file)).toEqual({ position: 7, hash });
});

test('of many heads the last one is in the file when it is closed, and nothing else', async () => {
  const out = headFile();
  for (let position = 1; position <= 50; position += 1) out.write({ position, hash });
  await out.close();
  expect(readAuditHead(file)?.position).toBe(50);
  out.write({ position: 51, hash });
  await out.close();
  expect(readAuditHead(file)?.position).toBe(51);
  expect(readdirSync(root).filter((name) => name.startsWith(`head-${made}`))).toEqual([
    `head-${made}`,
  ]);
});

test('a file that cannot be written is an alarm with the reason, and the next head is tried again', async () => {
  const path = join(file, 'head');
  const out = headFile(path);
  out.write({ position: 1, hash });
  await out.close();
  out.write({ position: 2, hash });
  await out.close();
  expect(alarms).toHaveLength(2);
  expect(alarms[0]).toContain(`the head of the audit chain cannot be written to ${path}: ENOENT`);
  expect(existsSync(file)).toBe(false);
});

test('without a file there is no head, which is no fault', () => {
  expect(readAuditHead(file)).toBeUndefined();
});

test.each([
  ['a head', `7 ${hash}\n`, { position: 7, hash }],
  ['a head whose end of line was lost', `7 ${hash}`, { position: 7, hash }],
  ['the longest position', `${'9'.repeat(15)} ${hash}\n`, { position: 999_999_999_999_999, hash }],
  ['a position that is too long', `${'9'.repeat(16)} ${hash}\n`, undefined],
  ['a hash in capital letters', `7 ${hash.toUpperCase()}\n`, undefined],
  ['a hash that is too short', `7 ${hash.slice(1)}\n`, undefined],
  ['a second line', `7 ${hash}\n8 ${hash}\n`, undefined],
  ['something before the head', `x7 ${hash}\n`, undefined],
  ['nothing', '', undefined],
])('%s is read as what it is', (_, content, head) => {
  writeFileSync(file, content);
  if (head !== undefined) expect(readAuditHead(file)).toEqual(head);
  else
    expect(() => readAuditHead(file)).toThrow(
      new Error(`${file} is not the head of an audit chain (expected: POSITION HASH)`),
    );
});

test('a file that cannot be read is not taken for one that is missing', () => {
  expect(() => readAuditHead(root)).toThrow(/EISDIR/);
});

test('the head of a record that is gone is kept under another name, which the alarm says', () => {
  writeFileSync(file, `7 ${hash}\n`);
  expect(setAside(file, { position: 7, hash }, 3)).toBe(
    `the end of the audit chain was cut off: it has 3 records, and not the record 7 with the hash ${hash} that ${file} named; that file is now ${file}.cut`,
  );
  expect(readAuditHead(file)).toBeUndefined();
  expect(readAuditHead(`${file}.cut`)).toEqual({ position: 7, hash });
});
