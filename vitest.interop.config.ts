import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

// Real peers that nobody here wrote, compiled or installed by the tests, and slow tests: one after the other.
export default defineConfig({
  test: {
    include: ['test/interop/**/*.test.ts', 'test/browser/**/*.test.ts', 'test/**/*.slow.test.ts'],
    // Half of the CPU of a start goes into compiling the sources, and these tests start hundreds of programs.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/compiled') },
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // A busy machine takes its time.
    expect: { poll: { timeout: 20_000 } },
    fileParallelism: false,
  },
});
