import { allTenants, sql } from '@namehold/postgres';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Access, hasAccessLevel } from '../../packages/server/src/core/model/customer-access.ts';
import { buildOpenApi } from '../../packages/server/src/http/openapi/document.ts';
import { routes } from '../../packages/server/src/http/v1/index.ts';
import { keyFor, makeReseller } from '../support/resellers.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { cookieOf, openCustomerSession } from '../support/users.ts';
import { furnish, mark, missingIds, type Tenancy } from './fixtures.ts';
import { casesOf, comparable, idsFor, type MatrixOperation, operationsOf, requestOf } from './operations.ts';
import { snapshot } from './snapshot.ts';

// Generated from the document, like the matrix of resellers; the routes define what is open to customers.
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

test('returns 404 for calls that are not open to customers, also with their own ids', async () => {
  const closed = operations.filter((each) => levelOf(each) === undefined && !routeOf(each).isPublic);
  expect(closed.length).toBeGreaterThan(150);
  for (const operation of closed) {
    const called = await ask(operation);
    expect([called.status, called.body.code], title(operation)).toEqual([404, 'route_not_found']);
  }
});

test('refuses users, keys, prices, resellers, the operator and the sandbox', () => {
  const never =
    /^\/(people|account|resellers|operator|sandbox|invitations|quotes\/)|\/prices|\/access$|\/invitation$|temp_password/;
  expect(open.filter((each) => never.test(each.template)).map(title)).toEqual([]);
});

describe("another customer's object", () => {
  test.each(open.map((each) => [title(each), each] as const))(
    'is answered like a missing one: %s',
    async (_, operation) => {
      for (const { strange } of casesOf(operation)) {
        const missing = idsFor(strange, missingIds);
        const ofMissing = await ask(operation, missing);
        for (const other of [neighbour, stranger]) {
          // Both customers have the same reseller.
          if (Object.values(strange).includes('reseller')) continue;
          const foreign = idsFor(strange, other.nouns);
          const theirs = await ask(operation, foreign);
          const words = JSON.stringify(strange);
          expect([theirs.status, comparable(theirs.text, foreign)], words).toEqual([
            ofMissing.status,
            comparable(ofMissing.text, missing),
          ]);
          expect(comparable(theirs.text, foreign).toLowerCase()).not.toMatch(/zebra|okapi/);
        }
      }
      if (operation.method !== 'GET') return;
      const mine = await ask(operation);
      expect(mine.text.toLowerCase()).not.toMatch(/zebra|okapi/);
      expect(mine.status).toBeLessThan(500);
    },
  );
});

test('allows only the calls of the access level', async () => {
  for (const access of ['read', 'dns', 'manage'] satisfies Access[]) {
    const as = await openCustomerSession(t, '1000', own.nouns.customer, access, own.credentials);
    for (const operation of open) {
      // Signing in and out does not depend on the level.
      if (operation.isForUsers) continue;
      const called = await ask(operation, missingFor(operation), as);
      const isOpen = called.body?.code !== 'scope_missing';
      expect(isOpen, `${title(operation)} with ${access}`).toBe(hasAccessLevel(access, levelOf(operation)!));
    }
  }
});

const missingFor = (operation: MatrixOperation) =>
  idsFor(Object.assign({}, ...casesOf(operation).map((each) => each.strange)), missingIds);

test("records changes in the customer's own name, with its own idempotency keys", async () => {
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
  // The same key of its reseller is a different one.
  const byKey = await t.call('PATCH', path, { ...order, as: key });
  expect([byKey.status, byKey.headers.get('idempotency-replayed')]).toEqual([200, null]);
  const rows = await t.ctx.db.as(allTenants).many(sql`
    select action, person_id, person_name, key_id from audit where reseller_id = 1000 and person_id = ${`customer:${customer}`}
      and action like 'zone.%'`);
  expect(rows).toEqual([
    { action: 'zone.change', person_id: `customer:${customer}`, person_name: 'lemur Person', key_id: null },
  ]);
  const history = await t.call('GET', `/v1/domains/${domain}/zone/history`, { session: as });
  // Its reseller's key changed the zone before and after it; that author is not shown.
  const serviceActor = { kind: 'service', id: null, name: null, key_id: null, request_id: null };
  expect(history.body.map((each: { actor: { id: string | null } }) => each.actor.id)).toContain(`customer:${customer}`);
  expect(history.body.map((each: { actor: object }) => each.actor)).toContainEqual(serviceActor);
  expect(history.text).not.toContain('"key_0');
  const listed = await t.call('GET', '/v1/domains', { session: as });
  expect(listed.body.map((each: { domain_name: string }) => each.domain_name)).toEqual([own.nouns.name]);
  expect(listed.headers.get('x-total-count')).toBe('1');
});

/** What a browser receives of the log. */
async function listen(path: string, cookie: string) {
  const abort = new AbortController();
  const headers = { Cookie: cookie, 'Namehold-Console': '1', Origin: t.url };
  const response = await fetch(`${t.url}${path}`, { headers, signal: abort.signal });
  expect(response.status).toBe(200);
  let text = '';
  const read = async () => {
    for await (const piece of response.body!.pipeThrough(new TextDecoderStream())) text += piece;
  };
  void read().catch(() => undefined);
  return { heard: () => text, close: () => abort.abort() };
}

/** An event of a domain, as core appends it. */
const tell = (resellerId: string, type: string, domainId: string, payload: object) =>
  t.ctx.db.transaction(allTenants, (tx) =>
    tx.run(
      sql`select append_event(${resellerId}, ${t.ctx.clock.now()}, ${type}, 'domain', ${domainId}, 'req_hidden', ${JSON.stringify(payload)})`,
    ),
  );

test('returns events of its domains while they were its own, without money and principals', async () => {
  const { domain, customer } = own.nouns;
  const as = await openCustomerSession(t, '1000', customer, 'read', own.credentials);
  const page = async () => (await t.call('GET', '/v1/events', { query: { limit: '1000' }, session: as })).body;
  const { next_after: after } = await page();
  const listening = await listen(`/v1/events/stream?after=${after}`, as);
  const money = { amount: '999.99', currency: 'USD' };
  const payload = {
    ...{ domain_id: domain, domain_name: own.nouns.name, operation_id: own.nouns.operation, transaction_id: '77' },
    ...{ because: 'asked', refunded: [{ transaction_id: '77', ...money }], redemption_ends_at: null },
  };
  const { domain: theirDomain, name: theirName } = neighbour.nouns;
  await tell('1000', 'domain.deleted', theirDomain, { ...payload, domain_id: theirDomain, domain_name: theirName });
  await tell('1000', 'domain.deleted', domain, payload);
  const cameBack = { domain_id: domain, domain_name: own.nouns.name, transaction_id: '77', refunded: money };
  await tell('1000', 'domain.purchase_refunded', domain, cameBack);
  const events = (await t.call('GET', '/v1/events', { query: { after }, session: as })).body.events;
  expect(events).toMatchObject([{ type: 'domain.deleted', object_id: domain, request_id: null }]);
  const { transaction_id: _, because: __, refunded: ___, ...shown } = payload;
  expect(events[0].payload).toEqual(shown);
  await vi.waitFor(() => expect(listening.heard()).toContain('domain.deleted'), 300_000);
  expect(listening.heard()).not.toMatch(/zebra|999\.99|req_hidden|purchase_refunded/);
  listening.close();
  // The next owner of the domain does not read it.
  const give = (to: string) =>
    t.ctx.db.transaction(allTenants, (tx) => tx.run(sql`update domain set customer_id = ${to} where id = ${domain}`));
  await give(neighbour.nouns.customer);
  const next = await openCustomerSession(t, '1000', neighbour.nouns.customer, 'read', own.credentials);
  const theirs = (await t.call('GET', '/v1/events', { query: { after }, session: next })).text;
  expect(theirs).not.toContain(own.nouns.name);
  await give(customer);
});

test("does not count its event streams towards its reseller's limit", async () => {
  const as = await openCustomerSession(t, '1000', own.nouns.customer, 'read', own.credentials);
  const streams = [1, 2, 3].map(() => listen('/v1/events/stream', as));
  const open = await Promise.all(streams);
  expect((await t.call('GET', '/v1/events/stream', { session: as })).status).toBe(429);
  const others = await Promise.all(Array.from({ length: 10 }, () => listen('/v1/events/stream', own.session)));
  for (const each of [...open, ...others]) each.close();
});

test("returns an operation without the registry's answer and the reseller's price", async () => {
  const { operation, name } = own.nouns;
  await t.ctx.db.transaction(allTenants, (tx) =>
    tx.run(sql`update operation set registry_id = (select id from registry limit 1), result_code = 1000, result_text = 'hidden words', reasons = '["hidden reason"]',
      cltrid = 'hidden', svtrid = 'hidden', key_id = 'key_hidden', outcome = '{"expires_at":"2027-01-01T00:00:00Z","refunded":[{"amount":"hidden"}]}'
      where id = ${operation}`),
  );
  const as = await openCustomerSession(t, '1000', own.nouns.customer, 'read', own.credentials);
  const read = await t.call('GET', `/v1/operations/${operation}`, { session: as });
  expect(read.body).toMatchObject({
    state: 'done',
    domain_name: name,
    registry: null,
    outcome: { expires_at: '2027-01-01T00:00:00Z' },
  });
  const listed = await t.call('GET', '/v1/operations', { session: as });
  const ids = listed.body.map((each: { operation_id: string }) => each.operation_id);
  expect(ids).toContain(operation);
  for (const other of [neighbour, stranger]) expect(ids).not.toContain(other.nouns.operation);
  expect(read.text + listed.text).not.toContain('hidden');
  const timeline = await t.call('GET', `/v1/domains/${name}/timeline`, { session: as });
  expect(timeline.body.milestones.length).toBeGreaterThan(0);
  expect(timeline.body.milestones.filter((each: { price: unknown }) => each.price !== null)).toEqual([]);
  expect(timeline.text).not.toContain('/v1/');
});

test('returns its statement and the documents that it was sent', async () => {
  const { customer } = own.nouns;
  const [issued, draft, theirs] = [1, 2, 3].map(() => t.ctx.ids.next('doc'));
  const bill = async (to: string, id: string, number: string | null) => {
    const form = { amount: '12', description: `for ${number ?? 'a draft'}` };
    const funded = await t.call('POST', `/v1/customers/${to}/transactions/fund`, { form, as: own.credentials });
    const now = t.ctx.clock.now();
    const party = JSON.stringify({
      name: form.description,
      address: [],
      country_code: 'ID',
      tax_id: null,
      email: null,
    });
    const issue = number ? { place: number.slice(1), now, on: '2026-02-01' } : { place: null, now: null, on: null };
    await t.ctx.db.transaction(allTenants, (tx) =>
      tx.run(sql`
        insert into invoice (id, kind, reseller_id, customer_id, bill_id, state, series, place, number, issued_at, issued_on, due_on, currency, net, tax,
                             seller, buyer, lines, taxes, created_at)
        values (${id}, 'invoice', 1000, ${to}, ${funded.body.transaction_id}, ${number ? 'open' : 'draft'}, ${number && 'C'}, ${issue.place}, ${number},
                ${issue.now}, ${issue.on}, ${issue.on}, 'USD', 1000, 0, ${party}, ${party}, '[]', '[]', ${now})`),
    );
  };
  await bill(customer, issued!, 'C1');
  await bill(customer, draft!, null);
  await bill(neighbour.nouns.customer, theirs!, 'C2');
  await t.call('PUT', '/v1/invoices/settings', { json: { footer: 'The footer' }, as: own.credentials });
  const as = await openCustomerSession(t, '1000', customer, 'read', own.credentials);
  const today = t.ctx.clock.now().toISOString().slice(0, 10);
  const period = { from: today, to: today };
  const statement = await t.call('GET', `/v1/customers/${customer}/statement`, { query: period, session: as });
  expect(statement.status, statement.text).toBe(200);
  expect(statement.body.lines.map((each: { description: string }) => each.description)).toEqual([
    'for C1',
    'for a draft',
  ]);
  const file = await t.call('GET', `/v1/customers/${customer}/statement/csv`, { query: period, session: as });
  expect(file.text).toMatch(/for C1.*12\.00/);
  const listed = await t.call('GET', '/v1/invoices', { session: as });
  expect(listed.body.map((each: { invoice_id: string }) => each.invoice_id)).toEqual([issued]);
  expect(listed.headers.get('x-total-count')).toBe('1');
  const paper = await t.call('GET', `/v1/invoices/${issued}.pdf`, { session: as });
  expect([paper.status, paper.text.slice(0, 5)]).toEqual([200, '%PDF-']);
  for (const other of [draft, theirs, stranger.nouns.invoice])
    expect((await t.call('GET', `/v1/invoices/${other}`, { session: as })).status, other).toBe(404);
});

test('searches its own objects, and manages its sessions', async () => {
  const { customer, domain, operation } = own.nouns;
  const first = await openCustomerSession(t, '1000', customer, 'read', own.credentials);
  const json = { email: 'lemur@customer.example', password: 'chosen by the customer', reseller_id: '1000' };
  const as = cookieOf(await t.call('POST', '/v1/session', { json, session: '' }));
  const find = async (q: string) => (await t.call('GET', '/v1/search', { query: { q }, session: as })).body.found;
  expect(await find('lemur')).toMatchObject([{ kind: 'domain', id: domain }]);
  expect(await find(operation)).toMatchObject([{ kind: 'operation', id: operation }]);
  for (const q of [
    mark,
    neighbour.nouns.operation,
    neighbour.nouns.domain,
    neighbour.nouns.transaction,
    own.nouns.key,
    customer,
  ])
    expect(await find(q), q).toEqual([]);
  const sessions = await t.call('GET', '/v1/me/sessions', { session: as });
  expect(sessions.body.filter((each: { is_this: boolean }) => each.is_this)).toHaveLength(1);
  expect(sessions.body.length).toBeGreaterThan(1);
  const ended = await t.call('DELETE', '/v1/me/sessions', { session: as });
  expect(ended.body.ended).toBe(sessions.body.length - 1);
  expect((await t.call('GET', '/v1/session', { session: first })).status).toBe(401);
  expect((await t.call('GET', '/v1/session', { session: as })).status).toBe(200);
});

test('leaves objects of others unchanged', async () => {
  expect(await snapshot(t, stranger.nouns.reseller)).toEqual(before);
});

test("returns event ids that hide the account's activity and allow reading to continue", async () => {
  const { domain, customer } = own.nouns;
  const as = await openCustomerSession(t, '1000', customer, 'dns', own.credentials);
  const change = (value: string) =>
    t.call('PATCH', `/v1/domains/${domain}/zone/rrsets`, {
      json: { rrsets: [{ name: 'counted', type: 'A', records: [value] }] },
      headers: { 'If-Match': '*' },
      session: as,
    });
  for (const value of ['192.0.2.21', '192.0.2.22', '192.0.2.23']) expect((await change(value)).status).toBe(200);
  const read = async (query: Record<string, string> = {}) =>
    (await t.call('GET', '/v1/events', { query, session: as })).body as {
      events: { event_id: string }[];
      next_after: string;
    };
  const whole = await read();
  const ids = whole.events.map(({ event_id }) => event_id);
  expect(ids.length).toBeGreaterThanOrEqual(3);
  const numbers = await t.ctx.db.as(allTenants).many<{ number: string }>(sql`
    select number from event where reseller_id = 1000 and customer_id = ${customer} order by number`);
  const counted = numbers.map(({ number }) => `evt_${number.padStart(16, '0')}`);
  expect(ids.filter((id) => counted.includes(id))).toEqual([]);
  expect(new Set(ids).size).toBe(ids.length);
  // Continue from any of them, in the order of the log.
  const [first] = ids as [string];
  expect((await read({ after: first })).events.map(({ event_id }) => event_id)).toEqual(ids.slice(1));
  expect((await read({ after: ids.at(-1)! })).next_after).toBe(ids.at(-1));
  expect(whole.next_after).toBe(ids.at(-1));
  // The ids of another customer, or of the reseller, are not accepted.
  const theirs = await openCustomerSession(t, '1000', neighbour.nouns.customer, 'read', own.credentials);
  const seen = (await t.call('GET', '/v1/events', { session: theirs })).body.events as { event_id: string }[];
  expect(seen.filter(({ event_id }) => ids.includes(event_id) || counted.includes(event_id))).toEqual([]);
});
