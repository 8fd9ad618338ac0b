import { describe, expect, test } from 'vitest';
import type { ResponseBody, Schema } from '../../src/api/shapes.ts';
import { messages } from '../../src/domains/messages.ts';
import Nameservers from '../../src/domains/nameservers.tsx';
import { example } from '../support/api.ts';
import { signIn, usePage } from '../support/dom.ts';

const page = usePage();
const ns = '/domains/{domain_id}/ns';
const childns = '/domains/{domain_id}/childns';
const dnssec = '/domains/{domain_id}/dnssec';
const usual = { ns1: 'ns1.ours.example', ns2: 'ns2.ours.example' };
const key: Schema<'DsRecord'> = { keytag: 12_345, algorithm: 13, digesttype: 2, digest: 'AB'.repeat(32) };

interface Given {
  readonly hosts?: readonly string[];
  readonly children?: Schema<'ChildHost'>[];
  readonly keys?: Schema<'DsRecord'>[];
}

const open = async ({ hosts = ['ns1.old.example', 'ns2.old.example'], children = [], keys = [] }: Given = {}) => {
  const domain = example('DomainDetail', { domain_id: '5001', domain_name: 'shop.example', nameservers: [...hosts] });
  const now = Object.fromEntries(hosts.map((host, n) => [`ns${n + 1}`, host])) as ResponseBody<typeof ns, 'get'>;
  page.api
    .respond('get', '/domains/{domain_id}', () => ({ body: domain }))
    .answer('get', childns, children)
    .answer('get', dnssec, keys)
    .answer('get', ns, now, { ETag: '"v1"' })
    .answer('get', '/customers/{customer_id}/ns/default', usual)
    .respond('get', '/operations/{operation_id}', () => ({ body: example('Operation', { kind: 'update' }) }))
    .respond('put', ns, () => ({ body: {} }));
  await page.show(Nameservers, {
    at: '/app/domains/shop.example/nameservers',
    route: '/app/domains/:name/nameservers',
  });
};
const hosts = () => page.field('ns') as unknown as HTMLTextAreaElement;
const save = () => page.button(messages().save);
const cardOf = (title: string) => page.get('region', title);

describe('the nameservers', () => {
  test('can be saved only when they differ, and are sent in lower case without final dots', async () => {
    await open();
    expect([hosts().value, save().disabled]).toEqual(['ns1.old.example\nns2.old.example', true]);
    await page.type(hosts(), 'NS1.Old.Example.\nns2.old.example');
    expect(save().disabled).toBe(true);
    await page.type(hosts(), 'NS1.New.Example., ns2.new.example;\n\nns3.new.example');
    await page.doubleClick(save());
    const [put, ...more] = page.api.sent('put', ns);
    expect(more).toEqual([]);
    expect([put!.params.domain_id, put!.body, put!.headers.get('If-Match')]).toEqual([
      '5001',
      { ns: ['ns1.new.example', 'ns2.new.example', 'ns3.new.example'] },
      '"v1"',
    ]);
  });

  test('inside the domain need an address at the registry first', async () => {
    await open({ children: [{ hostname: 'ns1.shop.example', ip: '192.0.2.1' }] });
    await page.type(hosts(), 'ns1.shop.example\nns2.shop.example');
    expect(page.text()).toContain(messages().missingAddress('ns2.shop.example'));
    expect(save().disabled).toBe(true);
    await page.type(hosts(), 'ns1.shop.example\nns2.othershop.example');
    expect(save().disabled).toBe(false);
  });

  test.each([
    ['ns1.ours.example\nns9.foreign.example', true],
    ['ns1.ours.example\nns2.ours.example', false],
    ['ns8.foreign.example\nns9.foreign.example', false],
  ])('%j mixes the default ones with others: %s', async (text, isMixed) => {
    await open();
    await page.type(hosts(), text);
    expect(page.text().includes(messages().mixedHosts)).toBe(isMixed);
  });

  test('can be the default ones of the customer with one click, which forgets the error before', async () => {
    await open();
    page.api.refuse('put', ns, 400, { code: 'validation' });
    await page.type(hosts(), 'nonsense');
    await page.click(save());
    expect(page.has('alert')).toBe(true);
    await page.click(page.button(messages().useDefaults));
    expect([hosts().value, page.has('alert')]).toEqual(['ns1.ours.example\nns2.ours.example', false]);
  });

  test('forces a change despite DS records at the registry only if the user requests it', async () => {
    await open({ keys: [key] });
    await page.type(hosts(), 'ns1.new.example');
    page.api.refuse('put', ns, 409, { code: 'ds_records_exist', message: 'DS records exist.' });
    await page.click(save());
    expect(hosts().value).toBe('ns1.new.example');
    page.api.respond('put', ns, () => ({ body: {} }));
    await page.click(page.field('force'));
    await page.click(save());
    expect(page.api.sent('put', ns).map(({ body }) => body.force)).toEqual([undefined, true]);
  });

  test('offers no forced change without DS records', async () => {
    await open();
    expect(page.root.querySelector('[name=force]')).toBeNull();
  });

  test('repeats a change with a lost answer with the same key, and after a refusal with another one', async () => {
    await open();
    await page.type(hosts(), 'ns1.new.example');
    page.api.lose('put', ns);
    await page.click(save());
    page.api.refuse('put', ns, 400);
    await page.click(save());
    await page.click(save());
    const keys = page.api.sent('put', ns).map(({ headers }) => headers.get('Idempotency-Key'));
    expect([keys[1] === keys[0], keys[2] === keys[1]]).toEqual([true, false]);
  });

  test('changed by someone else meanwhile show both versions, and nothing is overwritten unseen', async () => {
    await open();
    await page.type(hosts(), 'ns1.mine.example');
    page.api
      .refuse('put', ns, 412, { code: 'precondition_failed' })
      .answer('get', ns, { ns1: 'ns1.theirs.example' } as never, { ETag: '"v2"' });
    await page.click(save());
    const text = page.text(page.get('alert'));
    for (const each of ['ns1.old.example, ns2.old.example', 'ns1.theirs.example', 'ns1.mine.example'])
      expect(text).toContain(each);
    expect(save().disabled).toBe(true);
    page.api.respond('put', ns, () => ({ body: {} }));
    await page.click(page.get('alert').querySelector('button')!);
    expect(hosts().value).toBe('ns1.mine.example');
    await page.click(save());
    expect(page.api.sent('put', ns).map(({ headers }) => headers.get('If-Match'))).toEqual(['"v1"', '"v2"']);
  });

  test('keeps unsaved nameservers after leaving the page, and can undo them', async () => {
    await open();
    await page.type(hosts(), 'ns1.mine.example');
    page.api.refuse('put', ns, 400);
    await page.click(save());
    expect(hosts().value).toBe('ns1.mine.example');
    await page.click(page.button(messages().undo));
    expect([hosts().value, save().disabled]).toEqual(['ns1.old.example\nns2.old.example', true]);
  });

  test('shows text without inputs to a user who can only read', async () => {
    signIn({ account: { scopes: ['domains:read'] } });
    await open({ children: [{ hostname: 'ns1.shop.example', ip: '192.0.2.1' }], keys: [key] });
    expect(page.text(cardOf(messages().nameservers))).toContain('ns1.old.example, ns2.old.example');
    expect([page.all('input').length, page.has('button', /ns1\.shop\.example/)]).toEqual([0, false]);
  });

  test('shows the error and no form if the nameservers cannot be read', async () => {
    page.api.refuse('get', ns, 503, { code: 'overloaded' });
    const { api } = page;
    api
      .respond('get', '/domains/{domain_id}', () => ({ body: example('DomainDetail') }))
      .answer('get', childns, [])
      .answer('get', dnssec, []);
    await page.show(Nameservers, {
      at: '/app/domains/shop.example/nameservers',
      route: '/app/domains/:name/nameservers',
    });
    expect([page.has('alert'), page.all('input').length]).toEqual([true, 0]);
  });
});

describe('a child nameserver', () => {
  const add = async (host: string, address: string) => {
    await page.type(page.field('hostname'), host);
    await page.type(page.field('ip_address'), address);
    await page.doubleClick(page.button(messages().addHost));
  };

  test.each([
    ['ns1', 'ns1.shop.example'],
    [' NS1.Shop.Example ', 'ns1.shop.example'],
    ['ns1.shop.example.', 'ns1.shop.example'],
    ['ns1.eu', 'ns1.eu.shop.example'],
    ['ns1.othershop.example', 'ns1.othershop.example.shop.example'],
    ['shop.example', 'shop.example'],
  ])('typed as "%s" is added as %s', async (typed, hostname) => {
    await open();
    page.api.respond('post', childns, () => ({ body: { hostname, ip: '192.0.2.1' } }));
    await add(typed, ' 192.0.2.1 ');
    expect(page.api.sent('post', childns).map(({ body }) => body)).toEqual([{ hostname, ip_address: '192.0.2.1' }]);
    expect([page.field('hostname').value, page.field('ip_address').value]).toEqual(['', '']);
  });

  test('keeps the input of a refused child nameserver with the error at its field', async () => {
    await open();
    page.api.refuse('post', childns, 400, {
      errors: [{ field: 'ip_address', code: 'invalid', message: 'No address.' }],
    });
    await add('ns1', '1.2.3');
    expect([page.errorAt('ip_address'), page.field('hostname').value]).toEqual(['No address.', 'ns1']);
  });

  test('is removed after a confirmation, by host and address', async () => {
    await open({
      children: [
        { hostname: 'ns1.shop.example', ip: '192.0.2.1' },
        { hostname: 'ns1.shop.example', ip: '2001:db8::1' },
      ],
    });
    const path = '/domains/{domain_id}/childns/{old_hostname}/{old_ip_address}';
    page.api.answer('delete', path);
    await page.click(page.button(`${messages().remove} ns1.shop.example 2001:db8::1`));
    expect(page.api.writes).toEqual([]);
    await page.click(page.button(messages().remove, page.get('dialog')));
    expect(page.api.writes.map(({ params }) => params)).toEqual([
      { domain_id: '5001', old_hostname: 'ns1.shop.example', old_ip_address: '2001:db8::1' },
    ]);
  });
});

describe('a DS record', () => {
  const digest = 'ab12'.repeat(16);

  test.each([
    [
      'a DS record',
      `12345 13 2 ${digest}`,
      { keytag: 12_345, algorithm: 13, digesttype: 2, digest: digest.toUpperCase() },
    ],
    [
      'a line of a zone file in parts',
      `shop.example. 3600 IN DS 12345 13 2 ( ${digest.slice(0, 20)}\n ${digest.slice(20)} ) ; comment`,
      { keytag: 12_345, algorithm: 13, digesttype: 2, digest: digest.toUpperCase() },
    ],
    [
      'a DNSKEY record',
      'shop.example. IN DNSKEY 257 3 13 mdsswUyr3DPW132m\nOi8V9xESWE8jTo0d ;{id = 1}',
      { flags: 257, protocol: 3, algorithm: 13, pubkey: 'mdsswUyr3DPW132mOi8V9xESWE8jTo0d' },
    ],
  ])('is read from %s', async (_, text, body) => {
    await open();
    page.api.respond('post', dnssec, () => ({ body: key }));
    await page.type(page.field('ds'), text);
    await page.doubleClick(page.button(messages().addKey));
    expect(page.api.sent('post', dnssec).map((each) => each.body)).toEqual([body]);
    expect(page.field('ds').value).toBe('');
  });

  test.each(['12345 13 2', '12345 13 2 xyz', 'shop.example. IN A 192.0.2.1', '123456 13 2 abcd'])(
    'is not read from "%s"',
    async (text) => {
      await open();
      await page.type(page.field('ds'), text);
      expect([page.button(messages().addKey).disabled, page.text().includes(messages().invalidKey)]).toEqual([
        true,
        true,
      ]);
    },
  );

  test('keeps the input of a refused DS record, and removes its error with the next change', async () => {
    await open();
    page.api.refuse('post', dnssec, 400, { message: 'The registry does not accept this algorithm.' });
    await page.type(page.field('ds'), `12345 13 2 ${digest}`);
    await page.click(page.button(messages().addKey));
    expect([page.has('alert'), page.field('ds').value]).toEqual([true, `12345 13 2 ${digest}`]);
    await page.type(page.field('ds'), `12345 8 2 ${digest}`);
    expect(page.has('alert')).toBe(false);
  });

  test('is removed after a confirmation, by its four values', async () => {
    await open({ keys: [key, { ...key, digest: 'CD'.repeat(32) }] });
    const path = '/domains/{domain_id}/dnssec/{keytag}/{algorithm}/{digesttype}/{digest}';
    page.api.answer('delete', path);
    const [, second] = page.all('button', `${messages().remove} 12345`);
    await page.click(second!);
    await page.click(page.button(messages().remove, page.get('dialog')));
    expect(page.api.writes.map(({ params }) => params)).toEqual([
      { domain_id: '5001', keytag: '12345', algorithm: '13', digesttype: '2', digest: 'CD'.repeat(32) },
    ]);
  });
});
