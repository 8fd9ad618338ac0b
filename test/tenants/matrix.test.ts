import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildOpenApi } from '../../packages/server/src/http/openapi/document.ts';
import { servedRoutes } from '../../packages/server/src/http/v1/index.ts';
import { makeContact, makeCustomer } from '../support/parties.ts';
import { makeReseller } from '../support/resellers.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { mark, missingIds, type Noun, type Tenancy, twoTenants } from './fixtures.ts';
import {
  casesOf,
  comparable,
  idsFor,
  type MatrixOperation,
  operationsOf,
  requestOf,
  unknownParameters,
} from './operations.ts';
import { snapshot } from './snapshot.ts';

// Written from the document and not from the routes, so that what is published is tested.
const operations = operationsOf(JSON.parse(JSON.stringify(buildOpenApi(servedRoutes))) as { paths: object });
// An offer to any reseller id is accepted, whether there is such a reseller or not; move.test.ts holds the answers against each other, name by name.
const isOffer = ({ operation, strange }: (typeof everyCase)[number]) =>
  operation.template === '/domains/{domain_id}/move' && strange.new_reseller_id !== undefined;
const everyCase = operations.flatMap(casesOf);
const cases = everyCase.filter((each) => !isOffer(each));
const title = (operation: MatrixOperation) => `${operation.method} ${operation.template}`;

let t: TestService;
let own: Tenancy;
let other: Tenancy;
let before: Record<string, string>;
beforeAll(async () => {
  t = await startTestService({ sandbox: true });
  ({ own, other } = await twoTenants(t));
  before = await snapshot(t, other.nouns.reseller);
});
afterAll(() => t.stop());

/** Once with a key, and once as a signed-in user; calls for users only are made as a user in both. */
async function ask(operation: MatrixOperation, strange: Record<string, string>, by: 'key' | 'session' = 'key') {
  const { path, query, json, raw } = requestOf(operation, own, strange);
  return t.call(operation.method, path, {
    query,
    ...(by === 'session' || operation.isForUsers ? { session: own.session } : { as: own.credentials }),
    ...(json ? { json } : {}),
    ...(raw ? { raw } : {}),
  });
}

test('every parameter names a known object type, or is listed as having no owner', () => {
  const unknown = operations.flatMap((operation) =>
    unknownParameters(operation).map((name) => `${title(operation)}: ${name}`),
  );
  expect(unknown, 'add the noun to test/tenants/fixtures.ts').toEqual([]);
});

describe('an object of an unrelated account', () => {
  test.each(
    cases.map(
      (each) =>
        [
          `${title(each.operation)} with ${Object.entries(each.strange).map(([name, noun]) => (noun === 'name' ? `${name} as a name` : name))}`,
          each,
        ] as const,
    ),
  )('is answered like a missing one: %s', async (_, { operation, strange }) => {
    const foreign = idsFor(strange, other.nouns);
    const missing = idsFor(strange, missingIds);
    const theirs = await ask(operation, foreign);
    const ofMissing = await ask(operation, missing);
    expect(theirs.status).toBe(ofMissing.status);
    expect(comparable(theirs.text, foreign)).toBe(comparable(ofMissing.text, missing));
    expect(comparable(theirs.text, foreign).toLowerCase()).not.toContain(mark);
    const inSession = await ask(operation, foreign, 'session');
    expect(inSession.status).toBe(theirs.status);
    expect(comparable(inSession.text, foreign)).toBe(comparable(theirs.text, foreign));
    // Operator-only calls are refused before anything is looked up.
    if (operation.template.startsWith('/operator/')) return expect(theirs.status).toBe(403);
    // Signing in to it is refused like a wrong password.
    if (operation.template === '/session') return expect(theirs.status).toBe(401);
    // Brands are public; for an account without one like for a missing account.
    if (operation.template === '/brand/shown')
      return expect(theirs.text).toBe('{"brand":null,"host_reseller_id":null}');
    // A filter without matches is a success; other calls are refused, if only because of the state of the own object.
    const isFilter = operation.method === 'GET' && Object.keys(strange).every((name) => operation.query.includes(name));
    if (!isFilter || theirs.status !== 200) expect([400, 404, 409]).toContain(theirs.status);
    else expect(theirs.text).toMatch(/^(\[\]|\{\})$/);
    if (Object.keys(strange).some((name) => operation.path.includes(name))) expect(theirs.status).toBe(404);
  });
});

test.each(operations.filter((each) => each.method === 'GET').map((each) => [title(each), each] as const))(
  '%s returns nothing of an unrelated account',
  async (_, operation) => {
    for (const by of ['key', 'session'] as const) {
      const called = await ask(operation, {}, by);
      expect(called.text.toLowerCase()).not.toContain(mark);
      expect(called.status).toBeLessThan(500);
    }
  },
);

test('a parent reaches nothing of a child except the child itself', async () => {
  const child = await makeReseller(t, own.credentials);
  const customer = await makeCustomer(t, child, { name: mark });
  const contact = await makeContact(t, customer, child, { name: mark });
  const key = await t.call('POST', '/v1/account/keys', {
    json: { label: mark, ip_whitelist: ['192.0.2.1'] },
    as: child,
  });
  const held: Partial<Record<Noun, string>> = { customer, contact, key: key.body.key_id as string };
  const reached = cases.filter(({ strange }) => Object.values(strange).every((noun) => held[noun] !== undefined));
  for (const { operation, strange } of reached) {
    const foreign = idsFor(strange, held as Record<Noun, string>);
    const missing = idsFor(strange, missingIds);
    const [theirs, ofMissing] = [await ask(operation, foreign), await ask(operation, missing)];
    expect([theirs.status, comparable(theirs.text, foreign)], title(operation)).toEqual([
      ofMissing.status,
      comparable(ofMissing.text, missing),
    ]);
  }
});

test('objects of the unrelated account are unchanged', async () => {
  expect(await snapshot(t, other.nouns.reseller)).toEqual(before);
});
