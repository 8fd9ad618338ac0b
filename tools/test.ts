import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureDebianPackages, longPackages, testPackages } from './debian.ts';
import { makePrograms } from './programs.ts';
import type { TestCounts } from './test-report.ts';
import { outOfRotation, rotationNow, rotations } from './test-rotation.ts';

/** Several times the usual duration; only a run that hangs reaches it. */
const limitMinutes = { short: '60', long: '360' };

interface Ended {
  readonly code: number | null;
  readonly output: string;
}

function run(command: string, args: readonly string[], env: Record<string, string>, isQuiet: boolean): Promise<Ended> {
  const child = spawn(command, args, {
    stdio: ['ignore', isQuiet ? 'pipe' : 'inherit', isQuiet ? 'pipe' : 'inherit'],
    env: { ...process.env, ...env },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output }));
  });
}

async function vitest(args: readonly string[], env: Record<string, string>): Promise<TestCounts> {
  const folder = mkdtempSync(join(tmpdir(), 'namehold-report-'));
  const file = join(folder, 'tally.json');
  try {
    const { code } = await run('vitest', ['run', ...args], { ...env, NAMEHOLD_TALLY_FILE: file }, false);
    const tally = JSON.parse(readFileSync(file, 'utf8')) as TestCounts;
    // Other causes of a failed run (no file found, a global set-up) count as one failure.
    return code === 0 || tally.failed > 0 ? tally : { ...tally, failed: 1 };
  } catch (error) {
    console.error(String(error));
    return { passed: 0, failed: 1 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const args = process.argv.slice(2);
const isLong = args.includes('--long');
const filters = args.filter((arg) => arg !== '--long');
const isWhole = filters.length === 0;
const rotation = isWhole && !isLong ? rotationNow() : undefined;
// Needs none of the packages, so it starts while they are installed.
const checking = isWhole ? run(process.execPath, ['tools/check.ts'], {}, true) : undefined;
ensureDebianPackages(isLong ? [...testPackages, ...longPackages] : testPackages);
const [checks, counts] = await Promise.all([
  checking,
  vitest(isWhole ? [] : ['--project=namehold', '--project=console', ...filters], {
    NAMEHOLD_TEST_PROGRAM: await makePrograms(),
    TEST_LIMIT_MINUTES: limitMinutes[isLong ? 'long' : 'short'],
    ...(isLong ? { NAMEHOLD_TESTS: 'long' } : {}),
    ...(rotation ? { NAMEHOLD_TESTS: 'rotation', TEST_ROTATION: String(rotation) } : {}),
    ...process.env,
  }),
]);
if (rotation)
  console.log(
    `\nRotation ${rotation} of ${rotations}: ${outOfRotation(rotation).length} slow files were left to the other rotations (TEST_ROTATION=${rotation} npm test repeats this one)`,
  );
if (checks) console.log(`\nnpm run check:\n${checks.output.trimEnd()}`);
const checksFailed = checks !== undefined && checks.code !== 0;
if (checksFailed) console.log('npm run check failed: counted as one failure');
console.log(`${counts.passed} passed, ${counts.failed + (checksFailed ? 1 : 0)} failed`);
process.exit(counts.failed === 0 && !checksFailed ? 0 : 1);
