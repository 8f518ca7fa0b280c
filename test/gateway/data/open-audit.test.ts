/** The head of the audit chain outside of the store: a chain whose end was cut off does not pass for a whole one. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { LoadedConfig } from '../../../src/gateway/config/config-file.ts';
import { openAudit } from '../../../src/gateway/data/open-audit.ts';
import { auditGenesis } from '../../../src/store/audit-chain.ts';
import { readAuditHead } from '../../../src/store/audit-head-file.ts';
import { Transactions } from '../../../src/store/transactions.ts';
import { MemoryStore } from '../../support/memory-store.ts';
import { causeway } from '../../support/program.ts';

const folder = mkdtempSync(join(tmpdir(), 'causeway-head-'));
const file = join(folder, 'head');
const told: string[] = [];
const loaded = {
  config: { auditHeadFile: 'head' },
  path: (name: string) => join(folder, name),
} as unknown as LoadedConfig;

afterAll(() => rmSync(folder, { recursive: true }));

async function opened() {
  const store = new MemoryStore();
  const transactions = new Transactions(store, (error) => {
    throw error;
  });
  const tell = (text: string) => void told.push(text);
  const { audit, headFile } = await openAudit({ loaded, alarm: tell, notice: tell }, transactions);
  const act = (why: string) => {
    const entry = { atMs: 1, who: 'ann', what: 'kill', subject: 'all', why };
    transactions.run(() => audit.add({ ...entry, before: null, after: null }));
    return new Promise<void>((resolve) => transactions.run(() => transactions.after(resolve)));
  };
  return { audit, headFile, act };
}

test('each head is in the log and in the file, and a chain that lacks it is reported at the next start', async () => {
  const first = await opened();
  expect(told).toEqual([expect.stringMatching(/\b0 records/)]);
  expect(told[0]).toContain(auditGenesis);
  await first.act('one');
  await first.act('two');
  await first.headFile?.close();
  expect(told.at(-1)).toMatch(/\b2 records/);
  expect(told.at(-1)).toContain(first.audit.head);
  expect(readAuditHead(file)).toEqual({ position: 2, hash: first.audit.head });
  told.length = 0;
  const cut = await opened();
  await cut.headFile?.close();
  expect(told[0]).toMatch(/^the end of the audit chain was cut off: it has 0 records/);
  expect(readFileSync(`${file}.cut`, 'utf8')).toBe(`2 ${first.audit.head}\n`);
  expect(readAuditHead(file)).toEqual({ position: 0, hash: auditGenesis });
});

test('the audit is not verified against a file that is missing', async () => {
  const { status, stderr } = await causeway('audit', 'verify', folder, '--head-file', `${file}.no`);
  expect([status, stderr]).toEqual([expect.any(Number), expect.stringContaining('no file')]);
});
