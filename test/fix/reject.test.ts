import { expect, test } from 'vitest';
import { fix44 } from '../../src/fix/dictionaries.ts';
import { sessionRejects } from '../../src/fix/reject.ts';

test('the table has every SessionRejectReason(373) of FIX 4.4, each once', () => {
  const field = fix44().fields[fix44().fieldOf[373] ?? 0];
  const reasons = Object.values(sessionRejects).map(({ reason }) => String(reason));
  expect(reasons.toSorted()).toEqual([...(field?.values ?? [])].toSorted());
});
