import { describe, expect, test, vi } from 'vitest';
import type { ResponseBody } from '../../src/api/shapes.ts';
import { ImportPrices } from '../../src/money/import.tsx';
import { signIn, usePage } from '../support/dom.ts';

const page = usePage();
const path = '/account/price_list/import';
type Report = ResponseBody<typeof path, 'post'>;

const csv = 'tld,action,years,amount\ncom,registration,1,14.99\n\ncom,renewal,1,16.99\n';
const stored: Report = { stored: 2, refused: 0, lines: [], unknown_tlds: [] } as unknown as Report;
const refused = {
  ...stored,
  stored: 0,
  refused: 1,
  lines: [
    { line: 2, status: 'stored', reason: null },
    { line: 4, status: 'refused', reason: '<script>alert(1)</script> is no TLD' },
  ],
} as unknown as Report;

const open = async (report: Report = stored) => {
  page.api.respond('post', path, () => ({ body: report }));
  page.api
    .respond('get', '/account/prices', () => ({ body: {} }))
    .respond('get', '/customers/prices', () => ({ body: {} }));
  const onClose = vi.fn();
  await page.show(<ImportPrices onClose={onClose} />);
  return onClose;
};
const submit = () => page.get('dialog').querySelector<HTMLButtonElement>('[type=submit]');
const paste = (text = csv) => page.type(page.field('csv'), text);

describe('the import', () => {
  test('counts the lines without the header and empty lines, and is not possible without any', async () => {
    await open();
    expect(submit()!.disabled).toBe(true);
    await paste('tld,action,amount\n \n');
    expect(submit()!.disabled).toBe(true);
    await paste();
    expect(page.text(submit()!)).toMatch(/\b2\b/);
  });

  test('sends the lines as they are, once', async () => {
    await open();
    await paste();
    await page.doubleClick(submit()!);
    expect(page.api.writes.map(({ body }) => body)).toEqual([{ target: 'customer', csv }]);
    expect(submit()).toBeNull();
  });

  test('can be repeated after the lines changed', async () => {
    await open();
    await paste();
    await page.click(submit()!);
    await paste(`${csv}net,registration,1,9.99\n`);
    expect(page.text(submit()!)).toMatch(/\b3\b/);
  });

  test('shows no report about lines that changed while it was on its way', async () => {
    await open();
    const held = page.api.hold('post', path);
    await paste();
    await page.click(submit()!);
    await paste(`${csv}net,registration,1,9.99\n`);
    held.release();
    await page.settle();
    expect(page.has('status')).toBe(false);
    expect(submit()).not.toBeNull();
  });

  test('lists refused lines with their reason as text, and can be sent again', async () => {
    await open(refused);
    await paste();
    await page.click(submit()!);
    expect(page.all('listitem', undefined, page.get('status')).map((each) => page.text(each))).toEqual([
      expect.stringMatching(/4.*<script>alert\(1\)<\/script> is no TLD/),
    ]);
    expect(page.root.querySelector('script')).toBeNull();
    expect(submit()).not.toBeNull();
  });

  test('offers registry costs to the operator only', async () => {
    await open();
    const choices = () => [...page.field('target').querySelectorAll('option')].map(({ value }) => value);
    expect(choices()).toEqual(['customer', 'reseller']);
    await page.leave();
    signIn({ account: { is_operator: true } });
    await open();
    expect(choices()).toEqual(['customer', 'reseller', 'cost']);
  });
});

describe('a file', () => {
  const choose = async (text: string, size = text.length) => {
    const file = new File([text], 'prices.csv', { type: 'text/csv' });
    Object.defineProperty(file, 'size', { value: size });
    const input = page.root.ownerDocument.querySelector<HTMLInputElement>('input[type=file]')!;
    Object.defineProperty(input, 'files', { value: [file], configurable: true });
    input.dispatchEvent(new Event('change', { bubbles: true }));
    await page.settle();
  };

  test('fills the lines', async () => {
    await open();
    await choose(csv);
    await page.until(() => page.field('csv').value === csv);
  });

  test('does not read a file of more than 1 MB, and clears the error with the next one', async () => {
    await open();
    await choose(csv, 1_000_001);
    expect(page.text(page.get('alert'))).toContain('prices.csv');
    expect(page.field('csv').value).toBe('');
    await choose(csv);
    expect(page.has('alert')).toBe(false);
  });
});
