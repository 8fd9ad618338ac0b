// Runs on whatever Node the machine has (20 or newer) and brings everything else: dependencies, a newer Node, Debian packages.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const wantedMajor = 26;

function run(command, args, options = {}) {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: 'inherit', ...options });
  if (error) throw error;
  return status ?? 1;
}

function must(command, args, options) {
  const status = run(command, args, options);
  if (status !== 0) process.exit(status);
}

/** `npm ci`, once for each lock file. */
function ensureDependencies() {
  const digest = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  const marker = join(root, 'node_modules', '.namehold-lock');
  if (existsSync(marker) && readFileSync(marker, 'utf8') === digest) return;
  console.error('Installing dependencies (once) ...');
  must('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], { stdio: ['ignore', 2, 2] });
  writeFileSync(marker, digest);
}

/** The machine's own Node where it is new enough, else the pinned one that npm brought. */
function findNode() {
  if (Number(process.versions.node.split('.')[0]) >= wantedMajor) return process.execPath;
  const names = [`node-${process.platform}-${process.arch}`, `node-bin-${process.platform}-${process.arch}`];
  const found = names.map((name) => join(root, 'node_modules', name, 'bin', 'node')).find(existsSync);
  if (found) return found;
  console.error(
    `Namehold needs Node ${wantedMajor} or newer. This machine has ${process.version}, and there is no packaged Node for ${process.platform}-${process.arch}: install one.`,
  );
  process.exit(1);
}

/** The console, once for each state of what it is made of. A service can start without it, and says how to make it. */
function ensureConsole(env) {
  const sources = ['package-lock.json', ...['packages/console', 'packages/dns'].flatMap(filesIn)];
  const hash = createHash('sha256');
  for (const path of sources) hash.update(path).update(readFileSync(join(root, path)));
  const digest = hash.digest('hex');
  const marker = join(root, 'packages/console/dist/.digest');
  if (existsSync(marker) && readFileSync(marker, 'utf8') === digest) return true;
  const begun = performance.now();
  if (run(node, ['packages/console/build.ts'], { env, stdio: ['ignore', 2, 2] }) !== 0) return false;
  writeFileSync(marker, digest);
  console.error(`Built the console in ${((performance.now() - begun) / 1000).toFixed(1)} s.`);
  return true;
}

/** Sources alone: neither what was built nor tests change what is served. */
function filesIn(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter(({ name }) => !/^(dist|node_modules|test)\b/.test(name))
    .flatMap((entry) => (entry.isDirectory() ? filesIn(`${folder}/${entry.name}`) : [`${folder}/${entry.name}`]))
    .sort();
}

ensureDependencies();
const node = findNode();
const path = `${dirname(node)}:${join(root, 'node_modules', '.bin')}:${process.env.PATH}`;
// What Node compiled once need not be compiled again by each process of a start or a test.
const compiled = process.env.NODE_COMPILE_CACHE ?? join(root, 'node_modules', '.cache', 'compiled');
const env = { ...process.env, PATH: path, NODE_COMPILE_CACHE: compiled };
const [command = 'start', ...rest] = process.argv.slice(2);
// Who looks around for the first time finds something to look at.
if (command === 'start') env.NAMEHOLD_DEMO_NAMES ??= 'on';

const scripts = {
  start: ['packages/server/src/main.ts', 'serve', ...rest],
  namehold: ['packages/server/src/main.ts', ...rest],
  test: ['tools/test.ts', ...rest],
  'test:long': ['tools/test.ts', '--long', ...rest],
  check: ['tools/check.ts', ...rest],
  generate: ['tools/generate.ts', ...rest],
  bench: ['bench/run.ts', ...rest],
  climb: ['bench/climb.ts', ...rest],
  pictures: ['tools/pictures.ts', ...rest],
  trust: ['test/sim/trust.ts', ...rest],
};
const script = scripts[command];
if (!script) {
  console.error(`unknown: ${command}; there are ${Object.keys(scripts).join(', ')}`);
  process.exit(2);
}
if (command === 'start' && !ensureConsole(env)) console.error('Starting without the console: /app is missing.');
if (['test', 'test:long', 'bench', 'pictures'].includes(command) && !ensureConsole(env)) process.exit(1);
// The terminal's signals reach the child too; this parent only waits for its end.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {});
if (command === 'start' || command === 'namehold') {
  const { spawn } = await import('node:child_process');
  const child = spawn(node, script, { cwd: command === 'namehold' ? process.cwd() : root, stdio: 'inherit', env });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)));
} else {
  process.exit(run(node, script, { env }));
}
