import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface TitleRules {
  /** First words of a fragment, which only has a meaning below its `describe`. */
  readonly refused: readonly string[];
  /** Files, or folders that end with a slash, whose titles stay, each with the reason. */
  readonly exceptions: readonly { readonly path: string; readonly reason: string }[];
}

const title = /^[^\S\n]*(?:(?:test|it)(?:\.\w+)*(?:\([^'"`\n]*?\))?|\]\)|\}\))\(\s*(['"`])((?:\\.|(?!\1)[^\\\n])*)\1/gm;

/** A failed test is listed by its title, often far from its `describe`: the title must begin with what the code does. */
export function findTitleProblems(root: string, files: readonly string[]): string[] {
  const rules: TitleRules = JSON.parse(readFileSync(join(root, 'tools/test-titles.json'), 'utf8'));
  const refused = new RegExp(`^(${rules.refused.join('|')})\\b`, 'i');
  const isException = (path: string) =>
    rules.exceptions.some((each) => (each.path.endsWith('/') ? path.startsWith(each.path) : path === each.path));
  return files
    .filter((path) => /^(test|packages\/[^/]+\/test)\/.*\.tsx?$/.test(path) && !isException(path))
    .flatMap((path) =>
      [...readFileSync(join(root, path), 'utf8').matchAll(title)]
        .map((match) => match[2]!)
        .filter((text) => refused.test(text))
        .map((text) => `${path}: "${text}"; a test title begins with a verb in the third person`),
    );
}
