import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureDebianPackages, testPackages } from './debian.ts';

interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly success: boolean;
}

/** Files that also run on Debian's PostgreSQL 15: SQL, tenancy, ledger, operations. */
const onDebianPostgres = [
  'packages/base/test',
  'packages/server/test/ledger',
  'packages/server/test/pricing',
  'packages/server/test/migrations',
  'test/tenants',
  'packages/server/test/domains/register.test.ts',
];
const debianPostgres = '/usr/lib/postgresql/15/bin';

function vitest(args: readonly string[], env: Record<string, string>): Report {
  const folder = mkdtempSync(join(tmpdir(), 'namehold-report-'));
  const file = join(folder, 'report.json');
  try {
    const { status } = spawnSync(
      'vitest',
      ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${file}`, ...args],
      {
        stdio: 'inherit',
        env: { ...process.env, ...env },
      },
    );
    const report = JSON.parse(readFileSync(file, 'utf8')) as Report;
    // A file that fails to load has no tests to count; the exit code still says so.
    return status === 0 || report.numFailedTests > 0 ? report : { ...report, numFailedTests: 1 };
  } catch (error) {
    console.error(String(error));
    return { numPassedTests: 0, numFailedTests: 1, success: false };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const args = process.argv.slice(2);
const long = args.includes('--long');
const filters = args.filter((arg) => arg !== '--long');
ensureDebianPackages(testPackages);
const reports: Report[] = [];
let checksFailed = false;
if (filters.length === 0)
  checksFailed = spawnSync(process.execPath, ['tools/check.ts'], { stdio: 'inherit' }).status !== 0;
reports.push(vitest(filters, long ? { NAMEHOLD_TESTS: 'long' } : {}));
if (filters.length === 0) {
  console.log('\nThe files about SQL, tenancy and money once more, on PostgreSQL 15:');
  reports.push(vitest(onDebianPostgres, { TEST_POSTGRES_BIN: debianPostgres }));
}
const passed = reports.reduce((sum, report) => sum + report.numPassedTests, 0);
const failed = reports.reduce((sum, report) => sum + report.numFailedTests, 0) + (checksFailed ? 1 : 0);
if (checksFailed) console.log('npm run check failed: counted as one failure');
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
