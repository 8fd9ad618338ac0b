import { allTenants, sql } from '@namehold/postgres';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { insertDomainRow } from '../../../../test/support/domain-row.ts';
import { makeCustomer } from '../../../../test/support/parties.ts';
import { makeReseller } from '../../../../test/support/resellers.ts';
import { type Called, startTestService, type TestService } from '../../../../test/support/service.ts';
import { ownNameservers } from '../../src/core/zones/life/template.ts';
import { makeDomain, patch, recordsAt, zoneOf } from '../zones/support.ts';

let t: TestService;
beforeAll(async () => {
  t = await startTestService({
    env: {
      NAMEHOLD_REDIRECT_ADDRESS: '198.51.100.80,2001:db8::80',
      NAMEHOLD_PARKING_ADDRESS: '203.0.113.9',
      NAMEHOLD_REDIRECT_DENY: 'bad.example',
    },
  });
});
afterAll(() => t.stop());

const simple = (id: string, form: Record<string, string>) =>
  t.call('PUT', `/v1/domains/${id}/domain_forwarding`, { form });
const rules = (method: string, id: string, json: object, headers: Record<string, string> = { 'If-Match': '*' }) =>
  t.call(method, `/v1/domains/${id}/forwarding`, { json, headers });
const must = (called: Called): Called => {
  expect(called.status, called.text).toBe(200);
  return called;
};
const edge = { A: ['198.51.100.80'], AAAA: ['2001:db8::80'] };
const addresses = async (id: string, name: string) => ({
  A: await recordsAt(t, id, name, 'A'),
  AAAA: await recordsAt(t, id, name, 'AAAA'),
});
const rulesOf = async (id: string): Promise<{ host: string; target: string; path_mode: string }[]> =>
  (await t.call('GET', `/v1/domains/${id}/forwarding`)).body.rules;
const eventsOf = (id: string) =>
  t.ctx.db
    .as(allTenants)
    .many<{ type: string; payload: object }>(
      sql`select type, payload from event where object_id = ${id} and type like 'forwarding.%' order by number`,
    );

describe('the domain_forwarding call of the contract', () => {
  test('returns every field when empty, changes single fields, and ends forwarding for an empty address', async () => {
    const id = await makeDomain(t, 'simple.com');
    const none = {
      url_dest: '',
      is_url_masking: '0',
      is_subdomain_fwd: '0',
      is_path_fwd: '0',
      meta_tags: '',
      no_frames_content: '',
    };
    expect((await t.call('GET', `/v1/domains/${id}/domain_forwarding`)).body).toEqual(none);
    const set = must(await simple(id, { forward_to: 'https://Shop.Example/a', path_forwarding: '1' }));
    expect(set.body).toEqual({ ...none, url_dest: 'https://shop.example/a', is_path_fwd: '1' });
    expect(must(await simple(id, { subdomain_forwarding: 'true' })).body).toEqual({
      ...set.body,
      is_subdomain_fwd: '1',
    });
    const detail = must(await t.call('GET', `/v1/domains/${id}`, { query: { fields: 'domain_forwarding' } }));
    expect(detail.body).toEqual({ ...set.body, is_subdomain_fwd: '1' });
    const { body } = await t.call('GET', `/v1/domains/${id}/forwarding`);
    expect(body.rules.map((rule: { host: string; target: string }) => [rule.host, rule.target])).toEqual([
      ['@', 'https://shop.example/a'],
      ['www', 'https://shop.example/a'],
      ['*', 'https://shop.example/a/{sub}'],
    ]);
    for (const name of ['simple.com.', 'www.simple.com.', '*.simple.com.'])
      expect(await addresses(id, name), name).toEqual(edge);
    expect(must(await simple(id, { forward_to: '' })).body).toEqual(none);
    expect((await eventsOf(id)).map(({ type }) => type)).toEqual([
      'forwarding.changed',
      'forwarding.changed',
      'forwarding.ended',
    ]);
    expect(await recordsAt(t, id, '*.simple.com.', 'A')).toEqual([]);
    // The parking page was replaced without confirmation, and is restored.
    expect(await addresses(id, 'www.simple.com.')).toEqual({ A: ['203.0.113.9'], AAAA: [] });
  });

  test('names the missing field for a flag without a target', async () => {
    const id = await makeDomain(t);
    const called = await simple(id, { path_forwarding: '1' });
    expect(called.body).toMatchObject({ errors: [{ field: 'forward_to', code: 'required' }] });
    expect(await zoneOf(t, id)).toBeUndefined();
  });

  test('keeps rules of other hosts and paths', async () => {
    const id = await makeDomain(t);
    must(await rules('PUT', id, { rules: [{ host: 'docs', path: '/old', target: 'https://docs.example/' }] }));
    must(await simple(id, { forward_to: 'https://shop.example/' }));
    must(await simple(id, { forward_to: '' }));
    const { body } = await t.call('GET', `/v1/domains/${id}/forwarding`);
    expect(body.rules).toMatchObject([{ host: 'docs', path: '/old', state: 'waiting_dns' }]);
  });

  const targetsOf = async (id: string) => (await rulesOf(id)).map(({ host, target }) => `${host} ${target}`);

  test('excludes rules of www and * with other targets, and changes nothing for an unchanged form', async () => {
    const id = await makeDomain(t);
    const own = [
      { host: '*', target: 'https://star.example/x' },
      { host: 'www', target: 'https://b.example/', code: 307, hsts: true },
      { host: '@', target: 'https://a.example/', path_mode: 'append', query_mode: 'merge', code: 302 },
    ];
    must(await rules('PUT', id, { rules: own }));
    const before = await rulesOf(id);
    const form = { url_masking: '0', subdomain_forwarding: '0', meta_tags: '', no_frames_content: '' };
    const whole = { forward_to: 'https://a.example/', path_forwarding: '1', ...form };
    for (const sent of [{ meta_tags: '' }, { path_forwarding: '1' }, whole]) must(await simple(id, sent));
    expect(await rulesOf(id)).toEqual(before);
    expect((await t.call('GET', `/v1/domains/${id}/forwarding`)).body.version).toBe(1);
    must(await simple(id, { ...whole, forward_to: 'https://n.example/', path_forwarding: '0' }));
    const [star, www, main] = await rulesOf(id);
    expect([star, www]).toEqual(before.slice(0, 2));
    expect(main).toMatchObject({ target: 'https://n.example/', path_mode: 'drop', query_mode: 'drop', code: 302 });
    // Once `*` is set in this call, it belongs to the view and ends with it.
    expect(must(await simple(id, { subdomain_forwarding: '1' })).body).toMatchObject({ is_subdomain_fwd: '1' });
    expect((await targetsOf(id))[0]).toBe('* https://n.example/{sub}');
    must(await simple(id, { forward_to: '' }));
    expect(await targetsOf(id)).toEqual(['www https://b.example/']);
    must(await simple(id, { forward_to: 'https://n.example/' }));
    expect(await targetsOf(id)).toEqual(['www https://b.example/', '@ https://n.example/']);
  });

  test('applies a new target to www and * with the same target, and keeps their code and HSTS', async () => {
    const id = await makeDomain(t, 'follow.com');
    must(await simple(id, { forward_to: 'https://a.example/', path_forwarding: '1', subdomain_forwarding: '1' }));
    must(await rules('PATCH', id, { rules: [{ host: 'www', code: 302, hsts: true, query_mode: 'merge' }] }, {}));
    must(await simple(id, { forward_to: 'https://b.example/x', path_forwarding: '1', subdomain_forwarding: '1' }));
    expect(await rulesOf(id)).toMatchObject([
      { host: '@', target: 'https://b.example/x', path_mode: 'append', code: 301 },
      { host: 'www', target: 'https://b.example/x', code: 302, hsts: true, query_mode: 'merge' },
      { host: '*', target: 'https://b.example/x/{sub}', path_mode: 'append' },
    ]);
    must(await simple(id, { path_forwarding: '0', subdomain_forwarding: '0' }));
    expect((await rulesOf(id)).map(({ host, path_mode }) => `${host} ${path_mode}`)).toEqual(['@ drop', 'www drop']);
    // A form sent unchanged neither restores records that the owner replaced nor ends disabled forwarding.
    must(await patch(t, id, [{ name: 'www', type: 'A', records: ['192.0.2.7'] }], { body: { take_over: true } }));
    must(await simple(id, { forward_to: 'https://c.example/' }));
    expect(await targetsOf(id)).toEqual(['@ https://c.example/']);
    must(await rules('PATCH', id, { rules: [{ host: '@', enabled: false }] }, {}));
    must(await simple(id, { forward_to: '' }));
    expect(await targetsOf(id)).toEqual(['@ https://c.example/']);
  });

  test('keeps title, meta tags and text of a masked page, and reports dropped scripts and handlers', async () => {
    const id = await makeDomain(t);
    const set = must(
      await simple(id, {
        forward_to: 'https://shop.example/',
        url_masking: '1',
        meta_tags:
          '<title>Tea & "more"</title><meta name="Description" content="a&quot;b" onload="x()"><script>alert(1)</script><meta http-equiv="refresh" content="0">',
        no_frames_content:
          '<p onclick="x()">Go <a href="https://shop.example/?a=1&b=2">there</a><a href="javascript:x()">no</a><script>x()</script><img src=x>',
      }),
    );
    expect(set.body.meta_tags).toBe(
      '<title>Tea &#38; &#34;more&#34;</title>\n<meta name="description" content="a&#34;b">',
    );
    expect(set.body.no_frames_content).toBe('<p>Go <a href="https://shop.example/?a=1&#38;b=2">there</a>no</p>');
    expect(set.body.warnings).toEqual([
      'meta_tags: left out: attribute onload, <script>, <meta http-equiv>',
      'no_frames_content: left out: attributes, a link that is not http or https, <script>, <img>',
    ]);
  });
});

describe('records of the owner at forwarded names', () => {
  test('are listed and kept unless replacement is requested, and return when forwarding ends', async () => {
    const id = await makeDomain(t, 'owned.com');
    await patch(t, id, [
      { name: '@', type: 'A', ttl: 600, records: ['192.0.2.1', '192.0.2.2'] },
      { name: '@', type: 'MX', records: ['10 mail.example.net.'] },
      { name: 'www', type: 'AAAA', action: 'add', records: ['2001:db8::1'] },
      { name: 'www', type: 'A', action: 'delete' },
      { name: 'blog', type: 'CNAME', records: ['blog.example.net.'] },
    ]);
    const before = await zoneOf(t, id);
    const json = { rules: ['@', 'www', 'blog'].map((host) => ({ host, target: 'https://shop.example/' })) };
    const refused = await rules('PUT', id, json);
    expect(refused.status).toBe(409);
    expect(refused.body).toMatchObject({ code: 'conflict' });
    expect(refused.body.records.map(({ name, type }: { name: string; type: string }) => `${name} ${type}`)).toEqual([
      'owned.com. A',
      'www.owned.com. AAAA',
      'blog.owned.com. CNAME',
    ]);
    expect(await zoneOf(t, id)).toEqual(before);
    const dry = must(await rules('PUT', id, { ...json, replace_records: true, dry_run: true }));
    expect(dry.body).toMatchObject({ dry_run: true, version: 0 });
    expect(dry.body.dns.displaced).toHaveLength(3);
    expect(await zoneOf(t, id)).toEqual(before);
    const set = must(await rules('PUT', id, { ...json, replace_records: true }));
    expect(set.body.dns.displaced).toHaveLength(3);
    expect(await addresses(id, 'blog.owned.com.')).toEqual(edge);
    expect(await recordsAt(t, id, 'owned.com.', 'MX')).toEqual(['10 mail.example.net.']);
    // By domain name, one at a time.
    must(await rules('PATCH', id, { rules: [{ host: 'blog', action: 'delete' }] }, {}));
    expect(await recordsAt(t, id, 'blog.owned.com.', 'CNAME')).toEqual(['blog.example.net.']);
    expect(await addresses(id, 'owned.com.')).toEqual(edge);
    must(await rules('PUT', id, { rules: [] }));
    expect((await zoneOf(t, id))!.rrsets).toEqual(before!.rrsets);
    expect((await t.call('GET', `/v1/domains/${id}/forwarding`)).body.dns.displaced).toEqual([]);
  });

  test('are not restored if a CNAME would stand beside other records, which is reported', async () => {
    const id = await makeDomain(t, 'grown.com');
    await patch(t, id, [{ name: 'blog', type: 'CNAME', records: ['blog.example.net.'] }]);
    must(await rules('PUT', id, { rules: [{ host: 'blog', target: 'https://x.example/' }], replace_records: true }));
    must(await patch(t, id, [{ name: 'blog', type: 'TXT', records: ['hello'] }]));
    const ended = must(await rules('PUT', id, { rules: [] }));
    expect(ended.body.warnings.join()).toContain('blog.example.net.');
    expect(await recordsAt(t, id, 'blog.grown.com.', 'TXT')).toEqual(['"hello"']);
    expect(await recordsAt(t, id, 'blog.grown.com.', 'A')).toEqual([]);
  });

  test('cannot be changed by any call, except with take_over, which ends forwarding there', async () => {
    const id = await makeDomain(t, 'kept.com');
    must(await simple(id, { forward_to: 'https://shop.example/' }));
    const before = await zoneOf(t, id);
    const tries = [
      patch(t, id, [{ name: 'www', type: 'A', records: ['192.0.2.7'] }]),
      patch(t, id, [{ name: 'www', type: 'AAAA', action: 'delete' }]),
      patch(t, id, [{ name: '@', type: 'HTTPS', records: ['1 . alpn=h2'] }]),
      t.call('POST', `/v1/domains/${id}/dns/ip`, { form: { hostname: 'www', value: '192.0.2.7' } }),
      t.call('DELETE', `/v1/domains/${id}/dns/ip/www/198.51.100.80`),
      patch(t, id, [
        { name: 'other', type: 'A', records: ['192.0.2.7'] },
        { name: 'www', type: 'A', records: ['192.0.2.7'] },
      ]),
    ];
    for (const called of await Promise.all(tries)) {
      expect(called.status, called.text).toBe(409);
      expect(called.body).toMatchObject({ code: 'managed_record', service: 'url_forwarding' });
    }
    expect(await zoneOf(t, id)).toEqual(before);
    expect(before!.rrsets.find(({ name, type }) => name === 'www.kept.com.' && type === 'A')).toMatchObject({
      managed_by: 'url_forwarding',
    });
    must(await patch(t, id, [{ name: 'other', type: 'A', records: ['192.0.2.7'] }]));
    const taken = must(
      await patch(t, id, [{ name: 'www', type: 'A', action: 'add', records: ['192.0.2.7'] }], {
        body: { take_over: true },
      }),
    );
    expect(taken.body.warnings.map(({ reason }: { reason: string }) => reason).join()).toContain('203.0.113.9');
    expect(await addresses(id, 'www.kept.com.')).toEqual({ A: ['192.0.2.7'], AAAA: [] });
    expect(await addresses(id, 'kept.com.')).toEqual(edge);
    const { body } = await t.call('GET', `/v1/domains/${id}/forwarding`);
    expect(body.rules.map(({ host }: { host: string }) => host)).toEqual(['@']);
    must(await patch(t, id, [{ name: '@', type: 'AAAA', action: 'delete' }], { body: { take_over: true } }));
    expect((await eventsOf(id)).at(-1)).toMatchObject({ type: 'forwarding.ended', payload: { cause: 'taken_over' } });
  });

  test('are skipped and reported when a zone is written, imported or rolled back', async () => {
    const id = await makeDomain(t, 'whole.com');
    const first = must(await patch(t, id, [{ name: 'www', type: 'A', records: ['192.0.2.1'] }]));
    const second = must(await patch(t, id, [{ name: 'www', type: 'A', records: ['192.0.2.2'] }]));
    must(
      await rules('PUT', id, {
        rules: [{ host: 'www', target: 'https://shop.example/' }],
        replace_records: true,
      }),
    );
    const on = (await zoneOf(t, id))!.serial;
    const kept = async () => expect(await addresses(id, 'www.whole.com.')).toEqual(edge);
    const warned = (called: Called) =>
      expect(JSON.stringify(must(called).body.warnings)).toContain('URL forwarding manages the addresses');
    warned(
      await t.call('PUT', `/v1/domains/${id}/zone/rrsets`, {
        json: {
          rrsets: [
            { name: 'www', type: 'CNAME', records: ['elsewhere.example.'] },
            { name: 'mail', type: 'A', records: ['192.0.2.3'] },
          ],
        },
        headers: { 'If-Match': '*' },
      }),
    );
    await kept();
    expect(await recordsAt(t, id, 'mail.whole.com.', 'A')).toEqual(['192.0.2.3']);
    const { text: file } = await t.call('GET', `/v1/domains/${id}/zone/file`);
    expect(file).toMatch(/^www\s.*A\s+198\.51\.100\.80$/m);
    const same = await t.call('PUT', `/v1/domains/${id}/zone/file`, {
      raw: { type: 'text/dns', body: file },
      headers: { 'If-Match': '*' },
    });
    expect(must(same).body.is_changed).toBe(false);
    const back = (serial: number) => t.call('POST', `/v1/domains/${id}/zone/rollback`, { json: { serial } });
    warned(await back(first.body.serial));
    await kept();
    must(await rules('PUT', id, { rules: [] }));
    expect(await addresses(id, 'www.whole.com.')).toEqual({ A: ['192.0.2.2'], AAAA: [] });
    // A roll-back to the time of forwarding: our records do not return as the owner's.
    must(await back(on));
    expect(await addresses(id, 'www.whole.com.')).toEqual({ A: ['192.0.2.2'], AAAA: [] });
    must(await back(first.body.serial));
    expect(await addresses(id, 'www.whole.com.')).toEqual({ A: ['192.0.2.1'], AAAA: [] });
    expect(second.status).toBe(200);
  });

  test('return to the zone after its deletion and roll-back, and the deletion ends forwarding', async () => {
    const id = await makeDomain(t, 'gone.com');
    must(await patch(t, id, [{ name: 'www', type: 'A', records: ['192.0.2.1'] }]));
    must(await simple(id, { forward_to: 'https://shop.example/', replace_records: 'true' }));
    must(await t.call('DELETE', `/v1/domains/${id}/zone`, { query: { confirm: 'true' } }));
    expect((await t.call('GET', `/v1/domains/${id}/domain_forwarding`)).body.url_dest).toBe('');
    expect((await eventsOf(id)).at(-1)).toMatchObject({ payload: { cause: 'zone_deleted' } });
    const { body: history } = await t.call('GET', `/v1/domains/${id}/zone/history`);
    must(await t.call('POST', `/v1/domains/${id}/zone/rollback`, { json: { serial: history[0].serial } }));
    expect(await addresses(id, 'www.gone.com.')).toEqual({ A: ['192.0.2.1'], AAAA: [] });
  });
});

describe('forwarding rules', () => {
  test('are protected by row-level security', async () => {
    const id = await makeDomain(t, 'wall.com');
    await patch(t, id, [{ name: 'www', type: 'A', records: ['192.0.2.1'] }]);
    must(await simple(id, { forward_to: 'https://shop.example/', replace_records: '1' }));
    const otherReseller = (await makeReseller(t)).split(':')[0]!;
    for (const table of ['forwarding', 'displaced_rrset'] as const) {
      const count = (tenant: string) =>
        t.ctx.db.as(tenant).one<{ n: number }>(sql`select count(*)::integer as n from ${sql.raw(table)}`);
      expect((await count('1000')).n, table).toBeGreaterThan(0);
      expect((await count(otherReseller)).n, table).toBe(0);
    }
  });

  test('are replaced only with If-Match, and not with an old version', async () => {
    const id = await makeDomain(t);
    const json = { rules: [{ host: 'www', target: 'https://shop.example/' }] };
    expect((await rules('PUT', id, json, {})).status).toBe(428);
    const made = must(await rules('PUT', id, json, { 'If-Match': '"0"' }));
    expect(made.headers.get('etag')).toBe('"1"');
    expect(made.body).toMatchObject({ version: 1, dns: { state: 'elsewhere' }, schemes: ['http'] });
    expect((await rules('PUT', id, { rules: [] }, { 'If-Match': '"0"' })).status).toBe(412);
    expect(must(await rules('PUT', id, json)).body.version).toBe(1);
    const changed = must(await rules('PATCH', id, { rules: [{ host: 'www', code: 302 }] }, { 'If-Match': '"1"' }));
    expect(changed.body.rules).toMatchObject([{ code: 302, target: 'https://shop.example/' }]);
    const off = must(await rules('PATCH', id, { rules: [{ host: 'www', enabled: false }] }, {}));
    expect(off.body.rules).toMatchObject([{ state: 'off' }]);
    expect(off.body.dns.records).toEqual([]);
    expect((await rules('PATCH', id, { rules: [{ host: 'ftp', action: 'delete' }] }, {})).body).toMatchObject({
      errors: [{ field: 'rules.0.host', code: 'not_found' }],
    });
  });

  test('are all stored when different hosts are changed concurrently', async () => {
    const id = await makeDomain(t);
    const hosts = Array.from({ length: 5 }, (_, at) => `h${at}`);
    const all = await Promise.all(
      hosts.map((host) => rules('PATCH', id, { rules: [{ host, target: 'https://shop.example/' }] }, {})),
    );
    const done = all.filter((called) => called.status === 200).length;
    const { body } = await t.call('GET', `/v1/domains/${id}/forwarding`);
    expect(body.rules).toHaveLength(done);
    expect(body.version).toBe(done);
    expect(all.filter((called) => called.status !== 200).map((called) => called.body.code)).toEqual(
      Array(hosts.length - done).fill('conflict'),
    );
  });

  test('are refused for one of two domains that target each other concurrently', async () => {
    for (let pair = 0; pair < 5; pair++) {
      const names = [`left${pair}.com`, `right${pair}.com`];
      const ids = await Promise.all(names.map((name) => makeDomain(t, name)));
      const setTarget = (at: number) =>
        rules('PATCH', ids[at]!, { rules: [{ host: '@', target: `https://${names[1 - at]}/` }] }, {});
      const both = await Promise.all([setTarget(0), setTarget(1)]);
      expect(both.map((called) => called.status).sort(), names[0]).toEqual([200, 400]);
      expect(both.find((called) => called.status === 400)!.body.errors[0].code).toBe('loop');
    }
  });

  test('are refused when they form a loop through other spellings, domains or resellers', async () => {
    const id = await makeDomain(t, 'xn--mnchen-3ya.com');
    const one = (host: string, target: string) => rules('PATCH', id, { rules: [{ host, target }] }, {});
    for (const target of [
      'https://XN--MNCHEN-3YA.com/',
      'http://münchen.com/',
      'https://münchen.com:8443/',
      'http://xn--mnchen-3ya.com./',
    ])
      expect((await one('@', target)).body, target).toMatchObject({
        errors: [{ field: 'rules.0.target', code: 'loop' }],
      });
    expect((await simple(id, { forward_to: 'https://www.münchen.com/x', path_forwarding: '1' })).body).toMatchObject({
      errors: [{ field: 'forward_to', code: 'loop' }],
    });
    must(await one('www', 'https://münchen.com/'));
    const otherReseller = await makeReseller(t);
    const theirs = await insertDomainRow(t, {
      resellerId: otherReseller.split(':')[0]!,
      customerId: await makeCustomer(t, otherReseller),
      name: 'theirs.com',
    });
    const between = await t.call('PUT', `/v1/domains/${theirs}/domain_forwarding`, {
      form: { forward_to: 'https://www.xn--mnchen-3ya.com/' },
      as: otherReseller,
    });
    must(between);
    const back = await one('@', 'https://theirs.com/');
    expect(back.body.errors[0].message).toContain('redirect loop');
    expect(back.text).not.toContain(theirs);
    // A loop of three domains.
    const [one_, two, three] = await Promise.all(
      ['ring1.com', 'ring2.com', 'ring3.com'].map((name) => makeDomain(t, name)),
    );
    const setTarget = (from: string, to: string) =>
      rules('PATCH', from, { rules: [{ host: '@', target: `https://${to}/`, path_mode: 'append' }] }, {});
    must(await setTarget(one_!, 'RING2.com'));
    must(await setTarget(two!, 'ring3.com.'));
    expect((await setTarget(three!, 'ring1.com')).body.errors).toMatchObject([
      { field: 'rules.0.target', code: 'loop' },
    ]);
    // A chain through other domains without a loop is accepted.
    must(await one('shop', 'https://theirs.com/'));
  });

  test('can be changed beside a rule whose chain became too long by changes of others', async () => {
    const [id, chain] = [await makeDomain(t, 'before.com'), await makeDomain(t, 'chain.com')];
    const edit = (of: string, list: object[]) => rules('PATCH', of, { rules: list }, {});
    const link = (from: string, to: string) => ({ host: from, target: `https://${to}/` });
    must(await edit(id, [link('@', 'chain.com')]));
    const links = Array.from({ length: 9 }, (_, at) => link(`c${at + 1}`, `c${at + 2}.chain.com`));
    must(await edit(chain, [link('@', 'c1.chain.com'), ...links.slice(0, 8), link('c9', 'end.example')]));
    must(await edit(chain, [links[8]!, link('c10', 'end.example')]));
    must(await edit(id, [link('zz', 'other.example')]));
    const touched = await edit(id, [
      { host: 'zz', action: 'delete' },
      { host: '@', code: 302 },
    ]);
    expect(touched.body.errors).toMatchObject([{ field: 'rules.1.target', code: 'loop' }]);
    must(await edit(id, [{ host: 'zz', action: 'delete' }]));
    // A rule that interrupts a loop cannot be removed.
    must(await edit(id, [link('a', 'b.before.com'), link('*', 'a.before.com'), link('b', 'x.example')]));
    const shown = await edit(id, [{ host: 'b', action: 'delete' }]);
    expect(shown.body.errors).toMatchObject([{ field: 'rules', code: 'loop' }]);
  });

  test('keep characters of a path in the form that browsers send', async () => {
    const id = await makeDomain(t);
    const paths = ['/\u00c4', '/\u00e9 b', '/\u65e5', '/ol%64'];
    const made = must(
      await rules('PUT', id, { rules: paths.map((path) => ({ host: '@', path, target: 'https://x.example/' })) }),
    );
    const kept = ['/%C3%84', '/%C3%A9%20b', '/%E6%97%A5', '/old'];
    expect(made.body.rules.map(({ path }: { path: string }) => path)).toEqual(kept);
  });

  test('are blocked and reported when the operator denies their target later', async () => {
    const id = await makeDomain(t);
    must(await rules('PUT', id, { rules: [{ host: '@', target: 'https://a.good.example/' }] }));
    await t.ctx.db.transaction(allTenants, (tx) =>
      tx.run(sql`update forwarding set rules = replace(rules::text, 'good', 'bad')::jsonb where domain_id = ${id}`),
    );
    expect((await rulesOf(id))[0]).toMatchObject({
      state: 'blocked',
      reason: 'your provider does not allow forwarding to bad.example',
    });
  });

  test('are refused for a delegated host, and blocked when the delegation is added later', async () => {
    const id = await makeDomain(t, 'cuts.com');
    const ours = ownNameservers(t.ctx.config).map((host) => host.replace(/\.$/, ''));
    await t.ctx.db.transaction(allTenants, (tx) =>
      tx.run(sql`update domain set nameservers = ${ours} where id = ${id}`),
    );
    const delegate = (name: string) => patch(t, id, [{ name, type: 'NS', records: ['ns1.example.net.'] }]);
    must(await delegate('del'));
    const rule = (host: string) => ({ host, target: 'https://x.example/' });
    for (const host of ['del', 'a.del'])
      expect((await rules('PATCH', id, { rules: [rule(host)] }, {})).body.errors).toMatchObject([{ field: 'rules' }]);
    must(await rules('PATCH', id, { rules: [rule('@'), rule('x.cut')] }, {}));
    must(await delegate('cut'));
    expect(await rulesOf(id)).toMatchObject([
      { host: '@', state: expect.not.stringMatching('blocked') },
      { host: 'x.cut', state: 'blocked', reason: 'cut.cuts.com. is delegated to other nameservers by its NS records' },
    ]);
    must(await rules('PATCH', id, { rules: [rule('www')] }, {}));
  });
});

const badTargets: [string, RegExp][] = [
  ['javascript:alert(1)', /http/],
  ['data:text/html,x', /http/],
  ['//evil.example/', /http/],
  ['https:/evil.example', /http/],
  ['https://user@evil.example/', /user/],
  ['https://user:pw@evil.example/', /user/],
  ['https://:@evil.example/', /user/],
  ['https://x.example:0/', /Port 0/],
  ['https://x.example:70000/', /port/],
  ['http://127.0.0.1/', /private/],
  ['http://0x7f.1/', /private/],
  ['http://2130706433/', /private/],
  ['http://0177.0.0.1/', /private/],
  ['http://10.1.2.3/', /private/],
  ['http://169.254.169.254/latest', /private/],
  ['http://[::1]/', /private/],
  ['http://[::ffff:10.0.0.1]/', /private/],
  ['http://[fe80::1]/', /private/],
  ['http://[fd00::1]/', /private/],
  ['http://[64:ff9b::7f00:1]/', /private/],
  ['http://[::127.0.0.1]/', /private/],
  ['http://[::a9fe:a9fe]/', /private/],
  ['http://[4000::1]/', /private/],
  ['http://localhost/', /local/],
  ['http://localhost.localdomain/', /local/],
  ['http://a.corp/', /local/],
  ['http://1.0.0.127.in-addr.arpa/', /local/],
  ['http://printer.local/', /local/],
  ['https://intranet/', /local/],
  ['https://a.bad.example/', /provider/],
  [`https://x.example/${'a'.repeat(2_040)}`, /2048/],
  ['https://x.example/\r\nSet-Cookie: a=b', /./],
  ['https://x.example/\u0000', /./],
  ['https://x.example/a b', /spaces/],
  ['https://x.example\\@evil.example/', /backslash/],
  ['https://x.example/%zz', /percent/],
  ['https://x.example/{sub}', /host \*/],
];

test('are refused with the field of an invalid target, in both calls', async () => {
  const id = await makeDomain(t);
  for (const [target, reason] of badTargets) {
    const called = await rules('PUT', id, { rules: [{ host: 'www', target }] });
    expect(called.status, `${target}: ${called.text}`).toBe(400);
    expect(called.body.errors).toMatchObject([{ field: 'rules.0.target' }]);
    expect(called.body.errors[0].message, target).toMatch(reason);
  }
  for (const [target] of badTargets.filter((_, at) => at % 5 === 0))
    expect((await simple(id, { forward_to: target })).body.errors, target).toMatchObject([{ field: 'forward_to' }]);
  expect(await zoneOf(t, id)).toBeUndefined();
});

const badRules: [object, string][] = [
  [{ host: 'www.*' }, 'host'],
  [{ host: '-a' }, 'host'],
  [{ host: 'a'.repeat(64) }, 'host'],
  [{ host: 'a b' }, 'host'],
  [{ path: 'old' }, 'path'],
  [{ path: '/a?b' }, 'path'],
  [{ path: '/%g' }, 'path'],
  [{ path: '/blog/*' }, 'path'],
  [{ code: 303 }, 'code'],
  [{ path_mode: 'keep' }, 'path_mode'],
  [{ masking: {}, target: 'http://x.example/' }, 'target'],
  [{ masking: { text: '<p title="x>' } }, 'masking.text'],
];

test('are refused with the field of an invalid value', async () => {
  const id = await makeDomain(t);
  for (const [part, field] of badRules) {
    const called = await rules('PUT', id, { rules: [{ host: 'www', target: 'https://x.example/', ...part }] });
    expect(called.status, called.text).toBe(400);
    expect(called.body.errors[0].field, called.text).toBe(`rules.0.${field}`);
  }
});

test('are refused for markup that is malformed or too long', async () => {
  const id = await makeDomain(t);
  const with_ = (form: Record<string, string>) =>
    simple(id, { forward_to: 'https://x.example/', url_masking: '1', ...form });
  expect((await with_({ meta_tags: '<meta name="description' })).body.errors[0].field).toBe('meta_tags');
  expect((await with_({ no_frames_content: `<a href='x` })).body.errors[0].field).toBe('no_frames_content');
  expect((await with_({ meta_tags: 'x'.repeat(4_001) })).body.errors[0].field).toBe('meta_tags');
  expect((await with_({ meta_tags: 'x'.repeat(1_048_576) })).status).toBeGreaterThanOrEqual(400);
  expect((await simple(id, { forward_to: 'http://x.example/', url_masking: '1' })).body.errors[0].field).toBe(
    'forward_to',
  );
});
