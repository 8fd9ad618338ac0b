// Runs on the machine's Node (20 or newer) and installs everything else: dependencies, a newer Node, Debian packages.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const wantedMajor = 26;
const parent = process.ppid;
const parentLookMs = 500;

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

/** The machine's own Node if it is new enough, otherwise the pinned one installed by npm. */
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

/** Builds generated files once per state of their sources, detected by size and time: reading all sources would delay each start. */
function ensureMade({ what, folders, script, marker }, env) {
  const state = ['package-lock.json', script, ...folders].flatMap(stateOf);
  const digest = createHash('sha256').update(state.join('\n')).digest('hex');
  const file = join(root, marker);
  if (existsSync(file) && readFileSync(file, 'utf8') === digest) return true;
  const begun = performance.now();
  if (run(node, [script], { env, stdio: ['ignore', 2, 2] }) !== 0) return false;
  writeFileSync(file, digest);
  console.error(`Built ${what} in ${((performance.now() - begun) / 1000).toFixed(1)} s.`);
  return true;
}

/** A line per source file. Built files and tests are excluded, because they do not affect the service. */
function stateOf(path) {
  const found = statSync(`${root}/${path}`);
  if (!found.isDirectory()) return [`${path} ${found.size} ${found.mtimeMs}`];
  const names = readdirSync(`${root}/${path}`).filter((name) => !/^(dist|node_modules|test|migrations)\b/.test(name));
  return names.sort().flatMap((name) => stateOf(`${path}/${name}`));
}

/** A service can start without the console and then reports how to build it. */
const consolePages = {
  what: 'the console',
  folders: ['packages/console', 'packages/dns'],
  script: 'packages/console/build.ts',
  marker: 'packages/console/dist/.digest',
};

/** A service can also start from its sources, which takes two seconds longer. */
const programs = {
  what: 'the programs',
  folders: ['base', 'dns', 'epp', 'postgres', 'sandbox', 'server'].map((name) => `packages/${name}/src`),
  script: 'tools/programs.ts',
  marker: 'node_modules/.cache/programs/.digest',
};

ensureDependencies();
const node = findNode();
const path = `${dirname(node)}:${join(root, 'node_modules', '.bin')}:${process.env.PATH}`;
// Node's compile cache: processes of a start or a test reuse compiled code.
const compiled = process.env.NODE_COMPILE_CACHE ?? join(root, 'node_modules', '.cache', 'compiled');
const env = { ...process.env, PATH: path, NODE_COMPILE_CACHE: compiled };
const [command = 'start', ...rest] = process.argv.slice(2);
// A first start has demo domains. NAMEHOLD_DEMO_NAMES is the former name of the setting.
if (command === 'start' && !env.NAMEHOLD_DEMO_NAMES) env.NAMEHOLD_DEMO_DOMAINS ??= 'on';

const isService = command === 'start' || command === 'namehold';
const program =
  isService && ensureMade(programs, env) ? 'node_modules/.cache/programs/server.mjs' : 'packages/server/src/main.ts';

const scripts = {
  start: [join(root, program), 'serve', ...rest],
  namehold: [join(root, program), ...rest],
  test: ['tools/test.ts', ...rest],
  'test:long': ['tools/test.ts', '--long', ...rest],
  check: ['tools/check.ts', ...rest],
  audit: ['tools/audit.ts', ...rest],
  generate: ['tools/generate.ts', ...rest],
  bench: ['bench/run.ts', ...rest],
  'load-ramp': ['bench/load-ramp.ts', ...rest],
  /** The former name. */
  climb: ['bench/load-ramp.ts', ...rest],
  pictures: ['tools/pictures.ts', ...rest],
  'test:simulation': ['test/sim/trust.ts', ...rest],
  /** The former name. */
  trust: ['test/sim/trust.ts', ...rest],
};
// Everything that a start would install and build, for an installation whose service user may not write.
if (command === 'build') process.exit(ensureMade(programs, env) && ensureMade(consolePages, env) ? 0 : 1);
const script = scripts[command];
if (!script) {
  console.error(`unknown: ${command}; there are ${Object.keys(scripts).join(', ')}`);
  process.exit(2);
}
if (command === 'start' && !ensureMade(consolePages, env))
  console.error('Starting without the console: /app is missing.');
if (['test', 'test:long', 'bench', 'pictures'].includes(command) && !ensureMade(consolePages, env)) process.exit(1);
// Signals of the terminal reach the child too; this process only waits for it to end.
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
for (const signal of signals) process.on(signal, () => {});
if (isService) {
  const { spawn } = await import('node:child_process');
  // Through the channel the child notices if this process is killed.
  const stdio = ['inherit', 'inherit', 'inherit', 'ipc'];
  const child = spawn(node, script, { cwd: command === 'namehold' ? process.cwd() : root, stdio, env });
  for (const signal of signals) process.on(signal, () => child.kill(signal));
  // npm forwards signals to this process, because its script uses exec (a shell in between would not), but not its own SIGKILL.
  if (process.env.npm_lifecycle_event === 'start')
    setInterval(() => process.ppid !== parent && child.kill('SIGTERM'), parentLookMs);
  child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)));
} else {
  process.exit(run(node, script, { env }));
}
