import { fundsOf } from '../money/money.sql.ts';
import { decimal } from '../money/price.ts';
import { type Registry, registryTenant } from '../registry/registry.ts';
import type { RegistrySystem } from '../systems/index.ts';
import { bookingsOf, domainsOf, orderedRenewals } from './keysys.sql.ts';

interface Query {
  readonly registry: Registry;
  readonly system: RegistrySystem;
  readonly clientId: string;
  /** Parameters by name in small letters. */
  readonly given: ReadonlyMap<string, string>;
  readonly at: Date;
}

export interface Answer {
  readonly code: number;
  readonly description: string;
  /** Values of each property, by row. */
  readonly columns?: Readonly<Record<string, readonly (string | number)[]>>;
}

const done = (columns: Answer['columns']): Answer => ({
  code: 200,
  description: 'Command completed successfully',
  ...(columns ? { columns } : {}),
});

const timeOf = (at: Date): string => at.toISOString().slice(0, 19).replace('T', ' ');

/** Rows from FIRST on, at most LIMIT, as columns with the numbers of the page. */
function page<T>({ given }: Query, rows: readonly T[], columns: Record<string, (row: T) => string | number>): Answer {
  const from = Number(given.get('first') ?? 0);
  const limit = Number(given.get('limit') ?? 1_000);
  const shown = rows.slice(from, from + limit);
  const values = Object.entries(columns).map(([name, read]) => [name, shown.map(read)] as const);
  return done({
    ...Object.fromEntries(values),
    COUNT: [shown.length],
    FIRST: [from],
    LAST: [from + Math.max(0, shown.length - 1)],
    LIMIT: [limit],
    TOTAL: [rows.length],
  });
}

const types: Readonly<Record<string, string>> = {
  create: 'ADD_DOMAIN',
  renew: 'RENEW_DOMAIN',
  autorenew: 'RENEW_DOMAIN',
  transfer: 'TRANSFER_DOMAIN',
  restore: 'RESTORE_DOMAIN',
};

async function statusAccount({ registry, clientId }: Query): Promise<Answer> {
  const funds = (await fundsOf(registry.db.as(registryTenant), clientId))!;
  return done({
    REGISTRAR: [clientId],
    AMOUNT: [decimal(BigInt(funds.balance))],
    CREDIT: [decimal(BigInt(funds.credit_limit))],
    CREDIT_THRESHOLD: [decimal(BigInt(funds.low_balance_threshold))],
    CURRENCY: ['USD'],
  });
}

async function queryDomainList(query: Query): Promise<Answer> {
  const { registry, clientId, given } = query;
  const rows = await domainsOf(registry.db.as(registryTenant), clientId, given.get('domain')?.toLowerCase() ?? null);
  return page(query, rows, {
    DOMAIN: ({ name }) => name,
    DOMAIN_CREATED_DATE: ({ created_at }) => timeOf(created_at),
    DOMAIN_REGISTRATION_EXPIRATION_DATE: ({ expires_at }) => timeOf(expires_at),
    DOMAIN_RENEWAL_DATE: ({ expires_at }) => timeOf(expires_at),
    DOMAIN_ZONE: ({ tld }) => tld,
    RENEWALMODE: ({ mode }) => mode ?? 'DEFAULT',
    TRANSFERMODE: () => 'DEFAULT',
  });
}

async function queryAccountingList(query: Query): Promise<Answer> {
  const { registry, clientId, given } = query;
  const since = new Date(given.get('mindate') ?? '');
  if (Number.isNaN(since.getTime())) return { code: 504, description: 'Missing required attribute; MINDATE' };
  const of = given.get('object')?.toLowerCase() ?? null;
  const rows = await bookingsOf(registry.db.as(registryTenant), { clientId, since, of });
  const price = ({ kind, amount }: { readonly kind: string; readonly amount: string }) =>
    decimal(BigInt(amount) * (kind === 'charge' ? 1n : -1n));
  return page(query, rows, {
    ACCOUNTING_DATE: ({ at }) => timeOf(at),
    ACCOUNTING_TYPE: ({ kind, command }) => (kind === 'deposit' ? 'DEPOSIT' : (types[command] ?? command)),
    ACCOUNTING_DESCRIPTION: ({ domain }) => domain ?? 'Payment',
    ACCOUNTING_AMOUNT: () => 1,
    ACCOUNTING_PRICE: price,
    ACCOUNTING_VAT: () => '0.00',
    ACCOUNTING_VAT_PRICE: () => '0.00',
    ACCOUNTING_CURRENCY: () => 'USD',
  });
}

async function queryUpcomingAccountingList(query: Query): Promise<Answer> {
  const { registry, clientId, given } = query;
  const rows = await orderedRenewals(
    registry.db.as(registryTenant),
    clientId,
    given.get('domain')?.toLowerCase() ?? null,
  );
  return page(query, rows, {
    DOMAIN: ({ name }) => name,
    ZONE: ({ tld }) => tld,
    RENEWALDATE: ({ expires_at }) => timeOf(expires_at),
    PRICE: ({ tld }) => decimal(registry.tlds.get(tld)!.fees.renew),
    VAT: () => '0.00',
    CURRENCY: () => 'USD',
    PERIOD: () => 1,
    PERIODTYPE: () => 'YEAR',
  });
}

/** A registration costs its first year and no setup fee, so that the sum is the price of the TLD. */
async function queryZoneList(query: Query): Promise<Answer> {
  const { registry, system } = query;
  const zones = system.tlds.map((tld) => registry.tlds.get(tld)!);
  return done({
    ZONE: zones.map(({ tld }) => tld),
    PERIODTYPE: zones.map(() => 'YEAR'),
    SETUP: zones.map(({ fees }) => decimal(fees.create - fees.renew)),
    ANNUAL: zones.map(({ fees }) => decimal(fees.renew)),
    TRANSFER: zones.map(({ fees }) => decimal(fees.transfer)),
    RESTORE: zones.map(({ fees }) => decimal(fees.restore)),
    CURRENCY: zones.map(({ currency }) => currency),
    ACTIVE: zones.map(() => 1),
  });
}

export const queries: Readonly<Record<string, (query: Query) => Promise<Answer>>> = {
  statusaccount: statusAccount,
  querydomainlist: queryDomainList,
  queryaccountinglist: queryAccountingList,
  queryupcomingaccountinglist: queryUpcomingAccountingList,
  queryzonelist: queryZoneList,
};
