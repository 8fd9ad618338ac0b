import { describe, expect, test, vi } from 'vitest';
import { ConfirmTyped } from '../../src/components/confirm-typed.tsx';
import { usePage } from '../support/dom.ts';

const page = usePage();

describe('ConfirmTyped', () => {
  const open = async () => {
    const onConfirm = vi.fn();
    const onClose = vi.fn();
    await page.show(
      <ConfirmTyped
        title="Delete"
        text="xn--mnchen-3ya.example"
        verb="Delete it"
        onConfirm={onConfirm}
        onClose={onClose}
      >
        gone
      </ConfirmTyped>,
    );
    return { onConfirm, onClose };
  };

  test.each([
    ['', false],
    ['xn--mnchen-3ya.exampl', false],
    ['xn--mnchen-3ya.example', true],
    ['  XN--Mnchen-3ya.EXAMPLE ', true],
  ])('has, with %o typed, a usable button: %s', async (typed, isUsable) => {
    await open();
    await page.type(page.field('typed'), typed);
    expect(page.button('Delete it').disabled).toBe(!isUsable);
  });

  test('Enter confirms only the right text', async () => {
    const { onConfirm } = await open();
    await page.type(page.field('typed'), 'other.example');
    await page.press('Enter');
    expect(onConfirm).not.toHaveBeenCalled();
    await page.type(page.field('typed'), 'xn--mnchen-3ya.example');
    await page.press('Enter');
    expect(onConfirm).toHaveBeenCalledOnce();
  });

  test('Escape closes without confirming, and the first field has the focus', async () => {
    const { onConfirm, onClose } = await open();
    expect(document.activeElement).toBe(page.field('typed'));
    await page.press('Escape');
    expect(onClose).toHaveBeenCalledOnce();
    expect(onConfirm).not.toHaveBeenCalled();
  });
});
