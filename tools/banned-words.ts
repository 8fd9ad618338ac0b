import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Term {
  readonly term: string;
  readonly use: string;
  /** Refused in texts that users read only: code may use the word, for example for a value of the API. */
  readonly in?: 'texts';
}

/** The terms of tools/banned-words.json: private words of earlier code, each with the conventional term. */
interface WordRules {
  readonly terms: readonly Term[];
  /** Paths (files, or folders that end with a slash) where terms stay, each with the reason. Without `terms` all of them stay. */
  readonly exceptions: readonly {
    readonly path: string;
    readonly terms?: readonly string[];
    readonly reason: string;
  }[];
}

export const readWordRules = (root: string): WordRules =>
  JSON.parse(readFileSync(join(root, 'tools/banned-words.json'), 'utf8'));

/**
 * `secondYes` and `second-yes` are read as `second yes`. Columns, wire names and their values stay as they are: snake_case, and a single quoted
 * word.
 */
const asWords = (text: string): string =>
  text
    .replace(/(['"])[a-z_.:-]+\1/g, ' ')
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/-/g, ' ')
    .toLowerCase();

/** Documents, mails, messages of the console and descriptions of the API. */
const isText = (path: string): boolean =>
  /\.(md|txt)$|^openapi\.json$|^packages\/console\/src\/.*messages.*\.ts$/.test(path);

/** Code and comments in a page are commands, wire names and marks, not words of the page. Lines keep their numbers. */
const withoutCode = (page: string): string =>
  page
    .replace(/<!--[\s\S]*?-->/g, (comment) => comment.replace(/[^\n]/g, ''))
    .replace(/^ *(```|~~~)[\s\S]*?^ *\1.*$/gm, (block) => block.replace(/[^\n]/g, ''))
    .replace(/`[^`\n]+`/g, ' ');

/** One problem for each line and term. A message of the service is a text, too. */
export function findBannedWords(path: string, text: string, rules: WordRules, isMessage = isText(path)): string[] {
  const covered = rules.exceptions.filter((each) =>
    each.path.endsWith('/') ? path.startsWith(each.path) : path === each.path,
  );
  if (covered.some((each) => each.terms === undefined)) return [];
  const allowed = new Set(covered.flatMap((each) => each.terms ?? []));
  const terms = rules.terms.filter((each) => !allowed.has(each.term) && (isMessage || each.in !== 'texts'));
  if (terms.length === 0) return [];
  const any = new RegExp(`\\b(${terms.map(({ term }) => term).join('|')})\\b`, 'g');
  return (path.endsWith('.md') ? withoutCode(text) : text).split('\n').flatMap((line, index) => {
    const found = new Set([...asWords(line).matchAll(any)].map((match) => match[1]!));
    return [...found].map(
      (term) => `${path}:${index + 1}: "${term}"; the term is ${terms.find((each) => each.term === term)!.use}`,
    );
  });
}

/** Sentences of at most this many words (language of the interface, see CONTRIBUTING.md). */
const maxWordsInSentence = 25;

/** What a message breaks of the rules for sentences; undefined: nothing. */
export function findSentenceProblem(message: string): string | undefined {
  if (/^(Who|What|Whoever)\b[^?]*$/.test(message)) return 'begins with Who or What as its subject';
  const sentences = message.split(/(?<=[.!?:;])\s+/);
  const long = sentences.find(
    (sentence) => (sentence.match(/[\p{L}\p{N}][\p{L}\p{N}'’_.-]*/gu) ?? []).length > maxWordsInSentence,
  );
  return long === undefined
    ? undefined
    : `has a sentence of more than ${maxWordsInSentence} words: "${long.slice(0, 60)}..."`;
}
