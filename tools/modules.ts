import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { layers, reachLimits } from './layers.ts';

/**
 * The imports between the folders of core. `node tools/modules.ts` prints them. `--check` fails on imports against the order of the
 * layers and on cycles. Imports of types count: a reader must know them too.
 */
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const core = 'packages/server/src/core/';

/** Each file of core, and the files of core that it imports. Paths begin below `core/`. */
type Imports = ReadonlyMap<string, readonly string[]>;

function readImports(): Imports {
  const paths = execFileSync('git', ['ls-files', '-co', '--exclude-standard', core], { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter((path) => path.endsWith('.ts') && existsSync(join(root, path)));
  return new Map(paths.map((path) => [path.slice(core.length), importsOf(path)]));
}

function importsOf(path: string): string[] {
  return [...readFileSync(join(root, path), 'utf8').matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)]
    .map(([, target]) => normalize(join(dirname(path), target!)))
    .filter((target) => target.startsWith(core))
    .map((target) => target.slice(core.length));
}

const folderOf = (path: string): string => path.split('/')[0]!;

/** Imports from one folder to another: `from > to`, with the two files of each. */
function pairsOf(imports: Imports): Map<string, string[]> {
  const pairs = new Map<string, string[]>();
  for (const [path, targets] of imports)
    for (const target of targets) {
      const [from, to] = [folderOf(path), folderOf(target)];
      if (from !== to) pairs.set(`${from} > ${to}`, [...(pairs.get(`${from} > ${to}`) ?? []), `${path} -> ${target}`]);
    }
  return pairs;
}

/** Groups of which each member imports every other, directly or through others (Tarjan). Groups of one are left out. */
function cyclesOf(nodes: Iterable<string>, targetsOf: (node: string) => Iterable<string>): string[][] {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const groups: string[][] = [];
  const visit = (node: string): void => {
    order.set(node, order.size);
    lowest.set(node, order.get(node)!);
    open.push(node);
    for (const target of targetsOf(node)) {
      if (!order.has(target)) visit(target);
      if (open.includes(target)) lowest.set(node, Math.min(lowest.get(node)!, lowest.get(target)!));
    }
    if (lowest.get(node) === order.get(node)) groups.push(open.splice(open.indexOf(node)));
  };
  for (const node of nodes) if (!order.has(node)) visit(node);
  return groups.filter((group) => group.length > 1);
}

function folderCycles(pairs: ReadonlyMap<string, unknown>): string[][] {
  const targets = new Map<string, string[]>();
  for (const pair of pairs.keys()) {
    const [from, to] = pair.split(' > ') as [string, string];
    targets.set(from, [...(targets.get(from) ?? []), to]);
  }
  return cyclesOf(targets.keys(), (folder) => targets.get(folder) ?? []);
}

/** The file itself and all that it imports, directly or through others. */
function reachOf(imports: Imports, path: string): Set<string> {
  const reached = new Set([path]);
  for (const each of reached) for (const target of imports.get(each) ?? []) reached.add(target);
  return reached;
}

export function moduleProblems(): string[] {
  const imports = readImports();
  const pairs = pairsOf(imports);
  const rank = new Map(layers.flatMap(({ folders }) => folders).map((folder, at) => [folder, at]));
  const folders = new Set([...imports.keys()].map(folderOf));
  const described = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8');
  const isUpwards = (pair: string) => {
    const [from, to] = pair.split(' > ').map((folder) => rank.get(folder) ?? 0) as [number, number];
    return from < to;
  };
  const problems = [...folders]
    .filter((folder) => !rank.has(folder))
    .map((folder) => `core/${folder} is in no layer: add it to tools/layers.ts`);
  for (const folder of folders)
    if (!folder.endsWith('.ts') && !described.includes(`\`${folder}/\``))
      problems.push(`ARCHITECTURE.md does not describe core/${folder}`);
  for (const folder of rank.keys())
    if (!folders.has(folder)) problems.push(`tools/layers.ts: there is no core/${folder}; remove it`);
  for (const [pair, files] of pairs)
    if (isUpwards(pair))
      problems.push(...files.map((line) => `core: against the order of the layers (tools/layers.ts): ${line}`));
  for (const cycle of cyclesOf(imports.keys(), (path) => imports.get(path) ?? []))
    problems.push(`core: these files import each other: ${cycle.join(', ')}`);
  for (const [path, limit] of Object.entries(reachLimits)) {
    const { size } = reachOf(imports, path);
    if (size > limit) problems.push(`core/${path} needs ${size} files of core; at most ${limit}`);
  }
  return problems;
}

function print(): void {
  const imports = readImports();
  const pairs = pairsOf(imports);
  for (const [pair, files] of [...pairs].sort()) console.log(`${pair}: ${files.length}`);
  const mutual = [...pairs.keys()].filter((pair) => pairs.has(pair.split(' > ').reverse().join(' > '))).length / 2;
  const cycles = folderCycles(pairs);
  console.log(`\n${imports.size} files, ${layers.length} layers, ${mutual} pairs of folders that import each other`);
  for (const cycle of cycles) console.log(`a cycle of ${cycle.length} folders: ${cycle.join(', ')}`);
  for (const path of Object.keys(reachLimits))
    console.log(`core/${path} needs ${reachOf(imports, path).size} files of core`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const problems = moduleProblems();
  if (process.argv.includes('--check')) for (const problem of problems) console.error(problem);
  else print();
  process.exit(process.argv.includes('--check') && problems.length > 0 ? 1 : 0);
}
