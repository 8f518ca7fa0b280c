import { defineConfig } from 'vitest/config';

// What needs outside peers (QuickFIX, Chromium) or minutes of time has its own config and script.
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/interop/**', 'test/long/**', 'test/browser/**'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
    // A worker for each file took a minute more, and nothing here leaves a mark on its process.
    isolate: false,
  },
});
