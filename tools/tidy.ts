import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findBannedWords, findSentenceProblem, readWordRules } from './banned-words.ts';
import { findUnusedExports } from './exports.ts';
import { moduleProblems } from './modules.ts';
import { processProblems } from './processes.ts';
import { alternating, rotating } from './test-rotation.ts';
import { findTitleProblems } from './test-titles.ts';

/** The code rules of CONTRIBUTING.md that a program can check. */
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((path) => path !== '' && existsSync(join(root, path)));
const sources = files.filter((path) => /^packages\/[^/]+\/src\/.*\.tsx?$/.test(path));
const problems: string[] = [];
const text = (path: string) => readFileSync(join(root, path), 'utf8');

/** Which packages of ours each package may import. */
const packagesAllowed: Record<string, string[]> = {
  base: [],
  console: ['@namehold/dns'],
  dns: [],
  epp: [],
  postgres: [],
  sandbox: ['@namehold/base', '@namehold/dns', '@namehold/epp', '@namehold/postgres'],
  server: ['@namehold/base', '@namehold/dns', '@namehold/epp', '@namehold/postgres', '@namehold/sandbox'],
};
const modulesAllowed: Record<string, string[]> = {
  core: ['core', 'config'],
  http: ['http', 'core', 'config'],
  jobs: ['jobs', 'core', 'config'],
  cli: ['cli', 'core', 'config', 'release'],
  registries: ['registries', 'core', 'config'],
  nameservers: ['nameservers', 'core', 'config'],
  edge: ['edge', 'core', 'nameservers', 'http', 'config'],
  mx: ['mx', 'core', 'nameservers', 'http', 'config'],
  embedded: ['embedded', 'core', 'registries', 'config', 'missing-roles'],
  workers: ['workers', 'core', 'http', 'config', 'parts'],
  config: ['config'],
  mail: ['core', 'config'],
  payments: ['payments', 'core', 'config'],
  certificates: ['certificates', 'core', 'config'],
  targets: ['core'],
  passkeys: ['core', 'config'],
  release: [],
  'log-writer': [],
  'stop-times': [],
  logger: ['log-writer'],
  pooler: ['config'],
  unreachable: ['config'],
  'missing-roles': ['config'],
  'database-watch': ['config', 'unreachable'],
  logins: ['config', 'missing-roles', 'pooler', 'unreachable'],
  parts: [
    'core',
    'http',
    'jobs',
    'registries',
    'nameservers',
    'embedded',
    'mail',
    'payments',
    'certificates',
    'targets',
    'passkeys',
    'workers',
    'release',
    'config',
    'logger',
    'logins',
    'missing-roles',
    'unreachable',
  ],
  nameserver: ['core', 'http', 'nameservers', 'config', 'logger'],
  service: [
    'core',
    'http',
    'jobs',
    'edge',
    'mx',
    'nameservers',
    'nameserver',
    'registries',
    'embedded',
    'config',
    'parts',
  ],
  main: ['embedded', 'command-line'],
  'command-line': [
    'core',
    'cli',
    'edge',
    'mx',
    'nameserver',
    'registries',
    'embedded',
    'release',
    'config',
    'logger',
    'logins',
    'database-watch',
    'missing-roles',
    'parts',
    'service',
    'stop-times',
    'unreachable',
  ],
};
/** Vendors and protocols that core must not import. */
const outsideOfCore = /^(@namehold\/(epp|sandbox)|fastify|pg|nodemailer)$/;

function importsOf(path: string): string[] {
  return [...text(path).matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map((match) => match[1]!);
}

/** The only files that read the wall clock. Elapsed time is `performance.now()`. */
const clockFiles = ['packages/base/src/clock.ts', 'packages/epp/src/clock.ts', 'packages/console/src/data/clock.ts'];
/** Modules where constants of a protocol are in capitals, as in its RFC. */
const protocolModules = /^packages\/(dns|epp|server\/src\/nameservers?)\b/;
/** Statements that write or lock rows. */
const writing =
  /`[^`]*\b(?:insert into|update \w+ (?:\w+ )?set|delete from|for (?:no key )?update|for (?:key )?share)\b/i;
const maxFilesInFolder = 40;
const maxLinesOfFunction = 70;

for (const path of sources) {
  const [, name] = path.split('/') as [string, string];
  for (const each of importsOf(path)) {
    const target = asPackage(path, each);
    const ours = /^@namehold\/(\w+)/.exec(target);
    if (ours && !packagesAllowed[name]!.some((allowed) => target === allowed || target.startsWith(`${allowed}/`))) {
      problems.push(`${path}: package ${name} may not import ${target}`);
    }
    if (name === 'server' && target.startsWith('.')) checkModule(path, target);
    if (path.includes('/server/src/core/') && outsideOfCore.test(target))
      problems.push(`${path}: core may not import ${target}`);
  }
  checkText(path);
}

/** A relative path into another package counts like the name of that package. */
function asPackage(path: string, target: string): string {
  const [, name, inside] = /^packages\/(\w+)\/src\/(.*)$/.exec(normalize(join(dirname(path), target))) ?? [];
  return target.startsWith('.') && name && name !== path.split('/')[1] ? `@namehold/${name}/${inside}` : target;
}

function moduleOf(path: string): string {
  return path.replace('packages/server/src/', '').split('/')[0]!.replace(/\.ts$/, '');
}

function checkModule(path: string, target: string): void {
  const from = moduleOf(path);
  const to = moduleOf(normalize(join(dirname(path), target)));
  if (to === 'main' || !(modulesAllowed[from] ?? []).includes(to))
    problems.push(`${path}: module ${from} may not import from ${to}`);
}

function checkText(path: string): void {
  const content = text(path);
  const lines = content.split('\n').length;
  if (lines > 600) problems.push(`${path}: ${lines} lines; at most 600`);
  if (!clockFiles.includes(path) && /\bnew Date\(\)|\bDate\.now\(\)/.test(content))
    problems.push(`${path}: the wall clock is read in ${clockFiles.join(' and ')} only`);
  if (/server\/src\/core\//.test(path) && /\bMath\.random\(/.test(content))
    problems.push(`${path}: random values are injected, not read from Math.random`);
  if (!path.endsWith('.sql.ts') && /\bsql`/.test(content)) problems.push(`${path}: SQL belongs in a *.sql.ts file`);
  if (/\bselect (\w+\.)?\*|\breturning \*|, \w\.\*(,|\n|$| from)/i.test(content))
    problems.push(`${path}: select *; name the columns`);
  if (!protocolModules.test(path) && /^(?:export )?const [A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*\b/m.test(content))
    problems.push(`${path}: a constant in capitals; only constants of protocols are, others are camelCase`);
  checkWrites(path, content);
  checkDriver(path, content);
  checkPathsInCore(path, content);
  checkFunctions(path, content.split('\n'));
  if (path.includes('/http/v1/') && /\bString\((value|entry)\)|\bvalue\.map\(String\)/.test(content))
    problems.push(`${path}: read values of a request with asText; they may have a toString of their own`);
  if (/\b(TODO|FIXME|XXX)\b/.test(content)) problems.push(`${path}: an unfinished mark (TODO)`);
  if (/@ts-ignore|@ts-nocheck|\bas any\b/.test(content)) problems.push(`${path}: the type checker is switched off`);
  if (/(Manager|Helper|Utils?)\.tsx?$/i.test(path)) problems.push(`${path}: a file name without a business term`);
}

/**
 * Writes need a `Tx` or an `Autocommit`. The compiler refuses `run` on a reader, and the server refuses the write. Neither notices a
 * `returning` clause on a reader before it runs.
 */
function checkWrites(path: string, content: string): void {
  for (const [, handle, statement] of content.matchAll(
    /(\w+(?:\([^()]*\))?)\s*\.(?:many|maybe|one)\b[^`(]*\(\s*sql(`[^`]*`)/g,
  ))
    if (writing.test(statement!) && !/^(tx|alone|autocommit|autocommit\(.*\))$/.test(handle!))
      problems.push(`${path}: a write on ${handle}; use a tx or an autocommit`);
}

/** What `pg` does not declare is used in one folder, where a test notices that a new release changed it. */
function checkDriver(path: string, content: string): void {
  if (path.startsWith('packages/postgres/src/driver/')) return;
  const inside =
    /\b(_idle|_clients|_parsers|parsedStatements|submittedNamedStatements|connection\.stream|getTransactionStatus)\b/;
  const found = inside.exec(content)?.[0];
  if (found && /from '(pg|@namehold\/postgres)'|packages\/postgres/.test(`${path} ${content}`))
    problems.push(`${path}: ${found} is private to pg; use packages/postgres/src/driver/`);
}

/** Core does not name HTTP paths. */
function checkPathsInCore(path: string, content: string): void {
  if (!path.includes('/server/src/core/')) return;
  if (/\/v1\b/.test(content)) problems.push(`${path}: core names an HTTP path (/v1)`);
}

/** By indentation, which the formatter guarantees: a body ends with the first brace in the column of its function. */
function checkFunctions(path: string, lines: readonly string[]): void {
  lines.forEach((line, start) => {
    const opened =
      /^(\s*)(?:export )?(?:default )?(?:async )?(?:function\b|(?:(?:static|async|override|get|set) )*#?\w+\(.*[({]$|const \w+.*=> \{$)/.exec(
        line,
      );
    if (!opened || /^\s*(if|for|while|switch|return|expect|catch)\b/.test(line)) return;
    const end = lines.findIndex((later, at) => at > start && later.startsWith(`${opened[1]}}`) && !/\{$/.test(later));
    const length = end - start + 1;
    if (end > start && length > maxLinesOfFunction)
      problems.push(`${path}:${start + 1}: a function of ${length} lines (${maxLinesOfFunction} at most)`);
  });
}

/**
 * Fields in core are camelCase. Rows have the names of their columns, and so have JSON values stored in them: types that a statement
 * reads (`many<Row>`, `Table<Row>`), the types of their fields, and `...Row` types, which are written.
 */
function checkCases(): void {
  const inCore = sources.filter((path) => path.startsWith('packages/server/src/core/'));
  const types = inCore.flatMap((path) => typesIn(path));
  const read = inCore
    .filter((path) => path.endsWith('.sql.ts'))
    .flatMap((path) => [...text(path).matchAll(/\b(?:many|maybe|one|Table)<([^(]+)>\(/g)].map((match) => match[1]!));
  const rows = new Set([...read.join(' ').match(/\w+/g)!, ...storedAsJson]);
  for (let size = 0; size < rows.size; ) {
    size = rows.size;
    for (const { name, body } of types)
      if (rows.has(name) || name.endsWith('Row')) for (const word of body.match(/\b[A-Z]\w+/g) ?? []) rows.add(word);
  }
  for (const { path, name, body } of types) {
    const fields = [...body.matchAll(/\breadonly (\w+)\??:/g)].map((match) => match[1]!);
    const snake = fields.filter((field) => /[a-z0-9]_[a-z0-9]/.test(field));
    const camel = fields.filter((field) => /[a-z][A-Z]/.test(field));
    if (snake.length > 0 && camel.length > 0)
      problems.push(`${path}: ${name} has ${snake[0]} and ${camel[0]}; use one case`);
    else if (snake.length > 0 && !rows.has(name) && !name.endsWith('Row'))
      problems.push(`${path}: ${name} is not a row type: write ${snake[0]} in camelCase`);
  }
}

/** Types that are stored or returned unchanged: with operations, in alarms, in reports, in the TLD catalogue. */
const storedAsJson = [
  'Kinds',
  'Difference',
  'Skipped',
  'GraceRefund',
  'CatalogueEntry',
  'EncryptedSecrets',
  'RegistrySecrets',
];

function typesIn(path: string): { path: string; name: string; body: string }[] {
  const declared = /^(?:export )?(?:interface (\w+)[\s\S]*?^\}|type (\w+)[^;{]*?(?:;$|\{[\s\S]*?^\}))/gm;
  return [...text(path).matchAll(declared)].map(([body, name, alias]) => ({ path, name: (name ?? alias)!, body }));
}

function checkFolders(): void {
  const counts = new Map<string, number>();
  for (const path of files.filter((each) => /\.tsx?$/.test(each)))
    counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
  for (const [folder, count] of counts)
    if (count > maxFilesInFolder) problems.push(`${folder}: ${count} files; at most ${maxFilesInFolder} in a folder`);
}

problems.push(...moduleProblems(), ...processProblems(), ...findTitleProblems(root, files));
for (const file of [...rotating, ...alternating.flat()])
  if (!files.includes(file)) problems.push(`tools/test-rotation.ts: ${file} does not exist`);
const code = files.filter((path) => /\.(tsx?|mjs)$/.test(path));
problems.push(...findUnusedExports(new Map(code.map((path) => [path, text(path)])), root));
checkFolders();
checkCases();

/** From this migration on, each one names the oldest release that can work on its schema. */
const firstWithRelease = '0034';
for (const path of files) {
  const number = /\/migrations\/(\d{4})_\w+\.sql$/.exec(path)?.[1];
  if (
    path.includes('/server/') &&
    number &&
    number >= firstWithRelease &&
    !/^-- oldest release: \d+\.\d+\.\d+$/m.test(text(path))
  )
    problems.push(`${path}: name the oldest release that works on this schema (-- oldest release: 0.1.0)`);
  if (/\.(png|lock)$/.test(path) || path === 'package-lock.json' || path === 'tools/tidy.ts') continue;
  const content = text(path);
  if (/(^|[^\w.])\/(work|farm|root)\//m.test(content)) problems.push(`${path}: a path of one machine`);
  if (/\.\.\/shared\b/.test(content)) problems.push(`${path}: refers to a folder outside the project`);
  if (/\.(test|long)\.ts$/.test(path) && /\b(it|test|describe)\.(only|skip|todo)\(/.test(content))
    problems.push(`${path}: a skipped test`);
}

/** Private words are refused in all code (sources, tests, benches, tools and SQL), in documents and in mails. */
const wordRules = readWordRules(root);
for (const path of files.filter((each) => /\.(tsx?|mjs|sql|py|md|txt)$/.test(each)))
  problems.push(...findBannedWords(path, text(path), wordRules));

/** Messages, descriptions and log texts of the service: sentences in quotes that end with a full stop. */
const message = /(['`])((?:(?!\1)[^\\\n]|\\.)*[.!?])\1/g;
for (const path of sources.filter((each) => !each.startsWith('packages/console/')))
  for (const [, , sentence] of text(path).matchAll(message)) {
    const problem = /\w+ \w+ \w+/.test(sentence!) ? findSentenceProblem(sentence!) : undefined;
    if (problem) problems.push(`${path}: a message ${problem}`);
    problems.push(...findBannedWords(path, sentence!, wordRules, true));
  }

for (const problem of problems) console.error(problem);
if (problems.length > 0) {
  console.error(`${problems.length} violations of the code rules`);
  process.exit(1);
}
