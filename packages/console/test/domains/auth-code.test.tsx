import { describe, expect, test, vi } from 'vitest';
import { AuthCode } from '../../src/domains/auth-code.tsx';
import { messages } from '../../src/domains/messages.ts';
import { speak, usePage } from '../support/dom.ts';

const page = usePage();
const path = '/domains/{domain_id}/auth_code';
const code = 'a<b>&"Ω-9';

const open = async (isProtected = false) => {
  const onClose = vi.fn();
  await page.show(<AuthCode name="example.com" domainId="7" isProtected={isProtected} onClose={onClose} />);
  return onClose;
};

describe('the dialog of the auth code', () => {
  test.each([true, false])('names theft protection if it is on: %s', async (isProtected) => {
    await open(isProtected);
    expect(page.text().includes(messages().authCodeProtected)).toBe(isProtected);
  });

  test.each(['en', 'id'] as const)('requests the code with a click and hides it until shown (%s)', async (language) => {
    speak(language);
    page.api.answer('get', path, code);
    await open();
    expect(page.api.requests).toEqual([]);
    await page.click(page.button(messages().getAuthCode));
    expect(page.api.sent('get', path).map(({ params }) => params)).toEqual([{ domain_id: '7' }]);
    expect(page.root.innerHTML).not.toContain('Ω-9');
    await page.click(page.button(messages().show));
    expect(page.text()).toContain(code);
    await page.click(page.button(messages().hide));
    expect(page.text()).not.toContain(code);
  });

  test('a double click requests one code', async () => {
    page.api.answer('get', path, code);
    const held = page.api.hold('get', path);
    await open();
    await page.doubleClick(page.button(messages().getAuthCode));
    held.release();
    await page.settle();
    expect(page.api.sent('get', path)).toHaveLength(1);
  });

  test.each([403, 409, 503])('shows the error %i and lets the user try again', async (status) => {
    page.api.refuse('get', path, status);
    await open();
    await page.click(page.button(messages().getAuthCode));
    expect(page.all('alert')).toHaveLength(1);
    page.api.answer('get', path, code);
    await page.click(page.button(messages().getAuthCode));
    expect(page.all('alert')).toEqual([]);
    expect(page.has('button', messages().show)).toBe(true);
  });

  test('shows an error after the network is lost', async () => {
    page.api.lose('get', path);
    await open();
    await page.click(page.button(messages().getAuthCode));
    expect(page.all('alert')).toHaveLength(1);
  });
});
