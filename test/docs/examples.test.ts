import { beforeAll, expect, test } from 'vitest';
import { examples } from './examples.ts';
import { readingOrder, readPages, rewriteExamples, shownExamples } from './pages.ts';
import { runExamples } from './run-examples.ts';

/** `UPDATE_EXAMPLES=1 npm test test/docs` writes the answers of this run into the pages. */
const update = process.env.UPDATE_EXAMPLES === '1';

let fragments: Map<string, string>;
beforeAll(async () => {
  // One fresh service for all examples in the order of the pages: each page uses objects of earlier ones.
  const order = readingOrder(readPages());
  const place = (name: string) => order.indexOf(name) + (order.includes(name) ? 0 : order.length + 1);
  fragments = await runExamples([...examples].sort((a, b) => place(a.name) - place(b.name)));
  if (update) rewriteExamples(readPages(), fragments);
});

test('every example has a unique name and is shown on a page', () => {
  const names = examples.map((example) => example.name);
  expect(new Set(names).size).toBe(names.length);
  const shown = new Set(shownExamples(readPages()).map((each) => each.name));
  expect(names.filter((name) => !shown.has(name))).toEqual([]);
  expect([...shown].filter((name) => !names.includes(name))).toEqual([]);
});

test('the pages show the answers of the service', () => {
  for (const { page, name, fragment } of shownExamples(readPages())) {
    expect(fragment, `${page}: ${name}; npm run test with UPDATE_EXAMPLES=1 rewrites it`).toBe(fragments.get(name));
  }
});
