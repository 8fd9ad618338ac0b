import { execFileSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The types of every call, generated from openapi.json: the console and the client in this folder are compiled against them. Without
 * deprecated calls and fields, so that a use of one fails. Not committed.
 */
const here = dirname(fileURLToPath(import.meta.url));
const root = dirname(dirname(here));
const made = join(root, 'packages/console/src/api/types.ts');
execFileSync(
  process.execPath,
  [
    join(here, 'node_modules/openapi-typescript/bin/cli.js'),
    join(root, 'openapi.json'),
    '--exclude-deprecated',
    '--output',
    made,
  ],
  { stdio: ['ignore', 'ignore', 'inherit'] },
);
