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
    // A shared build machine may stall for a minute; a real fault fails twice, and the report shows the first failure too.
    retry: process.env.CI ? 1 : 0,
    hookTimeout: 240_000,
    reporters: ['default'],
  },
});
