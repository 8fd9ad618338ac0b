import { allTenants, sql } from '@namehold/postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeCustomer } from '../../../../test/support/parties.ts';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import { cookieOf, openCustomerSession } from '../../../../test/support/users.ts';

let t: TestService;
beforeAll(async () => {
  t = await startTestService();
});
afterAll(() => t.stop());

const access = (id: string, level: string) => t.call('PUT', `/v1/customers/${id}/access`, { json: { access: level } });
const status = (id: string, wanted: string) => () =>
  t.ctx.db.transaction(allTenants, (tx) => tx.run(sql`update customer set status = ${wanted} where id = ${id}`));
const deleted = (id: string, at: Date | null) => () =>
  t.ctx.db.transaction(allTenants, (tx) => tx.run(sql`update customer set deleted_at = ${at} where id = ${id}`));

test.each([
  ['access `none`', (id: string) => () => access(id, 'none'), (id: string) => () => access(id, 'manage')],
  ['suspension', (id: string) => status(id, 'Suspended'), (id: string) => status(id, 'Active')],
  ['deletion', (id: string) => deleted(id, new Date()), (id: string) => deleted(id, null)],
])('sessions of a customer stay ended after %s is undone', async (_what, shut, open) => {
  const id = await makeCustomer(t);
  const first = await openCustomerSession(t, '1000', id, 'manage');
  const { email } = (await t.call('GET', `/v1/customers/${id}`)).body;
  const json = { email, password: 'chosen by the customer', reseller_id: '1000' };
  const signIn = () => t.call('POST', '/v1/session', { json, session: '' });
  const second = cookieOf(await signIn());
  await shut(id)();
  await open(id)();
  for (const session of [first, second]) expect((await t.call('GET', '/v1/me', { session })).status).toBe(401);
  const again = cookieOf(await signIn());
  expect((await t.call('GET', '/v1/me/sessions', { session: again })).body).toHaveLength(1);
});

test('a lower level keeps the session, with that level', async () => {
  const id = await makeCustomer(t);
  const session = await openCustomerSession(t, '1000', id, 'manage');
  await access(id, 'read');
  expect((await t.call('GET', '/v1/me', { session })).status).toBe(200);
});
