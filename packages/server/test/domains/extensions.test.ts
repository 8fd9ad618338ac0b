import { TLD_EXTENSIONS } from '@namehold/epp';
import { allTenants, sql } from '@namehold/postgres';
import { sandboxTlds } from '@namehold/sandbox/tlds/index';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import { reconcileNames } from '../../src/core/domains/compare/reconcile.ts';
import { lifeOf, orderOf } from './life.ts';

/** Additional data of some TLDs, from the order to the registry and back. */
let t: TestService;
let life: ReturnType<typeof lifeOf>;
beforeAll(async () => {
  t = await startTestService({ sandbox: true });
  life = lifeOf(t);
});
afterAll(() => life.end());

const order = (name: string, more: Record<string, string> = {}) =>
  t.call('POST', '/v1/domains', { form: orderOf(name, more) });
const atRegistry = async (name: string) => (await t.control('GET', `/domains/${name}`)).body;
const handleOf = async (contactId: string): Promise<string> =>
  (
    await t.ctx.db.as(allTenants).one<{ handle: string }>(sql`
      select handle from registry_contact where contact_id = ${contactId} and shown_as = 'plain'`)
  ).handle;

let contactCount = 0;
async function newContact(more: Record<string, string> = {}): Promise<string> {
  contactCount += 1;
  const { body, text } = await t.call('POST', '/v1/customers/2001/contacts', {
    form: {
      name: `Registrant ${contactCount}`,
      company: 'Not Applicable',
      email: `registrant-${contactCount}@example.org`,
      address_line_1: 'Jalan 1',
      city: 'Jakarta',
      state: 'DKI Jakarta',
      country_code: 'ID',
      zipcode: '10110',
      tel_cc_no: '62',
      tel_no: '215551234',
      ...more,
    },
  });
  expect(body.contact_id, text).toBeDefined();
  return body.contact_id;
}

const asia = {
  asia_country: 'ID',
  asia_entity_type: 'naturalPerson',
  asia_identification_type: 'passport',
  asia_identification_number: 'A1234567',
};
const form = (fields: Record<string, string>) => new URLSearchParams(fields).toString();

describe.each(TLD_EXTENSIONS.map((each) => [each.name, each] as const))('the extension %s', (extra, extension) => {
  const { tld } = sandboxTlds.find((each) => each.extra === extra)!;
  const { example, schema } = extension;

  test('is published, and requires its fields by name', async () => {
    const rules = await t.call('GET', `/v1/tlds/${tld}`);
    expect(rules.body).toMatchObject({
      rules: { extra_schema: extra },
      extra_schema: JSON.parse(JSON.stringify(schema)),
    });
    const registrant = await newContact();
    for (const field of schema.required ?? []) {
      const { [field]: _, ...others } = example;
      const refused = await order(`extra-each.${tld}`, { registrant_contact_id: registrant, extra: form(others) });
      expect(refused.body.errors).toContainEqual(
        expect.objectContaining({ field: `extra.${field}`, code: 'required' }),
      );
    }
    const long = Object.fromEntries(Object.keys(example).map((field) => [field, 'x'.repeat(300)]));
    const refused = await order(`extra-each.${tld}`, { registrant_contact_id: registrant, extra: form(long) });
    const named = refused.body.errors.map(({ field }: { field: string }) => field).sort();
    expect(named).toEqual(expect.arrayContaining(Object.keys(example).map((field) => `extra.${field}`)));
  });

  test('reaches the registry with an order, and is not asked for again', async () => {
    const registrant = await newContact();
    await life.buy(`extra-each-one.${tld}`, { registrant_contact_id: registrant, extra: form(example) });
    if (extension.carrier === 'contact') await life.buy(`extra-each-two.${tld}`, { registrant_contact_id: registrant });
    else expect((await atRegistry(`extra-each-one.${tld}`)).extensions).toEqual({ [extra]: example });
  });
});

test('sets the .us nexus of the order on the registrant, and requires one for a new registrant', async () => {
  const [registrant, other] = [await newContact(), await newContact()];
  // Known to the registry before, without a nexus.
  await life.buy('extra-known.com', { registrant_contact_id: registrant });
  const without = await order('extra-nexus.us', { registrant_contact_id: registrant });
  expect(without.body).toMatchObject({ code: 'invalid_argument', errors: [{ field: 'extra.us_purpose' }, {}] });
  await life.buy('extra-nexus.us', { registrant_contact_id: registrant, extra: 'us_purpose=P3&us_category=C21' });
  const shown = await t.call('GET', `/v1/customers/2001/contacts/${registrant}`);
  expect(shown.body).toMatchObject({ extra: { us_purpose: 'P3', us_category: 'C21' }, eligibility_criteria: ['us'] });
  expect(await atRegistry('extra-nexus.us')).toMatchObject({ registrant: await handleOf(registrant), extensions: {} });
  // Declared once, it applies to the next domain.
  await life.buy('extra-nexus-two.us', { registrant_contact_id: registrant });
  const change = (registrant_contact_id: string) =>
    t.call('PUT', '/v1/domains/extra-nexus.us/contacts', {
      form: { registrant_contact_id, admin_contact_id: '3001', tech_contact_id: '3001', billing_contact_id: '3001' },
    });
  expect((await change(other)).body).toMatchObject({ code: 'invalid_argument', errors: [{ code: 'required' }] });
  const declared = await t.call('PUT', `/v1/customers/2001/contacts/${other}/extra`, {
    form: { eligibility_criteria: 'us', extra: 'us_purpose=P1&us_category=C11' },
  });
  expect(declared.status, declared.text).toBe(200);
  const changed = await change(other);
  expect(changed.status, changed.text).toBe(200);
  expect(await atRegistry('extra-nexus.us')).toMatchObject({ registrant: await handleOf(other) });
});

test("accepts a .asia declarant of the account, and returns 404 for another account's contact", async () => {
  const [registrant, declarant] = [await newContact(), await newContact()];
  await life.buy('extra-own.asia', { registrant_contact_id: registrant, extra: form(asia) });
  expect(await atRegistry('extra-own.asia')).toMatchObject({
    extensions: { asia: { asia_contact_id: await handleOf(registrant) } },
  });
  const foreign = form({ ...asia, asia_contact_id: '999999' });
  const refused = await order('extra-strange.asia', { extra: foreign });
  expect(refused.body).toMatchObject({ errors: [{ field: 'extra.asia_contact_id', code: 'not_found' }] });
  const declared = await t.call('PUT', `/v1/customers/2001/contacts/${declarant}/extra`, {
    form: { eligibility_criteria: 'asia', extra: form({ ...asia, asia_identification_number: 'B7' }) },
  });
  expect(declared.status, declared.text).toBe(200);
  const plain = await newContact();
  await life.buy('extra-by-another.asia', {
    registrant_contact_id: plain,
    extra: form({ asia_contact_id: declarant }),
  });
  expect(await atRegistry('extra-by-another.asia')).toMatchObject({
    registrant: await handleOf(plain),
    extensions: { asia: { asia_contact_id: await handleOf(declarant) } },
  });
  // The new registrant declares from then on, if the former one did.
  const changed = await t.call('PUT', '/v1/domains/extra-own.asia/contacts', {
    form: {
      registrant_contact_id: declarant,
      admin_contact_id: '3001',
      tech_contact_id: '3001',
      billing_contact_id: '3001',
    },
  });
  expect(changed.status, changed.text).toBe(200);
  expect(await atRegistry('extra-own.asia')).toMatchObject({
    extensions: { asia: { asia_contact_id: await handleOf(declarant) } },
  });
});

test('stores the DS record that .nl computes from a key, and removes it with the key', async () => {
  await life.buy('extra-key.nl', { ns: 'ns1.namehold-dns.net,ns2.namehold-dns.net' });
  await life.buy('extra-record.com');
  // RFC 8080 6.1: a key with its DS record, computed elsewhere.
  const key = { flags: '257', protocol: '3', algorithm: '15', pubkey: 'l02Woi0iS8Aa25FQkUd9RMzZHJpBoRQwAQEX1SxZJA4=' };
  const record = { keytag: '3613', algorithm: '15', digesttype: '2', digest: 'AB'.repeat(32) };
  const add = (name: string, form: Record<string, string>) => t.call('POST', `/v1/domains/${name}/dnssec`, { form });
  const fieldOf = (called: { body: { errors: { field: string; code: string }[] } }) => called.body.errors[0];
  expect(fieldOf(await add('extra-key.nl', record))).toMatchObject({ field: 'flags', code: 'required' });
  expect(fieldOf(await add('extra-key.nl', { ...key, ...record }))).toMatchObject({ field: 'keytag' });
  expect(fieldOf(await add('extra-record.com', key))).toMatchObject({ field: 'keytag', code: 'required' });
  expect(fieldOf(await add('extra-key.nl', { ...key, pubkey: 'not base64!' }))).toMatchObject({ field: 'pubkey' });
  expect(fieldOf(await add('extra-key.nl', { ...key, protocol: '2' }))).toMatchObject({ field: 'protocol' });
  const added = await add('extra-key.nl', key);
  expect(added.status, added.text).toBe(200);
  expect(added.body).toMatchObject({ keytag: 3613, algorithm: 15, digesttype: 2, key: { flags: 257, protocol: 3 } });
  expect((await add('extra-key.nl', key)).body.code).toBe('already_exists');
  // Our record is the one that the registry publishes.
  const zone = (await t.control('GET', '/zones/nl')).text as string;
  expect(zone).toContain(`extra-key.nl. IN DS 3613 15 2 ${added.body.digest}`);
  expect((await reconcileNames(t.ctx, ['extra-key.nl']))[0]).toMatchObject({ outcome: 'live', drift: [] });
  expect((await t.call('GET', '/v1/domains/extra-key.nl/dnssec')).body).toEqual([added.body]);
  const { keytag, algorithm, digesttype, digest } = added.body;
  const removed = await t.call(
    'DELETE',
    `/v1/domains/extra-key.nl/dnssec/${keytag}/${algorithm}/${digesttype}/${digest}`,
  );
  expect(removed.status, removed.text).toBe(200);
  expect((await atRegistry('extra-key.nl')).ds).toEqual([]);
});

const problem = (called: { body: { errors?: { field: string; code: string }[] } }) => called.body.errors?.[0];

test('requires the accepted claims notice for a claimed domain, and refuses it elsewhere', async () => {
  await life.buy('extra-free.sale');
  const claimed = await order('mark-cola.sale');
  expect(problem(claimed)).toMatchObject({ field: 'claims_notice_id', code: 'required' });
  expect(claimed.body.message).toContain('2026111500/0/0/mark-cola');
  const now = t.ctx.clock.now().getTime();
  const notice = {
    claims_notice_id: '370d0b7c9223372036854775807',
    claims_not_after: new Date(now + 86_400_000).toISOString(),
    claims_accepted_at: new Date(now - 60_000).toISOString(),
  };
  const over = await order('mark-cola.sale', { ...notice, claims_not_after: new Date(now - 1_000).toISOString() });
  expect(problem(over)).toMatchObject({ field: 'claims_not_after' });
  expect(problem(await order('mark-cola.sale', { claims_notice_id: 'x' }))).toMatchObject({
    field: 'claims_not_after',
  });
  expect(problem(await order('extra-claims.com', notice))).toMatchObject({ field: 'claims_notice_id' });
  await life.buy('mark-cola.sale', notice);
  expect(await atRegistry('mark-cola.sale')).toMatchObject({ phase: 'active' });
});

test('sends the signed mark of a sunrise order unchanged, and refuses an invalid one', async () => {
  const xml =
    '<smd:signedMark xmlns:smd="urn:ietf:params:xml:ns:signedMark-1.0" id="m1">a mark of its holder</smd:signedMark>';
  const mark = Buffer.from(xml).toString('base64');
  const file = `Marks: Cola\n-----BEGIN ENCODED SMD-----\n${mark.slice(0, 40)}\n${mark.slice(40)}\n-----END ENCODED SMD-----\n`;
  expect(problem(await order('extra-cola.gallery'))).toMatchObject({ field: 'signed_mark', code: 'required' });
  expect(problem(await order('extra-cola.gallery', { signed_mark: 'aGVsbG8=' }))).toMatchObject({
    field: 'signed_mark',
  });
  expect(problem(await order('extra-cola.com', { signed_mark: mark }))).toMatchObject({ field: 'signed_mark' });
  await life.buy('extra-cola.gallery', { signed_mark: file });
});

test('requires an allocation token, stores it encrypted, and releases the money if it is wrong', async () => {
  const money = await life.balance();
  expect(problem(await order('extra-one.vip'))).toMatchObject({ field: 'allocation_token', code: 'required' });
  expect(problem(await order('extra-one.com', { allocation_token: 'x' }))).toMatchObject({ field: 'allocation_token' });
  const wrong = await order('extra-one.vip', { allocation_token: 'TOKEN-another' });
  expect(wrong.body).toMatchObject({ code: 'registry_refused' });
  expect(await life.balance()).toEqual(money);
  await life.buy('extra-one.vip', { allocation_token: 'TOKEN-extra-one' });
  const { kept } = await t.ctx.db.as(allTenants).one<{ kept: string }>(sql`
    select concat((select string_agg(o::text, '') from operation o), (select string_agg(a::text, '') from audit a)) as kept`);
  expect(kept).not.toContain('TOKEN-extra-one');
});

test('requires the IDN table of an internationalised domain if the TLD has several', async () => {
  expect(problem(await order('bäckerei.koeln'))).toMatchObject({ field: 'idn_table', code: 'required' });
  expect(problem(await order('bäckerei.koeln', { idn_table: 'el' }))).toMatchObject({ field: 'idn_table' });
  expect(problem(await order('extra-baker.koeln', { idn_table: 'de' }))).toMatchObject({ field: 'idn_table' });
  await life.buy('bäckerei.koeln', { idn_table: 'de' });
  await life.buy('extra-baker.koeln');
  const rules = await t.call('GET', '/v1/tlds/koeln');
  expect(rules.body.rules?.registration ?? rules.body.registration).toEqual({ idn_tables: ['de', 'fr'] });
});

test('sends a registry only the contact roles of its profile, in orders and changes', async () => {
  const [registrant, admin] = [await newContact(), await newContact()];
  await life.buy('extra-few.page', { registrant_contact_id: registrant, admin_contact_id: admin });
  const { registrant: registered, contacts } = await atRegistry('extra-few.page');
  expect({ registrant: registered, contacts }).toEqual({
    registrant: await handleOf(registrant),
    contacts: [{ type: 'tech', id: await handleOf('3001') }],
  });
  const handles = await t.ctx.db.as(allTenants).many(sql`select from registry_contact where contact_id = ${admin}`);
  expect(handles).toHaveLength(0);
  const changed = await t.call('PUT', '/v1/domains/extra-few.page/contacts', {
    form: {
      registrant_contact_id: registrant,
      admin_contact_id: '3001',
      tech_contact_id: registrant,
      billing_contact_id: admin,
    },
  });
  expect(changed.status, changed.text).toBe(200);
  expect((await atRegistry('extra-few.page')).contacts).toEqual([{ type: 'tech', id: await handleOf(registrant) }]);
  expect((await reconcileNames(t.ctx, ['extra-few.page']))[0]).toMatchObject({ outcome: 'live', drift: [] });
});

test('refuses fields that no TLD has, and ignores those of another TLD', async () => {
  const fields = (extra: string) => order('unknown-field.asia', { extra });
  for (const unknown of ['foo=bar', 'rubbish', JSON.stringify({ ...asia, foo: 'bar' })]) {
    const field = unknown === 'rubbish' ? 'extra.rubbish' : 'extra.foo';
    const { status, body } = await fields(unknown);
    expect([status, body.errors[0].field], unknown).toEqual([400, field]);
    expect(body.errors[0].message).toContain('asia_country');
  }
  const wrong = await fields(JSON.stringify({ ...asia, asia_country: 'DE' }));
  expect(wrong.body.errors.map(({ field }: { field: string }) => field)).toEqual(['extra.asia_country']);
  expect((await fields('{"asia_country"')).body.errors[0].field).toBe('extra');
  expect((await order('other-field.com', { extra: 'us_purpose=P1' })).status).toBe(200);
});

test('requires the four fields of .asia, and the description of another form only with it', async () => {
  const fieldsOf = async (more: Record<string, string>) => {
    const registrant = await newContact();
    const { body } = await order('required-field.asia', { registrant_contact_id: registrant, ...more });
    return (body.errors as { field: string }[]).map(({ field }) => field).sort();
  };
  expect(await fieldsOf({})).toEqual(
    Object.keys(asia)
      .map((field) => `extra.${field}`)
      .sort(),
  );
  expect(await fieldsOf({ extra: form({ ...asia, asia_entity_type: 'other' }) })).toEqual([
    'extra.asia_other_entity_type',
  ]);
});
