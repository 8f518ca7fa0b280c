/** `causeway conformance` under the suite that QuickFIX C++ itself is held to. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { startConformance } from '../../src/cli/conformance.ts';
import { fetchSuite, hasPackageSources, play } from './quickfix-suite.ts';

const folder = mkdtempSync(join(tmpdir(), 'causeway-quickfix-suite-'));
afterAll(() => rmSync(folder, { recursive: true }));

const suite = hasPackageSources ? fetchSuite(folder) : undefined;
const scripts = suite === undefined ? [] : readdirSync(suite).filter((name) => /\.def$/.test(name));

describe.skipIf(suite === undefined)('the acceptance suite of QuickFIX for FIX 4.4', () => {
  test('has 59 scripts', () => {
    expect(scripts).toHaveLength(59);
  });

  test.concurrent.each(scripts)('%s', async (script) => {
    const acceptor = await startConformance(0);
    try {
      await play(readFileSync(join(suite ?? '', script), 'latin1'), acceptor.port);
    } finally {
      await acceptor.close();
    }
  });
});
