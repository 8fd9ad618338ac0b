import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The house rules that a machine can check. */
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((path) => path !== '' && existsSync(join(root, path)));
const sources = files.filter((path) => /^packages\/[^/]+\/src\/.*\.tsx?$/.test(path));
const problems: string[] = [];
const text = (path: string) => readFileSync(join(root, path), 'utf8');

/** What each room may import of ours; what is not listed is forbidden. */
const packagesAllowed: Record<string, string[]> = {
  base: [],
  console: ['@namehold/dns'],
  dns: [],
  epp: [],
  sandbox: ['@namehold/base', '@namehold/dns', '@namehold/epp'],
  server: ['@namehold/base', '@namehold/dns', '@namehold/epp', '@namehold/sandbox'],
};
const roomsAllowed: Record<string, string[]> = {
  core: ['core', 'config'],
  http: ['http', 'core', 'config'],
  jobs: ['jobs', 'core', 'config'],
  cli: ['cli', 'core', 'config', 'release'],
  registries: ['registries', 'core', 'config'],
  nameservers: ['nameservers', 'core', 'config'],
  edge: ['edge', 'core', 'nameservers', 'http', 'config'],
  mx: ['mx', 'core', 'nameservers', 'http', 'config'],
  embedded: ['embedded', 'core', 'registries', 'config'],
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
  logins: ['config', 'pooler', 'unreachable'],
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
    'parts',
    'service',
    'stop-times',
    'unreachable',
  ],
};
/** Vendors and protocols that core must not know, but for the rooms named. */
const outsideOfCore = /^(@namehold\/(epp|sandbox)|fastify|pg|nodemailer)$/;

function importsOf(path: string): string[] {
  return [...text(path).matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map((match) => match[1]!);
}

/** Where the wall clock is read; everybody else is given a clock. Time that passed is `performance.now()`. */
const clockRooms = ['packages/base/src/clock.ts', 'packages/epp/src/clock.ts', 'packages/console/src/data/clock.ts'];
/** Numbers and words of a protocol are in capitals there, as its documents have them. */
const protocolRooms = /^packages\/(dns|epp|server\/src\/nameservers?)\b/;
/** Statements that change something, or lock it. */
const writing =
  /`[^`]*\b(?:insert into|update \w+ (?:\w+ )?set|delete from|for (?:no key )?update|for (?:key )?share)\b/i;
const maxFilesInFolder = 40;
const maxLinesOfFunction = 70;

for (const path of sources) {
  const [, name] = path.split('/') as [string, string];
  for (const target of importsOf(path)) {
    const ours = /^@namehold\/(\w+)/.exec(target);
    if (ours && !packagesAllowed[name]!.some((allowed) => target === allowed || target.startsWith(`${allowed}/`))) {
      problems.push(`${path}: package ${name} may not import ${target}`);
    }
    if (name === 'server' && target.startsWith('.')) checkRoom(path, target);
    if (path.includes('/server/src/core/') && outsideOfCore.test(target))
      problems.push(`${path}: core may not know ${target}`);
  }
  checkText(path);
}

/** In core nobody imports, by whatever detour, what imports him: types count, for a circle of types is one of thoughts. */
function checkCircles(): void {
  const state = new Map<string, 'open' | 'closed'>();
  const trail: string[] = [];
  const visit = (path: string): void => {
    if (state.get(path) === 'closed') return;
    trail.push(path);
    if (state.get(path) === 'open') {
      const circle = trail.slice(trail.indexOf(path)).map((each) => each.replace('packages/server/src/core/', ''));
      problems.push(`core: a circle of imports: ${circle.join(' -> ')}`);
    } else {
      state.set(path, 'open');
      for (const target of importsOf(path).filter((each) => each.startsWith('.'))) {
        const to = normalize(join(dirname(path), target));
        if (to.startsWith('packages/server/src/core/')) visit(to);
      }
      state.set(path, 'closed');
    }
    trail.pop();
  };
  for (const path of sources.filter((each) => each.startsWith('packages/server/src/core/'))) visit(path);
}
checkCircles();

function roomOf(path: string): string {
  return path.replace('packages/server/src/', '').split('/')[0]!.replace(/\.ts$/, '');
}

function checkRoom(path: string, target: string): void {
  const from = roomOf(path);
  const to = roomOf(normalize(join(dirname(path), target)));
  if (to === 'main' || !(roomsAllowed[from] ?? []).includes(to))
    problems.push(`${path}: the room ${from} may not import from ${to}`);
}

function checkText(path: string): void {
  const content = text(path);
  const lines = content.split('\n').length;
  if (lines > 600) problems.push(`${path}: ${lines} lines; a file is one thing (600 at most)`);
  if (!clockRooms.includes(path) && /\bnew Date\(\)|\bDate\.now\(\)/.test(content))
    problems.push(`${path}: the wall clock is read in ${clockRooms.join(' and ')} only`);
  if (/server\/src\/core\//.test(path) && /\bMath\.random\(/.test(content))
    problems.push(`${path}: chance comes in through the door`);
  if (!path.endsWith('.sql.ts') && /\bsql`/.test(content))
    problems.push(`${path}: a statement; they stand in *.sql.ts`);
  if (/\bselect (\w+\.)?\*|\breturning \*|, \w\.\*(,|\n|$| from)/i.test(content))
    problems.push(`${path}: select *; a column that is added or dropped must not change what a row is`);
  if (!protocolRooms.test(path) && /^(?:export )?const [A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*\b/m.test(content))
    problems.push(`${path}: a constant in capitals; those are for protocols, ours are camelCase`);
  checkWrites(path, content);
  checkPathsInCore(path, content);
  checkFunctions(path, content.split('\n'));
  if (path.includes('/http/v1/') && /\bString\((value|entry)\)|\bvalue\.map\(String\)/.test(content))
    problems.push(`${path}: values of a caller are read with asText, whose toString is not theirs`);
  if (/\b(TODO|FIXME|XXX)\b/.test(content)) problems.push(`${path}: an unfinished mark`);
  if (/@ts-ignore|@ts-nocheck|\bas any\b/.test(content)) problems.push(`${path}: the type checker is switched off`);
  if (/(Manager|Helper|Utils?)\.tsx?$/i.test(path)) problems.push(`${path}: a name that says nothing of the business`);
}

/**
 * Who writes has a transaction, or says that the statement is one by itself. The compiler knows that a reader has no `run`, and the server
 * refuses every write on one; what neither sees before it happens is a `returning` that a reader is asked for.
 */
function checkWrites(path: string, content: string): void {
  for (const [, handle, statement] of content.matchAll(
    /(\w+(?:\([^()]*\))?)\s*\.(?:many|maybe|one)\b[^`(]*\(\s*sql(`[^`]*`)/g,
  ))
    if (writing.test(statement!) && !/^(tx|alone|alone\(.*\))$/.test(handle!))
      problems.push(`${path}: a write on ${handle}; a Tx or an Alone writes, and is called so`);
}

/** Core names actions; which call that is, the front door says. */
function checkPathsInCore(path: string, content: string): void {
  if (!path.includes('/server/src/core/')) return;
  if (/\/v1\b/.test(content)) problems.push(`${path}: core names a path of the front door (/v1)`);
}

/** By indentation, which the formatter keeps: a body ends with the first brace in the column where its function began. */
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
 * One case for core's fields: what core makes and passes on is camelCase. Rows have the names of their columns, and so has what is stored
 * in them as JSON: types that a statement reads (`many<Row>`, `Table<Row>`), what they hold, and `...Row`, which is written.
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
      problems.push(`${path}: ${name} has ${snake[0]} and ${camel[0]}: one case`);
    else if (snake.length > 0 && !rows.has(name) && !name.endsWith('Row'))
      problems.push(`${path}: ${name} is no row: ${snake[0]} is written in camelCase`);
  }
}

/** Stored and told as they are: with operations, in alarms, in reports, in the catalogue of TLDs. */
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
    if (count > maxFilesInFolder)
      problems.push(`${folder}: ${count} files; a folder is a table of contents (${maxFilesInFolder} at most)`);
}

/** What no other file names is not exported. A type may be, where it names what an exported function takes or gives. */
function checkExports(): void {
  const users = new Map<string, Set<string>>();
  for (const path of files.filter((each) => /\.(tsx?|mjs)$/.test(each)))
    for (const word of new Set(text(path).match(/\w+/g))) users.set(word, (users.get(word) ?? new Set()).add(path));
  for (const path of sources) {
    const content = text(path);
    for (const [, kind, name] of content.matchAll(exported)) {
      const isType = kind === 'interface' || kind === 'type';
      const uses = content.match(new RegExp(`\\b${name}\\b`, 'g'))!.length;
      if (users.get(name!)!.size === 1 && (!isType || uses === 1))
        problems.push(`${path}: ${name} is exported and used by no other file`);
    }
  }
}
const exported = /^export (?:declare )?(?:async )?(?:abstract )?(const|let|function\*?|class|interface|type) (\w+)/gm;

checkFolders();
checkExports();
checkCases();

/** From here on each migration says which release can still work on what it makes; those before belong to 0.1.0. */
const firstThatSays = '0034';
for (const path of files) {
  const number = /\/migrations\/(\d{4})_\w+\.sql$/.exec(path)?.[1];
  if (
    path.includes('/server/') &&
    number &&
    number >= firstThatSays &&
    !/^-- oldest release: \d+\.\d+\.\d+$/m.test(text(path))
  )
    problems.push(`${path}: a migration says the oldest release that can work on it (-- oldest release: 0.1.0)`);
  if (/\.(png|lock)$/.test(path) || path === 'package-lock.json' || path === 'tools/tidy.ts') continue;
  const content = text(path);
  if (/(^|[^\w.])\/(work|farm|root)\//m.test(content)) problems.push(`${path}: a path of one machine`);
  if (/\.\.\/shared\b/.test(content)) problems.push(`${path}: refers to a folder outside the project`);
  if (/\.(test|long)\.ts$/.test(path) && /\b(it|test|describe)\.(only|skip|todo)\(/.test(content))
    problems.push(`${path}: a test that is left out`);
}

for (const problem of problems) console.error(problem);
if (problems.length > 0) {
  console.error(`${problems.length} breaches of the house rules`);
  process.exit(1);
}
