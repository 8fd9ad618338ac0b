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
    testTimeout: 60_000,
    hookTimeout: 120_000,
    reporters: ['default'],
  },
});
