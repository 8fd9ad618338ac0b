import { describe, expect, it } from 'vitest';
import { findBannedWords, findSentenceProblem } from '../../tools/banned-words.ts';

const rules = {
  terms: [{ term: 'tele gram', use: 'message' }],
  exceptions: [
    { path: 'old/', reason: 'released' },
    { path: 'one.ts', terms: ['tele gram'], reason: 'wire name' },
  ],
};

describe('findBannedWords', () => {
  it('reports a term in camelCase and in prose, with its line; leaves snake_case and quoted values', () => {
    const found = findBannedWords(
      'a.ts',
      "const teleGram = 1;\nfine();\nsend(tele_gram, {kind: 'tele-gram'});\nsend(); // a Tele-gram",
      rules,
    );
    expect(found).toEqual(['a.ts:1: "tele gram"; the term is message', 'a.ts:4: "tele gram"; the term is message']);
  });

  it('reports no part of a longer word', () => {
    expect(findBannedWords('a.ts', 'teleGrams; hotele gram', rules)).toEqual([]);
  });

  it('follows exceptions by folder and by file', () => {
    expect(findBannedWords('old/a.ts', 'teleGram', rules)).toEqual([]);
    expect(findBannedWords('one.ts', 'teleGram', rules)).toEqual([]);
    expect(findBannedWords('one.ts.bak', 'teleGram', rules)).toHaveLength(1);
  });
});

describe('findBannedWords in texts', () => {
  const forTexts = { terms: [{ term: 'keeper', use: 'user', in: 'texts' as const }], exceptions: [] };

  it.each(['docs/a.md', 'a.txt', 'openapi.json', 'packages/console/src/a/messages.ts'])(
    'refuses a text term in %s',
    (path) => {
      expect(findBannedWords(path, 'a keeper', forTexts)).toHaveLength(1);
    },
  );

  it('refuses a text term in code only in a message', () => {
    expect(findBannedWords('a.ts', 'const keeper = 1;', forTexts)).toEqual([]);
    expect(findBannedWords('a.ts', 'The keeper has left.', forTexts, true)).toHaveLength(1);
  });

  it('ignores code and comments of a page and keeps line numbers', () => {
    const page = '```sh\nkeeper\n```\n`keeper` <!-- keeper -->\nThe keeper.';
    expect(findBannedWords('docs/a.md', page, forTexts)).toEqual(['docs/a.md:5: "keeper"; the term is user']);
  });
});

describe('findSentenceProblem', () => {
  it('accepts short sentences, also several in one message', () => {
    expect(findSentenceProblem('The domain is locked. Unlock it first, then repeat the call.')).toBeUndefined();
  });

  it('reports a sentence of more than 25 words', () => {
    expect(findSentenceProblem(`${'word '.repeat(25)}word.`)).toMatch('more than 25 words');
    expect(findSentenceProblem(`${'word '.repeat(24)}word.`)).toBeUndefined();
  });

  it('reports a message that begins with Who or What as its subject, but no question', () => {
    expect(findSentenceProblem('Whoever owns it may sell it.')).toMatch('begins with');
    expect(findSentenceProblem('What was bought stays.')).toMatch('begins with');
    expect(findSentenceProblem('Who is the registrant?')).toBeUndefined();
  });
});
