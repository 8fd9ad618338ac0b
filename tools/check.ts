import { spawnSync } from 'node:child_process';

/** Several checkers look at what they share once each, and a collector that runs often saves little: both cost the tests beside it. */
const types = (project: string) => ['--noEmit', '--checkers', '1', '-p', project];
const env = { GOGC: '400', ...process.env };

/** Types, lint and format, code rules, generated files, and clients generated from openapi.json. */
const checks: [string, string, string[]][] = [
  ['types of openapi.json', process.execPath, ['tools/openapi/types.ts']],
  ['types', 'tsc', types('tsconfig.json')],
  ['types of the console', 'tsc', types('packages/console')],
  ['lint', 'biome', ['check', '--diagnostic-level=warn', '.']],
  ['tidy', process.execPath, ['tools/tidy.ts']],
  ['messages of the console', process.execPath, ['tools/messages/check.ts']],
  ['readability', process.execPath, ['tools/readability.ts', '--check']],
  ['produced files', process.execPath, ['tools/generate.ts', '--check']],
  ['openapi.json', process.execPath, ['tools/openapi/check.ts']],
  ['vulnerabilities and licences', process.execPath, ['tools/audit.ts', '--check']],
];

let failed = 0;
for (const [name, command, args] of checks) {
  const { status } = spawnSync(command, args, { stdio: 'inherit', env });
  console.log(`${status === 0 ? 'ok    ' : 'FAILED'} ${name}`);
  if (status !== 0) failed += 1;
}
process.exit(failed === 0 ? 0 : 1);
