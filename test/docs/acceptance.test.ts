/** Every row of the acceptance list and every scenario of order entry has a test that says so in its name. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { rows, scenarios, shownBy } from './acceptance-rows.ts';

const root = join(import.meta.dirname, '../..');
const shown = shownBy();

/** Scenarios that other words show: the file, and the name of the test in it. */
const inOtherWords: Readonly<Record<string, readonly [file: string, title: string]>> = {
  'R-14': ['test/acceptance/orders/reject-table.test.ts', 'R116: each submit code of D.4'],
  'R-17': ['test/signer/remote-signer.test.ts', 'without a signer an action is refused'],
  'V-01': ['test/gateway/crash-points.test.ts', 'between record and answer, applied'],
  'V-02': ['test/store/log/log-store.test.ts', 'a durable record behind a damaged one is refused'],
  'V-06': ['test/domain/transition.test.ts', 'J.1.a: a trade is busted'],
  'V-09': ['test/fix/session-calendar.test.ts', 'blocks every decision until the clock is trusted'],
};

/** What there is not, and why. */
const notThere: Readonly<Record<string, string>> = {
  'R-13': 'FIX 4.4 has no message that asks for limits',
};

test.each(rows)('row %s is named by a test', (id) => {
  expect(shown.get(id)?.length ?? 0).toBeGreaterThan(0);
});

test.each(scenarios)('scenario %s is named by a test, or shown in other words', (id) => {
  const other = inOtherWords[id];
  if (notThere[id] !== undefined) expect(shown.has(id)).toBe(false);
  else if (other === undefined) expect(shown.get(id)?.length ?? 0).toBeGreaterThan(0);
  else {
    const [file, title] = other;
    expect(existsSync(join(root, file))).toBe(true);
    expect(readFileSync(join(root, file), 'utf8')).toContain(title);
  }
});
