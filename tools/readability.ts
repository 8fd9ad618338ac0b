import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The limits in words. `node tools/readability.ts [--check] [PATH...]` marks pages above them; `--check` fails if there is one. */
export const aim = { median: 14, p95: 28 };

/**
 * The number of words of each sentence of a Markdown page. Code blocks, tables, headings, comments and blocks between
 * `<!-- example: x -->` and `<!-- /example -->` are excluded. A list item ends a sentence; a code span is one word,
 * and a list item that is only code does not count.
 */
export function sentenceLengths(markdown: string): number[] {
  const prose = markdown
    .replaceAll(/<!-- example: [\s\S]*?<!-- \/example -->/g, '\n')
    .replaceAll(/<!--[\s\S]*?-->/g, '\n')
    .replaceAll(/^ *(```|~~~)[\s\S]*?^ *\1.*$/gm, '\n')
    .replaceAll(/^ *(\||#|!\[).*$/gm, '\n')
    .replaceAll(/`[^`]+`/g, 'code')
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[*_>]{1,2}/g, '')
    .replaceAll(/^ *([-+]|\d+\.) /gm, '\n\n');
  return prose
    .split(/\n\s*\n/)
    .flatMap((paragraph) => paragraph.split(/(?<=[.!?][)"']?)\s+(?=["'(]?[A-Z0-9]|code\b)/))
    .filter((sentence) => sentence.trim() !== 'code')
    .map((sentence) => (sentence.match(/[\p{L}\p{N}][\p{L}\p{N}'’.,/-]*/gu) ?? []).length)
    .filter((words) => words > 0);
}

/** The length that a share of the sentences does not exceed. */
export function percentile(lengths: readonly number[], share: number): number {
  const sorted = [...lengths].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
}

export function isAboveAim(lengths: readonly number[]): boolean {
  return percentile(lengths, 0.5) > aim.median || percentile(lengths, 0.95) > aim.p95;
}

function pagesBelow(path: string): string[] {
  if (path.endsWith('.md')) return [path];
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(path, name))
    .sort();
}

/** All pages of the project: docs/ and the pages in its root folder. */
function allPages(root: string): string[] {
  const atRoot = readdirSync(root).filter((name) => name.endsWith('.md'));
  return [...pagesBelow(join(root, 'docs')), ...atRoot.map((name) => join(root, name))];
}

function row(name: string, lengths: readonly number[]): string {
  const mark = isAboveAim(lengths) ? '  above the limit' : '';
  const figures = [lengths.length, percentile(lengths, 0.5), percentile(lengths, 0.95)];
  return `${figures.map((value) => String(value).padStart(9)).join('')}  ${name}${mark}`;
}

function main(args: readonly string[]): void {
  const root = dirname(dirname(fileURLToPath(import.meta.url)));
  const isCheck = args.includes('--check');
  const paths = args.filter((arg) => arg !== '--check');
  const pages = paths.length > 0 ? paths.flatMap(pagesBelow) : allPages(root);
  console.log('sentences   median      p95  page');
  const measured = pages.map((page) => ({ page, lengths: sentenceLengths(readFileSync(page, 'utf8')) }));
  const above = measured.filter(({ lengths }) => isAboveAim(lengths));
  for (const { page, lengths } of isCheck ? above : measured) console.log(row(relative(root, page), lengths));
  const all = measured.flatMap(({ lengths }) => lengths);
  console.log(row(`${pages.length} pages (limits: ${aim.median} and ${aim.p95})`, all));
  if (isCheck && (above.length > 0 || isAboveAim(all))) process.exit(1);
}

if (import.meta.main) main(process.argv.slice(2));
