import { describe, expect, test } from 'vitest';
import type { Schema } from '../../src/api/shapes.ts';
import { messages as common } from '../../src/messages/common.ts';
import TemplateList from '../../src/zones/template-list.tsx';
import { messages } from '../../src/zones/template-messages.ts';
import { example } from '../support/api.ts';
import { signIn, usePage } from '../support/dom.ts';

const page = usePage();
const t = () => messages();
const one = '/zone_templates/{template_id}';
const apply = '/domains/{domain_id}/zone/apply_template';
type Head = Schema<'ZoneTemplateHead'>;
const headOf = (name: string, changes: Partial<Head> = {}) =>
  example('ZoneTemplateHead', { template_id: `tpl_${name}`, name, ...changes });
const template = example('ZoneTemplate', { template_id: 'tpl_shops', name: 'shops', version: 3 });

const open = async (heads: Head[] = [headOf('shops')], chosen: Partial<Schema<'DefaultZoneTemplate'>> = {}) => {
  page.api
    .answer('get', '/zone_templates', heads)
    .answer('get', '/account/zone_template', example('DefaultZoneTemplate', chosen))
    .respond('get', one, () => ({ body: template }));
  await page.show(TemplateList, { at: '/app/templates' });
};
const choose = async (name: string, verb: string) => {
  await page.click(page.button(t().actions(name)));
  await page.click(page.get('menuitem', verb));
};
const verbsOf = async (name: string) => {
  await page.click(page.button(t().actions(name)));
  const menu = page.button(t().actions(name)).nextElementSibling!;
  return page.all('menuitem', undefined, menu).map((each) => page.text(each));
};
const dialog = () => page.get('dialog');
const submit = () => dialog().querySelector<HTMLButtonElement>('[type=submit]')!;
const keyOf = ({ headers }: { readonly headers: Headers }) => headers.get('Idempotency-Key');

describe('the list', () => {
  test('offers to change only own templates', async () => {
    await open([headOf('shops'), headOf('theirs', { whose: 'parent' }), headOf('no-mail', { whose: 'built_in' })]);
    const common = [t().many, t().setDefault, t().copy];
    expect([await verbsOf('shops'), await verbsOf('theirs'), await verbsOf('no-mail')]).toEqual([
      [...common, t().change, t().remove],
      common,
      common,
    ]);
  });

  test('marks what is shared and the default', async () => {
    await open([headOf('shops', { is_shared: true }), headOf('other')], { template_id: 'tpl_other', name: 'other' });
    const [shared, other] = page.rows().map((row) => row[2]);
    expect([shared, other]).toEqual([`${t().owners.own} ${t().sharedMark}`, `${t().owners.own} ${t().defaultMark}`]);
  });

  test('offers nothing without permission', async () => {
    signIn({ account: { scopes: ['dns:read'] } });
    await open([headOf('shops')], { template_id: 'tpl_shops', name: 'shops' });
    expect([
      page.has('button', t().make),
      page.has('button', t().actions('shops')),
      page.has('button', t().removeDefault),
    ]).toEqual([false, false, false]);
  });
});

describe('a template', () => {
  const type = async (name: string, lines: string) => {
    await page.type(page.field('name'), name);
    await page.type(page.field('rrsets'), lines);
  };

  test('is made of lines, with a type for each variable', async () => {
    await open();
    await page.click(page.button(t().make));
    await type(
      ' Shop ',
      '@ 300 A {ip}\n\n; comment\nwww CNAME {domain}.\n@ TXT v=spf1 include:{host} exists:%{i}._s.{domain} -all',
    );
    await page.type(page.field('kind-ip'), 'ipv4');
    await page.type(page.field('about-ip'), 'Address');
    page.api.answer('post', '/zone_templates', template);
    await page.doubleClick(submit());
    expect(page.api.writes.map(({ body }) => body)).toEqual([
      {
        name: 'Shop',
        description: '',
        is_shared: false,
        variables: [
          { name: 'ip', kind: 'ipv4', about: 'Address' },
          { name: 'host', kind: 'text', about: '' },
        ],
        rrsets: [
          { name: '@', type: 'A', ttl: 300, records: ['{ip}'] },
          { name: 'www', type: 'CNAME', records: ['{domain}.'] },
          { name: '@', type: 'TXT', records: ['v=spf1 include:{host} exists:%{i}._s.{domain} -all'] },
        ],
      },
    ]);
    expect(page.has('dialog')).toBe(false);
  });

  test('refuses to save a template with an invalid line, and names the line', async () => {
    await open();
    await page.click(page.button(t().make));
    await type('Shop', '@ A 192.0.2.1\nwww A');
    expect([page.text(dialog()).includes(t().unreadLine(2)), submit().disabled]).toEqual([true, true]);
  });

  test('is changed in the version that was read', async () => {
    await open();
    await choose('shops', t().change);
    expect(page.field('rrsets').value).toBe('@ A {ip}');
    page.api.refuse('put', one, 412, { code: 'precondition_failed' });
    await page.click(page.field('is_shared'));
    await page.click(submit());
    expect([page.has('alert'), page.field('is_shared').checked]).toEqual([true, true]);
    page.api.answer('put', one, template);
    await page.click(submit());
    const puts = page.api.sent('put', one);
    expect(
      puts.map(({ headers, body, params }) => [headers.get('If-Match'), body.is_shared, params.template_id]),
    ).toEqual(Array(2).fill(['"3"', true, 'tpl_shops']));
    expect(keyOf(puts[1]!)).not.toBe(keyOf(puts[0]!));
  });

  test('is duplicated without its name, and is not shared', async () => {
    await open();
    await choose('shops', t().copy);
    expect([page.field('name').value, page.field('rrsets').value, page.field('is_shared').checked]).toEqual([
      '',
      '@ A {ip}',
      false,
    ]);
  });

  test('opens nothing if the template cannot be read', async () => {
    await open();
    page.api.refuse('get', one, 404, { code: 'not_found', message: 'Gone.' });
    await choose('shops', t().change);
    expect(page.has('dialog')).toBe(false);
  });

  test('is deleted after a confirmation, and a refusal is shown', async () => {
    await open();
    await choose('shops', t().remove);
    page.api.refuse('delete', one, 409, { message: 'It is the default.' });
    await page.click(page.button(t().remove, dialog()));
    expect(page.text(page.get('alert'))).toContain('It is the default.');
    page.api.answer('delete', one);
    await page.doubleClick(page.button(t().remove, dialog()));
    expect(page.api.sent('delete', one).map(({ headers }) => headers.get('If-Match'))).toEqual(['"1"', '"1"']);
    expect(page.has('dialog')).toBe(false);
  });
});

describe('the default', () => {
  test('stores its values, without spaces and invisible signs', async () => {
    await open();
    await choose('shops', t().setDefault);
    expect(submit().disabled).toBe(true);
    await page.type(page.field('values.0.value'), ' 192.0.2.1\u200b ');
    page.api.answer('put', '/account/zone_template', example('DefaultZoneTemplate'));
    await page.doubleClick(submit());
    expect(page.api.writes.map(({ body }) => body)).toEqual([
      { template_id: 'tpl_shops', values: [{ name: 'ip', value: '192.0.2.1' }] },
    ]);
  });

  test('shows the error at the value that is wrong', async () => {
    await open();
    await choose('shops', t().setDefault);
    await page.type(page.field('values.0.value'), 'nonsense');
    page.api.refuse('put', '/account/zone_template', 400, {
      errors: [{ field: 'values.0.value', code: 'invalid', message: 'No address.' }],
    });
    await page.click(submit());
    expect(page.errorAt('values.0.value')).toBe('No address.');
  });

  test('shows why the default cannot be applied, and can remove it', async () => {
    await open([headOf('shops')], { template_id: 'tpl_shops', name: 'shops', problem: 'A value is missing.' });
    expect(page.text()).toContain(t().defaultProblem('A value is missing.'));
    page.api.answer('delete', '/account/zone_template', example('DefaultZoneTemplate'));
    await page.doubleClick(page.button(t().removeDefault));
    expect(page.api.writes).toHaveLength(1);
  });
});

describe('one template for many domains', () => {
  const applied = (changes: Partial<Schema<'ZoneTemplateApplied'>> = {}) =>
    example('ZoneTemplateApplied', { template_version: 3, ...changes });
  const begin = async (names = 'A.example.\nb.example, a.example') => {
    await open();
    await choose('shops', t().many);
    await page.type(page.field('values.0.value'), '192.0.2.1');
    await page.type(page.field('names'), names);
  };
  const results = () =>
    page.all('listitem', undefined, dialog().querySelector('.zone-template-results')!).map((each) => page.text(each));
  const applyButton = (n: number) => page.button(t().applyMany(n));
  const posts = () => page.api.sent('post', apply);

  test('is previewed for each domain once, and applied to the versions seen', async () => {
    await begin();
    page.api.respond('post', apply, ({ params }) => ({
      body: applied({ dry_run: true }),
      headers: { ETag: `"zone-${params.domain_id}"` },
    }));
    expect(applyButton(0).disabled).toBe(true);
    await page.click(page.button(t().preview));
    expect(posts().map(({ params, body }) => [params.domain_id, body.dry_run, body.on_conflict])).toEqual([
      ['a.example', true, 'replace'],
      ['b.example', true, 'replace'],
    ]);
    expect(results()).toEqual(['a.example will add 1 record and delete 0', `b.example ${t().willChange(1, 0)}`]);
    page.api.answer('post', apply, applied());
    await page.click(applyButton(2));
    expect(
      posts()
        .slice(2)
        .map(({ body, headers }) => [body.dry_run, body.template_version, headers.get('If-Match')]),
    ).toEqual([
      [false, 3, '"zone-a.example"'],
      [false, 3, '"zone-b.example"'],
    ]);
    expect(results()[0]).toBe(`a.example ${t().didChange(1, 0)}`);
  });

  test('skips domains that are refused or already have the records', async () => {
    await begin('a.example b.example c.example');
    page.api.respond('post', apply, ({ params }) =>
      params.domain_id === 'a.example'
        ? { status: 404, body: { code: 'not_found', message: 'No such domain.' } }
        : { body: applied({ dry_run: true, is_changed: params.domain_id === 'c.example', added: [] }) },
    );
    await page.click(page.button(t().preview));
    expect(results()).toEqual([
      'a.example No such domain.',
      `b.example ${t().same}`,
      `c.example ${t().willChange(0, 0)}`,
    ]);
    await page.click(applyButton(1));
    expect(posts().at(-1)!.params.domain_id).toBe('c.example');
  });

  test('names the connection as the reason if there is none', async () => {
    await begin('a.example');
    page.api.lose('post', apply);
    await page.click(page.button(t().preview));
    expect(results()).toEqual([`a.example ${common().errors.offline}`]);
  });

  test('forgets the preview when an input changes', async () => {
    await begin('a.example');
    page.api.answer('post', apply, applied({ dry_run: true }));
    await page.click(page.button(t().preview));
    expect(applyButton(1).disabled).toBe(false);
    await page.type(page.field('way'), 'skip');
    expect([results(), applyButton(0).disabled]).toEqual([[], true]);
  });

  test('stops after a lost answer, and only checks the status with the same key', async () => {
    await begin('a.example b.example');
    page.api.answer('post', apply, applied({ dry_run: true }));
    await page.click(page.button(t().preview));
    page.api.lose('post', apply);
    await page.click(applyButton(2));
    expect([posts().length, results()[0], page.has('button', t().preview)]).toEqual([
      3,
      `a.example ${t().unknown}`,
      false,
    ]);
    page.api.answer('post', apply, applied());
    await page.click(page.button(t().checkStatus));
    const [, , lost, again] = posts();
    expect([keyOf(again!), again!.body]).toEqual([keyOf(lost!), lost!.body]);
    expect(applyButton(1).disabled).toBe(false);
  });

  test('allows 100 domains', async () => {
    await begin(Array.from({ length: 101 }, (_, n) => `d${n}.example`).join('\n'));
    expect([page.text(dialog()).includes(t().tooMany(100)), page.button(t().preview).disabled]).toEqual([true, true]);
  });
});
