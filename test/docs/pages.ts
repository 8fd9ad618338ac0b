import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { projectRoot } from '../support/service.ts';

export interface Page {
  readonly path: string;
  readonly text: string;
}

/** Every Markdown page of the project. */
export function readPages(): Page[] {
  return execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.md'], { cwd: projectRoot, encoding: 'utf8' })
    .split('\n')
    .filter((path) => path !== '' && existsSync(join(projectRoot, path)))
    .map((path) => ({ path, text: readFileSync(join(projectRoot, path), 'utf8') }));
}

const marked = /<!-- example: ([\w-]+) -->\n([\s\S]*?)<!-- \/example -->/g;

interface Shown {
  readonly page: string;
  readonly name: string;
  readonly fragment: string;
}

export function shownExamples(pages: readonly Page[]): Shown[] {
  return pages.flatMap(({ path, text }) =>
    [...text.matchAll(marked)].map(([, name, fragment]) => ({ page: path, name: name!, fragment: fragment! })),
  );
}

/** Pages in reading order: README, then the guide and the operators' pages in the order of their tables. */
const tables = ['docs/guide/README.md', 'docs/operate/README.md'];

/** Every example in the order of its first appearance. */
export function readingOrder(pages: readonly Page[]): string[] {
  const byPath = new Map(pages.map((page) => [page.path, page]));
  const linked = tables.flatMap((path) =>
    [...byPath.get(path)!.text.matchAll(/\]\(([\w-]+\.md)\)/g)].map(([, file]) => `${dirname(path)}/${file}`),
  );
  const paths = [...new Set(['README.md', ...linked, ...byPath.keys()])];
  const read = paths.flatMap((path) => byPath.get(path) ?? []);
  return [...new Set(shownExamples(read).map((each) => each.name))];
}

/** Writes the fragments of this run into the pages. */
export function rewriteExamples(pages: readonly Page[], fragments: ReadonlyMap<string, string>): string[] {
  const written: string[] = [];
  for (const { path, text } of pages) {
    const next = text.replace(marked, (whole, name: string) => {
      const fragment = fragments.get(name);
      return fragment === undefined ? whole : `<!-- example: ${name} -->\n${fragment}<!-- /example -->`;
    });
    if (next === text) continue;
    writeFileSync(join(projectRoot, path), next);
    written.push(path);
  }
  return written;
}
