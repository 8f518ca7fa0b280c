import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readInfo, writeInfo } from '../../src/cli/info-file.ts';

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'info-'));
});
afterAll(() => rmSync(directory, { recursive: true }));

const session = { role: 'order-entry', username: 'alpha', password: 'p' };
const info = {
  fix: {
    host: '127.0.0.1',
    port: 9880,
    sessions: [{ ...session, senderCompId: 'ALPHA', targetCompId: 'CAUSEWAY' }],
  },
  fixp: { host: '127.0.0.1', port: 9882, sessions: [{ ...session, name: 'DELTA' }] },
};

test('a client reads the file, which only its owner may read', () => {
  const file = join(directory, 'demo.json');
  writeInfo(file, info);
  expect(readInfo(file)).toEqual(info);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test.each([
  '',
  '\0\0',
  '{',
  '[]',
  'null',
  '{"fix":{}}',
  '{"fix":{"host":1,"port":2,"sessions":3}}',
])('a file that holds %j is refused by name', (text) => {
  const file = join(directory, 'other.json');
  writeFileSync(file, text);
  expect(() => readInfo(file)).toThrow(`${file} is not what a demo writes`);
});
