import { dayMs, type Money } from '@namehold/base';
import { type Reader, sql, Table, type Tx } from '@namehold/postgres';
import type { Tld } from '../model/tld.ts';
import { costsByRegistry, costsOfDomain, rulesOfDomain, servedTlds as served } from '../tables/tld-registry.sql.ts';
import { shortenPause } from './rate-limit.sql.ts';
import { moveRoute, saveAlternatives, unroutedOf } from './route.sql.ts';
import { endUpstreamSession } from './upstream-session.sql.ts';

/** The public facts of a connected registry. */
interface ShownRegistry {
  readonly id: string;
  readonly host: string;
  readonly port: number;
  readonly client_id: string;
  readonly server_name: string | null;
  readonly certificate_expires_at: Date | null;
  readonly password_expires_at: Date | null;
  readonly balance: string | null;
  readonly balance_currency: string | null;
  /** The currency in which it charges, as stated by the operator; null: not stated. */
  readonly currency: string | null;
  readonly is_active: boolean;
  readonly created_at: Date;
}

/** A connected registry as it is stored. */
export interface RegistryRow extends ShownRegistry {
  readonly profile: Record<string, unknown>;
  readonly secrets_sealed: string;
  readonly ca_pem: string | null;
  readonly certificate_pem: string | null;
  /** SHA-256 of the public keys that its server may have, base64; empty: any key signed by the CA. */
  readonly pins: string[];
  readonly source_address: string | null;
  readonly ciphers: string | null;
  /** The greeting of the last login offered RFC 9154; null: no login yet. */
  readonly offers_secure_auth_info: boolean | null;
}

export const registryTable = new Table<RegistryRow>('registry', {
  id: 'text',
  profile: 'jsonb',
  host: 'text',
  port: 'integer',
  client_id: 'text',
  secrets_sealed: 'text',
  server_name: 'text?',
  ca_pem: 'text?',
  certificate_pem: 'text?',
  pins: 'text[]',
  source_address: 'text?',
  ciphers: 'text?',
  offers_secure_auth_info: 'boolean?',
  certificate_expires_at: 'timestamptz?',
  password_expires_at: 'timestamptz?',
  balance: 'bigint?',
  balance_currency: 'text?',
  currency: 'text?',
  is_active: 'boolean',
  created_at: 'timestamptz',
});

export interface RegistrySecrets {
  readonly password: string;
  readonly key_pem: string | null;
  readonly key_passphrase?: string;
  /** To replace the other one; it is not settled which of the two is valid at the registry. */
  readonly new_password?: string;
}

export const encryptionContext = (registryId: string): string => `registry:${registryId}`;

/** For a change of it: others wait. */
export async function lockRegistry(tx: Tx, id: string): Promise<RegistryRow | undefined> {
  return tx.maybe<RegistryRow>(sql`select ${registryTable.columns} from registry where id = ${id} for update`);
}

export async function saveSecrets(tx: Tx, id: string, encrypted: string): Promise<void> {
  await tx.run(sql`update registry set secrets_sealed = ${encrypted} where id = ${id}`);
}

/** The reported end of a password belongs to the one that was used. */
export async function clearPasswordExpiry(tx: Tx, id: string): Promise<void> {
  await tx.run(sql`update registry set password_expires_at = null where id = ${id}`);
}

export async function findRegistry(db: Reader, id: string): Promise<RegistryRow | undefined> {
  return db.maybe<RegistryRow>(sql`select ${registryTable.columns} from registry where id = ${id}`);
}

interface ListedRegistry extends ShownRegistry {
  readonly tlds: string[];
  /** Those of these TLDs whose new registrations and incoming transfers go to it. */
  readonly routes: string[];
}

/** Without its secrets. */
export async function listRegistries(db: Reader): Promise<ListedRegistry[]> {
  return db.many<ListedRegistry>(sql`
    select r.id, r.host, r.port, r.client_id, r.server_name, r.certificate_expires_at, r.password_expires_at, r.balance, r.balance_currency,
      r.currency, r.is_active, r.created_at, coalesce((select array_agg(tld order by tld) from ${served} t where t.registry_id = r.id), '{}') as tlds,
      coalesce((select array_agg(tld order by tld) from registry_tld t where t.registry_id = r.id), '{}') as routes
    from registry r order by r.id`);
}

export async function tldsOfRegistry(db: Reader, id: string): Promise<string[]> {
  const rows = await db.many<{ tld: string }>(sql`select tld from ${served} t where registry_id = ${id} order by tld`);
  return rows.map(({ tld }) => tld);
}

/** The currency in which a registry is paid: as stated by the operator, that of its costs, or that of its messages. */
const paidIn = sql`coalesce(r.currency, (select c.currency from ${costsByRegistry} c where c.registry_id = r.id order by c.valid_from desc limit 1),
  r.balance_currency)`;

export async function currencyOfRegistry(db: Reader, registryId: string): Promise<string | undefined> {
  const row = await db.maybe<{ currency: string }>(
    sql.kept`select ${paidIn} as currency from registry r where r.id = ${registryId}`,
  );
  return row?.currency ?? undefined;
}

/** The currencies in which a registry may report prices for a TLD: the stated one, else those of its costs. None: unknown. */
export async function expectedCurrencies(
  db: Reader,
  { registryId, tld, at }: { readonly registryId: string; readonly tld: string; readonly at: Date },
): Promise<string[]> {
  const row = await db.maybe<{ currencies: string[] }>(sql`
    select case when r.currency is not null then array[r.currency] else array(select distinct c.currency from ${costsOfDomain} c
      where c.valid_from <= ${at} and (c.valid_to is null or c.valid_to > ${at}) order by 1) end as currencies
    from registry r cross join lateral (select ${tld}::text as tld, r.id as registry_id) d where r.id = ${registryId}`);
  return row?.currencies ?? [];
}

/** Costs of a registry's TLDs that are in force only in currencies other than the one in which it charges. */
export async function costsInOtherCurrency(
  db: Reader,
  registryId: string,
  at: Date,
): Promise<{ tld: string; currency: string }[]> {
  return db.many(sql`
    select distinct c.tld, c.currency from ${costsByRegistry} c join registry r on r.id = c.registry_id
    where r.id = ${registryId} and r.currency is not null and c.currency <> r.currency and c.valid_from <= ${at} and (c.valid_to is null or c.valid_to > ${at})
      and not exists (select from ${costsByRegistry} o where o.registry_id = c.registry_id and o.tld = c.tld and o.action = c.action and o.years = c.years and o.currency = r.currency
        and o.valid_from <= ${at} and (o.valid_to is null or o.valid_to > ${at}))
    order by c.tld, c.currency`);
}

interface ServedTld extends Tld {
  readonly registry_id: string;
  readonly paid_in: string | null;
  /** A registry holds the domain for us already, and our database does not have it. */
  readonly is_stray: boolean;
}

/**
 * The longest of these suffixes that an active registry serves, with its rules, and what prevents an order for the domain. On the second
 * database login.
 */
export async function findServedTld(
  db: Reader,
  name: string,
  suffixes: readonly string[],
): Promise<ServedTld | undefined> {
  return db.maybe<ServedTld>(sql.kept`
    select t.name, t.label, t.registry, t.is_offered, t.catalogue_version, t.rules, t.updated_at, r.id as registry_id, ${paidIn} as paid_in,
      exists (select from registry h join alarm a on a.key = 'stray:' || h.id || ':' || ${name} and a.cleared_at is null) as is_stray
    from registry_tld s join registry r on r.id = s.registry_id join tld t on t.name = s.tld
    where s.tld = any (${suffixes}::text[]) and r.is_active
    order by length(s.tld) desc limit 1`);
}

export async function servedTlds(db: Reader): Promise<Set<string>> {
  const rows = await db.many<{ tld: string }>(
    sql`select t.tld from ${served} t join registry r on r.id = t.registry_id where r.is_active`,
  );
  return new Set(rows.map((row) => row.tld));
}

export interface TldMoves {
  /** The route leads to another registry until now. */
  readonly taken: readonly { readonly tld: string; readonly from: string }[];
  /** The route leads to this one until now, and to none then. */
  readonly left: readonly string[];
}

/** The effect on routes if those of these TLDs lead to a registry, and no others do. */
export async function tldMoves(db: Reader, id: string, tlds: readonly string[]): Promise<TldMoves> {
  const rows = await db.many<{ tld: string; registry_id: string }>(sql`
    select tld, registry_id from registry_tld where (registry_id = ${id}) <> (tld = any (${tlds}::text[])) order by tld`);
  return {
    taken: rows.flatMap(({ tld, registry_id: from }) => (from === id ? [] : [{ tld, from }])),
    left: rows.flatMap(({ tld, registry_id }) => (registry_id === id ? [tld] : [])),
  };
}

interface ServedBy {
  readonly tlds: readonly string[];
  /** Routes of these TLDs that lead to other registries are set to this one. */
  readonly takesRoutes: boolean;
  readonly sessions: number;
  /** Business time. */
  readonly at: Date;
}

export async function saveRegistry(
  tx: Tx,
  row: Omit<
    RegistryRow,
    'balance' | 'balance_currency' | 'is_active' | 'password_expires_at' | 'offers_secure_auth_info'
  >,
  { tlds, takesRoutes, sessions, at }: ServedBy,
): Promise<void> {
  const { id: _, created_at: _1, ...changes } = row;
  await tx.run(
    registryTable.insert(row, `on conflict (id) do update set ${registryTable.excluded(changes)}, is_active = true`),
  );
  const { taken } = await tldMoves(tx, row.id, tlds);
  const moving = [...(takesRoutes ? taken.map(({ tld }) => tld) : []), ...(await unroutedOf(tx, row.id, tlds))];
  for (const tld of moving) await moveRoute(tx, tld, row.id, at);
  await tx.run(sql`
    insert into registry_tld (tld, registry_id) select t, ${row.id} from unnest(${tlds}::text[]) as t on conflict (tld) do nothing`);
  await tx.run(sql`delete from registry_tld where registry_id = ${row.id} and not tld = any (${tlds}::text[])`);
  await saveAlternatives(tx, row.id, tlds);
  await tx.run(sql`
    insert into registry_slot (registry_id, slot) select ${row.id}, s from generate_series(1, ${sessions}::int) as s on conflict do nothing`);
  await tx.run(sql`delete from registry_slot where registry_id = ${row.id} and slot > ${sessions}`);
  // Refused with outdated settings.
  await shortenPause(tx, row.id);
  await endUpstreamSession(tx, row.id);
}

interface BalanceReading {
  readonly registryId: string;
  readonly balance: Money;
  /** If the registry reports the balance that it considers low. */
  readonly threshold?: Money;
  readonly at: Date;
  /** Earliest time of the reading: later bookings may be included in it or not. */
  readonly since: { readonly business: Date; readonly wall: Date };
}

/** A little more than a year: as long as it may be queried. */
const readingsKeptDays = 400;

export async function recordBalance(
  tx: Tx,
  { registryId, balance, threshold, at, since }: BalanceReading,
): Promise<void> {
  const { amount, currency } = balance;
  await tx.run(
    sql`update registry set balance = ${amount}, balance_currency = ${currency}, balance_at = ${at},
      balance_threshold = coalesce(${threshold?.amount ?? null}::bigint, balance_threshold) where id = ${registryId}`,
  );
  // With the ledger's amount at this moment: between readings both change alike. Concurrent bookings and commands count as open, and so
  // does an auto-renewed year that is not paid here yet. If a domain was just deleted, it is unknown which side has its refund: no reading
  // then.
  await tx.run(sql`
    insert into registry_balance (registry_id, at, balance, currency, payable, underway)
    select ${registryId}, ${at}, ${amount}, ${currency}, coalesce(sum(e.amount) filter (where e.at < ${since.business}), 0),
      coalesce(sum(e.amount) filter (where e.at >= ${since.business} and e.amount > 0), 0)
      + coalesce((select sum(t.cost_amount) from ledger_transaction t join domain d on d.id = t.domain_id and d.registry_id = ${registryId}
        where t.status = 'pending' and t.cost_currency = ${currency}), 0)
      + coalesce((select sum((select max(c.amount) from ${costsOfDomain} c where c.action = 'renew' and c.years = 1 and c.currency = ${currency}))
        from domain d join tld t on t.name = d.tld and (${rulesOfDomain} ->> 'auto_renew')::boolean
        where d.registry_id = ${registryId} and d.state not in ('removed', 'unpaid', 'pending') and d.end_date <= ${since.business}), 0)
    from ledger_entry e join ledger_account a on a.id = e.account_id and a.kind = 'registry_payable' and a.currency = ${currency}
      join ledger_transaction t on t.id = e.transaction_id join domain d on d.id = t.domain_id and d.registry_id = ${registryId}
    having not exists (select from operation o where o.registry_id = ${registryId} and o.kind = 'delete'
      and (o.state not in ('done', 'refused', 'cancelled') or o.finished_at >= ${since.wall}))
    on conflict do nothing`);
  const old = new Date(at.getTime() - readingsKeptDays * dayMs);
  await tx.run(sql`delete from registry_balance where registry_id = ${registryId} and at < ${old}`);
}

export async function recordPasswordExpiry(tx: Tx, registryId: string, expiresAt: Date): Promise<void> {
  await tx.run(sql`update registry set password_expires_at = ${expiresAt} where id = ${registryId}`);
}

/** True: it was not known before. */
export async function recordSecureAuthInfoOffer(tx: Tx, registryId: string, isOffered: boolean): Promise<boolean> {
  const changed = await tx.run(sql`
    update registry set offers_secure_auth_info = ${isOffered} where id = ${registryId} and offers_secure_auth_info is distinct from ${isOffered}`);
  return changed === 1;
}

/** How far the log of an upstream was read. */
export async function readEventCursor(db: Reader, registryId: string): Promise<string | null> {
  const row = await db.one<{ news_cursor: string | null }>(
    sql`select news_cursor from registry where id = ${registryId}`,
  );
  return row.news_cursor;
}

export async function saveEventCursor(tx: Tx, registryId: string, cursor: string): Promise<void> {
  await tx.run(sql`update registry set news_cursor = ${cursor} where id = ${registryId}`);
}
