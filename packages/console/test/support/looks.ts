import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/**
 * Words that occur in English but not in Indonesian sentences. Names and codes contain none of them.
 */
const english =
  /\b(?:the|is|are|was|were|of|and|not|this|that|with|has|have|your|you|when|from|before|after|until|nothing|here|which)\b/i;

/** Elements with English text by contract or with user input. Elements with `lang` are excluded too. */
const foreign = 'body [lang], code, pre, kbd, textarea, input, option, [translate=no], [role=grid], time';

/** Texts of the page that are still in English. */
async function englishOn(page: Page): Promise<string[]> {
  const texts = await page.evaluate<string[]>(`(() => {
    const found = [];
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walk.nextNode(); node; node = walk.nextNode()) {
      const parent = node.parentElement;
      if (parent.closest('${foreign}') || !parent.checkVisibility()) continue;
      found.push(node.textContent.trim());
    }
    for (const each of document.querySelectorAll('[aria-label], [title], [placeholder]'))
      if (!each.closest('${foreign}'))
        found.push(...['aria-label', 'title', 'placeholder'].map((name) => each.getAttribute(name) ?? ''));
    return [...new Set(found)];
  })()`);
  return texts.filter((text) => english.test(text));
}

/** Makes every text longer, with accents, to simulate a longer language. */
async function lengthen(page: Page): Promise<void> {
  await page.evaluate(`(() => {
    const accents = { a: 'á', e: 'ë', i: 'ï', o: 'ô', u: 'ü', n: 'ñ', c: 'ç', A: 'Å', E: 'É', I: 'Î', O: 'Ö', U: 'Û' };
    window.lengthened ??= new WeakMap();
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walk.nextNode(); node; node = walk.nextNode()) {
      if (lengthened.get(node) === node.data || node.data.trim().length < 3) continue;
      if (node.parentElement.closest('code, pre, time, textarea, script')) continue;
      node.data = node.data
        .replace(/\\p{L}{4,}/gu, (word) => word + word.slice(-Math.ceil(word.length * 0.4)))
        .replace(/[aeiouncAEIOU]/g, (each) => accents[each]);
      lengthened.set(node, node.data);
    }
  })()`);
}

/** Elements wider than the window at 400 % and 200 % zoom of 1280 pixels. There must be none. */
async function sidewaysOn(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const width of [640, 320]) {
    await page.setViewportSize({ width, height: 700 });
    const beyond = await page.evaluate<string[]>(`(() => {
      const root = document.scrollingElement;
      if (root.scrollWidth <= innerWidth) return [];
      const scrolls = (each) => ['auto', 'scroll', 'hidden', 'clip'].includes(getComputedStyle(each).overflowX);
      return [...document.querySelectorAll('body *')]
        .filter((each) => each.getBoundingClientRect().right > innerWidth + 1)
        .filter((each) => { for (let up = each.parentElement; up && up !== document.body; up = up.parentElement) if (scrolls(up)) return false; return true; })
        .filter((each, _, all) => !all.some((other) => other !== each && each.contains(other)))
        .slice(0, 3)
        .map((each) => each.tagName + '.' + each.className + ' ' + each.textContent.slice(0, 60));
    })()`);
    found.push(...beyond.map((each) => `${new URL(page.url()).pathname} at ${width}: ${each}`));
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  return found;
}

/** Problems of a page in Indonesian: English texts and overflow of long texts. There must be none. */
export async function lookedAt(page: Page): Promise<string[]> {
  const english = await englishOn(page);
  await lengthen(page);
  const beyond = await sidewaysOn(page);
  return [...english.map((text) => `${new URL(page.url()).pathname} says: ${text}`), ...beyond];
}

/** With forced colours, controls must have a border; with reduced motion, nothing may move. */
export async function expectPlain(page: Page): Promise<void> {
  await page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' });
  const bare = await page.evaluate<
    string[]
  >(`[...document.querySelectorAll('.button.primary, .button.plain, .button.danger, input, select, textarea')]
    .filter((each) => each.checkVisibility() && each.type !== 'checkbox' && each.type !== 'radio')
    .filter((each) => { const style = getComputedStyle(each); return style.borderStyle === 'none' || style.borderWidth === '0px'; })
    .map((each) => each.outerHTML.slice(0, 120))`);
  expect(bare, `${page.url()} without our colours`).toEqual([]);
  expect(await page.evaluate('document.getAnimations().length'), `${page.url()} moves`).toBe(0);
  await page.emulateMedia({ forcedColors: 'none' });
}
