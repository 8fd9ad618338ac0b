import { describe, expect, test } from 'vitest';
import { aim, isAboveAim, percentile, sentenceLengths } from '../../tools/readability.ts';

describe('sentenceLengths', () => {
  test('counts the words of each sentence, with a code span as one word', () => {
    expect(sentenceLengths('One two three. Four `GET /v1/x y` six!\n')).toEqual([3, 3]);
  });

  test('ends a sentence at a list item and joins lines of a paragraph', () => {
    expect(sentenceLengths('One two\nthree\n\n- four five\n- six; see [this page](x.md)\n- `code only`\n')).toEqual([
      3, 2, 4,
    ]);
  });

  test('leaves out headings, tables, code blocks, comments and example blocks', () => {
    const page = [
      '# Title of the page',
      '<!-- Made by a program. -->',
      '| a | table |',
      '```sh\nsome code here. And more.\n```',
      '<!-- example: x -->\n```sh\ncurl\n```\n<!-- /example -->',
      'Two words.',
    ].join('\n\n');
    expect(sentenceLengths(page)).toEqual([2]);
  });

  test('does not split versions, file names and abbreviations inside a sentence', () => {
    expect(sentenceLengths('Since 0.1.0 the file dns.md exists.')).toEqual([6]);
  });
});

test('percentile returns the length that a share of the sentences does not exceed', () => {
  expect(percentile([4, 1, 3, 2], 0.5)).toBe(2);
  expect(percentile([1, 2, 3, 4], 0.95)).toBe(4);
  expect(percentile([], 0.5)).toBe(0);
});

test('isAboveAim accepts lengths at both limits and refuses a longer median or percentile', () => {
  const short = Array.from({ length: 90 }, () => aim.median);
  expect(isAboveAim([...short, ...Array.from({ length: 10 }, () => aim.p95)])).toBe(false);
  expect(isAboveAim([...short, ...Array.from({ length: 10 }, () => aim.p95 + 1)])).toBe(true);
  expect(isAboveAim([aim.median + 1])).toBe(true);
});
