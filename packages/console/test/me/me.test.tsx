import { describe, expect, test } from 'vitest';
import type { Schema } from '../../src/api/shapes.ts';
import { Authenticator } from '../../src/me/authenticator.tsx';
import { messages } from '../../src/me/messages.ts';
import { PasswordForm } from '../../src/me/password.tsx';
import { ProfileForm } from '../../src/me/profile.tsx';
import { qrCells } from '../../src/me/qr.ts';
import { RecoveryCodes } from '../../src/me/recovery-codes.tsx';
import { browserName, OpenSessions } from '../../src/me/sessions.tsx';
import { locale } from '../../src/messages/locale.ts';
import { currentSession } from '../../src/session/current-session.ts';
import { usePage } from '../support/dom.ts';
import { sameSession } from '../support/sessions.ts';

const page = usePage();
const submit = (within: ParentNode = page.root) => within.querySelector<HTMLButtonElement>('[type=submit]')!;

describe('browserName', () => {
  const engine = 'AppleWebKit/537.36 (KHTML, like Gecko)';
  test.each([
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${engine} Chrome/140.0.0.0 Safari/537.36`, 'Chrome, Windows'],
    [
      `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${engine} Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0`,
      'Edge, Windows',
    ],
    [`Mozilla/5.0 (X11; Linux x86_64) ${engine} Chrome/140.0.0.0 Safari/537.36 OPR/120.0.0.0`, 'Opera, Linux'],
    [`Mozilla/5.0 (Linux; Android 15; Pixel 9) ${engine} Chrome/140.0.0.0 Mobile Safari/537.36`, 'Chrome, Android'],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0', 'Firefox, Linux'],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Safari/604.1',
      'Safari, iPhone',
    ],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.0 Safari/605.1.15',
      'Safari, Mac OS X',
    ],
    [`Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${engine} Chrome/140.0.0.0 Safari/537.36`, 'Chrome, CrOS'],
    ['curl/8.14.1', 'curl/8.14.1'],
    ['', ''],
    ['<script>'.repeat(10), '<script><script><script><script><script>'],
  ])('returns for "%s" the name "%s"', (text, name) => {
    expect(browserName(text)).toBe(name);
  });
});

describe('open sessions', () => {
  const rowOf = (id: string, isThis = false): Schema<'OpenSession'> => ({
    session_id: id,
    is_this: isThis,
    reseller_id: '1000',
    company: 'Demo',
    created_at: '2026-11-15T09:00:00Z',
    last_seen_at: '2026-11-15T09:00:00Z',
    ends_at: '2026-12-15T09:00:00Z',
    address: '192.0.2.1',
    browser: 'Firefox/143.0 Linux',
  });
  const open = async (rows: Schema<'OpenSession'>[]) => {
    page.api.list('/me/sessions', rows);
    await page.show(<OpenSessions />);
  };

  test('besides this one can be ended, this one cannot', async () => {
    await open([rowOf('this', true), rowOf('other')]);
    page.api.answer('delete', '/me/sessions/{session_id}');
    const end = page.all('button', new RegExp(`^${messages().end}:`));
    expect(end).toHaveLength(1);
    await page.click(end[0]!);
    expect(page.api.writes.map(({ params }) => params.session_id)).toEqual(['other']);
  });

  test('offer nothing if there is only this one', async () => {
    await open([rowOf('this', true)]);
    expect(page.all('button')).toEqual([]);
  });

  test('are all ended once', async () => {
    await open([rowOf('this', true), rowOf('other')]);
    page.api.answer('delete', '/me/sessions');
    await page.doubleClick(page.button(messages().endOthers));
    expect(page.api.sent('delete', '/me/sessions')).toHaveLength(1);
  });
});

describe('the password', () => {
  test('needs both inputs, is sent once, and is then forgotten', async () => {
    await page.show(<PasswordForm />);
    expect(submit().disabled).toBe(true);
    await page.type(page.field('password'), 'old words');
    expect(submit().disabled).toBe(true);
    await page.type(page.field('new_password'), 'new words');
    page.api.answer('put', '/me/password');
    await page.doubleClick(submit());
    expect(page.api.writes.map(({ body }) => body)).toEqual([{ password: 'old words', new_password: 'new words' }]);
    expect([page.field('password').value, page.field('new_password').value]).toEqual(['', '']);
  });

  test('shows the error of a refused password at its field and keeps the input', async () => {
    await page.show(<PasswordForm />);
    await page.type(page.field('password'), 'old words');
    await page.type(page.field('new_password'), 'password');
    page.api.refuse('put', '/me/password', 400, {
      errors: [{ field: 'new_password', code: 'invalid', message: 'Too common.' }],
    });
    await page.click(submit());
    expect([page.errorAt('new_password'), page.field('password').value]).toEqual(['Too common.', 'old words']);
  });
});

describe('the profile', () => {
  test('is saved with name, language and time zone, and the console changes its language', async () => {
    page.api.respond('put', '/me', ({ body }) => ({ body: { ...sameSession().person, ...body } }));
    await page.show(<ProfileForm />);
    await page.type(page.field('name'), ' Sari ');
    await page.type(page.field('language'), 'id');
    await page.type(page.field('time_zone'), 'Asia/Jakarta');
    await page.doubleClick(submit());
    const sent = { name: 'Sari', language: 'id', time_zone: 'Asia/Jakarta' };
    expect(page.api.writes.map(({ body }) => body)).toEqual([sent]);
    expect([currentSession.value?.person, locale.value]).toMatchObject([sent, 'id']);
  });

  test('offers UTC and the own time zone, even an unusual one, once', async () => {
    currentSession.value = { ...sameSession(), person: { ...sameSession().person, time_zone: 'Etc/GMT+3' } };
    await page.show(<ProfileForm />);
    const zones = [...page.field('time_zone').querySelectorAll('option')].map(({ value }) => value);
    expect([zones.slice(0, 2), new Set(zones).size]).toEqual([['UTC', 'Etc/GMT+3'], zones.length]);
  });
});

describe('recovery codes', () => {
  const open = async (factors: { passkeys: number; has_totp: boolean; recovery_codes: number }) => {
    page.api.respond('get', '/me/factors', () => ({ body: factors }));
    await page.show(<RecoveryCodes />);
  };

  test('need another factor first', async () => {
    await open({ passkeys: 0, has_totp: false, recovery_codes: 0 });
    expect(page.button(messages().makeCodes).disabled).toBe(true);
  });

  test('are made once, shown once, and not closed by Escape', async () => {
    await open({ passkeys: 1, has_totp: false, recovery_codes: 1 });
    page.api.respond('post', '/me/recovery_codes', () => ({ body: { codes: ['aaaa-1111', 'bbbb-2222'] } }));
    await page.doubleClick(page.button(messages().newCodes));
    expect(page.api.writes).toHaveLength(1);
    await page.press('Escape');
    expect(page.text(page.get('dialog'))).toContain('bbbb-2222');
    await page.click(page.button(messages().codesKept));
    expect(page.text()).not.toContain('bbbb-2222');
  });
});

describe('the authenticator', () => {
  test('is confirmed with a code; a wrong code shows the error and can be corrected', async () => {
    page.api.respond('get', '/me/factors', () => ({ body: { passkeys: 0, has_totp: false, recovery_codes: 0 } }));
    page.api.answer('post', '/me/totp').respond('get', '/session', () => ({ body: sameSession() }));
    page.api.refuse('put', '/me/totp', 400, { errors: [{ field: 'code', code: 'invalid', message: 'Wrong code.' }] });
    await page.show(<Authenticator />);
    await page.click(page.button(messages().addTotp));
    const dialog = page.get('dialog');
    expect([
      page.text(dialog).includes('JBSWY3DPEHPK3PXP'),
      dialog.querySelector('svg.qr path')?.getAttribute('d')?.length,
    ]).toEqual([true, expect.any(Number)]);
    await page.type(page.field('code'), '000000');
    await page.click(submit(dialog));
    expect(page.errorAt('code')).toBe('Wrong code.');
    page.api.answer('put', '/me/totp');
    await page.type(page.field('code'), ' 123456 ');
    await page.doubleClick(submit(dialog));
    expect(page.api.sent('put', '/me/totp').map(({ body }) => body.code)).toEqual(['000000', '123456']);
    expect(page.has('dialog')).toBe(false);
  });
});

describe('qrCells', () => {
  const finder = ['1111111', '1000001', '1011101', '1011101', '1011101', '1000001', '1111111'];
  test.each(['', 'a', 'otpauth://totp/Namehold:a%40b?secret=JBSWY3DPEHPK3PXP', 'ü'.repeat(100), 'x'.repeat(500)])(
    'has three finder patterns and timing patterns for a text of length $length',
    (text) => {
      const cells = qrCells(text)!;
      const size = cells.length;
      const square = (y: number, x: number) =>
        finder.map((_, n) =>
          cells[y + n]!.slice(x, x + 7)
            .map(Number)
            .join(''),
        );
      expect([square(0, 0), square(0, size - 7), square(size - 7, 0)]).toEqual([finder, finder, finder]);
      const timing = Array.from({ length: size - 16 }, (_, n) => n % 2 === 0);
      expect(cells[6]!.slice(8, size - 8)).toEqual(timing);
      expect(cells.slice(8, size - 8).map((row) => row[6])).toEqual(timing);
    },
  );

  test('counts bytes and not characters', () => {
    expect(qrCells('ü'.repeat(300))).toBeUndefined();
    expect(qrCells('u'.repeat(300))).toBeDefined();
  });
});
