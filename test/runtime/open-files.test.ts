import { expect, test } from 'vitest';
import { openFilesLimit } from '../../src/runtime/open-files.ts';

test('the limit of descriptors is the one that a report of Node shows', () => {
  const { userLimits } = process.report.getReport() as unknown as {
    readonly userLimits: { readonly open_files: { readonly soft: number | 'unlimited' } };
  };
  const { soft } = userLimits.open_files;
  expect(openFilesLimit()).toBe(soft === 'unlimited' ? Number.POSITIVE_INFINITY : soft);
});
