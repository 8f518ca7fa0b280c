import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

// What needs outside peers (QuickFIX, Chromium) or many seconds for each test has its own config and script.
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/interop/**', 'test/long/**', 'test/browser/**', '**/*.slow.test.ts'],
    // More workers than cores, because a third of the time the tests wait for timers, sockets and other processes.
    maxWorkers: 3,
    // A process for each file took a minute more: each compiles the bridge anew. What a file leaves behind fails it.
    isolate: false,
    // Each bridge, venue and database driver of a test is garbage soon: a sixth of the CPU went into moving it about.
    execArgv: ['--max-semi-space-size=64'],
    setupFiles: ['test/support/clean-process.ts'],
    globalSetup: ['test/support/memory-directory.ts'],
    // Tests start programs and threads a hundred times, from the same sources.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/compiled') },
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // A busy machine takes its time.
    expect: { poll: { timeout: 20_000 } },
    // Tests that are marked as concurrent mostly wait for heartbeats and silence, and cost next to no time of the machine.
    maxConcurrency: 24,
  },
});
