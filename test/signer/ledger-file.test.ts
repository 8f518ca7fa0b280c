import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DigestLedger } from '../../src/signer/digest-ledger.ts';
import { openLedgerFile } from '../../src/signer/ledger-file.ts';

let directory: string;
const claim = (nonce: number, fill: number) => ({
  account: `0x${'1'.repeat(40)}`,
  nonce,
  digest: new Uint8Array(32).fill(fill),
  supersedes: null,
});

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'ledger-'));
});

afterEach(() => rmSync(directory, { recursive: true }));

test('what was recorded is there when the file is opened again', async () => {
  const path = join(directory, 'signer.db');
  const file = openLedgerFile(path, 'power');
  const ledger = await DigestLedger.open(file);
  for (let nonce = 0; nonce < 100; nonce += 1) ledger.claim(claim(nonce, 1));
  await ledger.recorded();
  await file.close();
  const again = openLedgerFile(path, 'power');
  const reopened = await DigestLedger.open(again);
  expect(reopened.claim(claim(99, 2))).toMatchObject({ code: 'other_digest' });
  expect(reopened.claim(claim(99, 1))).toBeUndefined();
  await again.close();
});

test('of two signers on one file the second to record is fenced', async () => {
  const path = join(directory, 'signer.db');
  const files = [openLedgerFile(path, 'process'), openLedgerFile(path, 'process')] as const;
  const [one, two] = [await DigestLedger.open(files[0]), await DigestLedger.open(files[1])];
  one.claim(claim(1, 1));
  await one.recorded();
  two.claim(claim(1, 2));
  await expect(two.recorded()).rejects.toThrow('another owner appended');
  for (const file of files) await file.close();
});
