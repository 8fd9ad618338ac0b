import { defineConfig } from 'vitest/config';

const long = process.env.NAMEHOLD_TESTS === 'long';

export default defineConfig({
  test: {
    include: [
      'packages/*/test/**/*.test.ts',
      'test/**/*.test.ts',
      ...(long ? ['packages/*/test/**/*.long.ts', 'test/**/*.long.ts'] : []),
    ],
    globalSetup: ['test/support/global-setup.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 120_000,
    // No retry: a test that fails once has failed.
    retry: 0,
    hookTimeout: 240_000,
    reporters: ['default'],
  },
});
