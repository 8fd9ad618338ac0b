import { describe, expect, test, vi } from 'vitest';
import type { Schema } from '../../src/api/shapes.ts';
import { messages as common } from '../../src/messages/common.ts';
import { messages } from '../../src/palette/messages.ts';
import PaletteSlot from '../../src/palette/palette.tsx';
import { isPaletteOpen } from '../../src/shell/slots.ts';
import { usePage } from '../support/dom.ts';

const page = usePage();
const domain = (title: string): Schema<'Found'> => ({ kind: 'domain', id: `id-${title}`, title, detail: 'live' });
const box = () => page.get('input', messages().box) as HTMLInputElement;
const marked = () => {
  const id = box().getAttribute('aria-activedescendant');
  return id ? page.text(document.getElementById(id)!.querySelector('.palette-label')!) : undefined;
};
const labels = () => page.all('option').map((each) => page.text(each.querySelector('.palette-label')!));
const status = () => page.text(page.get('status'));

const open = async (found: (text: string) => Schema<'Found'>[] = () => []) => {
  page.api.respond('get', '/search', ({ query }) => ({ body: { found: found(query.q!) } }));
  Element.prototype.scrollIntoView ??= vi.fn();
  isPaletteOpen.value = true;
  await page.show(<PaletteSlot />);
  // The browser focuses the first input of a modal dialog.
  box().focus();
};
/** The search begins after a pause in typing. */
const search = async (text: string) => {
  await page.type(box(), text);
  await page.until(() => page.api.sent('get', '/search').some(({ query }) => query.q === text));
};

describe('the search of the console', () => {
  test('offers pages at once, and asks the service only for text', async () => {
    await open();
    expect([labels().length > 5, page.api.requests]).toEqual([true, []]);
  });

  test('lists what was found first, and opens it with Enter', async () => {
    await open(() => [domain('shop.example'), domain('shop2.example')]);
    await search('shop');
    expect([labels().slice(0, 2), marked()]).toEqual([['shop.example', 'shop2.example'], 'shop.example']);
    await page.press('ArrowDown');
    expect(marked()).toBe('shop2.example');
    await page.press('Enter');
    expect([isPaletteOpen.value, location.pathname]).toEqual([false, '/app/domains/shop2.example']);
  });

  test('goes round with the arrows', async () => {
    await open();
    const all = labels();
    await page.press('ArrowUp');
    expect(marked()).toBe(all.at(-1));
    await page.press('ArrowDown');
    expect(marked()).toBe(all[0]);
    await page.press('PageDown');
    expect(marked()).toBe(all[8]);
    await page.press('PageUp');
    expect(marked()).toBe(all[0]);
  });

  test('does not answer to keys of an input method', async () => {
    await open();
    await page.press('ArrowDown', { isComposing: true });
    await page.press('Enter', { isComposing: true });
    expect([marked(), isPaletteOpen.value]).toEqual([labels()[0], true]);
  });

  test('says why nothing is found', async () => {
    await open();
    await search('zzzz');
    expect(status()).toBe(messages().nothing);
    page.api.lose('get', '/search');
    await search('zzzzz');
    expect(status()).toBe(common().errors.offline);
  });

  test('closes with Escape', async () => {
    await open();
    await page.press('Escape');
    expect([isPaletteOpen.value, page.has('dialog')]).toEqual([false, false]);
  });
});
