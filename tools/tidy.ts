import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The house rules that a machine can check. */
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((path) => path !== '' && existsSync(join(root, path)));
const sources = files.filter((path) => /^packages\/[^/]+\/src\/.*\.ts$/.test(path));
const problems: string[] = [];
const text = (path: string) => readFileSync(join(root, path), 'utf8');

/** What each room may import of ours; what is not listed is forbidden. */
const packagesAllowed: Record<string, string[]> = {
  base: [],
  dns: [],
  epp: [],
  sandbox: ['@namehold/base', '@namehold/dns', '@namehold/epp'],
  server: ['@namehold/base', '@namehold/dns', '@namehold/epp', '@namehold/sandbox'],
};
const roomsAllowed: Record<string, string[]> = {
  core: ['core', 'config'],
  http: ['http', 'core', 'config'],
  jobs: ['jobs', 'core', 'config'],
  cli: ['cli', 'core', 'config'],
  registries: ['registries', 'core', 'config'],
  nameservers: ['nameservers', 'core', 'config'],
  embedded: ['embedded', 'core', 'registries', 'config'],
  workshop: ['workshop', 'core', 'http', 'config', 'parts'],
  config: [],
  logger: [],
  logins: ['config'],
  parts: ['core', 'http', 'jobs', 'registries', 'nameservers', 'embedded', 'workshop', 'config', 'logger', 'logins'],
  nameserver: ['core', 'http', 'nameservers', 'config', 'logger'],
  service: ['core', 'http', 'jobs', 'nameservers', 'nameserver', 'registries', 'embedded', 'config', 'parts'],
  main: ['core', 'cli', 'nameserver', 'registries', 'embedded', 'config', 'logger', 'logins', 'parts', 'service'],
};
/** Vendors and protocols that core must not know, but for the rooms named. */
const outsideOfCore = /^(@namehold\/(epp|sandbox)|fastify|pg)$/;

function importsOf(path: string): string[] {
  return [...text(path).matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map((match) => match[1]!);
}

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
  if (/server\/src\/core\//.test(path) && /\bnew Date\(\)|\bDate\.now\(\)|\bMath\.random\(/.test(content))
    problems.push(`${path}: time and chance come in through the door`);
  if (path.includes('/http/v1/') && /\bString\((value|entry)\)|\bvalue\.map\(String\)/.test(content))
    problems.push(`${path}: values of a caller are read with asText, whose toString is not theirs`);
  if (/\b(TODO|FIXME|XXX)\b/.test(content)) problems.push(`${path}: an unfinished mark`);
  if (/@ts-ignore|@ts-nocheck|\bas any\b/.test(content)) problems.push(`${path}: the type checker is switched off`);
  if (/(Manager|Helper|Utils?)\.ts$/i.test(path)) problems.push(`${path}: a name that says nothing of the business`);
}

for (const path of files) {
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
