import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeCustomer } from '../../../../test/support/parties.ts';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import { verifyLedger } from '../../src/core/ledger/verify.ts';
import { contractRecords } from '../../src/http/v1/dns/contract-records.ts';
import { makeDomain, recordsAt } from './support.ts';

let t: TestService;
beforeAll(async () => {
  t = await startTestService();
});
afterAll(async () => {
  expect((await verifyLedger(t.ctx.db)).differences).toEqual([]);
  await t.stop();
});

const cases = {
  ip: { values: ['192.0.2.1', '192.0.2.2'], extra: {}, shown: { ip: '192.0.2.1', val: '192.0.2.1' } },
  ipv6: { values: ['2001:DB8:0::1', '2001:db8::2'], extra: {}, shown: { ip: '2001:db8::1', val: '2001:db8::1' } },
  cname: { values: ['Target.example.net', 'other.example.net.'], extra: {}, shown: { val: 'target.example.net' } },
  mx: {
    values: ['mail.example.net', 'mail2.example.net'],
    extra: { priority: '20' },
    shown: { val: 'mail.example.net', value: 'mail.example.net', priority: '20' },
  },
  ns: { values: ['ns1.example.net', 'ns2.example.net'], extra: {}, shown: { val: 'ns1.example.net' } },
  txt: {
    values: ['v=spf1 include:_spf.example.net -all', 'a "quoted" word; and more'],
    extra: {},
    shown: { val: 'v=spf1 include:_spf.example.net -all' },
  },
} as const;

describe.each(Object.entries(cases))('records of type %s', (word, { values, extra, shown }) => {
  test('are added, listed, changed and deleted by the paths of the contract', async () => {
    const id = await makeDomain(t, `walk-${word}.com`);
    const host = `sub.walk-${word}.com`;
    const base = `/v1/domains/${id}/dns/${word}`;
    const before = (await t.call('GET', base)).body.length as number;
    expect(before).toBe(0);
    const added = await t.call('POST', base, { form: { hostname: host, value: values[0], ...extra } });
    expect(added.status, added.text).toBe(200);
    expect(added.body).toMatchObject({ hostname: host, ttl: 3600, ...shown });
    const listed = await t.call('GET', base);
    expect(listed.body).toContainEqual(added.body);
    const old = encodeURIComponent(values[0]);
    const changed = await t.call('PUT', `${base}/${host}/${old}`, { form: { value: values[1] } });
    expect(changed.status, changed.text).toBe(200);
    expect(changed.body).toMatchObject({ hostname: host, ...(word === 'mx' ? { priority: '20' } : {}) });
    const gone = await t.call('DELETE', `${base}/${host}/${encodeURIComponent(changed.body.val)}`);
    expect(gone.status, gone.text).toBe(200);
    expect(gone.body).toMatchObject({ deleted: true, hostname: host });
    const after = await t.call('GET', base);
    expect(after.body.filter((record: { hostname: string }) => record.hostname === host)).toEqual([]);
    const again = await t.call('DELETE', `${base}/${host}/${encodeURIComponent(changed.body.val)}`);
    expect(again.status).toBe(404);
    expect(again.body.message).toContain('not found');
  });
});

test('adds SRV with its numbers, changes it by all old fields, and deletes it by its host alone', async () => {
  const id = await makeDomain(t, 'service.com');
  const base = `/v1/domains/${id}/dns/srv`;
  const form = { hostname: '_sip._tcp', value: 'sip.example.net', port: '5060', weight: '5', priority: '10' };
  const added = await t.call('POST', base, { form });
  expect(added.body).toMatchObject({
    hostname: '_sip._tcp.service.com',
    val: 'sip.example.net',
    port: '5060',
    weight: '5',
    priority: '10',
  });
  await t.call('POST', base, { form: { ...form, value: 'sip2.example.net' } });
  const changed = await t.call('PUT', `${base}/_sip._tcp.service.com/sip.example.net/5060/5/10`, {
    form: { value: 'new.example.net', priority: '20' },
  });
  expect(changed.body).toMatchObject({ val: 'new.example.net', port: '5060', weight: '5', priority: '20' });
  const wrong = await t.call('PUT', `${base}/_sip._tcp.service.com/new.example.net/5061/5/20`, {
    form: { value: 'x.example.net' },
  });
  expect(wrong.status).toBe(404);
  const one = await t.call('DELETE', `${base}/_sip._tcp.service.com/sip2.example.net`);
  expect(one.body).toMatchObject({ deleted: true, val: 'sip2.example.net' });
  const gone = await t.call('DELETE', base, { form: { hostname: '_sip._tcp.service.com' } });
  expect(gone.body).toMatchObject({ deleted: true });
  expect((await t.call('GET', base)).body).toEqual([]);
  const none = await t.call('DELETE', base, { form: { hostname: '_sip._tcp.service.com' } });
  expect(none.status).toBe(400);
  expect((await t.call('POST', base, { form: { ...form, hostname: '' } })).body.hostname).toBe('service.com');
});

test('accepts TXT values of any length in the body, the query and the older paths', async () => {
  const id = await makeDomain(t, 'text.com');
  const base = `/v1/domains/${id}/dns/txt`;
  const long = `v=DKIM1; k=rsa; p=${'A'.repeat(700)}`;
  const added = await t.call('POST', base, { form: { hostname: 'sel._domainkey', value: long } });
  expect(added.body).toMatchObject({ hostname: 'sel._domainkey.text.com', val: long });
  const [stored] = await recordsAt(t, id, 'sel._domainkey.text.com.', 'TXT');
  expect(stored!.match(/"/g)).toHaveLength(6);
  const changed = await t.call('PUT', base, {
    form: { old_hostname: 'sel._domainkey.text.com', old_value: long, value: 'short' },
  });
  expect(changed.body.val).toBe('short');
  const quoted = await t.call('POST', base, { form: { hostname: 'text.com', value: '"two" "strings"' } });
  expect(quoted.body.val).toBe('twostrings');
  const byPath = await t.call('PUT', `${base}/text.com/twostrings`, { form: { value: 'a/b?c=d&e' } });
  expect(byPath.body.val).toBe('a/b?c=d&e');
  const deleted = await t.call('DELETE', `${base}/@/${encodeURIComponent('a/b?c=d&e')}`);
  expect(deleted.body).toMatchObject({ deleted: true, hostname: 'text.com' });
  const inQuery = await t.call('DELETE', base, { query: { hostname: 'sel._domainkey.text.com', value: 'short' } });
  expect(inQuery.body.deleted).toBe(true);
  await t.call('POST', base, { form: { hostname: '', value: 'at the apex' } });
  const apex = await t.call('DELETE', base, { form: { hostname: '', value: 'at the apex' } });
  expect(apex.body).toMatchObject({ deleted: true, hostname: 'text.com' });
});

test('accepts relative, full, dotted, empty, upper-case and international host names', async () => {
  const id = await makeDomain(t, 'hosts.com');
  const add = async (hostname: string | undefined, value: string) =>
    (
      await t.call('POST', `/v1/domains/${id}/dns/ip`, {
        form: { ...(hostname === undefined ? {} : { hostname }), value },
      })
    ).body.hostname;
  expect(await add('www', '192.0.2.1')).toBe('www.hosts.com');
  expect(await add('full.hosts.com', '192.0.2.1')).toBe('full.hosts.com');
  expect(await add('dot.hosts.com.', '192.0.2.1')).toBe('dot.hosts.com');
  expect(await add('a.b', '192.0.2.1')).toBe('a.b.hosts.com');
  expect(await add('', '192.0.2.1')).toBe('hosts.com');
  expect(await add('@', '192.0.2.2')).toBe('hosts.com');
  expect(await add(undefined, '192.0.2.3')).toBe('hosts.com');
  expect(await add('hosts.com', '192.0.2.4')).toBe('hosts.com');
  expect(await add('UPPER.Hosts.Com', '192.0.2.1')).toBe('upper.hosts.com');
  expect(await add('bücher', '192.0.2.1')).toBe('xn--bcher-kva.hosts.com');
  expect(await add('*', '192.0.2.1')).toBe('*.hosts.com');
  expect(await add('*.sub', '192.0.2.1')).toBe('*.sub.hosts.com');
});

test('accepts IPv6 in the path raw, encoded or uncompressed, or in the body after an empty segment', async () => {
  const id = await makeDomain(t, 'six.com');
  const base = `/v1/domains/${id}/dns/ipv6`;
  const add = (value: string) => t.call('POST', base, { form: { hostname: 'h', value } });
  await add('2001:db8::1');
  expect((await t.call('DELETE', `${base}/h.six.com/2001:db8::1`)).body.deleted).toBe(true);
  await add('2001:db8::1');
  expect((await t.call('DELETE', `${base}/h.six.com/2001%3Adb8%3A%3A1`)).body.deleted).toBe(true);
  await add('2001:db8::1');
  expect((await t.call('DELETE', `${base}/h.six.com/2001:0DB8:0:0:0:0:0:1`)).body.deleted).toBe(true);
  await add('2001:db8::1');
  expect(
    (await t.call('DELETE', `${base}/h.six.com/`, { form: { old_value: '2001:db8::1', value: 'nonsense' } })).body
      .deleted,
  ).toBe(true);
  await add('2001:db8::1');
  expect((await t.call('DELETE', `${base}/h.six.com/`, { form: { value: '2001:db8::1' } })).body.deleted).toBe(true);
  const none = await t.call('DELETE', `${base}/h.six.com/`);
  expect(none.status).toBe(400);
  await t.call('POST', base, { form: { value: '2001:db8::9' } });
  expect((await t.call('DELETE', `${base}//2001:db8::9`)).body).toMatchObject({ deleted: true, hostname: 'six.com' });
  await add('2001:db8::1');
  const changed = await t.call('PUT', `${base}/h.six.com/`, {
    form: { old_value: '2001:db8::1', value: '2001:db8::2' },
  });
  expect(changed.body.ip).toBe('2001:db8::2');
  const single = await t.call('PUT', `${base}/h.six.com/`, { form: { value: '2001:db8::3' } });
  expect(single.body.ip).toBe('2001:db8::3');
});

test('accepts JSON, multipart, hyphens, unknown parameters, and a domain name in place of the id', async () => {
  const id = await makeDomain(t, 'odd.com');
  const base = `/v1/domains/${id}/dns/ip`;
  const sent = { hostname: 'www.odd.com', value: '192.0.2.1', 'order-id': id, type: 'A', 'old-ip': '192.0.2.9' };
  expect((await t.call('POST', base, { json: sent })).status).toBe(200);
  expect((await t.call('POST', base, { multipart: { ...sent, value: '192.0.2.2' } })).status).toBe(200);
  expect((await t.call('POST', `${base}?`, { form: { ...sent, value: '192.0.2.3' } })).status).toBe(200);
  expect((await t.call('GET', '/v1/domains/odd.com/dns/ip')).body).toHaveLength(3);
  const checked = await t.call('GET', base, { query: { 'customer-id': '2001' } });
  expect(checked.body).toHaveLength(3);
  const other = await makeCustomer(t);
  expect((await t.call('GET', base, { query: { customer_id: other } })).status).toBe(404);
  expect((await t.call('POST', base, { form: { ...sent, value: '192.0.2.4', customer_id: other } })).status).toBe(404);
  expect((await t.call('POST', base, { form: { ...sent, value: '192.0.2.4', customer_id: '' } })).status).toBe(200);
});

test('stores the TTL for the whole RRset, and refuses a duplicate record', async () => {
  const id = await makeDomain(t, 'ttl.com');
  const base = `/v1/domains/${id}/dns/ip`;
  expect((await t.call('POST', base, { form: { hostname: 'www', value: '192.0.2.1', ttl: '300' } })).body.ttl).toBe(
    300,
  );
  expect((await t.call('POST', base, { form: { hostname: 'www', value: '192.0.2.2' } })).body.ttl).toBe(300);
  expect((await t.call('POST', base, { form: { hostname: 'www', value: '192.0.2.3', ttl: '600' } })).body.ttl).toBe(
    600,
  );
  const records = (await t.call('GET', base)).body as { ttl: number }[];
  expect(records.map((record) => record.ttl)).toEqual([600, 600, 600]);
  const twice = await t.call('POST', base, { form: { hostname: 'www', value: '192.0.2.3' } });
  expect(twice.status).toBe(409);
  expect(twice.body.code).toBe('already_exists');
  const same = await t.call('PUT', `${base}/www.ttl.com/192.0.2.3`, { form: { value: '192.0.2.2' } });
  expect(same.status).toBe(409);
});

test('creates one record for one Idempotency-Key', async () => {
  const id = await makeDomain(t, 'once-dns.com');
  const send = () =>
    t.call('POST', `/v1/domains/${id}/dns/ip`, {
      form: { value: '192.0.2.1' },
      headers: { 'Idempotency-Key': 'dns-once' },
    });
  const [first, second] = [await send(), await send()];
  expect(first.status).toBe(200);
  expect(second.body).toEqual(first.body);
  expect(second.headers.get('idempotency-replayed')).toBe('true');
});

test('changes an MX record identified by host and value, or by old_priority', async () => {
  const path = `/v1/domains/${await makeDomain(t, 'two-mx.com')}/dns/mx`;
  for (const priority of ['10', '20'])
    expect((await t.call('POST', path, { form: { hostname: 'm', value: 'mail.example.net', priority } })).status).toBe(
      200,
    );
  const change = (form: Record<string, string>) => t.call('PUT', `${path}/m/mail.example.net`, { form });
  const unclear = await change({ value: 'new.example.net' });
  expect([unclear.status, unclear.body.code], unclear.text).toEqual([400, 'invalid_argument']);
  expect(unclear.body.message).toContain('matches 2 MX records. Send old_priority');
  const changed = await change({ value: 'new.example.net', old_priority: '20' });
  expect(changed.body, changed.text).toMatchObject({ val: 'new.example.net', priority: '20' });
  const { body } = await t.call('GET', path);
  expect(body.map(({ val, priority }: { val: string; priority: string }) => `${priority} ${val}`).sort()).toEqual([
    '10 mail.example.net',
    '20 new.example.net',
  ]);
  expect((await change({ value: 'newer.example.net' })).status).toBe(200);
});

test('lists every type in the dns section of the details, empty or not', async () => {
  const id = await makeDomain(t, 'detail.com');
  const domain = { id, reseller_id: '1000' };
  expect(await contractRecords(t.ctx, domain)).toEqual({
    A: [],
    AAAA: [],
    CNAME: [],
    MX: [],
    NS: [],
    TXT: [],
    SRV: [],
  });
  await t.call('POST', `/v1/domains/${id}/dns/mx`, { form: { value: 'mail.example.net', priority: '5' } });
  const records = await contractRecords(t.ctx, domain);
  expect(records.MX).toEqual([
    {
      zone: 'detail.com',
      hostname: 'detail.com',
      val: 'mail.example.net',
      value: 'mail.example.net',
      priority: '5',
      ttl: 3600,
    },
  ]);
  expect(records.NS.map((record) => record.val)).toEqual(['ns1.namehold-dns.net', 'ns2.namehold-dns.net']);
  expect(records.A).toEqual([]);
});
