import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { refusalTexts } from '../../packages/console/src/messages/refusals-id.ts';
import { cataloguesOf } from './catalogue.ts';
import { exceptions } from './exceptions.ts';
import { refusalProblems } from './refusals.ts';
import { checkLanguages, checkLengths, checkSentences, checkUses, type Exceptions } from './rules.ts';
import { bareTexts, usesIn } from './uses.ts';

/** Pages for developers, in English only. */
const developerPages = /\/src\/gallery\//;

/** Checks the messages of the console; `files` maps paths to their text. */
export function problemsIn(files: ReadonlyMap<string, string>, allowed: Exceptions): readonly string[] {
  const sources = [...files];
  const catalogues = sources.flatMap(([file, text]) => cataloguesOf(file, text));
  const uses = sources.flatMap(([file, text]) => usesIn(file, text, catalogues));
  const bare = sources
    .filter(([file]) => file.endsWith('.tsx') && !developerPages.test(file))
    .flatMap(([file, text]) => bareTexts(file, text).map((each) => ({ file, ...each })))
    .filter(({ text }) => !(text in allowed.bare))
    .map(({ file, line, text }) => `${file}:${line}: a text without a message: ${text}`);
  return [
    ...checkUses(catalogues, uses),
    ...checkLanguages(catalogues),
    ...checkLengths(uses, allowed),
    ...checkSentences(catalogues, allowed),
    ...bare,
  ];
}

export function readConsole(): ReadonlyMap<string, string> {
  const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
  const paths = globSync('packages/console/src/**/*.{ts,tsx}', { cwd: root }).filter(
    (path) => !/api\/types/.test(path),
  );
  return new Map(paths.sort().map((path) => [path, readFileSync(join(root, path), 'utf8')]));
}

if (import.meta.main) {
  const problems = [...problemsIn(readConsole(), exceptions), ...refusalProblems(refusalTexts)];
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) {
    console.error(`${problems.length} problems with messages (packages/console/README.md)`);
    process.exit(1);
  }
}
