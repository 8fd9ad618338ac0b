import { randomBytes } from 'node:crypto';
import { allTenants, sql } from '@namehold/postgres';
import { hasAccessLevel } from '../../packages/server/src/core/model/customer-access.ts';
import { changesSomething, missingScopes, type Route } from '../../packages/server/src/http/route.ts';
import { openOtherRegistrar } from '../support/other-registrar.ts';
import { keyFor, makeReseller } from '../support/resellers.ts';
import type { CallOptions, TestService } from '../support/service.ts';
import { openCustomerSession, openSession } from '../support/users.ts';
import { furnish, mark, type Tenancy } from './fixtures.ts';

/** A kind of caller, and its credentials. */
export interface CallerKind {
  readonly name: string;
  readonly by: Pick<CallOptions, 'as' | 'session' | 'headers'>;
  /** Fields with another correct value for this kind, if a body has them. */
  readonly fields?: Readonly<Record<string, unknown>>;
  /** It belongs to the account whose ids are sent. Otherwise operations without such an id act on its own account. */
  readonly isOwn: boolean;
  /** Whether its permissions include the operation. Every other operation must be refused. */
  readonly may: (route: Route) => boolean;
  /** It may change the account: operations that it may call are not tried. */
  readonly isWriter?: true;
}

export interface Callers {
  readonly victim: Tenancy;
  readonly kinds: readonly CallerKind[];
}

/** A customer pays from its balance. */
const ofCustomers = { invoice_option: 'pay_invoice' };
const isPublic = (route: Route) => route.isPublic === true;
const hasScope = (scopes: readonly string[], route: Route) => missingScopes(route, scopes).length === 0;
const opensToKey = (scopes: readonly string[]) => (route: Route) =>
  isPublic(route) || (!route.forUsers && hasScope(scopes, route));
const opensToUser = (scopes: readonly string[]) => (route: Route) => isPublic(route) || hasScope(scopes, route);
const opensToCustomer = (route: Route) =>
  isPublic(route) || (route.customer !== undefined && hasAccessLevel('read', route.customer));

/** Callers with missing, wrong or expired credentials. */
async function withoutCredentials(t: TestService, { credentials, nouns }: Tenancy): Promise<CallerKind[]> {
  const { reseller } = nouns;
  const made = async (label: string, ip: string) =>
    (await t.call('POST', '/v1/account/keys', { json: { label, ip_whitelist: [ip] }, as: credentials })).body;
  const revoked = await made('revoked', '127.0.0.1');
  await t.call('DELETE', `/v1/account/keys/${revoked.key_id}`, { as: credentials });
  const elsewhere = await made('elsewhere', '192.0.2.77');
  const ended = await openSession(t, reseller);
  await t.call('DELETE', '/v1/session', { session: ended });
  const key = (name: string, as: string | null, isOwn: boolean) => ({ name, by: { as }, isOwn, may: isPublic });
  return [
    key('no credentials', null, false),
    key('a wrong key', `${reseller}:${randomBytes(32).toString('hex')}`, false),
    key('a revoked key', `${reseller}:${revoked.api_key}`, true),
    key('a key used from another address', `${reseller}:${elsewhere.api_key}`, true),
    { name: 'a session that was ended', by: { session: ended }, isOwn: true, may: isPublic },
  ];
}

/** Callers of the account itself with too few permissions, or without a required recent authentication. */
async function withLess(t: TestService, { credentials, nouns }: Tenancy): Promise<CallerKind[]> {
  const { reseller, customer } = nouns;
  const stale = await openSession(t, reseller);
  const { session_id } = (await t.call('GET', '/v1/session', { session: stale })).body;
  await t.ctx.db.transaction(allTenants, (tx) =>
    tx.run(sql`update person_session set sudo_until = now() - interval '1 second' where id = ${session_id}`),
  );
  return [
    {
      name: 'a key with the scope read',
      by: { as: await keyFor(t, reseller, ['read']) },
      isOwn: true,
      may: opensToKey(['read']),
    },
    {
      name: 'a key with the scope dns:write',
      by: { as: await keyFor(t, reseller, ['dns:write']) },
      isOwn: true,
      may: opensToKey(['dns:write']),
      isWriter: true,
    },
    {
      name: 'a user with the role read_only',
      by: { session: await openSession(t, reseller, { role: 'read_only' }) },
      isOwn: true,
      may: opensToUser(['read']),
    },
    {
      name: 'an owner without recent authentication',
      by: { session: stale },
      isOwn: true,
      may: (route) => !route.sudo,
      isWriter: true,
    },
    {
      name: 'an owner by a page of another site',
      by: { session: await openSession(t, reseller), headers: { Origin: 'https://elsewhere.example' } },
      isOwn: true,
      may: (route) => !changesSomething(route),
      isWriter: true,
    },
    {
      name: 'a customer with read access',
      by: { session: await openCustomerSession(t, reseller, customer, 'read', credentials) },
      isOwn: true,
      may: opensToCustomer,
      fields: ofCustomers,
    },
  ];
}

/** Callers with every permission in another account. */
async function ofOthers(t: TestService, victim: Tenancy): Promise<CallerKind[]> {
  const { credentials, session, nouns } = await furnish(t, await makeReseller(t), 'okapi');
  const customer = await openCustomerSession(t, nouns.reseller, nouns.customer, 'order', credentials);
  const child = await makeReseller(t, victim.credentials);
  // Otherwise a payment is refused for the missing balance, before its customer is looked up.
  for (const as of [credentials, child]) {
    const json = { details: 'Example Bank, account 1234567890' };
    const called = await t.call('PUT', '/v1/account/payment_providers/bank_transfer', { as, json });
    if (called.status !== 200) throw new Error(called.text);
  }
  const full = { isOwn: false, may: opensToUser(['full']) };
  return [
    { name: 'another reseller', by: { as: credentials }, ...full },
    { name: 'an owner of another reseller', by: { session }, ...full },
    { name: 'a sub-reseller', by: { as: child }, ...full },
    {
      name: 'a customer of another reseller',
      by: { session: customer },
      isOwn: false,
      may: (route) => isPublic(route) || route.customer !== undefined,
      fields: ofCustomers,
    },
  ];
}

/** A domain at another registrar, which can be transferred. */
export const transferable = 'transfer-shop.com';

async function holdElsewhere(t: TestService): Promise<void> {
  const other = openOtherRegistrar(t.service.credentials!.rival_registry_account!);
  await other.hold(transferable, 'a-long-auth-code-4711');
  await other.close();
  t.moveClock('+61d');
}

/** The account whose ids every call sends, and all callers that must not change it. */
export async function openCallers(t: TestService): Promise<Callers> {
  await holdElsewhere(t);
  const victim = await furnish(t, await makeReseller(t), mark);
  // Shared templates are open to sub-resellers.
  await t.ctx.db.transaction(allTenants, (tx) =>
    tx.run(sql`update zone_template set is_shared = false where reseller_id = ${victim.nouns.reseller}`),
  );
  const others = await ofOthers(t, victim);
  const less = await withLess(t, victim);
  return { victim, kinds: [...(await withoutCredentials(t, victim)), ...less, ...others] };
}
