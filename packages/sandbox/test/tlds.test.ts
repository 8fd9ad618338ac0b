import { contactFieldOf, type DomainCreateRequest, TLD_EXTENSIONS, type TldExtensions } from '@namehold/epp';
import { sandboxTlds } from '@namehold/sandbox/tlds/index';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeContact, newContact, newDomain, newLabel } from './support/objects.ts';
import { startTestRegistry, type TestRegistry } from './support/sandbox.ts';

let registry: TestRegistry;
let contact: string;
beforeAll(async () => {
  registry = await startTestRegistry();
  contact = await makeContact(registry.us);
  await registry.us.done({ ...newContact(declared), ext: { tld: declarations } });
});
afterAll(() => registry.close());

const declared = 'declares-1';
const nexus = { us: { us_purpose: 'P1', us_category: 'C11' } };
const declaration = {
  asia: {
    asia_country: 'ID',
    asia_entity_type: 'naturalPerson',
    asia_identification_type: 'passport',
    asia_identification_number: 'A1234567',
  },
};

/** Valid fields of each extension that a contact carries. */
const declarations = Object.fromEntries(
  TLD_EXTENSIONS.filter(({ carrier }) => carrier === 'contact').map(({ name, example }) => [name, example]),
);

/** What a domain itself carries of an extension. */
function carriedBy(name: string): TldExtensions {
  const { carrier, isReferencedByDomain, example } = TLD_EXTENSIONS.find((each) => each.name === name)!;
  if (carrier === 'domain') return { [name]: example };
  return isReferencedByDomain ? { [name]: { [contactFieldOf(name)]: declared } } : {};
}

const named = (handle: string) => ({ asia: { asia_contact_id: handle } });

/** The requirements of a launch phase or a token; names with other letters, which need a table, are not included. */
function demanded(tld: (typeof sandboxTlds)[number], label: string): NonNullable<DomainCreateRequest['ext']> {
  const mark = Buffer.from('<signedMark>of its holder</signedMark>').toString('base64');
  const { launch, token } = tld.registration ?? {};
  return {
    ...(launch === 'sunrise' ? { launch: { phase: { phase: 'sunrise' }, encodedSignedMarks: [mark] } } : {}),
    ...(token ? { allocationToken: `TOKEN-${label}` } : {}),
    ...(tld.extra ? { tld: carriedBy(tld.extra) } : {}),
  };
}

/** A create that the TLD must accept, made from its data alone. */
function fitting(tld: (typeof sandboxTlds)[number]): DomainCreateRequest {
  const { rules } = tld;
  const contacts = rules.dataModel === 'maximum';
  const hosts = ['ns1.example.museum', 'ns2.example.museum'];
  const label = newLabel('fits');
  return {
    object: 'domain',
    verb: 'create',
    name: `${label}.${tld.tld}`,
    ...(contacts
      ? {
          registrant: tld.extra ? declared : contact,
          contacts: rules.requiredContacts.map((type) => ({ type, id: contact })),
        }
      : {}),
    ns:
      rules.hostModel === 'objects'
        ? { model: 'objects', hosts: ['ns1.namehold-dns.net', 'ns2.namehold-dns.net'] }
        : { model: 'attributes', hosts: hosts.map((name) => ({ name, addresses: [] })) },
    authInfo: { pw: '' },
    ext: demanded(tld, label),
  };
}

describe.each(sandboxTlds.map((tld) => [tld.tld, tld] as const))('.%s', (_, tld) => {
  test('accepts a create that matches its rules, and returns it', async () => {
    const request = fitting(tld);
    const answer = await registry.us.done(request);
    expect(answer.code).toBe(tld.pendingCreate ? 1001 : 1000);
    const info = await registry.us.done({ object: 'domain', verb: 'info', name: request.name });
    expect(info.data.ns).toEqual(request.ns);
    expect(info.data.registrant).toEqual(request.registrant);
    const carried = tld.extra ? carriedBy(tld.extra) : {};
    expect(info.ext.tld).toEqual(Object.keys(carried).length > 0 ? carried : undefined);
    const { entries } = await registry.control<{ entries: object[] }>(
      'GET',
      `/statement?client=namehold&domain=${request.name}`,
    );
    expect(entries).toMatchObject([
      { amount: `${tld.fees.create / 100n}.${String(tld.fees.create % 100n).padStart(2, '0')}` },
    ]);
  });

  test('refuses the other host model, too long a period, and a reserved name', async () => {
    const request = fitting(tld);
    const other: DomainCreateRequest['ns'] =
      tld.rules.hostModel === 'objects'
        ? { model: 'attributes', hosts: [{ name: 'ns1.example.museum', addresses: [] }] }
        : { model: 'objects', hosts: ['ns1.namehold-dns.net', 'ns2.namehold-dns.net'] };
    expect(await registry.us.code({ ...request, ns: other })).toBe(2306);
    expect(await registry.us.code({ ...request, period: { value: 11, unit: 'y' } })).toBe(2004);
    expect(await registry.us.code({ ...request, name: `nic.${tld.tld}` })).toBe(2306);
  });

  test('enforces its data model', async () => {
    const request = fitting(tld);
    if (tld.rules.dataModel === 'maximum') {
      const { registrant: _r, ...without } = request;
      expect(await registry.us.code(without)).toBe(2003);
      expect(await registry.us.code({ ...request, contacts: [] })).toBe(2003);
      expect(await registry.us.code({ ...request, registrant: 'never-there' })).toBe(2303);
    } else {
      expect(await registry.us.code({ ...request, registrant: contact })).toBe(2306);
      expect(await registry.us.code({ ...request, contacts: [{ type: 'tech', id: contact }] })).toBe(2306);
    }
  });
});

describe('extra fields', () => {
  test("requires .us fields on the registrant's contact: 2003 if missing, 2306 if invalid or elsewhere", async () => {
    const us = sandboxTlds.find((tld) => tld.tld === 'us') as (typeof sandboxTlds)[number];
    const bare = { ...fitting(us), registrant: contact };
    expect(await registry.us.code(bare)).toBe(2003);
    expect(await registry.us.code({ ...bare, ext: { tld: nexus } })).toBe(2306);
    const wrong = newContact('us-wrong-1');
    expect(await registry.us.code({ ...wrong, ext: { tld: { us: { us_purpose: 'P9', us_category: 'C11' } } } })).toBe(
      2306,
    );
    expect(await registry.us.code({ ...wrong, ext: { tld: { us: { us_purpose: 'P1', us_category: 'C99' } } } })).toBe(
      2306,
    );
    expect(await registry.us.code({ ...bare, registrant: declared })).toBe(1000);
    expect((await registry.us.done({ object: 'contact', verb: 'info', id: declared })).ext.tld).toMatchObject(nexus);
    const update = { object: 'domain', verb: 'update', name: bare.name } as const;
    expect(await registry.us.code({ ...update, chg: { registrant: contact } })).toBe(2003);
  });

  test('requires .asia fields on the referenced contact: 2003 if missing, 2306 outside the region', async () => {
    const asia = sandboxTlds.find((tld) => tld.tld === 'asia') as (typeof sandboxTlds)[number];
    const { ext: _, ...bare } = fitting(asia);
    expect(await registry.us.code(bare)).toBe(2003);
    expect(await registry.us.code({ ...bare, ext: { tld: declaration } })).toBe(2306);
    expect(await registry.us.code({ ...bare, ext: { tld: named(contact) } })).toBe(2306);
    const wrong = newContact('asia-wrong-1');
    expect(
      await registry.us.code({ ...wrong, ext: { tld: { asia: { ...declaration.asia, asia_country: 'DE' } } } }),
    ).toBe(2306);
    expect(
      await registry.us.code({ ...wrong, ext: { tld: { asia: { ...declaration.asia, asia_entity_type: 'other' } } } }),
    ).toBe(2003);
    const registrant = newContact('asia-holder-1');
    await registry.us.done({ ...registrant, ext: { tld: declaration } });
    expect(await registry.us.code({ ...bare, ext: { tld: named(registrant.id) } })).toBe(1000);
    expect((await registry.us.done({ object: 'domain', verb: 'info', name: bare.name })).ext.tld).toEqual(
      named(registrant.id),
    );
    expect(await registry.us.code({ ...newDomain(`${newLabel()}.org`, contact), ext: { tld: declaration } })).toBe(
      2306,
    );
  });
});

test('declarations that an earlier release stored are read, and replaced by an update', async () => {
  const old = newContact('stored-before-1');
  await registry.us.done(old);
  const client = new pg.Client(registry.databaseUrl);
  await client.connect();
  const { asia_country: country, asia_entity_type: entityType, ...more } = declaration.asia;
  const kept = {
    country,
    entityType,
    identificationType: more.asia_identification_type,
    identificationNumber: more.asia_identification_number,
  };
  await client.query('update contact set us = $2, asia = $3 where handle = $1', [
    old.id,
    { purpose: 'P1', category: 'C11' },
    kept,
  ]);
  await client.end();
  const info = () => registry.us.done({ object: 'contact', verb: 'info', id: old.id });
  expect((await info()).ext.tld).toEqual({ ...nexus, ...declaration });
  const asia = sandboxTlds.find(({ tld }) => tld === 'asia') as (typeof sandboxTlds)[number];
  expect(await registry.us.code({ ...fitting(asia), ext: { tld: named(old.id) } })).toBe(1000);
  const changed = { us: { us_purpose: 'P2', us_category: 'C12' } };
  await registry.us.done({ object: 'contact', verb: 'update', id: old.id, ext: { tld: changed } });
  expect((await info()).ext.tld).toEqual({ ...changed, ...declaration });
});

describe('host attributes', () => {
  const fr = (hosts: object[]): DomainCreateRequest => ({
    ...newDomain(`${newLabel()}.fr`, contact),
    ns: { model: 'attributes', hosts: hosts as never },
  });
  const outside = { name: 'ns1.example.museum', addresses: [] };

  test('require glue inside the domain and refuse it outside', async () => {
    const request = fr([outside]);
    const inside = (addresses: object[]) => ({ name: `ns.${request.name}`, addresses });
    const withHosts = (...hosts: object[]) => ({
      ...request,
      ns: { model: 'attributes', hosts: hosts as never } as const,
    });
    expect(await registry.us.code(request)).toBe(2003);
    expect(await registry.us.code(withHosts(outside, inside([])))).toBe(2003);
    expect(await registry.us.code(withHosts(outside, inside([{ address: '192.0.2.999', version: 'v4' }])))).toBe(2005);
    expect(
      await registry.us.code(
        withHosts(inside([{ address: '192.0.2.1', version: 'v4' }]), {
          ...outside,
          addresses: [{ address: '192.0.2.1', version: 'v4' }],
        }),
      ),
    ).toBe(2306);
    const good = withHosts(outside, inside([{ address: '192.0.2.1', version: 'v4' }]));
    expect(await registry.us.code(good)).toBe(1000);
    const rem = { model: 'attributes', hosts: [{ name: 'ns1.example.museum', addresses: [] }] } as const;
    const add = { model: 'attributes', hosts: [{ name: 'ns3.example.museum', addresses: [] }] } as const;
    expect(await registry.us.code({ object: 'domain', verb: 'update', name: good.name, rem: { ns: rem } })).toBe(2003);
    expect(
      await registry.us.code({ object: 'domain', verb: 'update', name: good.name, rem: { ns: rem }, add: { ns: add } }),
    ).toBe(1000);
    const { data } = await registry.us.done({ object: 'domain', verb: 'info', name: good.name });
    expect(data.ns?.model === 'attributes' && data.ns.hosts.map((host) => host.name)).toEqual([
      `ns.${good.name}`,
      'ns3.example.museum',
    ]);
  });
});

describe('names', () => {
  test.each([
    ['a', 'org', 2306],
    ['ab', 'us', 2306],
    ['abcd', 'id', 2306],
    ['xn--mnchen-3ya', 'org', 1000],
    ['xn--mnchen-3ya', 'us', 2306],
    ['xn--99999999999', 'org', 2005],
    ['ab--cd', 'org', 2005],
    ['co', 'id', 2306],
    ['a.b', 'org', 2306],
  ])('%s.%s is answered with %i', async (label, tld, code) => {
    const more = tld === 'us' ? { ext: { tld: nexus } } : {};
    expect(await registry.us.code(newDomain(`${label}.${tld}`, contact, more))).toBe(code);
  });
});
