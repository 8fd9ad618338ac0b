import { randomUUID } from 'node:crypto';
import { allTenants, sql } from '@namehold/postgres';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { migratedDatabase } from '../../../../test/support/database.ts';
import { runJob } from '../../../../test/support/jobs.ts';
import { makeCustomer, person } from '../../../../test/support/parties.ts';
import { makeReseller } from '../../../../test/support/resellers.ts';
import { countRows } from '../../../../test/support/rows.ts';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import { verifyLedger } from '../../src/core/ledger/verify.ts';
import { idempotencyLimits } from '../../src/http/idempotency/idempotency.ts';
import { routes } from '../../src/http/v1/index.ts';
import { jobs } from '../../src/jobs/index.ts';
import { demoOf, newFolder, removeFolder, startProcess, until } from '../support/process.ts';
import { makeDomain } from '../zones/support.ts';
import { basic } from './support/raw.ts';

let t: TestService;
beforeAll(async () => {
  t = await startTestService();
});
afterAll(async () => {
  expect((await verifyLedger(t.ctx.db)).differences).toEqual([]);
  await t.stop();
});

const customers = '/v1/customers';
const keys = '/v1/account/keys';
const newKey = () => ({ 'Idempotency-Key': randomUUID() });
let made = 0;
const fresh = (changes: Record<string, string> = {}) => {
  made += 1;
  return person({ email: `once${made}@made.example`, password: 'a long enough one', ...changes });
};
const stored = async (headers: { 'Idempotency-Key': string }) =>
  t.ctx.db
    .as(allTenants)
    .maybe<{ state: string; status: number; body: string; sealed: boolean; request_hash: string }>(
      sql`select state, status, body, sealed, request_hash from idempotency where key = ${headers['Idempotency-Key']}`,
    );

describe('the same key and request', () => {
  test('returns the first response again, marked, and executes once', async () => {
    const headers = newKey();
    const form = fresh();
    const first = await t.call('POST', customers, { form, headers });
    const again = await t.call('POST', customers, { form, headers });
    expect(first.status).toBe(200);
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(again.text).toBe(first.text);
    expect(await countRows(t, 'customer', sql`email = ${form.email}`)).toBe(1);
  });
  test('matches in another encoding, field order and spelling', async () => {
    const headers = newKey();
    const fields = fresh();
    const first = await t.call('POST', customers, { form: fields, headers });
    const turned = Object.fromEntries(Object.entries(fields).reverse());
    for (const again of [
      { json: turned },
      { multipart: turned },
      { query: turned },
      { form: { ...turned, unknown: 'x', address_line_2: '' } },
    ]) {
      const replayed = await t.call('POST', customers, { ...again, headers });
      expect(replayed.text).toBe(first.text);
      expect(replayed.headers.get('idempotency-replayed')).toBe('true');
    }
  });
  test('applies to PUT and DELETE', async () => {
    const id = await makeCustomer(t);
    const [change, end] = [newKey(), newKey()];
    const form = fresh();
    const changed = await t.call('PUT', `${customers}/${id}`, { form, headers: change });
    expect((await t.call('PUT', `${customers}/${id}`, { form, headers: change })).text).toBe(changed.text);
    const deleted = await t.call('DELETE', `${customers}/${id}`, { headers: end });
    const again = await t.call('DELETE', `${customers}/${id}`, { headers: end });
    expect(again.status).toBe(200);
    expect(again.text).toBe(deleted.text);
    expect((await t.call('DELETE', `${customers}/${id}`)).status).toBe(404);
  });
  test('is ignored for reads', async () => {
    const headers = newKey();
    expect((await t.call('GET', customers, { headers })).status).toBe(200);
    expect(await stored(headers)).toBeUndefined();
  });
  test('applies across processes', async () => {
    const headers = newKey();
    const form = fresh();
    const other = await t.second();
    const first = await t.call('POST', customers, { form, headers });
    const again = await other.call('POST', customers, { form, headers, as: t.demo });
    expect(again.text).toBe(first.text);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    await other.stop();
  });
});

describe('another request with the same key', () => {
  test('returns 422 for another field, path, method or operation', async () => {
    const headers = newKey();
    const id = await makeCustomer(t);
    const form = fresh();
    expect((await t.call('PUT', `${customers}/${id}`, { form, headers })).status).toBe(200);
    for (const [method, path, fields] of [
      ['PUT', `${customers}/${id}`, { ...form, name: 'Another' }],
      ['PUT', `${customers}/${await makeCustomer(t)}`, form],
      ['POST', customers, { ...form, password: 'a long enough one' }],
      ['DELETE', `${customers}/${id}`, {}],
    ] as const) {
      const refused = await t.call(method, path, { form: fields, headers });
      expect(refused.status).toBe(422);
      expect(refused.body).toMatchObject({ type: 'invalid_request', code: 'idempotency_mismatch' });
    }
  });
  test('is accepted from another reseller', async () => {
    const headers = newKey();
    const other = await makeReseller(t);
    const [mine, theirs] = [fresh(), fresh()];
    const first = await t.call('POST', customers, { form: mine, headers });
    const second = await t.call('POST', customers, { form: theirs, headers, as: other });
    expect(second.status).toBe(200);
    expect(second.body.customer_id).not.toBe(first.body.customer_id);
    expect(second.headers.get('idempotency-replayed')).toBeNull();
  });
});

describe('while the first request runs', () => {
  async function blocked(work: (release: () => Promise<void>, terminate: () => Promise<void>) => Promise<void>) {
    const client = new pg.Client({ connectionString: t.databaseUrl });
    client.on('error', () => undefined);
    await client.connect();
    await client.query('begin; lock table customer in exclusive mode');
    const terminate = async () => {
      const waiting = async () =>
        (
          await client.query(
            `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
          )
        ).rows;
      await until(async () => (await waiting()).length > 0);
      for (const { pid } of await waiting()) await client.query('select pg_terminate_backend($1)', [pid]);
    };
    try {
      await work(async () => void (await client.query('rollback')), terminate);
    } finally {
      await client.end();
    }
  }
  test('returns 409 with Retry-After to the second one, and the response later', async () => {
    const headers = newKey();
    const form = fresh();
    await blocked(async (release) => {
      const running = t.call('POST', customers, { form, headers });
      await until(async () => (await stored(headers)) !== undefined);
      const second = await t.call('POST', customers, { form, headers });
      expect(second.status).toBe(409);
      expect(second.body.code).toBe('idempotency_in_flight');
      expect(second.headers.get('retry-after')).toBe('1');
      const { is_soon } = await t.ctx.db.as(allTenants).one<{ is_soon: boolean }>(sql`
        select leased_until < now() + interval '45 seconds' as is_soon from idempotency where key = ${headers['Idempotency-Key']}`);
      expect(is_soon, 'should the process die, the caller need not wait for a minute').toBe(true);
      await release();
      const first = await running;
      expect(first.status).toBe(200);
      expect((await t.call('POST', customers, { form, headers })).text).toBe(first.text);
    });
  });
  test('stores no 503 after a database failure, so that the retry executes', async () => {
    const headers = newKey();
    const form = fresh();
    await blocked(async (release, terminate) => {
      const running = t.call('POST', customers, { form, headers });
      await terminate();
      expect((await running).status).toBe(503);
      await release();
    });
    expect(await stored(headers)).toBeUndefined();
    const retry = await t.call('POST', customers, { form, headers });
    expect(retry.status).toBe(200);
    expect(retry.headers.get('idempotency-replayed')).toBeNull();
  });
  test('executes the next request if the key is released while it checks the key', async () => {
    const headers = newKey();
    await t.call('POST', customers, { form: fresh(), headers });
    const owner = new pg.Client({ connectionString: t.databaseUrl });
    await owner.connect();
    const row = `key = '${headers['Idempotency-Key']}'`;
    await owner.query('begin');
    await owner.query(`select from idempotency where ${row} for update`);
    const next = t.call('POST', customers, { form: fresh(), headers });
    // Not the activity of other sessions, which is frozen inside a transaction.
    const waiting = () =>
      owner.query('select from pg_locks where not granted and pg_backend_pid() = any (pg_blocking_pids(pid))');
    await expect.poll(async () => (await waiting()).rowCount).toBeGreaterThan(0);
    await owner.query(`delete from idempotency where ${row}`);
    await owner.query('commit');
    await owner.end();
    expect((await next).status).toBe(200);
    expect(await stored(headers)).toMatchObject({ state: 'answered', status: 200 });
  });

  test('executes one of fifty simultaneous requests; the others wait or get the same response', async () => {
    const headers = newKey();
    const json = { label: `fifty ${headers['Idempotency-Key']}`, ip_whitelist: ['127.0.0.1'] };
    const other = await t.second();
    const all = await Promise.all(
      Array.from({ length: 50 }, (_, i) => (i % 2 ? t : other).call('POST', keys, { json, headers, as: t.demo })),
    );
    await other.stop();
    const answered = all.filter((called) => called.status === 200);
    expect(answered.length).toBeGreaterThan(0);
    expect(new Set(answered.map((called) => called.body.api_key)).size).toBe(1);
    for (const called of all) expect([200, 409]).toContain(called.status);
    expect(answered.filter((called) => called.headers.get('idempotency-replayed') === null)).toHaveLength(1);
    expect(await countRows(t, 'api_key', sql`label = ${json.label}`)).toBe(1);
    const late = await t.call('POST', keys, { json, headers });
    expect(late.body.api_key).toBe(answered[0]!.body.api_key);
  });
});

describe('stored responses', () => {
  test('return a new API key again, and store it encrypted', async () => {
    const headers = newKey();
    const json = { label: 'sealed', ip_whitelist: ['127.0.0.1'] };
    const first = await t.call('POST', keys, { json, headers });
    const again = await t.call('POST', keys, { json, headers });
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('cache-control')).toBe('no-store');
    const row = (await stored(headers))!;
    expect(row.sealed).toBe(true);
    expect(row.body).toMatch(/^v1\./);
    expect(JSON.stringify(row)).not.toContain(first.body.api_key);
    // The stored response is encrypted for this key only, and cannot be decrypted under another.
    const moved = newKey();
    await t.ctx.db.transaction(allTenants, (tx) =>
      tx.run(sql`update idempotency set key = ${moved['Idempotency-Key']} where key = ${headers['Idempotency-Key']}`),
    );
    expect((await t.call('POST', keys, { json, headers: moved })).status).toBe(500);
  });
  test('do not reveal the password of the request to readers of the database', async () => {
    const headers = newKey();
    const form = fresh();
    await t.call('POST', customers, { form, headers });
    const { createHash } = await import('node:crypto');
    const sorted = JSON.stringify(Object.fromEntries(Object.entries(form).sort(([a], [b]) => (a < b ? -1 : 1))));
    const plain = createHash('sha256').update(`POST ${customers}\n${sorted}`).digest('hex');
    expect((await stored(headers))!.request_hash).not.toBe(plain);
  });
  test('include definite refusals', async () => {
    const missing = newKey();
    const form = fresh();
    const first = await t.call('PUT', `${customers}/999999`, { form, headers: missing });
    expect(first.status).toBe(404);
    const again = await t.call('PUT', `${customers}/999999`, { form, headers: missing });
    expect(again.text).toBe(first.text);
    expect(again.headers.get('idempotency-replayed')).toBe('true');

    const taken = newKey();
    const existing = fresh();
    const registrantId = (await t.call('POST', customers, { form: existing })).body.customer_id;
    const refused = await t.call('POST', customers, { form: existing, headers: taken });
    expect(refused.status).toBe(409);
    await t.call('DELETE', `${customers}/${registrantId}`);
    const later = await t.call('POST', customers, { form: existing, headers: taken });
    expect(later.text).toBe(refused.text);
  });
  test('have a size limit, above which the key still executes once', async () => {
    const domain = await makeDomain(t, 'roomy.com');
    const zone = `/v1/domains/${domain}/zone`;
    const records = Array.from({ length: 80 }, (_, n) => `"${n}${'x'.repeat(240)}"`);
    const change = (sets: number) => ({
      rrsets: Array.from({ length: sets }, (_, n) => ({ name: `long${n}`, type: 'TXT', ttl: 300, records })),
    });
    const send = (json: object, headers: Record<string, string>) =>
      t.call('PATCH', `${zone}/rrsets`, { json, headers });
    const [small, large] = [newKey(), newKey()];
    const kept = await send(change(1), small);
    expect(kept.status, kept.text).toBe(200);
    expect((await send(change(1), small)).text).toBe(kept.text);
    const first = await send(change(5), large);
    expect(first.status, first.text.slice(0, 300)).toBe(200);
    expect(first.text.length).toBeGreaterThan(idempotencyLimits.answerBytes);
    expect(await stored(large)).toMatchObject({ state: 'answered', status: 200, body: null });
    const again = await send(change(5), large);
    expect(again.body).toMatchObject({ code: 'answer_not_kept' });
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect((await t.call('GET', zone)).body.serial).toBe(first.body.serial);
    expect((await send(change(3), large)).body.code).toBe('idempotency_mismatch');
  });
  test('do not include 401, 403 and 429', async () => {
    const headers = newKey();
    const form = fresh();
    const readOnly = (
      await t.call('POST', keys, { json: { label: 'r', ip_whitelist: ['127.0.0.1'], scopes: ['read'] } })
    ).body.api_key;
    expect((await t.call('POST', customers, { form, headers, as: `1000:${readOnly}` })).status).toBe(403);
    expect((await t.call('POST', customers, { form, headers, as: '1000:nh_wrong' })).status).toBe(401);
    expect(await stored(headers)).toBeUndefined();
    expect((await t.call('POST', customers, { form, headers })).status).toBe(200);
  });
  test('are kept for at least a day', async () => {
    expect(t.ctx.config.keepIdempotencyDays).toBeGreaterThanOrEqual(1);
    const [young, old] = [newKey(), newKey()];
    for (const headers of [young, old]) await t.call('POST', customers, { form: fresh(), headers });
    await t.ctx.db.transaction(allTenants, (tx) =>
      tx.run(sql`update idempotency set created_at = now() - interval '4 days' where key = ${old['Idempotency-Key']}`),
    );
    await t.ctx.db.transaction(allTenants, (tx) =>
      tx.run(
        sql`insert into rate_bucket values ('expired', now() - interval '1 second'), ('current', now() + interval '1 hour')`,
      ),
    );
    await runJob(t.ctx, 'purge-sessions');
    await runJob(t.ctx, 'purge-old-rows');
    expect(await countRows(t, 'rate_bucket', sql`bucket = 'expired'`)).toBe(0);
    expect(await countRows(t, 'rate_bucket', sql`bucket = 'current'`)).toBe(1);
    expect(jobs.find(({ name }) => name === 'purge-sessions')!.everyMs).toBeLessThanOrEqual(60_000);
    expect(await stored(old)).toBeUndefined();
    expect(await stored(young)).toBeDefined();
  });
});

describe('the Idempotency-Key header', () => {
  test.each(['', ' ', 'a b', 'x'.repeat(256), 'caf\u00e9', 'a\tb'])('is refused if invalid: %j', async (key) => {
    const called = await t.call('POST', customers, { form: fresh(), headers: { 'Idempotency-Key': key } });
    expect(called.status).toBe(400);
    expect(called.body.errors[0].field).toBe('Idempotency-Key');
  });
  test('may have 255 characters', async () => {
    const called = await t.call('POST', customers, {
      form: fresh(),
      headers: { 'Idempotency-Key': `${randomUUID()}${'!'.repeat(219)}` },
    });
    expect(called.status).toBe(200);
  });
});

describe('a process that crashes', () => {
  test('replaces a process that crashed before its transaction after the lease', async () => {
    const headers = newKey();
    const form = fresh();
    await t.call('POST', customers, { form, headers });
    await t.ctx.db.transaction(allTenants, (tx) =>
      tx.run(
        sql`update idempotency set state = 'in_flight', body = null, leased_until = now() + interval '1 minute' where key = ${headers['Idempotency-Key']}`,
      ),
    );
    await t.ctx.db.transaction(allTenants, (tx) =>
      tx.run(sql`update customer set deleted_at = now() where email = ${form.email}`),
    );
    expect((await t.call('POST', customers, { form, headers })).status).toBe(409);
    await t.ctx.db.transaction(allTenants, (tx) =>
      tx.run(
        sql`update idempotency set leased_until = now() - interval '1 second' where key = ${headers['Idempotency-Key']}`,
      ),
    );
    const called = await t.call('POST', customers, { form, headers });
    expect(called.status).toBe(200);
    expect(called.headers.get('idempotency-replayed')).toBeNull();
  });
  test('returns the first response to the retry after a crash between commit and response, with the same API key', async () => {
    const database = await migratedDatabase();
    const folder = newFolder();
    const env = { DATABASE_URL: database.url, NAMEHOLD_LOG_LEVEL: 'silent' };
    const doomed = await startProcess({ folder, env: { ...env, NAMEHOLD_TEST_FAULTS: 'http:before-answer' } });
    const send = (url: string) =>
      fetch(`${url}${keys}`, {
        method: 'POST',
        headers: {
          Authorization: basic(demoOf(doomed)),
          'Content-Type': 'application/json',
          'Idempotency-Key': 'the-one',
        },
        body: JSON.stringify({ label: 'doomed', ip_whitelist: ['127.0.0.1'] }),
      });
    await expect(send(doomed.url)).rejects.toThrow();
    expect((await doomed.exited).signal).toBe('SIGKILL');
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    const { rows } = await client.query(`select fingerprint from api_key where label = 'doomed'`);
    expect(rows).toHaveLength(1);
    const risen = await startProcess({ folder, env });
    const retry = await send(risen.url);
    expect(retry.status).toBe(200);
    expect(retry.headers.get('idempotency-replayed')).toBe('true');
    const { api_key } = (await retry.json()) as { api_key: string };
    const profile = await fetch(`${risen.url}/v1/account/profile`, {
      headers: { Authorization: basic(`1000:${api_key}`) },
    });
    expect(profile.status).toBe(200);
    expect((await client.query(`select 1 from api_key where label = 'doomed'`)).rowCount).toBe(1);
    await client.end();
    await risen.end();
    await database.drop();
    removeFolder(folder);
  });
});

test('every changing operation stores its response in the transaction of the change', () => {
  const reasoned = new Set([
    // Its operation is created as done, in the transaction of the purchase, and a repeated key follows it.
    'POST /domains/{domain_id}/privacy_protection/buy',
    // It returns the operation after the decision. A settled operation cannot be decided again.
    'POST /operator/operations/{operation_id}/settle',
    // It makes a job due, which has no effect when repeated.
    'POST /operator/verify',
    // It renders a mail and sends none.
    'POST /notices/preview',
    // Each line of the file is a payment with its own id, and a repeated import reports it as already seen.
    'POST /payments/import',
    // It only queries.
    'POST /domains/transfer/validity',
    // It only queries the account at the upstream.
    'POST /operator/upstreams/test',
    // It replaces the connection, catalogue and prices, and a repetition stores the same again.
    'POST /operator/upstreams',
    // It sets a value, and a repetition changes nothing.
    'PUT /operator/routes/{tld}',
    // It queries nameservers, and only the current answer matters.
    'POST /domains/{domain_id}/zone/check',
  ]);
  const without = routes
    // The sandbox has its own clock and database; nothing of ours changes with them.
    .filter(
      (route) => route.method !== 'GET' && !route.render && !route.accepted && !route.again && !route.isSandboxOnly,
    )
    .filter((route) => !route.isPublic && !route.forUsers && !reasoned.has(`${route.method} ${route.path}`))
    .map((route) => `${route.method} ${route.path}`);
  expect(without, 'give these a render() or an again(), or run them as an operation').toEqual([]);
});
