import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Toasts } from '../../src/components/toast.tsx';
import { pages } from '../../src/pages.ts';
import { currentSession } from '../../src/session/current-session.ts';
import { Navigation } from '../../src/shell/navigation.tsx';
import { isOffered, type Place } from '../../src/shell/page.ts';
import { useShortcut } from '../../src/shell/shortcut.ts';
import { isPaletteOpen } from '../../src/shell/slots.ts';
import { setTheme, theme } from '../../src/shell/theme.ts';
import { UserMenu } from '../../src/shell/user-menu.tsx';
import { isOutdated, reloadOnce, watchVersion } from '../../src/shell/version.ts';
import { signIn, usePage } from '../support/dom.ts';
import '../support/sessions.ts';

const page = usePage();
afterEach(() => {
  isPaletteOpen.value = false;
  vi.useRealTimers();
});

describe('isOffered', () => {
  const place = (changes: Partial<Place>): Place => ({
    group: 'names',
    order: 1,
    icon: 'globe',
    label: () => 'x',
    ...changes,
  });
  test.each<[Partial<Place>, string[], boolean]>([
    [{}, [], true],
    [{ needs: 'domains:read' }, ['domains:write'], true],
    [{ needs: 'domains:write' }, ['domains:read'], false],
    [{ needs: 'domains:read', isOffered: () => false }, ['full'], false],
    [{ group: 'operator' }, ['full'], false],
  ])('returns for a place with %j and a user with %j the value %s', (changes, scopes, offered) => {
    signIn({ account: { scopes } });
    expect(isOffered(place(changes))).toBe(offered);
  });
});

describe('pages', () => {
  test('have unique addresses, and no former address is the address of another page', () => {
    const all = pages.flatMap(({ path, formerPath }) => [path, ...(formerPath ? [formerPath] : [])]);
    expect(all.filter((path, n) => all.indexOf(path) !== n)).toEqual([]);
  });
  test('are offered to customers without those of staff', () => {
    signIn({ account: { scopes: ['full'] }, customer: { customer_id: '7', access: 'order' } });
    const offered = pages.flatMap(({ path, place }) => (place && isOffered(place) ? [path] : []));
    for (const path of ['/users', '/brand', '/notices', '/transfers', '/invoices', '/money/prices'])
      expect(offered).not.toContain(path);
  });
});

describe('the navigation', () => {
  const current = async (at: string) => {
    await page.show(<Navigation />, { at });
    return page
      .all('link')
      .filter((each) => each.getAttribute('aria-current') === 'page')
      .map((each) => each.getAttribute('href'));
  };
  test.each([
    ['/app', ['/app']],
    ['/app/domains/example.com/dns', ['/app/domains']],
    ['/app/money/prices', ['/app/money/prices']],
    ['/app/moneybox', []],
  ])('marks at %s the items %j', async (at, marked) => {
    expect(await current(at)).toEqual(marked);
  });
});

describe('the shortcut', () => {
  const Listening = () => {
    useShortcut();
    return <input aria-label="text" />;
  };
  const press = (key: string, init: KeyboardEventInit = {}) => page.press(key, init);
  beforeEach(() => page.show(<Listening />));

  test.each<[string, KeyboardEventInit, boolean]>([
    ['k', { ctrlKey: true }, true],
    ['K', { metaKey: true }, true],
    ['k', { ctrlKey: true, shiftKey: true }, false],
    ['k', {}, false],
    ['/', {}, true],
    ['/', { ctrlKey: true }, false],
  ])('%s with %j opens the palette: %s', async (key, init, opens) => {
    (document.activeElement as HTMLElement | null)?.blur();
    await press(key, init);
    expect(isPaletteOpen.value).toBe(opens);
  });

  test('opens and closes the palette with Ctrl, also in a text field, where a slash is text', async () => {
    page.input('text').focus();
    await press('/');
    expect(isPaletteOpen.value).toBe(false);
    await press('k', { ctrlKey: true });
    await press('k', { ctrlKey: true });
    expect(isPaletteOpen.value).toBe(false);
  });

  test('does not open it over a dialog, nor after the page was left', async () => {
    const dialog = document.body.appendChild(document.createElement('dialog'));
    dialog.setAttribute('open', '');
    await press('k', { ctrlKey: true });
    dialog.remove();
    expect(isPaletteOpen.value).toBe(false);
    await page.leave();
    await press('k', { ctrlKey: true });
    expect(isPaletteOpen.value).toBe(false);
  });
});

describe('the user menu', () => {
  test('says why the language was not stored, also without a connection', async () => {
    page.api.lose('put', '/me');
    await page.show(
      <>
        <UserMenu />
        <Toasts />
      </>,
    );
    await page.click(page.get('menuitem', 'Bahasa Indonesia', page.root));
    const toasts = page.root.querySelectorAll('.toast > span');
    expect(toasts[toasts.length - 1]?.textContent).not.toBe('');
  });
});

test('the theme is stored and applied', () => {
  setTheme('dark');
  expect([theme.value, localStorage.getItem('theme'), document.documentElement.dataset.theme]).toEqual([
    'dark',
    'dark',
    'dark',
  ]);
  setTheme('system');
});

describe('the version of the console', () => {
  test('is outdated if the index page changes, but not if it cannot be read', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const tags: (string | null)[] = ['"1"', null, '"1"', '"2"'];
    const fetchBefore = globalThis.fetch;
    globalThis.fetch = (async () => {
      const tag = tags.shift();
      if (tag === null) throw new TypeError('fetch failed');
      return new Response(null, { headers: { ETag: tag ?? '' } });
    }) as typeof fetch;
    isOutdated.value = false;
    watchVersion();
    const seen: boolean[] = [];
    for (let n = 0; n < 3; n += 1) {
      await new Promise((resolve) => setTimeout(resolve, 0));
      seen.push(isOutdated.value);
      vi.advanceTimersByTime(5 * 60_000);
    }
    await new Promise((resolve) => setTimeout(resolve, 0));
    globalThis.fetch = fetchBefore;
    expect([seen, isOutdated.value]).toEqual([[false, false, false], true]);
    isOutdated.value = false;
  });

  test('reloads a version with missing files once, and then reports the error', () => {
    const reload = vi.spyOn(location, 'reload').mockImplementation(() => undefined);
    for (let n = 0; n < 2; n += 1) expect(() => reloadOnce(new Error('gone'))).toThrow('gone');
    expect(reload).toHaveBeenCalledOnce();
    reload.mockRestore();
    expect(currentSession.value).not.toBeNull();
  });
});
