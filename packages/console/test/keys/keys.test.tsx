import { describe, expect, test } from 'vitest';
import type { Schema } from '../../src/api/shapes.ts';
import KeyList from '../../src/keys/list.tsx';
import { messages } from '../../src/keys/messages.ts';
import { messages as common } from '../../src/messages/common.ts';
import { example } from '../support/api.ts';
import { signIn, speak, usePage } from '../support/dom.ts';

const page = usePage();
const keyOf = (id: string, changes: Partial<Schema<'Key'>> = {}) =>
  example('Key', { key_id: id, label: id, ...changes });

const open = async (keys: Schema<'Key'>[] = [keyOf('panel')]) => {
  page.api.list('/account/keys', keys).respond('get', '/me/sessions', () => ({ body: [] }));
  await page.show(KeyList, { at: '/app/keys' });
};
const submit = () => page.get('dialog').querySelector<HTMLButtonElement>('[type=submit]')!;
const verb = async (label: string, name: 'change' | 'rotate' | 'revoke') => {
  await page.click(page.button(messages().actions(label)));
  await page.click(page.all('menuitem', messages()[name], page.root).at(0)!);
};

describe('the list', () => {
  test('suggests creating a key if there is none', async () => {
    await open([]);
    expect([page.has('table'), page.all('button', messages().make).length]).toEqual([false, 2]);
  });

  test('shows each key with hostile labels as text', async () => {
    const label = '<img src=x onerror=alert(1)> \u202etxt.exe';
    await open([keyOf('a', { label }), keyOf('b', { status: 'revoked' })]);
    expect(page.rows()).toHaveLength(2);
    expect(page.rows()[0]![0]).toContain('<img src=x onerror=alert(1)>');
    expect(page.root.querySelector('img')).toBeNull();
  });

  test('offers actions only for active keys and only to users who can write', async () => {
    await open([keyOf('a'), keyOf('b', { status: 'revoked' }), keyOf('c', { status: 'expired' })]);
    expect(page.all('button', /^(?:Actions|.*\b[abc]\b)/).map((each) => each.getAttribute('aria-label'))).toEqual([
      messages().actions('a'),
    ]);
    await page.leave();
    signIn({ account: { scopes: ['account:read'] } });
    await open();
    expect(page.has('button', messages().make) || page.has('button', messages().actions('panel'))).toBe(false);
  });

  test('shows a read error, and reads again on request', async () => {
    page.api.refuse('get', '/account/keys', 503);
    await page.show(KeyList, { at: '/app/keys' });
    page.api.list('/account/keys', [keyOf('panel')]);
    await page.click(page.button(common().retry));
    expect(page.rows()).toHaveLength(1);
  });
});

describe('a new key', () => {
  const made = { ...keyOf('new'), api_key: 'nh_secret' } as Schema<'CreatedKey'>;

  test('is created once and shown once; Escape does not close it', async () => {
    await open();
    page.api.respond('post', '/account/keys', () => ({ body: made }));
    await page.click(page.all('button', messages().make)[0]!);
    await page.type(page.field('label'), ' panel ');
    await page.type(page.field('ip_whitelist'), '192.0.2.1, 2001:db8::/48');
    await page.type(page.field('expires_at'), '2027-03-01');
    await page.doubleClick(submit());
    expect(page.api.writes.map(({ body }) => body)).toEqual([
      {
        label: 'panel',
        ip_whitelist: ['192.0.2.1', '2001:db8::/48'],
        scopes: ['full'],
        expires_at: '2027-03-01T00:00:00Z',
      },
    ]);
    await page.press('Escape');
    expect(page.text(page.get('dialog'))).toContain('nh_secret');
    await page.click(page.button(messages().done));
    expect([page.has('dialog'), page.text().includes('nh_secret')]).toEqual([false, false]);
  });

  test.each([
    ['0.0.0.0/0', true],
    ['10.0.0.1,0.0.0.0/0', true],
    ['::/0;', true],
    ['10.0.0.0/8', false],
    ['0.0.0.0/01', false],
    ['', false],
  ])('warns, for the addresses "%s", that every address may use the key: %s', async (typed, isWarned) => {
    await open();
    await page.click(page.all('button', messages().make)[0]!);
    await page.type(page.field('ip_whitelist'), typed);
    expect(page.text(page.get('dialog')).includes(messages().anyIpHint)).toBe(isWarned);
  });

  test.each(['en', 'id'] as const)(
    'that is refused shows the error at its field in %s and keeps the input',
    async (language) => {
      speak(language);
      await open();
      page.api.refuse('post', '/account/keys', 400, {
        errors: [{ field: 'ip_whitelist', code: 'invalid', message: 'Not a range.' }],
      });
      await page.click(page.all('button', messages().make)[0]!);
      await page.type(page.field('label'), 'panel');
      await page.type(page.field('ip_whitelist'), '192.0.2.1');
      await page.click(submit());
      expect([page.errorAt('ip_whitelist'), page.field('label').value]).toEqual(['Not a range.', 'panel']);
      expect(document.activeElement).toBe(page.field('ip_whitelist'));
    },
  );

  test('gets no preset that its creator does not have', async () => {
    signIn({ account: { scopes: ['account:write', 'domains:read'] } });
    await open();
    await page.click(page.all('button', messages().make)[0]!);
    expect([...page.field('scopes').querySelectorAll('option')].map(({ value }) => value)).toEqual(['chosen']);
    await page.type(page.field('scope-dns'), 'write');
    await page.type(page.field('label'), 'dns');
    await page.type(page.field('ip_whitelist'), '192.0.2.1');
    page.api.respond('post', '/account/keys', () => ({ body: made }));
    await page.click(submit());
    expect(page.api.writes[0]!.body.scopes).toEqual(['dns:write']);
  });
});

describe('rotating a key', () => {
  test.each([
    ['none', 0],
    ['day', 86_400],
    ['week', 604_800],
  ])('sends for the overlap %s a value of %i seconds', async (overlap, seconds) => {
    await open();
    page.api.respond('post', '/account/keys/{key_id}/rotate', () => ({ body: { ...keyOf('panel'), api_key: 'nh_2' } }));
    await verb('panel', 'rotate');
    await page.type(page.field('overlap_seconds'), overlap);
    await page.doubleClick(submit());
    expect(page.api.writes.map(({ body, params }) => [params.key_id, body])).toEqual([
      ['panel', { overlap_seconds: seconds }],
    ]);
    expect(page.text(page.get('dialog'))).toContain('nh_2');
  });
});

describe('revoking a key', () => {
  test('names the active keys that it issued, directly or indirectly', async () => {
    await open([
      keyOf('a'),
      keyOf('b', { issued_by: 'a' }),
      keyOf('c', { issued_by: 'b' }),
      keyOf('d', { issued_by: 'c', status: 'revoked' }),
      keyOf('e', { issued_by: 'x' }),
    ]);
    await verb('a', 'revoke');
    expect(page.text(page.get('dialog'))).toContain(messages().issuedHint('b, c'));
  });

  test.each([
    [false, {}],
    [true, { revoke_issued_keys: true }],
  ])('revokes the issued keys too: %s', async (withIssued, body) => {
    await open();
    page.api.answer('delete', '/account/keys/{key_id}');
    await verb('panel', 'revoke');
    if (withIssued) await page.click(page.field('revoke_issued_keys'));
    await page.click(submit());
    expect(page.api.writes.map((each) => each.body)).toEqual([body]);
    expect(page.has('dialog')).toBe(false);
  });
});

describe('changing a key', () => {
  const tagged = (tag: string, key: Schema<'Key'>) =>
    page.api.respond('get', '/account/keys/{key_id}', () => ({ body: key, headers: { ETag: tag } }));

  test('sends the version that was read', async () => {
    await open();
    tagged('"1"', keyOf('panel'));
    page.api.answer('put', '/account/keys/{key_id}');
    await verb('panel', 'change');
    await page.type(page.field('label'), 'other');
    await page.click(submit());
    const [sent] = page.api.writes;
    expect([sent!.headers.get('If-Match'), sent!.body.label]).toEqual(['"1"', 'other']);
  });

  test('shows both versions after a concurrent change, and does not overwrite', async () => {
    await open();
    tagged('"1"', keyOf('panel'));
    page.api.refuse('put', '/account/keys/{key_id}', 412, { code: 'precondition_failed' });
    await verb('panel', 'change');
    await page.type(page.field('label'), 'mine');
    tagged('"2"', keyOf('panel', { label: 'theirs' }));
    await page.click(submit());
    const conflict = page.text(page.get('alert'));
    expect([conflict.includes('theirs'), conflict.includes('mine'), submit().disabled]).toEqual([true, true, true]);
  });
});
