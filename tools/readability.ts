import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The target for a page, in words: `node tools/readability.ts [PATH...]` marks pages above it. */
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

function pagesBelow(path: string): string[] {
  if (path.endsWith('.md')) return [path];
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(path, name))
    .sort();
}

function row(name: string, lengths: readonly number[]): string {
  const [median, p95] = [percentile(lengths, 0.5), percentile(lengths, 0.95)];
  const mark = median > aim.median || p95 > aim.p95 ? '  above the aim' : '';
  return `${[lengths.length, median, p95].map((value) => String(value).padStart(9)).join('')}  ${name}${mark}`;
}

function main(paths: readonly string[]): void {
  const root = dirname(dirname(fileURLToPath(import.meta.url)));
  const pages = (paths.length > 0 ? paths : [join(root, 'docs')]).flatMap(pagesBelow);
  console.log('sentences   median      p95  page');
  const all = pages.flatMap((page) => {
    const lengths = sentenceLengths(readFileSync(page, 'utf8'));
    console.log(row(relative(root, page), lengths));
    return lengths;
  });
  console.log(row('total', all));
}

if (import.meta.main) main(process.argv.slice(2));
