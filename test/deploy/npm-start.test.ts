import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { until } from '../../packages/server/test/support/process.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** In place of the service, which has tests of its own: it tells that it is there, and ends by SIGTERM or with its channel. */
const service = `
  import { writeFileSync } from 'node:fs';
  process.once('disconnect', () => process.exit());
  setInterval(() => undefined, 1_000);
  writeFileSync('is-there', '');
`;

let folder: string;
let npm: ChildProcess;

/** The project's scripts and bootstrap as they are, and nothing to be made or installed. */
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'namehold-npm-start-'));
  for (const path of ['package.json', 'package-lock.json', 'tools/bootstrap.mjs'])
    cpSync(join(root, path), join(folder, path));
  const lock = createHash('sha256').update(readFileSync(join(root, 'package-lock.json')));
  put('node_modules/.namehold-lock', lock.digest('hex'));
  put('node_modules/.cache/programs/server.mjs', service);
  put('tools/programs.ts', '');
  put('packages/console/build.ts', '');
  put('packages/console/dist/index.html', '');
  for (const name of ['base', 'dns', 'epp', 'postgres', 'sandbox', 'server']) put(`packages/${name}/src/index.ts`, '');
  npm = spawn('npm', ['start'], { cwd: folder, stdio: 'ignore' });
  await until(() => existsSync(join(folder, 'is-there')));
  expect(ours().length).toBeGreaterThanOrEqual(3);
});
afterEach(() => {
  for (const { pid } of ours()) process.kill(pid, 'SIGKILL');
  rmSync(folder, { recursive: true });
});

function put(path: string, text: string): void {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** All that `npm start` has started, and npm. */
function ours(): { pid: number; command: string }[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        if (readFileSync(`/proc/${name}/stat`, 'utf8').includes(') Z ')) return [];
        const isOurs = readFileSync(`/proc/${name}/environ`, 'utf8').includes(folder) || Number(name) === npm.pid;
        return isOurs ? [{ pid: Number(name), command: readFileSync(`/proc/${name}/cmdline`, 'utf8') }] : [];
      } catch {
        return [];
      }
    });
}

test.each(['SIGTERM', 'SIGKILL', 'SIGINT', 'SIGHUP'] as const)(
  '%s to npm ends all processes that it started',
  async (signal) => {
    npm.kill(signal);
    await until(() => ours().length === 0);
  },
);

test.each(['SIGTERM', 'SIGKILL'] as const)(
  '%s to the process that npm starts ends the service and npm',
  async (signal) => {
    process.kill(ours().find(({ command, pid }) => command.includes('bootstrap.mjs') && pid !== npm.pid)!.pid, signal);
    await until(() => ours().length === 0);
  },
);
