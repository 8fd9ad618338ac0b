import { defineConfig } from 'vitest/config';
import { chaosSeed } from './tools/chaos.ts';
import { startsMade } from './tools/programs.ts';
import { SlowFirst } from './tools/slow-first.ts';

const long = process.env.NAMEHOLD_TESTS === 'long';

/**
 * SQL, tenancy, ledger, operations: on Debian's PostgreSQL, which is older than the one that comes along. On that one everything else runs,
 * and these too in the long run: twice tells little more than once, and costs a minute.
 */
const onDebianPostgres = [
  'packages/base/test/{database,migrate,wipes}.test.ts',
  'packages/server/test/{ledger,pricing,migrations}/**/*.test.ts',
  'packages/server/test/domains/register.test.ts',
  'test/tenants/injection.test.ts',
];

const all = ['packages/*/test/**/*.test.ts', 'test/**/*.test.ts'];

export default defineConfig({
  plugins: process.env.NAMEHOLD_TEST_PROGRAM ? [startsMade] : [],
  test: {
    pool: 'forks',
    // Files have databases and processes of their own; what they share is the code, which a worker loads once.
    isolate: false,
    // Nor is it read anew by each run: what a module became is kept until it, or what makes it so, changes.
    fsModuleCache: true,
    // More than the cores of a small machine: many files wait for other processes most of the time.
    maxWorkers: 4,
    // Limits are for what hangs, not for what is slow: a busy machine takes many times as long as a quiet one.
    testTimeout: 900_000,
    expect: { poll: { timeout: 300_000, interval: 50 } },
    // No retry: a test that fails once has failed.
    retry: 0,
    hookTimeout: 900_000,
    // Registries are a nuisance in all tests, harmlessly (`off` makes them kind), and passwords are cheap.
    setupFiles: ['test/support/before-each-file.ts'],
    env: { MISCHIEF_SEED: chaosSeed() },
    reporters: ['default', './tools/tally.ts'],
    sequence: { sequencer: SlowFirst },
    projects: [
      {
        extends: true,
        test: {
          name: 'namehold',
          include: [...all, ...(long ? ['packages/*/test/**/*.long.ts', 'test/**/*.long.ts'] : [])],
          exclude: long ? [] : onDebianPostgres,
          globalSetup: ['test/support/global-setup.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'postgres-15',
          include: onDebianPostgres,
          globalSetup: ['test/support/global-setup.ts'],
          provide: { postgresBinaries: '/usr/lib/postgresql/15/bin' },
        },
      },
    ],
  },
});
