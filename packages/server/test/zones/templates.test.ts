import { allTenants, sql } from '@namehold/postgres';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { keyFor, makeReseller } from '../../../../test/support/resellers.ts';
import { countRows } from '../../../../test/support/rows.ts';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import { builtInTemplates } from '../../src/core/zones/templates/built-in.ts';
import { checkTemplate } from '../../src/core/zones/templates/check-template.ts';
import { sampleValues } from '../../src/core/zones/templates/fill-in.ts';
import { templateLimits } from '../../src/core/zones/templates/template.ts';
import { makeDomain, patch, recordsAt, zoneOf, zoneRows } from './support.ts';

let t: TestService;
beforeAll(async () => {
  t = await startTestService();
});
afterAll(() => t.stop());

const shop = {
  name: 'Our shops',
  description: 'Website and mail',
  variables: [
    { name: 'ip', kind: 'ipv4', about: 'Address of the shop' },
    { name: 'key', kind: 'text' },
  ],
  rrsets: [
    { name: '@', type: 'A', records: ['{ip}'] },
    { name: 'www', type: 'CNAME', ttl: 300, records: ['{domain}.'] },
    { name: '@', type: 'TXT', records: ['"v=spf1 a:{domain} exists:%{i}.{domain} -all"'] },
    { name: 's1._domainkey', type: 'TXT', records: ['"v=DKIM1; p={key}"'] },
  ],
};

let named = 0;
const save = (json: object = {}, more: object = {}) =>
  t.call('POST', '/v1/zone_templates', { json: { ...shop, name: `Shop ${++named}`, ...json }, ...more });
const apply = (id: string, json: object, headers: Record<string, string> = {}) =>
  t.call('POST', `/v1/domains/${id}/zone/apply_template`, { json, headers });
const values = [
  { name: 'ip', value: '192.0.2.80' },
  { name: 'key', value: 'A'.repeat(392) },
];
const rows = () =>
  t.ctx.db.as(allTenants).one<{ templates: string; events: string; audits: string }>(sql`
    select (select count(*) from zone_template) as templates, (select count(*) from event where type like 'zone_template.%') as events,
      (select count(*) from audit where object_type = 'zone_template') as audits`);

describe('saving a template', () => {
  test('creates, reads, lists, changes by version and deletes it, each with event and audit entry', async () => {
    const before = await rows();
    const made = await save({ name: 'First' });
    expect(made).toMatchObject({
      status: 200,
      body: { name: 'First', version: 1, is_built_in: false, rrset_count: 4 },
    });
    const id = made.body.template_id as string;
    const read = await t.call('GET', `/v1/zone_templates/${id}`);
    expect(read.body).toEqual(made.body);
    expect(read.headers.get('etag')).toBe('"1"');
    const listed = (await t.call('GET', '/v1/zone_templates')).body as { template_id: string; is_built_in: boolean }[];
    expect(listed.find((each) => each.template_id === id)).toMatchObject({ is_built_in: false });
    expect(listed.filter((each) => each.is_built_in).map((each) => each.template_id)).toEqual(
      builtInTemplates.map((each) => each.id),
    );
    const json = { ...shop, name: 'first', variables: [], rrsets: [{ name: '@', type: 'a', records: ['192.0.2.1'] }] };
    expect((await t.call('PUT', `/v1/zone_templates/${id}`, { json })).body.code).toBe('precondition_required');
    const stale = await t.call('PUT', `/v1/zone_templates/${id}`, { json, headers: { 'If-Match': '"7"' } });
    expect(stale).toMatchObject({ status: 412, body: { code: 'precondition_failed' } });
    const changed = await t.call('PUT', `/v1/zone_templates/${id}`, { json, headers: { 'If-Match': '"1"' } });
    expect(changed.body).toMatchObject({ version: 2, name: 'first', rrsets: [{ type: 'A', ttl: null }] });
    expect((await t.call('DELETE', `/v1/zone_templates/${id}`, { headers: { 'If-Match': '"1"' } })).status).toBe(412);
    expect((await t.call('DELETE', `/v1/zone_templates/${id}`)).body).toEqual({ deleted: true });
    expect((await t.call('GET', `/v1/zone_templates/${id}`)).status).toBe(404);
    const after = await rows();
    expect(Number(after.templates)).toBe(Number(before.templates));
    expect(Number(after.events)).toBe(Number(before.events) + 3);
    expect(Number(after.audits)).toBe(Number(before.audits) + 3);
  });

  test('returns the first response to a repeat, stores nothing in a dry run, and requires unique names', async () => {
    const headers = { 'Idempotency-Key': 'template-once' };
    const name = 'Once';
    const [first, again] = [await save({ name }, { headers }), await save({ name }, { headers })];
    expect(again.body).toEqual(first.body);
    expect((await save({ name: 'ONCE' })).body.code).toBe('already_exists');
    const before = await rows();
    expect((await save({ dry_run: true })).body).toMatchObject({ template_id: null, version: 0 });
    expect(await rows()).toEqual(before);
  });

  test.each([
    ['a template without records', { rrsets: undefined }, 'rrsets'],
    ['records and a domain', { from_domain_id: '5001' }, 'rrsets'],
    ['an unknown placeholder', { rrsets: [{ name: '{nix}', type: 'A', records: ['{ip}'] }] }, 'variables.1.name'],
    ['an unused variable', { variables: [{ name: 'x', kind: 'word' }] }, 'variables.0.name'],
    ['{domain} as a variable', { variables: [{ name: 'domain', kind: 'word' }] }, 'variables.0.name'],
    ['a pattern instead of a kind', { variables: [{ name: 'ip', kind: '(a+)+$' }] }, 'variables.0.kind'],
    [
      'an invalid record',
      { variables: [], rrsets: [{ name: '@', type: 'A', records: ['1.2'] }] },
      'rrsets.0.records.0',
    ],
    [
      'a SOA record',
      { variables: [], rrsets: [{ name: '@', type: 'SOA', records: ['a. b. 1 2 3 4 5'] }] },
      'rrsets.0.type',
    ],
    [
      'the zone’s nameservers',
      { variables: [], rrsets: [{ name: '@', type: 'NS', records: ['ns.example.net.'] }] },
      'rrsets.0.type',
    ],
    [
      'a type that a signer generates',
      { variables: [], rrsets: [{ name: '@', type: 'RRSIG', records: ['x'] }] },
      'rrsets.0.type',
    ],
    ['a repeated RRset', { variables: [], rrsets: [shop.rrsets[1], { ...shop.rrsets[1], name: 'WWW' }] }, 'rrsets.1'],
    ['an invisible name', { name: '\u200b' }, 'name'],
    [
      'an upper-case placeholder',
      { variables: [], rrsets: [{ name: '@', type: 'TXT', records: ['"a"', '"to {IP}"'] }] },
      'rrsets.0.records.1',
    ],
    [
      'a placeholder that no variable can have',
      { variables: [], rrsets: [{ name: '{__proto__}', type: 'A', records: ['192.0.2.1'] }] },
      'rrsets.0.name',
    ],
  ])('refuses %s with the field', async (_, json, field) => {
    const before = await rows();
    const refused = await save(json);
    expect(refused).toMatchObject({ status: 400, body: { code: 'invalid_argument' } });
    expect(refused.body.errors[0].field).toBe(field);
    expect(await rows()).toEqual(before);
  });

  test('limits the number of templates of an account', async () => {
    const as = await makeReseller(t);
    const json = { variables: [], rrsets: [{ name: '@', type: 'A', records: ['192.0.2.1'] }] };
    await t.ctx.db.transaction(allTenants, (tx) =>
      tx.run(sql`insert into zone_template (id, reseller_id, name, description, variables, rrsets, created_at, updated_at)
        select 'tpl_many_' || n, ${as.split(':')[0]!}, 'Many ' || n, '', '[]', '[]', now(), now() from generate_series(1, ${templateLimits.perAccount - 1}) n`),
    );
    const [one, other] = await Promise.all([save(json, { as }), save(json, { as })]);
    expect([one.status, other.status].sort()).toEqual([200, 409]);
  });

  test('replaces the domain of the zone and omits records of the service', async () => {
    const id = await makeDomain(t, 'pattern-shop.com');
    await patch(t, id, [
      { name: '@', type: 'MX', records: ['10 mail.pattern-shop.com.'] },
      { name: 'mail', type: 'A', records: ['192.0.2.25'] },
      { name: '_dmarc', type: 'TXT', records: ['"v=DMARC1; p=none; rua=mailto:d@pattern-shop.com"'] },
      { name: 'other', type: 'CNAME', records: ['pattern-shop.com.example.net.'] },
    ]);
    const made = await save({ rrsets: undefined, variables: [], from_domain_id: 'pattern-shop.com' });
    const texts = (made.body.rrsets as { name: string; type: string; records: string[] }[]).map(
      (set) => `${set.name} ${set.type} ${set.records}`,
    );
    expect(texts).toContain('@ MX 10 mail.{domain}.');
    expect(texts).toContain('_dmarc TXT "v=DMARC1; p=none; rua=mailto:d@{domain}"');
    expect(texts).toContain('other CNAME pattern-shop.com.example.net.');
    expect(texts.filter((text) => / (SOA|NS) /.test(text))).toEqual([]);
    const copy = await makeDomain(t, 'copied-pattern.com');
    const applied = await apply(copy, { template_id: made.body.template_id, on_conflict: 'replace' });
    expect(applied.status).toBe(200);
    expect(await recordsAt(t, copy, 'copied-pattern.com.', 'MX')).toEqual(['10 mail.copied-pattern.com.']);
  });
});

describe('applying a template', () => {
  test('makes one change with one history entry, shortens long values there, and is idempotent', async () => {
    const id = await makeDomain(t, 'applied-shop.com');
    await patch(t, id, [{ name: 'keep', type: 'A', records: ['192.0.2.7'] }]);
    const { body } = await save();
    const order = { template_id: body.template_id, values, on_conflict: 'replace' };
    const before = await zoneOf(t, id);
    const dry = await apply(id, { ...order, dry_run: true });
    expect(dry.body).toMatchObject({ dry_run: true, is_changed: true });
    expect(await zoneOf(t, id)).toEqual(before);
    const applied = await apply(id, order);
    expect(applied.body).toMatchObject({ is_changed: true, template_version: 1, added: dry.body.added });
    const at = (name: string, type: string) => recordsAt(t, id, name, type);
    expect(await at('applied-shop.com.', 'A')).toEqual(['192.0.2.80']);
    expect(await at('www.applied-shop.com.', 'CNAME')).toEqual(['applied-shop.com.']);
    expect(await at('applied-shop.com.', 'TXT')).toEqual([
      '"v=spf1 a:applied-shop.com exists:%{i}.applied-shop.com -all"',
    ]);
    const [key] = await at('s1._domainkey.applied-shop.com.', 'TXT');
    expect(key!.replaceAll('" "', '')).toBe(`"v=DKIM1; p=${'A'.repeat(392)}"`);
    expect(await at('keep.applied-shop.com.', 'A')).toEqual(['192.0.2.7']);
    const { body: history } = await t.call('GET', `/v1/domains/${id}/zone/history`);
    expect(history.slice(0, 2)).toMatchObject([{ kind: 'template', comment: body.name }, { kind: 'change' }]);
    expect((await apply(id, order)).body).toMatchObject({ is_changed: false, conflicts: [] });
  });

  test('requires a decision about conflicts, individually or together', async () => {
    const id = await makeDomain(t, 'conflict-shop.com');
    const origin = 'conflict-shop.com.';
    const there = [
      { name: '@', type: 'TXT', records: ['"google-site-verification=abc"', '"v=spf1 include:old.example.net ~all"'] },
      { name: '@', type: 'A', records: ['192.0.2.1'] },
      { name: 'www', type: 'A', records: ['192.0.2.1'] },
    ];
    await patch(t, id, there);
    const { body } = await save();
    const order = { template_id: body.template_id, values };
    const before = await zoneRows(t);
    const refused = await apply(id, order);
    expect(refused).toMatchObject({ status: 409, body: { code: 'conflict' } });
    expect(refused.body.conflicts).toHaveLength(3);
    const dry = await apply(id, { ...order, dry_run: true });
    expect(dry.body.conflicts).toMatchObject([
      { name: origin, type: 'A', records: ['192.0.2.80'], can_merge: true, way: null, present: [{ type: 'A' }] },
      { name: `www.${origin}`, type: 'CNAME', can_merge: false, present: [{ type: 'A', records: ['192.0.2.1'] }] },
      { name: origin, type: 'TXT', can_merge: true },
    ]);
    expect(dry.body.added.map((set: { name: string }) => set.name)).toEqual([`s1._domainkey.${origin}`]);
    // A CNAME cannot be merged, so merging all leaves that conflict open.
    expect((await apply(id, { ...order, on_conflict: 'merge' })).body.conflicts).toEqual([
      { name: `www.${origin}`, type: 'CNAME' },
    ]);
    const merge = { name: 'www', type: 'CNAME', way: 'merge' };
    expect((await apply(id, { ...order, choices: [merge] })).body.code).toBe('invalid_argument');
    expect(await zoneRows(t)).toEqual(before);
    const choices = [
      { name: 'www', type: 'cname', way: 'replace' },
      { name: '@', type: 'A', way: 'skip' },
    ];
    expect((await apply(id, { ...order, choices, on_conflict: 'merge' })).status).toBe(200);
    expect(await recordsAt(t, id, origin, 'A')).toEqual(['192.0.2.1']);
    expect(await recordsAt(t, id, `www.${origin}`, 'A')).toEqual([]);
    expect(await recordsAt(t, id, `www.${origin}`, 'CNAME')).toEqual([origin]);
    expect((await recordsAt(t, id, origin, 'TXT')).sort()).toEqual([
      '"google-site-verification=abc"',
      `"v=spf1 a:conflict-shop.com exists:%{i}.conflict-shop.com -all"`,
    ]);
  });

  test('reports a conflict of a null MX with any other MX', async () => {
    const id = await makeDomain(t, 'null-mx.com');
    const mx = (records: string[]) => patch(t, id, [{ name: '@', type: 'MX', records }]);
    for (const [there, template_id] of [
      ['10 mail.example.net.', 'no-mail'],
      ['0 .', 'google-workspace'],
    ] as const) {
      await mx([there]);
      const seen = await apply(id, { template_id, dry_run: true });
      expect(seen.body.conflicts).toMatchObject([{ type: 'MX', can_merge: false, way: null }]);
      const before = await zoneRows(t);
      expect((await apply(id, { template_id, on_conflict: 'merge' })).body).toMatchObject({ code: 'conflict' });
      const choices = [{ name: '@', type: 'MX', way: 'merge' }];
      const refused = await apply(id, { template_id, choices });
      expect([refused.status, refused.body.errors?.[0].field]).toEqual([400, 'choices.0.way']);
      expect(await zoneRows(t)).toEqual(before);
    }
    await mx(['10 mail.example.net.']);
    expect((await apply(id, { template_id: 'google-workspace', on_conflict: 'merge' })).status).toBe(200);
    expect(await recordsAt(t, id, 'null-mx.com.', 'MX')).toHaveLength(2);
  });

  test('refuses a choice for records outside the template, or a second one, with its field', async () => {
    const id = await makeDomain(t, 'choosy-shop.com');
    await patch(t, id, [{ name: '@', type: 'MX', records: ['10 mail.example.net.'] }]);
    const before = await zoneRows(t);
    const at = async (choices: object[]) => {
      const refused = await apply(id, { template_id: 'no-mail', on_conflict: 'replace', choices });
      return [refused.status, refused.body.errors?.[0].field];
    };
    const skip = { name: '@', type: 'MX', way: 'skip' };
    expect(await at([{ ...skip, name: 'mial' }])).toEqual([400, 'choices.0']);
    expect(await at([skip, { ...skip, type: 'A' }])).toEqual([400, 'choices.1']);
    expect(await at([skip, { name: 'CHOOSY-shop.com.', type: 'mx', way: 'replace' }])).toEqual([400, 'choices.1']);
    expect(await at([{ ...skip, name: 'a..b' }])).toEqual([400, 'choices.0.name']);
    expect(await zoneRows(t)).toEqual(before);
    // A choice for records without a conflict is allowed.
    const validChoices = [skip, { name: '_dmarc', type: 'TXT', way: 'merge' }];
    expect((await apply(id, { template_id: 'no-mail', choices: validChoices })).status).toBe(200);
    expect(await recordsAt(t, id, 'choosy-shop.com.', 'MX')).toEqual(['10 mail.example.net.']);
  });

  test('refuses an address as a host value', async () => {
    const id = await makeDomain(t);
    const at = (value: string) =>
      apply(id, { template_id: 'microsoft-365', values: [{ name: 'mail_host', value }], dry_run: true });
    for (const value of ['192.0.2.1', '192.0.2.1.', 'mail.1', '2001:db8::1']) {
      const refused = await at(value);
      expect([refused.status, refused.body.errors?.[0].field], value).toEqual([400, 'values.0.value']);
    }
    expect((await at('1.mail.example.net')).status).toBe(200);
  });

  test('refuses a template that would grow too large before it is filled in', async () => {
    const variables = [{ name: 't', kind: 'text', about: '' }];
    const save = (records: string[], names = 1) =>
      t.call('POST', '/v1/zone_templates', {
        json: {
          name: 'grows',
          variables,
          rrsets: Array.from({ length: names }, (_, at) => ({ name: `n${at}`, type: 'TXT', records })),
        },
      });
    for (const [records, names, field] of [
      [[`"${'{t}'.repeat(3_000)}"`], 100, 'rrsets.0.records.0'],
      [[`"${'{t}'.repeat(201)}"`], 1, 'rrsets'],
      [
        [`"${'a'.repeat(200)} {t}"`, ...Array.from({ length: 7 }, (_, n) => `"${String(n).repeat(250)}"`)],
        100,
        'rrsets',
      ],
    ] as const) {
      const refused = await save([...records], names);
      expect([refused.status, refused.body.errors?.[0]?.field]).toEqual([400, field]);
    }
  });

  test('validates values by their kinds, and refuses a stale serial', async () => {
    const id = await makeDomain(t);
    // Without a zone, the serial of a dry run matches as long as there is none.
    const looked = await apply(id, { template_id: 'no-mail', dry_run: true });
    expect(looked.headers.get('etag')).toBe('"0"');
    expect((await apply(id, { template_id: 'parked', values: [{ name: 'ip', value: '192.0.2.9' }] })).status).toBe(200);
    expect((await apply(id, { template_id: 'no-mail' }, { 'If-Match': '"0"' })).status).toBe(412);
    const { body } = await save();
    const at = (given: object[]) => apply(id, { template_id: body.template_id, values: given, on_conflict: 'replace' });
    const [ip, key] = values;
    for (const [given, field] of [
      [[ip], 'values'],
      [[ip, key, { name: 'x', value: '1' }], 'values.2.name'],
      [[ip, ip, key], 'values.1.name'],
      [[{ name: 'ip', value: '{domain}' }, key], 'values.0.value'],
      [[ip, { name: 'key', value: 'a" "b' }], 'values.1.value'],
      [[ip, { name: 'key', value: 'a\\"' }], 'values.1.value'],
    ] as const) {
      const refused = await at([...given] as object[]);
      expect(refused).toMatchObject({ status: 400, body: { errors: [{ field }] } });
    }
    // Placeholders inside a value are not filled in.
    expect((await at([ip!, { name: 'key', value: '{domain}' }])).status).toBe(200);
    const [zone] = [await zoneOf(t, id)];
    expect(zone!.rrsets.find((set) => set.name.startsWith('s1.'))!.records).toEqual(['"v=DKIM1; p={domain}"']);
    const order = { template_id: 'no-mail', on_conflict: 'merge' };
    expect((await apply(id, order, { 'If-Match': '"1"' })).status).toBe(412);
    expect((await apply(id, { ...order, template_version: 7 })).status).toBe(412);
    Object.assign(order, { template_version: (await apply(id, { ...order, dry_run: true })).body.template_version });
    const headers = { 'Idempotency-Key': 'apply-once', 'If-Match': `"${zone!.serial}"` };
    const [first, again] = [await apply(id, order, headers), await apply(id, order, headers)];
    expect(first.status).toBe(200);
    expect(again.body).toEqual(first.body);
  });

  test('keeps records of a service and reports them', async () => {
    const id = await makeDomain(t, 'kept-shop.com');
    await patch(t, id, [{ name: 'www', type: 'A', records: ['192.0.2.9'] }]);
    await t.ctx.db.transaction(allTenants, (tx) =>
      tx.run(sql`update zone_rrset set managed_by = 'url_forwarding' where name = 'www.kept-shop.com.'`),
    );
    const applied = await apply(id, {
      template_id: 'website',
      values: [{ name: 'ip', value: '192.0.2.80' }],
      on_conflict: 'replace',
    });
    expect(applied.status).toBe(200);
    expect(await recordsAt(t, id, 'www.kept-shop.com.', 'A')).toEqual(['192.0.2.9']);
    expect(applied.body.warnings.map((each: { name: string }) => each.name)).toContain('www.kept-shop.com.');
  });

  test("refuses another account's template, and a key without the scope", async () => {
    const { body } = await save();
    const as = await makeReseller(t);
    expect((await t.call('GET', `/v1/zone_templates/${body.template_id}`, { as })).status).toBe(404);
    const reader = await keyFor(t, '1000', ['dns:read']);
    expect((await t.call('GET', '/v1/zone_templates', { as: reader })).status).toBe(200);
    expect((await save({}, { as: reader })).body.code).toBe('scope_missing');
  });
});

describe('templates shared with the accounts below', () => {
  const list = async (as: string) =>
    ((await t.call('GET', '/v1/zone_templates', { as })).body as { template_id: string; whose: string; name: string }[])
      .filter(({ whose }) => whose !== 'built_in')
      .map(({ template_id, whose }) => [template_id, whose]);
  const plain = { variables: [], rrsets: [{ name: 'shared', type: 'A', records: ['192.0.2.44'] }] };

  test('are visible and usable below, marked, changed only by the owner, and hidden from others', async () => {
    const top = await makeReseller(t);
    const [middle, beside] = [await makeReseller(t, top), await makeReseller(t, top)];
    const below = await makeReseller(t, middle);
    const name = 'Company style';
    const idOf = async (as: string, json: object = {}) => {
      const made = await save({ ...plain, name, is_shared: true, ...json }, { as });
      expect(made).toMatchObject({ status: 200, body: { whose: 'own', is_shared: json !== secret } });
      return made.body.template_id as string;
    };
    const secret = { name: 'Secret', is_shared: undefined };
    const ofTop = await idOf(top);
    const hidden = await idOf(top, secret);
    const ofMiddle = await idOf(middle);
    // The same name in three accounts: the own one first, each with its mark.
    const ofBelow = await idOf(below);
    expect(await list(below)).toEqual([
      [ofBelow, 'own'],
      [ofMiddle, 'parent'],
      [ofTop, 'above'],
    ]);
    expect(await list(beside)).toEqual([[ofTop, 'parent']]);
    expect(await list(middle)).toEqual([
      [ofMiddle, 'own'],
      [ofTop, 'parent'],
    ]);
    expect(await list(await makeReseller(t))).toEqual([]);
    const read = (id: string, as: string) => t.call('GET', `/v1/zone_templates/${id}`, { as });
    const seen = await read(ofTop, below);
    expect(seen.body).toMatchObject({ whose: 'above', is_shared: true, rrsets: [{ name: 'shared' }] });
    expect(seen.text).not.toContain(top.split(':')[0]);
    for (const [id, as] of [
      [hidden, below],
      [hidden, middle],
      [ofMiddle, beside],
      [ofMiddle, top],
      [ofBelow, middle],
    ] as const)
      expect((await read(id, as)).status).toBe(404);
    const before = await rows();
    const headers = { 'If-Match': '*' };
    const change = (id: string, as: string) =>
      t.call('PUT', `/v1/zone_templates/${id}`, { json: { ...plain, name: 'Mine' }, headers, as });
    const remove = (id: string, as: string) => t.call('DELETE', `/v1/zone_templates/${id}`, { as });
    expect([(await change(ofTop, below)).status, (await remove(ofTop, below)).status]).toEqual([409, 409]);
    expect([(await change(hidden, below)).status, (await remove(hidden, below)).status]).toEqual([404, 404]);
    expect([(await change(ofBelow, top)).status, (await remove(ofBelow, top)).status]).toEqual([404, 404]);
    expect(await rows()).toEqual(before);
    // Fields that are left out of a change stay; when it is no longer shared, it is not visible below.
    const put = (json: object) =>
      t.call('PUT', `/v1/zone_templates/${ofTop}`, { json: { ...plain, name, ...json }, headers, as: top });
    expect((await put({})).body).toMatchObject({ version: 2, is_shared: true });
    expect((await put({ is_shared: false })).body).toMatchObject({ version: 3, is_shared: false });
    expect((await read(ofTop, below)).status).toBe(404);
    expect(await list(beside)).toEqual([]);
  });

  test('are applied by an account below like its own', async () => {
    const id = await makeDomain(t, 'inherits-shop.com');
    const made = await save({ ...plain, name: 'From the operator', is_shared: true }, { as: t.operator });
    const applied = await apply(id, { template_id: made.body.template_id });
    expect(applied).toMatchObject({ status: 200, body: { is_changed: true, template_version: 1 } });
    expect(await recordsAt(t, id, 'shared.inherits-shop.com.', 'A')).toEqual(['192.0.2.44']);
    await t.call('DELETE', `/v1/zone_templates/${made.body.template_id}`, { as: t.operator });
    const before = await zoneRows(t);
    expect((await apply(id, { template_id: made.body.template_id })).status).toBe(404);
    expect(await zoneRows(t)).toEqual(before);
  });
});

describe('the template for new zones', () => {
  const setting = '/v1/account/zone_template';
  const choose = (json: object, more: object = {}) => t.call('PUT', setting, { json, ...more });
  const none = { template_id: null, name: null, values: [], problem: null };
  const audits = () => countRows(t, 'audit', sql`action = 'account.zone_template'`);

  test('is absent at first, and is set, read and removed, each once', async () => {
    const as = await makeReseller(t);
    const read = () => t.call('GET', setting, { as });
    expect((await read()).body).toEqual(none);
    const before = await audits();
    const headers = { 'Idempotency-Key': 'default-once' };
    const order = { template_id: 'website', values: [{ name: 'ip', value: '192.0.2.1' }] };
    const [first, again] = [await choose(order, { as, headers }), await choose(order, { as, headers })];
    expect(first.body).toEqual({ ...order, name: 'Website at an address', problem: null });
    expect(again.body).toEqual(first.body);
    expect((await read()).body).toEqual(first.body);
    expect((await choose({ template_id: 'no-mail' }, { as })).status).toBe(200);
    expect((await read()).body).toMatchObject({ template_id: 'no-mail', values: [] });
    expect((await t.call('GET', setting)).body).toEqual(none);
    expect((await t.call('DELETE', setting, { as })).body).toEqual(none);
    expect((await read()).body).toEqual(none);
    expect(await audits()).toBe(before + 3);
  });

  test('refuses invalid values with their field, and a template that the account cannot use', async () => {
    const before = await audits();
    const refused = await choose({ template_id: 'website', values: [{ name: 'ip', value: 'nix' }] });
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ field: 'values.0.value' }] } });
    expect((await choose({ template_id: 'website' })).body.errors[0].field).toBe('values');
    const as = await makeReseller(t);
    const { body } = await save({}, { as });
    expect((await choose({ template_id: body.template_id, values })).status).toBe(404);
    const reader = await keyFor(t, '1000', ['dns:read']);
    expect((await choose({ template_id: 'no-mail' }, { as: reader })).body.code).toBe('scope_missing');
    expect((await t.call('GET', setting, { as: reader })).body).toEqual(none);
    expect(await audits()).toBe(before);
  });
});

describe('built-in templates', () => {
  test.each(builtInTemplates.map((template) => [template.id, template] as const))(
    '%s can be applied',
    async (id, template) => {
      checkTemplate(template);
      expect(template.source).toMatch(/^https:\/\//);
      const domain = await makeDomain(t);
      const given = template.variables.map(({ name, kind }) => ({ name, value: sampleValues[kind] }));
      const applied = await apply(domain, { template_id: id, values: given, on_conflict: 'replace' });
      expect(applied).toMatchObject({ status: 200, body: { template_id: id, warnings: [] } });
      expect(await zoneOf(t, domain)).toBeDefined();
    },
  );

  test('cannot be changed by any account', async () => {
    const json = { ...shop, name: 'Mine' };
    const headers = { 'If-Match': '*' };
    expect((await t.call('PUT', '/v1/zone_templates/no-mail', { json, headers })).status).toBe(409);
    expect((await t.call('DELETE', '/v1/zone_templates/no-mail')).status).toBe(409);
  });

  test('refuse mail in every way that receivers know in the no-mail template', async () => {
    const id = await makeDomain(t, 'silent-shop.com');
    await apply(id, { template_id: 'no-mail', on_conflict: 'replace' });
    expect(await recordsAt(t, id, 'silent-shop.com.', 'MX')).toEqual(['0 .']);
    expect(await recordsAt(t, id, 'silent-shop.com.', 'TXT')).toEqual(['"v=spf1 -all"']);
    expect(await recordsAt(t, id, '_dmarc.silent-shop.com.', 'TXT')).toEqual(['"v=DMARC1; p=reject; adkim=s; aspf=s"']);
  });
});
