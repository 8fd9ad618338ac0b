import { defineConfig } from 'vitest/config';
import { chaosSeed } from './tools/chaos.ts';
import { startsMade } from './tools/programs.ts';
import { SlowFirst } from './tools/slow-first.ts';
import { outOfRotation } from './tools/test-rotation.ts';

const long = process.env.NAMEHOLD_TESTS === 'long';
/** Only a complete short run leaves files to other rotations. */
const rotation = process.env.NAMEHOLD_TESTS === 'rotation' ? Number(process.env.TEST_ROTATION) : undefined;
const left = rotation === undefined ? [] : outOfRotation(rotation);

/**
 * Tests of SQL, tenancy, ledger and operations run on Debian's PostgreSQL, which is older than the embedded one. All other tests use the
 * embedded one. In the long run these use both; a second run rarely finds more and costs a minute.
 */
const onDebianPostgres = [
  'packages/postgres/test/{database,migrate,session-reset}.test.ts',
  'packages/server/test/{ledger,pricing,migrations}/**/*.test.ts',
  'packages/server/test/domains/register.test.ts',
  'test/tenants/injection.test.ts',
];
/** The schema is compared by pg_dump on one version and by the catalogue on the other. Complete short runs take turns. */
const onBoth = ['packages/server/test/upgrades/**/*.test.ts'];
const notOnDebian = rotation !== undefined && rotation % 2 === 0 ? onBoth : [];
const notOnEmbedded = rotation !== undefined && rotation % 2 === 1 ? onBoth : [];

/** Console modules and components in a light DOM, without service, database or browser. */
const consoleUnits = ['packages/console/test/*/**/*.test.{ts,tsx}'];

const all = ['packages/*/test/**/*.test.ts', 'test/**/*.test.ts'];

const withService = {
  globalSetup: ['test/support/global-setup.ts'],
  // Sandbox registries inject harmless faults of chaos mode in all tests (`CHAOS_SEED=off` disables them), and password hashes are cheap.
  setupFiles: ['test/support/before-each-file.ts'],
};

export default defineConfig({
  plugins: process.env.NAMEHOLD_TEST_PROGRAM ? [startsMade] : [],
  test: {
    pool: 'forks',
    // Each file has its own databases and processes. Files of a worker share the loaded code.
    isolate: false,
    // Transformed modules are cached between runs until they or the configuration change.
    fsModuleCache: true,
    // More than the cores of a small machine, because many files mostly wait for other processes.
    maxWorkers: 6,
    // Timeouts detect hung tests, not slow ones: a busy machine takes many times as long as an idle one.
    testTimeout: 900_000,
    expect: { poll: { timeout: 300_000, interval: 50 } },
    // No retry, so that unstable tests are visible.
    retry: 0,
    hookTimeout: 900_000,
    env: { CHAOS_SEED: chaosSeed() },
    reporters: ['default', './tools/test-report.ts'],
    sequence: { sequencer: SlowFirst },
    projects: [
      {
        extends: true,
        test: {
          name: 'namehold',
          include: [...all, ...(long ? ['packages/*/test/**/*.long.ts', 'test/**/*.long.ts'] : [])],
          exclude: [...consoleUnits, ...(long ? [] : [...onDebianPostgres, ...left, ...notOnEmbedded])],
          ...withService,
        },
      },
      {
        extends: true,
        test: {
          name: 'postgres-15',
          include: [...onDebianPostgres, ...onBoth],
          exclude: notOnDebian,
          ...withService,
          provide: { postgresBinaries: '/usr/lib/postgresql/15/bin' },
        },
      },
      {
        extends: true,
        oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
        test: { name: 'console', include: consoleUnits, environment: 'happy-dom' },
      },
    ],
  },
});
