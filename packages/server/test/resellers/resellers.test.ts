import { allTenants, sql } from '@namehold/postgres';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeCustomer, person } from '../../../../test/support/parties.ts';
import { keyFor, makeReseller } from '../../../../test/support/resellers.ts';
import { countRows } from '../../../../test/support/rows.ts';
import { type Called, startTestService, type TestService } from '../../../../test/support/service.ts';
import { openCustomerSession, openSession } from '../../../../test/support/users.ts';

let t: TestService;
beforeAll(async () => {
  t = await startTestService();
});
afterAll(() => t.stop());

const idOf = (credentials: string) => credentials.split(':')[0]!;
const order = (changes: Record<string, string> = {}) =>
  person({ email: 'sub@reseller.example', password: 'a long enough one', selling_currency: 'usd', ...changes });

describe('creating a reseller', () => {
  test('creates a child of the caller and writes both audit logs without the password', async () => {
    const called = await t.call('POST', '/v1/resellers', { form: order() });
    expect(called.status, called.text).toBe(200);
    expect(called.body).toMatchObject({
      parent_reseller_id: '1000',
      status: 'Active',
      selling_currency: 'USD',
      accounting_currency: 'USD',
      parentselling_currency: 'USD',
      brand_name: null,
      total_receipts: '0.00',
      country_name: 'Indonesia',
    });
    expect(called.text).not.toContain('password');
    const logs = await t.ctx.db.as(allTenants).many<{ reseller_id: string; after: object }>(sql`
      select reseller_id, after from audit where action = 'reseller.create' and object_id = ${called.body.reseller_id} order by 1`);
    expect(logs.map((row) => row.reseller_id)).toEqual(['1000', called.body.reseller_id]);
    expect(JSON.stringify(logs)).not.toContain('argon2');
  });

  const bad: [Record<string, string>, number, string][] = [
    [{ selling_currency: 'XXQ' }, 400, 'selling_currency'],
    [{ selling_currency: '' }, 400, 'selling_currency'],
    [{ password: 'short' }, 400, 'password'],
    [{ password: 'Password1' }, 400, 'password'],
    [{ password: '11111111' }, 400, 'password'],
    [{ email: 'owner.sub@reseller.example', password: 'Owner.Sub@reseller.example' }, 400, 'password'],
    [{ email: 'owner.sub@reseller.example', password: 'owner.sub' }, 400, 'password'],
    [{ country_code: 'QQ' }, 400, 'country_code'],
    [{ zipcode: 'x' }, 400, 'zipcode'],
    [{ state: '' }, 400, 'state'],
    [{ email: 'SUB@reseller.example' }, 409, 'email'],
  ];
  test.each(bad)('refuses %j with the field', async (changes, status, field) => {
    const before = await countRows(t, 'reseller');
    const called = await t.call('POST', '/v1/resellers', { form: order(changes) });
    expect(called.status).toBe(status);
    expect(called.body.errors[0].field).toBe(field);
    expect(await countRows(t, 'reseller')).toBe(before);
  });
});

describe('reading resellers', () => {
  let child: string;
  let grandchild: string;
  let stranger: string;
  beforeAll(async () => {
    child = await makeReseller(t, t.demo);
    grandchild = await makeReseller(t, child);
    stranger = await makeReseller(t);
  });

  test('returns the account itself and its direct children only', async () => {
    const sees = async (as: string, id: string) => (await t.call('GET', `/v1/resellers/${id}`, { as })).status;
    expect(await sees(t.demo, '1000')).toBe(200);
    expect(await sees(t.demo, idOf(child))).toBe(200);
    expect(await sees(t.demo, idOf(grandchild))).toBe(404);
    expect(await sees(t.demo, idOf(stranger))).toBe(404);
    expect(await sees(t.demo, '1')).toBe(404);
    expect(await sees(child, '1000')).toBe(404);
    expect(await sees(t.operator, '1')).toBe(200);
    expect(await sees(t.operator, '1000')).toBe(200);
    expect(await sees(t.operator, idOf(child))).toBe(404);
    const own = await t.call('GET', '/v1/resellers/1000');
    const profile = await t.call('GET', '/v1/account/profile');
    expect(profile.body).toMatchObject(own.body);
  });

  test('lists only the children, with filters', async () => {
    const ids = async (query: Record<string, string>, as = t.demo) => {
      const called = await t.call('GET', '/v1/resellers', { query: { limit: '100', ...query }, as });
      expect(called.status, called.text).toBe(200);
      expect(called.headers.get('x-total-count')).toBe(String(called.body.length));
      return called.body.map((row: { reseller_id: string }) => row.reseller_id);
    };
    expect(await ids({})).toContain(idOf(child));
    expect(await ids({})).not.toContain('1000');
    expect(await ids({}, child)).toEqual([idOf(grandchild)]);
    expect(await ids({}, grandchild)).toEqual([]);
    expect(await ids({ reseller_id: idOf(grandchild) })).toEqual([]);
    expect(await ids({ email: 'sub@RESELLER.example' })).toHaveLength(1);
    expect(await ids({ email: 'sub' })).toEqual([]);
    expect(await ids({ name: 'sari', city: 'bandu', country_code: 'id', state: 'barat' })).toContain(idOf(child));
    expect(await ids({ status: 'Suspended' })).toEqual([]);
    expect(await ids({ creation_date_end: '2020-01-01' })).toEqual([]);
    const yen = await makeReseller(t, t.demo, { currency: 'JPY' });
    for (const [id, totalreceipts] of [
      [idOf(child), '12.50'],
      [idOf(yen), '13'],
    ] as const) {
      const set = await t.call('PUT', `/v1/resellers/${id}/totalreceipts`, { form: { totalreceipts } });
      expect(set.status).toBe(200);
    }
    expect(await ids({ total_receipts_start: '12' })).toEqual([idOf(child), idOf(yen)]);
    expect(await ids({ total_receipts_start: '13' })).toEqual([idOf(yen)]);
    expect(await ids({ total_receipts_start: '1', total_receipts_end: '12.99' }).catch(() => 'refused')).toBe(
      'refused',
    );
    expect(await ids({ total_receipts_start: '1', total_receipts_end: '12' })).toEqual([]);
  });

  test('returns no customer of a child to its parent', async () => {
    const customer = await makeCustomer(t, child);
    expect((await t.call('GET', `/v1/customers/${customer}`)).status).toBe(404);
    expect((await t.call('GET', `/v1/customers/${customer}`, { as: t.operator })).status).toBe(404);
  });
});

describe('changing a reseller', () => {
  test('changes the own account and a direct child, but never the currency', async () => {
    const child = await makeReseller(t, t.demo);
    const path = `/v1/resellers/${idOf(child)}`;
    const { password: _, ...form } = order({ email: 'new@reseller.example', name: 'New Name' });
    const changed = await t.call('PUT', path, { form });
    expect(changed.body).toMatchObject({ reseller_id: idOf(child), name: 'New Name', parent_reseller_id: '1000' });
    const own = await t.call('PUT', path, { form: { ...form, name: 'By Itself' }, as: child });
    expect(own.body.name).toBe('By Itself');
    const currency = await t.call('PUT', path, { form: { ...form, selling_currency: 'EUR' } });
    expect([currency.status, currency.body.errors[0].field]).toEqual([400, 'selling_currency']);
    expect((await t.call('PUT', path, { form: { name: 'Only' } })).status).toBe(400);
    const stranger = await makeReseller(t);
    expect((await t.call('PUT', path, { form, as: stranger })).status).toBe(404);
    expect((await t.call('PUT', '/v1/resellers/1000', { form, as: child })).status).toBe(404);
    // The parent's change is in the logs of both, its own change in one.
    const logged = sql`action = 'reseller.change' and object_id = ${idOf(child)}`;
    expect(await countRows(t, 'audit', logged)).toBe(3);
    expect(await countRows(t, 'audit', sql`${logged} and reseller_id = ${idOf(child)}`)).toBe(2);
  });
});

describe('changing the email address', () => {
  const mailsAbout = (resellerId: string, address: string) =>
    countRows(
      t,
      'notice',
      sql`reseller_id = ${resellerId} and kind = 'account_security' and address = ${address} and body_text like '%moved@reseller.example%'`,
    );
  const change = (id: string, email: string, by: object) => {
    const { password: _, ...form } = order({ email, name: 'Same Name' });
    return t.call('PUT', `/v1/resellers/${id}`, { form, ...by });
  };

  test('requires the scope full, for the own account and for a child', async () => {
    const parent = await makeReseller(t);
    const child = await makeReseller(t, parent);
    const narrow = { as: await keyFor(t, idOf(parent), ['resellers:write']) };
    const session = await openSession(t, idOf(parent), { role: 'staff', scopes: ['resellers:write'] });
    for (const by of [narrow, { session }])
      for (const id of [idOf(parent), idOf(child)]) {
        const { email } = (await t.call('GET', `/v1/resellers/${id}`, by)).body;
        const refused = await change(id, 'thief@elsewhere.example', by);
        expect([refused.status, refused.body.code, refused.body.scope], refused.text).toEqual([
          403,
          'scope_missing',
          'full',
        ]);
        const kept = await change(id, email.toUpperCase(), by);
        expect(kept.status, kept.text).toBe(200);
      }
    expect(await countRows(t, 'notice', sql`address = 'thief@elsewhere.example'`)).toBe(0);
  });

  test.each(['parent', 'itself'])('notifies the former address and the owners when changed by %s', async (by) => {
    const parent = await makeReseller(t);
    const child = await makeReseller(t, parent);
    const id = idOf(child);
    const owner = `owner-${by}@reseller.example`;
    await openSession(t, id, { email: owner });
    await openSession(t, id, { email: `staff-${by}@reseller.example`, role: 'staff', scopes: ['account:write'] });
    const { email: former } = (await t.call('GET', `/v1/resellers/${id}`, { as: child })).body;
    // It is warned because it was in place for more than a day.
    await t.ctx.db.transaction(allTenants, (tx) =>
      tx.run(sql`update reseller set email_since = now() - interval '25 hours' where id = ${id}`),
    );
    const changed = await change(id, 'moved@reseller.example', { as: by === 'parent' ? parent : child });
    expect(changed.status, changed.text).toBe(200);
    for (const address of [former, owner, 'moved@reseller.example']) expect(await mailsAbout(id, address)).toBe(1);
    expect(await mailsAbout(id, `staff-${by}@reseller.example`)).toBe(0);
    expect((await change(id, former, { as: child })).status).toBe(200);
  });
});

describe('suspending and activating a reseller', () => {
  test('refuses its keys with 403 until the parent activates it, and refuses an account to suspend itself', async () => {
    const child = await makeReseller(t, t.demo);
    const path = `/v1/resellers/${idOf(child)}`;
    expect((await t.call('GET', '/v1/account/profile', { as: child })).status).toBe(200);
    const suspended = await t.call('POST', `${path}/suspend`, { json: { reason: 'unpaid' } });
    expect(suspended.body.status).toBe('Suspended');
    t.service.evictCachedKeys();
    const refused = await t.call('GET', '/v1/account/profile', { as: child });
    expect([refused.status, refused.body.code]).toEqual([403, 'account_suspended']);
    expect((await t.call('POST', `${path}/activate`)).body.status).toBe('Active');
    t.service.evictCachedKeys();
    expect((await t.call('GET', '/v1/account/profile', { as: child })).status).toBe(200);
    expect((await t.call('POST', `${path}/suspend`, { as: child })).status).toBe(409);
    expect((await t.call('POST', '/v1/resellers/1000/suspend', { as: child })).status).toBe(404);
    expect((await t.call('POST', `${path}/suspend`, { json: { reasn: 'typo' } })).status).toBe(400);
    const log = await t.call('GET', '/v1/account/audit', { query: { action: 'reseller.suspend' }, as: child });
    expect(log.body).toHaveLength(1);
    expect(log.body[0].after).toEqual({ status: 'Suspended', reason: 'unpaid' });
  });

  test('refuses the keys, users and customers of every account below it, and restores only what it refused', async () => {
    const child = await makeReseller(t, t.demo);
    const [below, beside] = [await makeReseller(t, child), await makeReseller(t, t.demo)];
    const deepest = await makeReseller(t, below);
    const user = await openSession(t, idOf(deepest), { email: 'deepest@reseller.example' });
    const customer = await makeCustomer(t, deepest);
    const session = await openCustomerSession(t, idOf(deepest), customer, 'read', deepest);
    const profile = async (credential: { as?: string; session?: string }) =>
      t.call('GET', '/v1/account/profile', credential);
    const domains = () => t.call('GET', '/v1/domains', { session });
    const refusal = async (call: Promise<Called>) => {
      const { status, body } = await call;
      return [status, body.code, body.suspended];
    };
    const set = async (id: string, verb: string, as: string) => {
      expect((await t.call('POST', `/v1/resellers/${id}/${verb}`, { as })).status).toBe(200);
      t.service.evictCachedKeys();
    };
    expect([(await profile({ session: user })).status, (await domains()).status]).toEqual([200, 200]);
    await set(idOf(deepest), 'suspend', below);
    await set(idOf(child), 'suspend', t.demo);
    expect(await refusal(profile({ as: child }))).toEqual([403, 'account_suspended', 'own']);
    expect(await refusal(profile({ as: below }))).toEqual([403, 'account_suspended', 'parent']);
    expect((await profile({ as: beside })).status).toBe(200);
    await set(idOf(child), 'activate', t.demo);
    expect((await profile({ as: below })).status).toBe(200);
    expect(await refusal(profile({ as: deepest }))).toEqual([403, 'account_suspended', 'own']);
    await set(idOf(deepest), 'activate', below);
    await set(idOf(child), 'suspend', t.demo);
    const fromAbove = [403, 'account_suspended', 'parent'];
    for (const call of [profile({ as: deepest }), profile({ session: user }), domains()])
      expect(await refusal(call)).toEqual(fromAbove);
    await set(idOf(child), 'activate', t.demo);
    for (const call of [profile({ as: deepest }), profile({ session: user }), domains()])
      expect((await call).status).toBe(200);
  });
});

describe('deleting a reseller', () => {
  test('deletes only an empty account, and ends its keys', async () => {
    const child = await makeReseller(t, t.demo);
    const path = `/v1/resellers/${idOf(child)}`;
    const customer = await makeCustomer(t, child);
    const full = await t.call('DELETE', path);
    expect([full.status, full.body.code]).toEqual([409, 'in_use']);
    expect(full.body.message).toContain('1 customers');
    await t.call('DELETE', `/v1/customers/${customer}`, { as: child });
    const grandchild = await makeReseller(t, child);
    expect((await t.call('DELETE', path)).body.message).toContain('1 resellers below it');
    expect((await t.call('DELETE', `/v1/resellers/${idOf(grandchild)}`)).status).toBe(404);
    await t.call('DELETE', `/v1/resellers/${idOf(grandchild)}`, { as: child });
    expect((await t.call('DELETE', path, { as: child })).status).toBe(409);
    const deleted = await t.call('DELETE', path);
    expect(deleted.body).toEqual({ reseller_id: idOf(child), deleted: true });
    t.service.evictCachedKeys();
    expect((await t.call('GET', '/v1/account/profile', { as: child })).status).toBe(401);
    expect((await t.call('GET', path)).status).toBe(404);
    expect(await countRows(t, 'reseller', sql`id = ${idOf(child)} and deleted_at is not null`)).toBe(1);
  });
});

describe('temporary password and total receipts', () => {
  test('issues a temporary password to the account or its parent with a write scope, without caching', async () => {
    const child = await makeReseller(t, t.demo);
    const ask = (id: string, as = t.demo) =>
      t.call('GET', '/v1/resellers/temp_password', { query: { reseller_id: id }, as });
    const issued = await ask(idOf(child));
    expect(issued.body.reseller_id).toBe(idOf(child));
    expect(issued.body.temp_password).toHaveLength(16);
    expect(issued.headers.get('cache-control')).toBe('no-store');
    expect((await ask(idOf(child), child)).status).toBe(200);
    expect((await ask('1', child)).status).toBe(400);
    expect((await ask('999999')).body.errors[0].field).toBe('reseller_id');
    expect((await ask(idOf(child), await keyFor(t, '1000', ['read']))).status).toBe(403);
    expect(await countRows(t, 'audit', sql`after::text like ${`%${issued.body.temp_password}%`}`)).toBe(0);
  });
  test('sets the receipts of a child, not of the own account', async () => {
    const child = await makeReseller(t, t.demo);
    const path = `/v1/resellers/${idOf(child)}/totalreceipts`;
    expect((await t.call('PUT', path, { form: { totalreceipts: '80.5' } })).body.total_receipts).toBe('80.50');
    expect((await t.call('PUT', path, { form: { totalreceipts: 'much' } })).status).toBe(400);
    expect((await t.call('PUT', path, { form: { totalreceipts: '1' }, as: child })).status).toBe(409);
    const stranger = await makeReseller(t);
    expect((await t.call('PUT', path, { form: { totalreceipts: '1' }, as: stranger })).status).toBe(404);
  });
});
