import { describe, expect, test } from 'vitest';
import type { Schema } from '../../src/api/shapes.ts';
import { messages as domains } from '../../src/domains/messages.ts';
import Forwarding from '../../src/forwarding/forwarding.tsx';
import { messages } from '../../src/forwarding/messages.ts';
import { example } from '../support/api.ts';
import { signIn, speak, usePage } from '../support/dom.ts';

const page = usePage();
const name = 'shop.example';
const web = '/domains/{domain_id}/forwarding';
const mail = '/domains/{domain_id}/email_forwarding';
const catchAll = '/domains/{domain_id}/email_forwarding/catch_all';

type Rule = Schema<'ForwardingRules'>['rules'][number];
const ruleOf = (changes: Partial<Rule> = {}): Rule => ({ ...example('ForwardingRules').rules[0]!, ...changes });
const rulesOf = (rules: Rule[], changes: Partial<Schema<'ForwardingRules'>> = {}) =>
  example('ForwardingRules', { rules, certificate: null, ...changes } as never);
const forwardOf = (changes: Partial<Schema<'MailForward'>> = {}) =>
  example('MailForward', { email: `info@${name}`, ...changes });

interface Given {
  readonly rules?: Schema<'ForwardingRules'>;
  readonly forwards?: Schema<'MailForward'>[];
  readonly forwarding?: Partial<Schema<'MailForwarding'>>;
  readonly rest?: Partial<Schema<'CatchAll'>>;
  /** Values of the TXT records of the domain itself. */
  readonly texts?: string[];
}

const open = async ({
  rules = rulesOf([]),
  forwards = [],
  forwarding = {},
  rest = { email: '' },
  texts = [],
}: Given = {}) => {
  page.api
    .respond('get', '/domains/{domain_id}', () => ({ body: example('DomainDetail', { domain_name: name }) }))
    .answer('get', web, rules, { ETag: '"7"' })
    .answer('put', web, rules)
    .answer('get', mail, forwards)
    .answer(
      'get',
      '/domains/{domain_id}/mail_forwarding',
      example('MailForwarding', { addresses: forwards.length, ...forwarding }),
    )
    .answer('get', catchAll, example('CatchAll', rest))
    .answer('get', '/domains/{domain_id}/zone/rrsets', {
      serial: 1,
      record_count: 1,
      rrsets: texts.length > 0 ? [{ name: `${name}.`, type: 'TXT', ttl: 300, records: texts }] : [],
      next_after: null,
    })
    .list('/mail_targets', [
      example('MailTarget', { mail_target_id: `mtg_${'1'.repeat(26)}`, address: 'sari@example.net' }),
    ]);
  await page.show(Forwarding, { at: `/app/domains/${name}/forwarding`, route: '/app/domains/:name/forwarding' });
};
const card = (title: string) => page.get('region', title);
const formOf = (button: string) => page.button(button).closest('form')!;
const puts = () => page.api.sent('put', web);

describe('a web forwarding', () => {
  const add = async (host: string, target = ' https://example.net/ ') => {
    await page.type(page.input(messages().host), host);
    await page.type(page.input(messages().target), target);
    await page.doubleClick(page.button(messages().addRule));
  };

  test.each([
    ['', '@'],
    [' @ ', '@'],
    ['go', 'go'],
    ['GO.Shop.Example.', 'go'],
    ['shop.example', '@'],
    ['a.b', 'a.b'],
    ['othershop.example', 'othershop.example'],
    ['*', '*'],
  ])('sends a rule for "%s" with the host %s', async (typed, host) => {
    await open();
    await add(typed);
    expect(puts().map(({ body }) => body)).toEqual([
      { rules: [{ host, target: 'https://example.net/', code: 301, path_mode: 'append' }] },
    ]);
  });

  test('is sent with the other rules, as they were read, and their version', async () => {
    const before = ruleOf({ host: 'old', hsts: true, query_mode: 'merge' });
    await open({ rules: rulesOf([before]) });
    await page.type(page.input(messages().code), '307');
    await page.click(page.input(messages().append));
    await add('new');
    const [{ body, headers }] = puts() as [ReturnType<typeof puts>[0]];
    const { state: _s, reason: _r, warnings: _w, checked_at: _c, clicks_30d: _k, ...kept } = before;
    expect(body.rules).toEqual([kept, { host: 'new', target: 'https://example.net/', code: 307, path_mode: 'drop' }]);
    expect(headers.get('If-Match')).toBe('"7"');
    expect(page.input(messages().host).value).toBe('@');
  });

  test('lists conflicting records and the checkbox that replaces them', async () => {
    await open();
    const records = Array.from({ length: 7 }, (_, n) => ({
      name: `go.${name}.`,
      type: 'A',
      records: [`192.0.2.${n}`],
    }));
    page.api.refuse('put', web, 409, { code: 'records_exist', facts: {}, records, replace_records: true });
    await add('go');
    const text = page.text(page.get('alert'));
    expect(text).toContain(messages().replace);
    expect(text.match(/go\.shop\.example A/g)).toHaveLength(5);
    expect(text).not.toContain('replace_records');
    await page.click(page.input(messages().replace));
    await page.click(page.button(messages().addRule));
    expect(puts().map(({ body }) => body.replace_records)).toEqual([undefined, true]);
  });

  test('keeps the input of a refused rule, with the error at its field', async () => {
    await open({ rules: rulesOf([ruleOf()]) });
    page.api.refuse('put', web, 400, { errors: [{ field: 'rules.1.target', code: 'invalid', message: 'Not a URL.' }] });
    await add('go', 'nonsense');
    expect([page.errorAt('rules.1.target'), page.input(messages().target).value]).toEqual(['Not a URL.', 'nonsense']);
  });

  test('needs a target', async () => {
    await open();
    await page.type(page.input(messages().target), '  ');
    expect(page.button(messages().addRule).disabled).toBe(true);
  });

  test('is removed alone, after a confirmation', async () => {
    await open({ rules: rulesOf([ruleOf({ host: 'a' }), ruleOf({ host: 'b' }), ruleOf({ host: 'b', path: '/x' })]) });
    await page.click(page.button(`${domains().remove} b /`));
    expect(puts()).toEqual([]);
    await page.click(page.button(domains().remove, page.get('dialog')));
    expect(puts().map(({ body }) => body.rules.map((each: Rule) => `${each.host} ${each.path}`))).toEqual([
      ['a /', 'b /x'],
    ]);
  });

  test.each([
    [
      'en',
      'the domain uses other nameservers: ns1.x.example',
      'The domain uses other nameservers. Set the DNS records there.',
    ],
    ['en', 'something new', 'Something new.'],
    ['id', 'something new', 'Something new.'],
  ] as const)('shows its state and the reason (%s): %s', async (language, reason, shown) => {
    speak(language);
    await open({ rules: rulesOf([ruleOf({ state: 'blocked', reason, host: '@', path: '/docs', clicks_30d: 1_234 })]) });
    const [row] = page.rows(card(messages().web));
    expect(row!.slice(0, 2)).toEqual([`${name}/docs`, 'https://example.net/']);
    expect(row!.join(' ')).toContain(messages().states.blocked);
    expect(row!.join(' ')).toContain(shown);
  });

  test.each([
    [[], false],
    [[ruleOf()], true],
  ])('reads a domain with other nameservers and %j, and warns: %s', async (rules, warns) => {
    const dns = { ...example('ForwardingRules').dns, state: 'elsewhere' as const };
    await open({ rules: rulesOf(rules, { dns }) });
    expect(page.text(card(messages().web)).includes(messages().elsewhere)).toBe(warns);
  });

  test('cannot be added or removed without permission', async () => {
    signIn({ account: { scopes: ['domains:read'] } });
    await open({ rules: rulesOf([ruleOf()]), forwards: [forwardOf()] });
    expect([
      page.all('input').length,
      page.has('button', /go \//),
      page.has('button', new RegExp(messages().resend)),
    ]).toEqual([0, false, false]);
  });
});

describe('an email forwarding', () => {
  const form = () => formOf(messages().addAddress);
  const add = async (local: string, to: string) => {
    await page.type(page.field('email', form()), local);
    await page.type(page.field('forward_to', form()), to);
    await page.doubleClick(page.button(messages().addAddress));
  };

  test.each([
    ['info', `info@${name}`],
    [' Info ', `Info@${name}`],
    [`sales@${name}`, `sales@${name}`],
  ])('sends a rule for "%s" as %s, with all recipients', async (typed, email) => {
    await open();
    page.api.answer('post', mail, forwardOf());
    await add(typed, 'a@x.example, b@y.example; c@z.example');
    expect(page.api.sent('post', mail).map(({ body }) => body)).toEqual([
      { email, forward_to: ['a@x.example', 'b@y.example', 'c@z.example'] },
    ]);
    expect(page.field('email', form()).value).toBe('');
  });

  test('keeps the input of a refused rule, and shows no error at the catch-all address', async () => {
    await open();
    page.api.refuse('post', mail, 400, { errors: [{ field: 'email', code: 'invalid', message: 'No address.' }] });
    await add('in fo', 'a@x.example');
    expect(page.text(form())).toContain('No address.');
    expect(page.text(formOf(messages().save))).not.toContain('No address.');
    expect(page.field('forward_to', form()).value).toBe('a@x.example');
  });

  test('shows each recipient, and sends the email again to those that have not answered', async () => {
    const targets = [
      { address: 'sari@example.net', state: 'waiting' as const },
      { address: 'ani@example.net', state: 'failing' as const },
    ];
    await open({ forwards: [forwardOf({ targets })] });
    page.api.answer('post', '/mail_targets/{mail_target_id}/resend', example('MailTarget'));
    const table = card(messages().mail);
    expect(page.text(table)).toContain(messages().targets.failing);
    expect(page.all('button', new RegExp(messages().resend), table)).toHaveLength(1);
    await page.click(page.button(`${messages().resend} sari@example.net`));
    expect(page.api.writes.map(({ params }) => params.mail_target_id)).toEqual([`mtg_${'1'.repeat(26)}`]);
  });

  test('rejects mail without recipients', async () => {
    await open({ forwards: [forwardOf({ targets: [] })] });
    expect(page.text(card(messages().mail))).toContain(messages().refused);
  });

  test('is removed after a confirmation, and a refusal is shown', async () => {
    await open({ forwards: [forwardOf({ email: `a+b@${name}` })] });
    const path = '/domains/{domain_id}/email_forwarding/{email}';
    page.api.refuse('delete', path, 409, { message: 'The domain is locked.' });
    await page.click(page.button(`${domains().remove} a+b@${name}`));
    await page.click(page.button(domains().remove, page.get('dialog')));
    expect(page.api.writes.map(({ params }) => params.email)).toEqual([`a+b@${name}`]);
    expect(page.text(page.get('alert'))).toContain('The domain is locked.');
  });

  test('shows its mail servers without priorities, and replaced records', async () => {
    const records = [
      { name: `${name}.`, type: 'MX', ttl: 300, records: ['10 mx1.example.net.', '20 mx2.example.net.'] },
    ];
    const displaced = [{ name: `${name}.`, type: 'MX', ttl: 300, records: ['5 old.example.'] }];
    await open({
      forwards: [forwardOf()],
      forwarding: { dns: { state: 'ours', records, displaced } as never, receive_only: true, mta_sts: 'testing' },
    });
    const text = page.text(card(messages().mail));
    for (const part of [
      'mx1.example.net, mx2.example.net',
      messages().receiveOnly,
      messages().stsText.testing,
      '5 old.example.',
    ])
      expect(text).toContain(part);
  });
});

test.each([
  [[], messages().canSend.none],
  [['"some text"', '"v=spf10 -all"'], messages().canSend.none],
  [['"some text"', '"v=spf1 mx -all"'], messages().canSend.own],
])('shows, for the TXT records %j, who may send', async (texts, text) => {
  await open({ forwards: [forwardOf()], texts });
  expect(page.text(card(messages().mail))).toContain(text);
});

test('does not claim an SPF record without access to the zone', async () => {
  signIn({ account: { scopes: ['domains:read'] } });
  await open({ forwards: [forwardOf()] });
  expect(page.text(card(messages().mail))).toContain(messages().canSend.unknown);
});

describe('the catch-all address', () => {
  const form = () => formOf(messages().save);
  const save = () => page.button(messages().save);

  test('is saved when it differs, and removed when it is empty', async () => {
    await open({ rest: { email: 'sari@example.net' }, forwards: [forwardOf()] });
    page.api.answer('put', catchAll, example('CatchAll'));
    const input = () => page.field('email', form());
    await page.type(input(), ' sari@example.net ');
    expect(save().disabled).toBe(true);
    await page.type(input(), '');
    await page.doubleClick(save());
    expect(page.api.sent('put', catchAll).map(({ body }) => body)).toEqual([{ email: '' }]);
  });

  test('replaces the MX records on request if it is the first forwarding', async () => {
    await open();
    const box = () => form().querySelector<HTMLInputElement>('[name=replace_records]');
    expect(box()).toBeNull();
    await page.type(page.field('email', form()), 'all@example.net');
    page.api.refuse('put', catchAll, 409, {
      code: 'records_exist',
      records: [{ name: `${name}.`, type: 'MX', records: ['10 mx.'] }],
      replace_records: true,
    });
    await page.click(save());
    expect(page.text(page.get('alert', undefined, form()))).toContain(messages().replaceMx);
    page.api.answer('put', catchAll, example('CatchAll'));
    await page.click(box()!);
    await page.click(save());
    expect(page.api.sent('put', catchAll).map(({ body }) => body)).toEqual([
      { email: 'all@example.net' },
      { email: 'all@example.net', replace_records: true },
    ]);
  });
});
