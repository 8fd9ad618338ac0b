import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { routes } from '../../packages/server/src/http/v1/index.ts';
import { type Called, type CallOptions, projectRoot, startTestService, type TestService } from '../support/service.ts';
import { contractCoverage, coverageTable, lostEndpoints } from './coverage.ts';
import { filtersOf, type Row, tryFilter } from './filters.ts';
import { type Sample, sampleOf, validElsewhere } from './samples.ts';
import { misfits } from './shape.ts';
import { shapes } from './shapes.ts';
import { type ContractEndpoint, type ContractParameter, contractTable, endpointName } from './table.ts';
import { SampleObjects } from './world.ts';

const coverage = contractCoverage(routes);

let t: TestService;
let objects: SampleObjects;
beforeAll(async () => {
  t = await startTestService({ sandbox: true });
  objects = new SampleObjects(t);
});
afterAll(() => t.stop());

test('the table lists the existing and missing endpoints', () => {
  console.log(coverageTable(coverage));
  expect(coverage.done.length + coverage.missing.length).toBe(contractTable.length);
});

test('no endpoint that exists in the table is missing in the service', () => {
  expect(lostEndpoints(routes)).toEqual([]);
});

test('every endpoint of the contract has a shape, and every shape an endpoint', () => {
  const names = new Set(contractTable.map(endpointName));
  expect([...names].filter((name) => !shapes.has(name))).toEqual([]);
  // Some record types have more spellings than the contract lists.
  expect([...shapes.keys()].filter((name) => !names.has(name) && !name.includes('/dns/'))).toEqual([]);
});

test('every existing endpoint has valid input here or a test of its own', () => {
  const without = coverage.done.filter(
    (endpoint) => !sampleOf(endpoint) && !validElsewhere.has(endpointName(endpoint)),
  );
  expect(without.map(endpointName)).toEqual([]);
  for (const folder of validElsewhere.values()) expect(existsSync(join(projectRoot, folder))).toBe(true);
});

const unknown = { unknown_parameter: 'ignored', 'old-ip': '192.0.2.9' };

function addressOf(endpoint: ContractEndpoint, sample: Sample): string {
  return `/v1${endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(sample.path?.[name] ?? `no-${name}`))}`;
}

type Encoding = 'query' | 'form' | 'hyphens' | 'multipart' | 'json';

function encodingsOf(endpoint: ContractEndpoint, sample: Sample): Encoding[] {
  if (endpoint.method === 'GET') return ['query'];
  if (sample.isCostly) return ['form'];
  return ['form', 'hyphens', 'multipart', 'json', ...(endpoint.method === 'DELETE' ? (['query'] as const) : [])];
}

function encode(encoding: Encoding, fields: Record<string, string>): CallOptions {
  if (encoding === 'hyphens') {
    return {
      form: Object.fromEntries(Object.entries(fields).map(([name, value]) => [name.replaceAll('_', '-'), value])),
    };
  }
  return { [encoding]: fields };
}

/** The contract answers these reads with a bare boolean or number; false and 0 are valid answers there. */
const bareValues = new Set([
  'GET /domains/{domain_id}/locked',
  'GET /domains/{domain_id}/theft_protection',
  'GET /account/balance',
  'GET /customers/{customer_id}/balance',
  'GET /resellers/{reseller_id}/balance',
]);

function expectSuccess(endpoint: ContractEndpoint, called: Called): void {
  const name = endpointName(endpoint);
  expect([200, 202], `${name}: ${called.text.slice(0, 400)}`).toContain(called.status);
  expect(called.headers.get('content-type')).toMatch(/^application\/json/);
  expect(misfits(called.body, shapes.get(name)!), name).toEqual([]);
  // Clients treat an empty body as a failure, except for a list or a bare value of the contract.
  if (!Array.isArray(called.body) && !bareValues.has(name))
    expect([undefined, null, false, '', '{}']).not.toContain(called.text === '{}' ? '{}' : called.body);
  if (endpoint.params.some((parameter) => parameter.name === 'page_no')) {
    expect(called.headers.get('x-total-count')).toMatch(/^\d+$/);
    expect(called.headers.get('link')).toContain(`<${t.url}/v1/`);
  }
}

function expectRefusal(name: string, called: Called, status: number): void {
  expect(called.status, `${name}: ${called.text.slice(0, 300)}`).toBe(status);
  expect(misfits(called.body, { keys: { type: 'text', code: 'text', message: 'text' } }), name).toEqual([]);
  expect(['invalid_request', 'unauthorized', 'card_error']).toContain(called.body.type);
  expect(called.body.message).not.toBe('');
}

/** Required in the table, but omitted by clients. */
const leftOutByClients = new Set([
  'GET /domains/{domain_id} fields',
  'GET /domains/suggestion limit',
  'GET /domains/suggestion keyword',
  'POST /domains/{domain_id}/privacy_protection/buy invoice_option',
  // Persons have none.
  'POST /customers company',
  'PUT /customers/{customer_id} company',
  'POST /customers/{customer_id}/contacts company',
  'PUT /customers/{customer_id}/contacts/{contact_id} company',
]);

/** Of customers, contacts and resellers: optional, and returned as sent. */
const furtherFields: Readonly<Record<string, string>> = {
  address_line_2: 'Floor 2',
  address_line_3: 'Door 3',
  alt_tel_cc_no: '62',
  alt_tel_no: '811234567',
  mobile_cc_no: '62',
  mobile_no: '812345678',
  fax_cc_no: '62',
  fax_no: '217654321',
};

describe.each(coverage.done.map((endpoint) => [endpointName(endpoint), endpoint] as const))('%s', (name, endpoint) => {
  const make = sampleOf(endpoint);

  const isOffered = !coverage.notOffered.includes(endpoint);

  test.runIf(!isOffered)('returns not_available_yet', async () => {
    const definition = routes.find((each) => each.method === endpoint.method && each.path === endpoint.path)!;
    const { domain_id: _, ...fields } = definition.example.input as Record<string, string>;
    const path = { ...fields, domain_id: (await objects.domain()).id, customer_id: objects.customer };
    const sent = endpoint.method === 'GET' ? { query: fields } : { form: fields };
    const called = await t.call(endpoint.method, addressOf(endpoint, { path }), sent);
    expectRefusal(name, called, 400);
    expect(called.body.code, called.text).toBe('not_available_yet');
  });

  test.runIf(isOffered && make)('answers valid input in every encoding', async () => {
    const first = await make!(objects);
    for (const [index, encoding] of encodingsOf(endpoint, first).entries()) {
      const sample = index === 0 ? first : await make!(objects);
      const called = await t.call(
        endpoint.method,
        addressOf(endpoint, sample),
        encode(encoding, { ...sample.fields, ...unknown }),
      );
      expectSuccess(endpoint, called);
    }
  });

  const inPath = endpoint.params.filter((parameter) => parameter.in === 'path').map((parameter) => parameter.name);
  const id = inPath.find((parameter) => ['customer_id', 'reseller_id', 'domain_id'].includes(parameter));

  test.runIf(id)('returns 404 for an id that does not exist', async () => {
    const sample = make ? await make(objects) : {};
    const path = {
      ...Object.fromEntries(inPath.map((parameter) => [parameter, '1'])),
      ...sample.path,
      [id!]: '999999999',
    };
    const fields = { ...sample.fields };
    const missing = await t.call(
      endpoint.method,
      addressOf(endpoint, { path }),
      endpoint.method === 'GET' ? { query: fields } : { form: fields },
    );
    // Without a sample the other fields are missing too, and may be reported first.
    if (make) expectRefusal(name, missing, 404);
    else expect([400, 404]).toContain(missing.status);
  });

  const isMissed = ({ name: parameter, required }: ContractParameter) =>
    required && !leftOutByClients.has(`${name} ${parameter}`);
  const isChecked = ({ name: parameter, required, type }: ContractParameter) =>
    make !== undefined && (parameter === 'limit' || parameter === 'page_no' || (required && type === 'integer'));
  const checked = endpoint.params.filter((each) => each.in !== 'path' && (isMissed(each) || isChecked(each)));

  test.runIf(checked.length > 0)('refuses missing and invalid parameters by name', async () => {
    const sample = make ? await make(objects) : { path: { domain_id: (await objects.domain()).id }, fields: {} };
    const send = (fields: Record<string, string>) =>
      t.call(
        endpoint.method,
        addressOf(endpoint, sample),
        endpoint.method === 'GET' ? { query: fields } : { form: fields },
      );
    for (const parameter of checked) {
      const { [parameter.name]: _, ...rest } = { ...sample.fields };
      if (isMissed(parameter)) expectRefusal(`${name} without ${parameter.name}`, await send(rest), 400);
      if (isChecked(parameter)) {
        const wrong = await send({ ...rest, [parameter.name]: 'x!' });
        expectRefusal(`${name} with a wrong ${parameter.name}`, wrong, 400);
      }
    }
  });

  const isList =
    endpoint.method === 'GET' && typeof shapes.get(name) === 'object' && 'listOf' in Object(shapes.get(name));
  const filters = filtersOf(endpoint).filter((each) => !inPath.includes('domain_id') || each.name !== 'customer_id');

  test.runIf(isOffered && make && isList && filters.length > 0)('applies every filter', async () => {
    const sample = await make!(objects);
    const needed = Object.fromEntries(
      endpoint.params.flatMap(({ name: each, required }) =>
        required && sample.fields?.[each] !== undefined ? [[each, sample.fields[each]]] : [],
      ),
    );
    const ask = (query: Record<string, string>) =>
      t.call('GET', addressOf(endpoint, sample), { query: { ...needed, ...query } });
    const all = await ask({ limit: '100' });
    const row = (all.body as Row[]).at(-1)!;
    for (const parameter of filters) await tryFilter(parameter, row, await objects.emails(), ask);
  });

  const isOfCustomer = inPath.includes('domain_id') && endpoint.params.some((each) => each.name === 'customer_id');

  test.runIf(isOffered && make && isOfCustomer && endpoint.method === 'GET')(
    'returns 404 for an object of another customer',
    async () => {
      const sample = await make!(objects);
      const ask = (customer_id: string) =>
        t.call('GET', addressOf(endpoint, sample), { query: { ...sample.fields, customer_id } });
      expectSuccess(endpoint, await ask(objects.customer));
      expectRefusal(name, await ask(await objects.otherCustomer()), 404);
    },
  );

  const kept = endpoint.params.filter(
    ({ in: place, required, name: each }) => place === 'form' && !required && each in furtherFields,
  );

  test.runIf(isOffered && make && kept.length > 0)('stores an optional field', async () => {
    const sample = await make!(objects);
    const more = Object.fromEntries(kept.map(({ name: each }) => [each, furtherFields[each]!]));
    const called = await t.call(endpoint.method, addressOf(endpoint, sample), { form: { ...sample.fields, ...more } });
    expectSuccess(endpoint, called);
    expect(called.body).toMatchObject(more);
  });
});
