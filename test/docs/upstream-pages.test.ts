import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { generated, pagePath, pagesFolder, upstreamPages } from './upstream-pages.ts';

/** `UPDATE_EXAMPLES=1 npm test test/docs` writes the outputs of this run into the pages. */
const update = process.env.UPDATE_EXAMPLES === '1';

test('every page of an upstream is run', () => {
  const pages = readdirSync(pagesFolder).map((file) => file.replace(/\.md$/, ''));
  expect(Object.keys(upstreamPages).sort()).toEqual(pages.sort());
});

test.each(Object.keys(upstreamPages))('the page %s shows the outputs of its commands', async (name) => {
  const page = await generated(name);
  if (update) writeFileSync(pagePath(name), page);
  expect(readFileSync(pagePath(name), 'utf8')).toBe(page);
});
