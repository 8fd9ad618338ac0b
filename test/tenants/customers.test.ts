import { everyTenant, sql } from '@namehold/base';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Access, reaches } from '../../packages/server/src/core/customers/access.ts';
import { buildOpenApi } from '../../packages/server/src/http/openapi/document.ts';
import { routes } from '../../packages/server/src/http/v1/index.ts';
import { openCustomerSession } from '../support/people.ts';
import { keyFor, makeReseller } from '../support/resellers.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { furnish, mark, missingIds, type Tenancy } from './fixtures.ts';
import { casesOf, comparable, idsFor, type MatrixOperation, operationsOf, requestOf } from './operations.ts';
import { snapshot } from './snapshot.ts';

// From the document, as the matrix of resellers; what is open to customers is told by the routes.
const operations = operationsOf(JSON.parse(JSON.stringify(buildOpenApi(routes))) as { paths: object });
const bare = (path: string) => path.replaceAll(/\{\w+\}/g, '{}');
const routeOf = ({ method, template }: MatrixOperation) =>
  routes.find((route) => route.method === method && bare(route.path) === bare(template))!;
const levelOf = (operation: MatrixOperation) => routeOf(operation).customer;
const title = (operation: MatrixOperation) => `${operation.method} ${operation.template}`;
const open = operations.filter((each) => levelOf(each) !== undefined);

let t: TestService;
/** A customer, another one of the same reseller, and one of another reseller. */
let own: Tenancy;
let neighbour: Tenancy;
let stranger: Tenancy;
let session: string;
let before: Record<string, string>;
beforeAll(async () => {
  t = await startTestService({ sandbox: true });
  const key = await keyFor(t, '1000');
  own = await furnish(t, key, 'lemur');
  neighbour = await furnish(t, key, mark);
  stranger = await furnish(t, await makeReseller(t), 'okapi');
  session = await openCustomerSession(t, '1000', own.nouns.customer, 'order', key);
  before = await snapshot(t, stranger.nouns.reseller);
});
afterAll(() => t.stop());

function ask(operation: MatrixOperation, strange: Record<string, string> = {}, as = session) {
  const { path, query, json, raw } = requestOf(operation, own, strange);
  return t.call(operation.method, path, { query, session: as, ...(json ? { json } : {}), ...(raw ? { raw } : {}) });
}

test('what is not opened to customers is not there for them, with their own ids either', async () => {
  const closed = operations.filter((each) => levelOf(each) === undefined && !routeOf(each).isPublic);
  expect(closed.length).toBeGreaterThan(200);
  for (const operation of closed) {
    const called = await ask(operation);
    expect([called.status, called.body.code], title(operation)).toEqual([404, 'route_not_found']);
  }
});

test('people, keys, prices, resellers, the operator and the sandbox are closed', () => {
  const never =
    /^\/(people|account|resellers|operator|sandbox|invitations|quotes\/)|\/prices|\/access$|\/invitation$|temp_password/;
  expect(open.filter((each) => never.test(each.template)).map(title)).toEqual([]);
});

describe('another customer’s thing answers as a missing one', () => {
  test.each(open.map((each) => [title(each), each] as const))('%s', async (_, operation) => {
    for (const { strange } of casesOf(operation)) {
      const missing = idsFor(strange, missingIds);
      const nobodys = await ask(operation, missing);
      for (const other of [neighbour, stranger]) {
        // Both customers have the one reseller.
        if (Object.values(strange).includes('reseller')) continue;
        const foreign = idsFor(strange, other.nouns);
        const theirs = await ask(operation, foreign);
        const words = JSON.stringify(strange);
        expect([theirs.status, comparable(theirs.text, foreign)], words).toEqual([
          nobodys.status,
          comparable(nobodys.text, missing),
        ]);
        expect(comparable(theirs.text, foreign).toLowerCase()).not.toMatch(/zebra|okapi/);
      }
    }
    if (operation.method !== 'GET') return;
    const mine = await ask(operation);
    expect(mine.text.toLowerCase()).not.toMatch(/zebra|okapi/);
    expect(mine.status).toBeLessThan(500);
  });
});

test('a level opens what it reaches, and no more', async () => {
  for (const access of ['read', 'dns', 'manage'] satisfies Access[]) {
    const as = await openCustomerSession(t, '1000', own.nouns.customer, access, own.credentials);
    for (const operation of open) {
      // Signing in and out is no question of a level.
      if (operation.isForPeople) continue;
      const called = await ask(operation, missingFor(operation), as);
      const isOpen = called.body?.code !== 'scope_missing';
      expect(isOpen, `${title(operation)} with ${access}`).toBe(reaches(access, levelOf(operation)!));
    }
  }
});

const missingFor = (operation: MatrixOperation) =>
  idsFor(Object.assign({}, ...casesOf(operation).map((each) => each.strange)), missingIds);

test('records are changed in its own name, and its answers are kept for it alone', async () => {
  const { domain, customer } = own.nouns;
  const path = `/v1/domains/${domain}/zone/rrsets`;
  const key = own.credentials;
  const rrset = (value: string) => ({ rrsets: [{ name: 'www', type: 'A', records: [value] }] });
  const made = await t.call('PATCH', path, { json: rrset('192.0.2.1'), as: key, headers: { 'If-None-Match': '*' } });
  expect(made.status, made.text).toBe(200);
  const as = await openCustomerSession(t, '1000', customer, 'dns', key);
  const read = await t.call('GET', path, { session: as });
  expect(read.text).toContain('192.0.2.1');
  const headers = { 'If-Match': '*', 'Idempotency-Key': 'same-key' };
  const order = { json: rrset('192.0.2.7'), headers };
  const changed = await t.call('PATCH', path, { ...order, session: as });
  expect(changed.status, changed.text).toBe(200);
  const again = await t.call('PATCH', path, { ...order, session: as });
  expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([200, 'true']);
  expect(again.text).toBe(changed.text);
  // The same key of its reseller is another one.
  const byKey = await t.call('PATCH', path, { ...order, as: key });
  expect([byKey.status, byKey.headers.get('idempotency-replayed')]).toEqual([200, null]);
  const rows = await t.house.db.as(everyTenant).many(sql`
    select action, person_id, person_name, key_id from audit where reseller_id = 1000 and person_id = ${`customer:${customer}`}
      and action like 'zone.%'`);
  expect(rows).toEqual([
    { action: 'zone.change', person_id: `customer:${customer}`, person_name: 'lemur Person', key_id: null },
  ]);
  const history = await t.call('GET', `/v1/domains/${domain}/zone/history`, { session: as });
  // Its reseller's key changed the zone before and after it; who that was is not told.
  const somebody = { kind: 'service', id: null, name: null, key_id: null, request_id: null };
  expect(history.body.map((each: { actor: { id: string | null } }) => each.actor.id)).toContain(`customer:${customer}`);
  expect(history.body.map((each: { actor: object }) => each.actor)).toContainEqual(somebody);
  expect(history.text).not.toContain('"key_0');
  const listed = await t.call('GET', '/v1/domains', { session: as });
  expect(listed.body.map((each: { domain_name: string }) => each.domain_name)).toEqual([own.nouns.name]);
  expect(listed.headers.get('x-total-count')).toBe('1');
});

test('nothing of the others was touched', async () => {
  expect(await snapshot(t, stranger.nouns.reseller)).toEqual(before);
});
