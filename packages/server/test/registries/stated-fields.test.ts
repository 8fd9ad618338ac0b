import type { XmlElement } from '@namehold/epp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadCatalogue } from '../../src/core/tlds/load.ts';
import { UnusualRegistryService, unusualProfile } from './unusual-registry-world.ts';

/** Additional fields that only the catalogue describes: Verisign's jobsContact-1.0, and one on the domain itself. */
const jobsUri = 'http://www.verisign.com/epp/jobsContact-1.0';
const deedUri = 'urn:x:deed-1.0';
const jobs = {
  name: 'jobs',
  carrier: 'contact',
  namespace: jobsUri,
  elements: { create: 'create', update: 'update' },
  mapping: [
    { field: 'jobs_title', path: 'title' },
    { field: 'jobs_website', path: 'website' },
    { field: 'jobs_admin', path: 'isAdminContact' },
  ],
  schema: {
    title: '.jobs employer',
    type: 'object',
    properties: {
      jobs_title: { type: 'string', maxLength: 128 },
      jobs_website: { type: 'string', pattern: '^https://', maxLength: 256 },
      jobs_admin: { type: 'string', enum: ['Yes', 'No'] },
    },
    required: ['jobs_website', 'jobs_admin'],
    additionalProperties: false,
  },
};
const deed = {
  name: 'deed',
  carrier: 'domain',
  namespace: deedUri,
  elements: { create: 'deed/owner' },
  mapping: [
    { field: 'deed_kind', path: '@kind' },
    { field: 'deed_number', path: 'register/number' },
  ],
  schema: {
    type: 'object',
    properties: { deed_kind: { type: 'string' }, deed_number: { type: 'string', pattern: '^[0-9]+$' } },
    required: ['deed_number'],
  },
};

let shop: UnusualRegistryService;
beforeAll(async () => {
  shop = await UnusualRegistryService.open();
  shop.there.capabilities.otherExtensionURIs = [jobsUri, deedUri];
});
afterAll(() => shop.close());

const load = (extra_schema: unknown) =>
  loadCatalogue(
    shop.t.ctx,
    JSON.stringify([{ name: 'odd', rules: { nameservers: { min: 2 }, extra_schema } }]),
    'file',
  );
const announce = async (...uris: string[]) => {
  await shop.connect({ ...unusualProfile, otherExtensionURIs: uris });
  await shop.reconnect();
};
const form = (fields: Record<string, string>) => new URLSearchParams(fields).toString();
const problem = (called: Awaited<ReturnType<UnusualRegistryService['order']>>) => called.body.errors?.[0];
const lastOf = (object: string, verb: string) =>
  shop.there.seen.filter((each) => each.object === object && each.verb === verb).at(-1) as unknown as {
    readonly ext?: { readonly other?: readonly XmlElement[] };
  };
/** `create>website=https://...` */
const texts = ({ ns, name, attrs, children }: XmlElement, path = ''): string[] => [
  ...Object.entries(attrs).map(([key, value]) => `${path}${name}@${key}=${value}`),
  ...children.flatMap((each) =>
    typeof each === 'string' ? [`${path}${name}=${each} ${ns}`] : texts(each, `${path}${name}>`),
  ),
];
const sent = (object: string, verb: string) => (lastOf(object, verb).ext?.other ?? []).flatMap((each) => texts(each));

test('are refused if the registry is not told of their namespace, or the name is taken', async () => {
  await expect(load(jobs)).rejects.toThrow('odd.rules.extra_schema.namespace');
  await announce(jobsUri, deedUri);
  await expect(load({ ...jobs, name: 'us', mapping: [], schema: { type: 'object', properties: {} } })).rejects.toThrow(
    'odd.rules.extra_schema.name',
  );
  await expect(load('nonsense')).rejects.toThrow('odd.rules.extra_schema');
});

test('publishes, requires, stores and sends the fields of a contact', async () => {
  await load(jobs);
  const tld = await shop.t.call('GET', '/v1/tlds/odd');
  expect(tld.body).toMatchObject({ extra_schema: jobs.schema, rules: { extra_schema: 'jobs' } });
  expect(problem(await shop.order('stated-1.odd'))).toMatchObject({ field: 'extra.jobs_website', code: 'required' });
  const wrong = { jobs_website: 'ftp://x.example', jobs_admin: 'yes' };
  expect(problem(await shop.order('stated-1.odd', { extra: form(wrong) }))).toMatchObject({
    field: 'extra.jobs_website',
    code: 'invalid',
  });
  const fields = { ...wrong, jobs_website: 'https://a.example' };
  const unknown = form({ ...fields, jobs_unknown: 'x' });
  expect(problem(await shop.order('stated-1.odd', { extra: unknown }))).toMatchObject({ field: 'extra.jobs_unknown' });
  const extra = form(fields);
  const ordered = await shop.order('stated-1.odd', { extra });
  expect(ordered.status, ordered.text).toBe(200);
  expect(sent('contact', 'create')).toEqual([
    `create>website=https://a.example ${jobsUri}`,
    `create>isAdminContact=Yes ${jobsUri}`,
  ]);
  expect(lastOf('domain', 'create').ext?.other ?? []).toEqual([]);
  const path = `/v1/customers/${shop.parties.customer_id}/contacts/${shop.parties.registrant_contact_id}`;
  expect((await shop.t.call('GET', path)).body).toMatchObject({
    eligibility_criteria: ['jobs'],
    extra: { jobs_website: 'https://a.example', jobs_admin: 'Yes' },
  });
  // The contact has declared: the fields can be omitted.
  expect((await shop.order('stated-2.odd')).status).toBe(200);
  const changed = await shop.t.call('PUT', `${path}/extra`, {
    form: { eligibility_criteria: 'odd', extra: form({ jobs_website: 'https://b.example', jobs_admin: 'No' }) },
  });
  expect(changed.status, changed.text).toBe(200);
  await expect
    .poll(() => sent('contact', 'update'), { timeout: 300_000 })
    .toEqual([`update>website=https://b.example ${jobsUri}`, `update>isAdminContact=No ${jobsUri}`]);
  const none = await shop.t.call('PUT', `${path}/extra`, { form: { eligibility_criteria: 'com', extra: 'x=1' } });
  expect(none.body).toMatchObject({ errors: [{ field: 'eligibility_criteria' }] });
});

test('sends the fields of a domain with its create command only', async () => {
  await load(deed);
  const before = shop.there.seen.length;
  expect(problem(await shop.order('stated-3.odd', { extra: 'deed_number=x' }))).toMatchObject({
    field: 'extra.deed_number',
  });
  const ordered = await shop.order('stated-3.odd', { extra: 'deed_number=17&deed_kind=flat' });
  expect(ordered.status, ordered.text).toBe(200);
  expect(sent('domain', 'create')).toEqual(['deed>owner@kind=flat', `deed>owner>register>number=17 ${deedUri}`]);
  const since = shop.there.seen.slice(before).filter(({ object }) => object === 'contact');
  expect(since).toEqual([]);
});
