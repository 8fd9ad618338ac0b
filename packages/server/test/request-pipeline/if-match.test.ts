import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectReconciled } from '../../../../test/support/reconciliation.ts';
import { type Called, startTestService, type TestService } from '../../../../test/support/service.ts';
import { openSession } from '../../../../test/support/users.ts';

let t: TestService;
let session: string;
beforeAll(async () => {
  t = await startTestService({ sandbox: true });
  session = await openSession(t, '1000', { email: 'owner@people.example' });
});
afterAll(() => t.stop());

type Body = Record<string, unknown>;
const roles = ['registrant', 'admin', 'tech', 'billing'];
const inRoles = (contact: string, tech = contact): Body =>
  Object.fromEntries(roles.map((role) => [`${role}_contact_id`, role === 'tech' ? tech : contact]));

interface Shared {
  readonly path: string;
  /** Three changes in sequence, each to another state. */
  readonly changes: readonly [Body, Body, Body];
  readonly asUser?: true;
}

async function everyShared(): Promise<Record<string, Shared>> {
  const key = await t.call('POST', '/v1/account/keys', { json: { label: 'shared', ip_whitelist: ['192.0.2.1'] } });
  await openSession(t, '1000', { email: 'staff@people.example', role: 'staff', scopes: ['dns:write'] });
  const users = (await t.call('GET', '/v1/people', { session })).body as { person_id: string; email: string }[];
  const staff = users.find(({ email }) => email.startsWith('staff'))!.person_id;
  const order = { domain_name: 'shared.com', years: 1, customer_id: '2001', invoice_option: 'no_invoice' };
  const bought = await t.call('POST', '/v1/domains', { json: { ...order, ...inRoles('3001') } });
  expect(bought.status, bought.text).toBe(200);
  const hosts = (last: string) => ({ ns: ['a.elsewhere.example', `${last}.elsewhere.example`] });
  return {
    key: {
      path: `/v1/account/keys/${key.body.key_id}`,
      changes: [{ label: 'one' }, { ip_whitelist: ['192.0.2.2'] }, { scopes: ['read'] }],
    },
    person: {
      path: `/v1/people/${staff}`,
      changes: [{ role: 'read_only' }, { suspended: true }, { role: 'staff', scopes: ['domains:read'] }],
      asUser: true,
    },
    brand: { path: '/v1/brand', changes: [{ name: 'One' }, { support: 'help@example.com' }, { name: 'Three' }] },
    access: {
      path: '/v1/customers/2001/access',
      changes: [{ access: 'read' }, { access: 'dns' }, { access: 'manage' }],
    },
    nameservers: { path: '/v1/domains/shared.com/ns', changes: [hosts('b'), hosts('c'), hosts('d')] },
    contacts: {
      path: '/v1/domains/shared.com/contacts',
      changes: [inRoles('3001', '3002'), inRoles('3001'), inRoles('3001', '3002')],
    },
  };
}

test('refuses a change of an outdated version with If-Match, and overwrites without it', async () => {
  for (const [name, { path, changes, asUser }] of Object.entries(await everyShared())) {
    const by = asUser ? { session } : {};
    const read = () => t.call('GET', path, by);
    const put = (json: Body, ifMatch?: string): Promise<Called> =>
      t.call('PUT', path, { ...by, json, ...(ifMatch ? { headers: { 'If-Match': ifMatch } } : {}) });
    const is = async (called: Promise<Called>, status: number) => {
      const { status: found, text } = await called;
      expect(found, `${name}: ${text}`).toBe(status);
    };
    const seen = (await read()).headers.get('etag')!;
    expect(seen, name).toMatch(/^"[\w-]{22}"$/);
    await is(put(changes[0], seen), 200);
    const before = await read();
    expect(before.headers.get('etag'), name).not.toBe(seen);
    // The second caller that read the same version.
    const refused = await put(changes[1], seen);
    expect([refused.status, refused.body.code], `${name}: ${refused.text}`).toEqual([412, 'precondition_failed']);
    expect((await read()).body, name).toEqual(before.body);
    await is(put(changes[1], before.headers.get('etag')!), 200);
    await is(put(changes[2], '*'), 200);
    await is(put(changes[0]), 200);
    await is(put(changes[1], 'no version'), 400);
    await is(put(changes[1], `"another", ${(await read()).headers.get('etag')}`), 200);
  }
  await expectReconciled(t);
});
