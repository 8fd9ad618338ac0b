import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Checks the document as clients use it: a linter without warnings, and a client compiled against the generated types (`types.ts`). */
const here = dirname(fileURLToPath(import.meta.url));
const root = dirname(dirname(here));

const steps: [string, string[]][] = [
  [
    process.execPath,
    [
      join(root, 'node_modules/@redocly/cli/bin/cli.js'),
      'lint',
      'openapi.json',
      '--config',
      'tools/openapi/redocly.yaml',
    ],
  ],
  ['tsc', ['--noEmit', '--checkers', '1', '-p', join(here, 'client/tsconfig.json')]],
];

/** Neither uses the network. */
const quiet = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };

for (const [command, args] of steps) {
  const done = spawnSync(command, args, { cwd: root, encoding: 'utf8', env: { ...process.env, ...quiet } });
  if (done.status === 0) continue;
  console.error(`${done.stdout}${done.stderr}`);
  process.exit(1);
}
