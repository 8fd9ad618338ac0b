import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeReseller } from '../../../../test/support/resellers.ts';
import { type Called, startTestService, type TestService } from '../../../../test/support/service.ts';
import { makeDomain, patch, zoneOf, zoneRows } from './support.ts';

let t: TestService;
let id: string;
beforeAll(async () => {
  t = await startTestService();
  id = await makeDomain(t, 'bad.com');
  const made = await patch(t, id, [
    { name: 'www', type: 'A', records: ['192.0.2.1'] },
    { name: 'alias', type: 'CNAME', records: ['www'] },
    { name: 'mailhost', type: 'A', records: ['192.0.2.25'] },
    { name: '@', type: 'MX', records: ['10 mailhost'] },
  ]);
  expect(made.status, made.text).toBe(200);
});
afterAll(() => t.stop());

/** A clear refusal with the wrong field, and no changed row. */
async function refused(send: () => Promise<Called>, field: RegExp, reason: RegExp, status = 400): Promise<void> {
  const before = await zoneRows(t);
  const called = await send();
  expect(called.status, called.text).toBe(status);
  expect(called.body).toMatchObject({ type: 'invalid_request' });
  expect(called.body.message).toMatch(reason);
  if (status === 400) expect(called.body.errors[0].field).toMatch(field);
  expect(await zoneRows(t)).toEqual(before);
}

const longString = 'x'.repeat(256);

type Case = [
  what: string,
  rrset: { name: string; type: string; ttl?: number; records: string[] },
  field: RegExp,
  reason: RegExp,
];

const modern: Case[] = [
  [
    'CNAME beside other data',
    { name: 'www', type: 'CNAME', records: ['x.example.net.'] },
    /rrsets\.0/,
    /cannot have other records/,
  ],
  [
    'other data beside a CNAME',
    { name: 'alias', type: 'TXT', records: ['text'] },
    /rrsets\.0/,
    /cannot have other records/,
  ],
  ['CNAME at the apex', { name: '@', type: 'CNAME', records: ['x.example.net.'] }, /rrsets\.0/, /CNAME/],
  [
    'two CNAMEs',
    { name: 'two', type: 'CNAME', records: ['a.example.net.', 'b.example.net.'] },
    /rrsets\.0\.records/,
    /only one CNAME/i,
  ],
  [
    'a CNAME to itself',
    { name: 'self', type: 'CNAME', records: ['self'] },
    /rrsets\.0\.records\.0$/,
    /target: .*itself/,
  ],
  [
    'a quoted string over 255 bytes',
    { name: 'txt', type: 'TXT', records: [`"${longString}"`] },
    /rrsets\.0\.records\.0/,
    /over 255/,
  ],
  [
    'TTL over 2^31-1',
    { name: 'www', type: 'A', ttl: 2 ** 31, records: ['192.0.2.1'] },
    /rrsets\.0\.ttl/,
    /over 2147483647/,
  ],
  [
    'TTL 2^32-1',
    { name: 'www', type: 'A', ttl: 2 ** 32 - 1, records: ['192.0.2.1'] },
    /rrsets\.0\.ttl/,
    /over 2147483647/,
  ],
  ['TTL under the minimum', { name: 'www', type: 'A', ttl: 0, records: ['192.0.2.1'] }, /rrsets\.0\.ttl/, /minimum/],
  ['MX to an address', { name: 'm', type: 'MX', records: ['10 192.0.2.1'] }, /rrsets\.0/, /address/],
  ['MX to an alias', { name: 'm', type: 'MX', records: ['10 alias'] }, /rrsets\.0/, /CNAME/],
  [
    'CNAME at the target of an MX',
    { name: 'mailhost', type: 'CNAME', records: ['x.example.net.'] },
    /rrsets\.0|zone/,
    /beside|CNAME/,
  ],
  [
    'a name outside the zone, with a trailing dot',
    { name: 'www.other.org.', type: 'A', records: ['192.0.2.1'] },
    /rrsets\.0\.name/,
    /not in the zone/,
  ],
  [
    'a name outside the zone, without a trailing dot',
    { name: 'www.other.org', type: 'A', records: ['192.0.2.1'] },
    /rrsets\.0\.name/,
    /not in the zone/,
  ],
  ['wildcard NS', { name: '*', type: 'NS', records: ['ns1.example.net.'] }, /rrsets\.0/, /wildcard/],
  ['a space in a name', { name: 'a\\032b', type: 'TXT', records: ['x'] }, /rrsets\.0\.name/, /characters/],
  [
    'a 2-byte DS digest',
    { name: 'child', type: 'DS', records: ['12345 13 2 ABCD'] },
    /rrsets\.0\.records\.0$/,
    /digest|64/,
  ],
  [
    'a DS without a delegation',
    { name: 'child', type: 'DS', records: [`12345 13 2 ${'AB'.repeat(32)}`] },
    /rrsets\.0/,
    /delegation/,
  ],
  ['a DS at the apex', { name: '@', type: 'DS', records: [`12345 13 2 ${'AB'.repeat(32)}`] }, /rrsets\.0/, /parent/],
  [
    'more records than an RRset may have',
    { name: 'many', type: 'A', records: Array.from({ length: 101 }, (_, n) => `192.0.2.${n}`) },
    /rrsets\.0\.records/,
    /limit of 100/,
  ],
  [
    'the same record twice',
    { name: 'twice', type: 'A', records: ['192.0.2.1', '192.0.2.1'] },
    /rrsets\.0\.records/,
    /duplicate|twice/,
  ],
  ['an invalid IPv4 address', { name: 'a', type: 'A', records: ['192.0.2.256'] }, /rrsets\.0\.records\.0/, /IPv4/],
  [
    'an address with a leading zero',
    { name: 'a', type: 'A', records: ['192.0.02.1'] },
    /rrsets\.0\.records\.0/,
    /leading zero/,
  ],
  ['an unknown type', { name: 'a', type: 'NOPE', records: ['x'] }, /rrsets\.0\.type/, /not a record type/],
  ['a query type', { name: 'a', type: 'ANY', records: ['x'] }, /rrsets\.0\.type/, /not allowed/],
  ['a type that a signer generates', { name: 'a', type: 'NSEC', records: ['b.bad.com. A'] }, /type/, /signer/],
  ['no nameserver at the apex', { name: '@', type: 'NS', records: [] }, /rrsets\.0/, /nameservers/],
  [
    'a nameserver in the zone without an address',
    { name: '@', type: 'NS', records: ['ns1.example.net.', 'ns.bad.com.'] },
    /rrsets\.0/,
    /no A or AAAA|address/,
  ],
  [
    'a name that is too long',
    { name: `${'a.'.repeat(130)}bad.com`, type: 'A', records: ['192.0.2.1'] },
    /rrsets\.0\.name/,
    /longer/,
  ],
  ['a label that is too long', { name: 'a'.repeat(64), type: 'A', records: ['192.0.2.1'] }, /rrsets\.0\.name/, /63/],
  [
    'a null MX beside another MX',
    { name: 'm', type: 'MX', records: ['0 .', '10 mail.example.net.'] },
    /rrsets\.0\.records/,
    /null MX/,
  ],
  [
    'a SOA timer out of range',
    { name: '@', type: 'SOA', records: ['ns1.example.net. h.bad.com. 1 1 7200 1209600 3600'] },
    /rrsets\.0\.records\.0$/,
    /from 300/,
  ],
];

describe('RRsets', () => {
  test.each(modern)('are refused with field and reason: %s', (_what, rrset, field, reason) =>
    refused(() => patch(t, id, [rrset]), field, reason),
  );

  test('are not changed when one of several is invalid', () =>
    refused(
      () =>
        patch(t, id, [
          { name: 'good', type: 'A', records: ['192.0.2.9'] },
          { name: 'alias', type: 'A', records: ['192.0.2.9'] },
        ]),
      /rrsets\.1/,
      /cannot have other records/,
    ));

  test('are refused with all problems at once', async () => {
    const called = await patch(t, id, [
      { name: 'a', type: 'A', records: ['1.2.3'] },
      { name: 'b', type: 'AAAA', ttl: 1, records: ['x', 'y'] },
    ]);
    const fields = called.body.errors.map((error: { field: string }) => error.field);
    expect(fields.sort()).toEqual(['rrsets.0.records.0', 'rrsets.1.records.0', 'rrsets.1.records.1', 'rrsets.1.ttl']);
  });

  test('are refused if they contain more records than a call may have', () =>
    refused(
      () =>
        patch(
          t,
          id,
          Array.from({ length: 60 }, (_, at) => ({
            name: `n${at}`,
            type: 'TXT',
            records: Array.from({ length: 90 }, (_x, n) => `v${n}`),
          })),
        ),
      /rrsets/,
      /5000 a call/,
    ));

  test('are refused if one is named twice in a call', () =>
    refused(
      () =>
        patch(t, id, [
          { name: 'd', type: 'A', records: ['192.0.2.1'] },
          { name: 'D.bad.com.', type: 'a', records: ['192.0.2.2'] },
        ]),
      /rrsets\.1/,
      /duplicate|twice/,
    ));

  test('are refused with unknown or missing fields, and as invalid JSON', async () => {
    expect((await patch(t, id, [{ name: 'a', type: 'A', records: ['192.0.2.1'], comment: 'x' }])).body.code).toBe(
      'invalid_argument',
    );
    expect((await patch(t, id, [{ name: 'a', type: 'A', records: 'x' }])).status).toBe(400);
    expect((await patch(t, id, [])).status).toBe(400);
    expect((await patch(t, id, [{ type: 'A', records: ['192.0.2.1'] }])).status).toBe(400);
    expect(
      (await patch(t, id, [{ name: 'a', type: 'A', records: ['192.0.2.1'] }], { headers: { 'If-Match': 'x' } })).status,
    ).toBe(400);
  });
});

describe('records of the contract', () => {
  const cases: [what: string, word: string, form: Record<string, string>, field: RegExp, reason: RegExp][] = [
    [
      'CNAME beside other data',
      'cname',
      { hostname: 'www', value: 'x.example.net' },
      /hostname/,
      /cannot have other records/,
    ],
    ['CNAME at the apex', 'cname', { hostname: '', value: 'x.example.net' }, /hostname/, /CNAME/],
    ['a second CNAME', 'cname', { hostname: 'alias', value: 'x.example.net' }, /value/, /only one CNAME/i],
    ['a quoted string over 255 bytes', 'txt', { hostname: 't', value: `"${longString}"` }, /value/, /over 255/],
    ['a text over 65535 bytes', 'txt', { hostname: 't', value: 'x'.repeat(65_400) }, /value/, /over/],
    ['TTL over 2^31-1', 'ip', { hostname: 'a', value: '192.0.2.1', ttl: '2147483648' }, /ttl/, /whole number/],
    ['MX to an address', 'mx', { hostname: '', value: '192.0.2.1' }, /value|hostname/, /address/],
    [
      'MX priority over 65535',
      'mx',
      { hostname: '', value: 'm.example.net', priority: '65536' },
      /priority/,
      /whole number/,
    ],
    [
      'a name outside the zone',
      'ip',
      { hostname: 'www.example.org', value: '192.0.2.1' },
      /hostname/,
      /not in the zone/,
    ],
    ['wildcard NS', 'ns', { hostname: '*', value: 'ns1.example.net' }, /hostname/, /wildcard/],
    ['an invalid IPv4 address', 'ip', { hostname: 'a', value: 'www.example.net' }, /value/, /IPv4/],
    ['an IPv4 address as AAAA', 'ipv6', { hostname: 'a', value: '192.0.2.1' }, /value/, /IPv4/],
    ['a host name with a space', 'ip', { hostname: 'a b', value: '192.0.2.1' }, /hostname/, /space/],
    ['no value', 'ip', { hostname: 'a' }, /value/, /required/],
    [
      'a port over 65535',
      'srv',
      { hostname: '_a._tcp', value: 'h.example.net', port: '70000', weight: '1', priority: '1' },
      /port/,
      /whole number/,
    ],
  ];
  test.each(cases)('are refused with field and reason: %s', (_what, word, form, field, reason) =>
    refused(() => t.call('POST', `/v1/domains/${id}/dns/${word}`, { form }), field, reason),
  );

  test('return a warning when the address of a mail host is removed, and refuse it for a nameserver', async () => {
    const other = await makeDomain(t, 'glue.com');
    const rrsets = [
      { name: 'ns', type: 'A', records: ['192.0.2.53'] },
      { name: '@', type: 'NS', records: ['ns.glue.com.', 'ns1.example.net.'] },
    ];
    expect((await patch(t, other, rrsets)).status).toBe(200);
    await refused(
      () => t.call('DELETE', `/v1/domains/${other}/dns/ip/ns/192.0.2.53`),
      /hostname|zone/,
      /no A or AAAA|address/,
    );
    await refused(
      () =>
        patch(t, other, [
          { name: 'ns', type: 'A', action: 'delete' },
          { name: 'ns', type: 'CNAME', records: ['x.example.net.'] },
        ]),
      /./,
      /CNAME/,
    );
    const swapped = await patch(t, other, [
      { name: 'ns', type: 'A', action: 'delete' },
      { name: 'ns', type: 'AAAA', records: ['2001:db8::53'] },
    ]);
    expect(swapped.status, swapped.text).toBe(200);
    // A wildcard answers for a host only while there are no records at its own name.
    expect(
      (
        await patch(t, other, [
          { name: '*.w', type: 'A', records: ['192.0.2.54'] },
          { name: '@', type: 'NS', records: ['ns.w.glue.com.'] },
        ])
      ).status,
    ).toBe(200);
    await refused(
      () => patch(t, other, [{ name: 'ns.w', type: 'TXT', records: ['now here'] }]),
      /./,
      /no A or AAAA|address/,
    );
    await refused(() => patch(t, other, [{ name: '*.w', type: 'A', action: 'delete' }]), /./, /no A or AAAA|address/);
  });

  test('refuse a DNAME above existing names', async () => {
    const other = await makeDomain(t, 'dname.com');
    await patch(t, other, [{ name: 'a.sub', type: 'A', records: ['192.0.2.1'] }]);
    await refused(
      () => patch(t, other, [{ name: 'sub', type: 'DNAME', records: ['example.net.'] }]),
      /./,
      /below the DNAME/,
    );
    expect((await patch(t, other, [{ name: 'other', type: 'DNAME', records: ['example.net.'] }])).status).toBe(200);
    await refused(
      () => patch(t, other, [{ name: 'x.other', type: 'A', records: ['192.0.2.1'] }]),
      /rrsets\.0/,
      /below the DNAME/,
    );
  });
});

describe('a domain of another account', () => {
  test('cannot be read, written, deleted, rolled back or given a zone', async () => {
    const otherRegistrar = await makeReseller(t);
    const before = await zoneRows(t);
    const paths: [string, string, object][] = [
      ['GET', '/zone', {}],
      ['DELETE', '/zone', { json: { confirm: true } }],
      ['GET', '/zone/rrsets', {}],
      ['PATCH', '/zone/rrsets', { json: { rrsets: [{ name: 'www', type: 'A', records: ['192.0.2.66'] }] } }],
      ['PUT', '/zone/rrsets', { json: { rrsets: [{ name: 'www', type: 'A', records: ['192.0.2.66'] }] } }],
      ['GET', '/zone/file', {}],
      ['PUT', '/zone/file', { raw: { type: 'text/dns', body: '@ 300 IN A 192.0.2.66' }, headers: { 'If-Match': '*' } }],
      ['GET', '/zone/history', {}],
      ['POST', '/zone/rollback', { json: { serial: 1 } }],
      ['POST', '/dns/ip', { form: { value: '192.0.2.66' } }],
      ['GET', '/dns/ip', {}],
      ['PUT', '/dns/ip/www/192.0.2.1', { form: { value: '192.0.2.66' } }],
      ['DELETE', '/dns/ip/www/192.0.2.1', {}],
    ];
    for (const [method, path, options] of paths) {
      const called = await t.call(method, `/v1/domains/${id}${path}`, { ...options, as: otherRegistrar });
      expect(called.status, `${method} ${path}: ${called.text}`).toBe(404);
      const missing = await t.call(method, `/v1/domains/999999999${path}`, { ...options, as: otherRegistrar });
      const { request_id: _a, ...body } = called.body;
      const { request_id: _b, ...other } = missing.body;
      expect(body).toEqual(other);
      expect((await t.call(method, `/v1/domains/bad.com${path}`, { ...options, as: otherRegistrar })).status).toBe(404);
    }
    const { audits: _audits, events: _events, ...after } = (await zoneRows(t)) as Record<string, unknown>;
    expect(before).toMatchObject(after);
  });

  test('is refused to a key without the scope', async () => {
    const reader = await makeReseller(t, t.operator, { scopes: ['dns:read'] });
    expect((await patch(t, id, [{ name: 'a', type: 'A', records: ['192.0.2.1'] }], { as: reader })).status).toBe(403);
  });

  test('keeps its zone unchanged', async () => {
    const zone = await zoneOf(t, id);
    expect(zone!.rrsets.map((set) => `${set.name} ${set.type}`).sort()).toEqual(
      ['alias.bad.com. CNAME', 'bad.com. MX', 'bad.com. NS', 'mailhost.bad.com. A', 'www.bad.com. A'].sort(),
    );
  });
});
