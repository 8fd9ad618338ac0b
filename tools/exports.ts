import { existsSync } from 'node:fs';
import { dirname, join, matchesGlob, normalize } from 'node:path';

/**
 * Exports that no other file imports, read from the text of all files. A type that only its own file uses needs no `export`, even if
 * an exported function has it in its signature.
 */
interface Import {
  /** The path of the imported file, from the root of the project. */
  readonly from: string;
  readonly names: ReadonlySet<string>;
}

/** The source of a package's export: `@namehold/base/clock` is `packages/base/src/clock.ts`. */
function fileOf(importer: string, target: string, root: string): string | undefined {
  if (target.startsWith('.')) return normalize(join(dirname(importer), target));
  const [, name, path = ''] = /^(?:@namehold\/)?(\w+)(?:\/(.*))?$/.exec(target) ?? [];
  const folder = `packages/${name === 'namehold' ? 'server' : name}/src`;
  return [`${folder}/${path}.ts`, join(folder, path, 'index.ts')].find((file) => existsSync(join(root, file)));
}

const wordsOf = (text: string): Set<string> => new Set(text.match(/\w+/g));

/** The first of each `name as other`; `type` and default imports included. */
function namesOf(clause: string): Set<string> {
  const [, first, braces = ''] = /^(?:type\s+)?(\w+)?\s*,?\s*(?:\{([^}]*)\})?/.exec(clause)!;
  const names = braces.split(',').map(
    (each) =>
      each
        .trim()
        .replace(/^type\s+/, '')
        .split(/\s/)[0]!,
  );
  return new Set([...names, ...(first ? ['default'] : [])]);
}

/** The names that a file imports. Of a whole module (`* as`, `import(...)`) every word of the file counts as used. */
function importsOf(path: string, content: string, root: string): Import[] {
  const of = (target: string, names: Set<string>): Import[] => {
    const from = fileOf(path, target, root);
    return from ? [{ from, names }] : [];
  };
  const clauses = [...content.matchAll(/^(?:import|export)\s+((?:type\s+)?[\w{*][^;'`]*?)\s+from\s+'([^']+)'/gm)];
  const calls = [...content.matchAll(/\bimport\(\s*'([^']+)'/g)];
  return [
    ...clauses.flatMap(([, clause, target]) =>
      of(target!, clause!.startsWith('*') ? wordsOf(content) : namesOf(clause!)),
    ),
    ...calls.flatMap(([, target]) => of(target!, wordsOf(content).add('default'))),
  ];
}

const declared =
  /^export (?:declare )?(?:async )?(?:abstract )?(?:(default)|(?:const|let|function\*?|class|interface|type) (\w+))/gm;
const listed = /^export (?:type )?\{([^}]*)\}/gm;

function exportsOf(content: string): string[] {
  const inLists = [...content.matchAll(listed)].flatMap(([, names]) => names!.split(','));
  return [
    ...[...content.matchAll(declared)].map(([, whole, name]) => (whole ?? name)!),
    ...inLists.map((each) => each.trim().split(/\s/).at(-1)!).filter((name) => name !== ''),
  ];
}

/** `export * from` passes on what others import from the file that contains it. */
function passedOn(contents: ReadonlyMap<string, string>, root: string): Map<string, string[]> {
  const passed = new Map<string, string[]>();
  for (const [path, content] of contents)
    for (const [, target] of content.matchAll(/^export (?:type )?\* from '([^']+)'/gm)) {
      const from = fileOf(path, target!, root)!;
      passed.set(from, [...(passed.get(from) ?? []), path]);
    }
  return passed;
}

/** Files that Vite imports by a pattern (`import.meta.glob`). */
function globsOf(path: string, content: string, paths: Iterable<string>): Import[] {
  return [...content.matchAll(/\bimport\.meta\.glob\b[^(]*\('([^']+)'/g)].flatMap(([, pattern]) => {
    const glob = normalize(join(dirname(path), pattern!));
    return [...paths].filter((each) => matchesGlob(each, glob)).map((from) => ({ from, names: wordsOf(content) }));
  });
}

/** Programs load these by name: configuration, reporters and set-up of tests, and the client that only the compiler reads. */
const isLoadedByName = (path: string, name: string): boolean =>
  (name === 'default' && !/^packages\/[^/]+\/src\//.test(path)) || path.startsWith('tools/openapi/client/');

/** One line for each export without a user. `contents` has the text of every file of the project that contains code. */
export function findUnusedExports(contents: ReadonlyMap<string, string>, root: string): string[] {
  const used = new Map<string, Set<string>>();
  for (const [path, content] of contents)
    for (const { from, names } of [...importsOf(path, content, root), ...globsOf(path, content, contents.keys())])
      if (from !== path) used.set(from, new Set([...(used.get(from) ?? []), ...names]));
  const passed = passedOn(contents, root);
  const isUsed = (path: string, name: string): boolean =>
    used.get(path)?.has(name) === true || (passed.get(path) ?? []).some((each) => isUsed(each, name));
  return [...contents].flatMap(([path, content]) =>
    exportsOf(content)
      .filter((name) => !isUsed(path, name) && !isLoadedByName(path, name))
      .map((name) => `${path}: no other file imports ${name}; remove its export, or delete it`),
  );
}
