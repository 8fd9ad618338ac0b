import type { DomainContact, DsRecord, HostAttribute, TldExtensions } from '@namehold/epp';
import { type Autocommit, type Reader, sql } from '@namehold/postgres';
import { storedExtensions } from '../contact/extensions.sql.ts';
import type { KeysysState } from '../keysys/fields.ts';
import type { Call } from '../registry/registry.ts';
import { jsonOrNull } from './domain.sql.ts';
import type { LinkedContact } from './link.sql.ts';
import type { Phase } from './record.ts';

export interface NewDomain {
  readonly name: string;
  readonly tld: string;
  readonly years: number;
  readonly price: bigint;
  readonly expiresAt: Date;
  readonly registrant: string | null;
  readonly phase: Phase;
  readonly phaseUntil: Date | null;
  readonly dueAt: Date;
  readonly graceEndsAt: Date | null;
  readonly authHash: string | null;
  readonly nsAttributes: readonly HostAttribute[] | null;
  readonly extensions: TldExtensions;
  readonly contacts: readonly DomainContact[];
  readonly hosts: readonly string[];
  readonly ds: readonly DsRecord[];
  readonly keysys: KeysysState | null;
}

interface InsertedRow {
  readonly id: string;
  readonly balance: string;
  readonly credit_limit: string;
  readonly isLowBalance: boolean;
}

export interface Inserted {
  readonly balance: bigint;
  readonly creditLimit: bigint;
  /** A low-balance message was added to the queue. */
  readonly isLowBalance: boolean;
}

/**
 * A create is one statement and one transaction, so that the account row is locked as briefly as possible and there is one round trip.
 * Nothing is written if the name is taken, a host or contact is missing, or the balance is too low. The result is then undefined, and
 * the caller finds the reason.
 */
export async function insertDomain(autocommit: Autocommit, call: Call, d: NewDomain): Promise<Inserted | undefined> {
  const handles = [...new Set([...d.contacts.map((contact) => contact.id), ...(d.registrant ? [d.registrant] : [])])];
  const row = await autocommit.maybe<InsertedRow>(sql`
    with contacts as (
      select id, handle from contact where handle = any(${handles}::text[])
    ), servers as (
      select id from host where name = any(${d.hosts}::text[])
    ), paid as (
      update registrar set balance = balance - ${d.price}
      where client_id = ${call.clientId} and balance + credit_limit >= ${d.price}
        and not exists (select 1 from domain where name = ${d.name})
        and (select count(*) from contacts) = ${handles.length}::int and (select count(*) from servers) = ${d.hosts.length}::int
      returning client_id, name, balance, credit_limit, low_balance_threshold,
        balance < low_balance_threshold and balance + ${d.price} >= low_balance_threshold as is_low_balance
    ), line as (
      insert into statement (at, client_id, kind, command, domain, years, amount, balance_after, cl_trid, sv_trid)
      select ${call.at}::timestamptz, client_id, 'charge', 'create', ${d.name}, ${d.years}::int, ${d.price}::bigint, balance,
        ${call.clTRID}, ${call.svTRID} from paid
      returning id
    ), made as (
      insert into domain (name, tld, sponsor, creator, created_at, expires_at, registrant, phase, phase_until, auth_hash,
        ns_attributes, us, create_cl_trid, create_sv_trid, due_at, keysys)
      select ${d.name}, ${d.tld}, client_id, client_id, ${call.at}::timestamptz, ${d.expiresAt}::timestamptz,
        (select id from contacts where handle = ${d.registrant}), ${d.phase}, ${d.phaseUntil}::timestamptz, ${d.authHash},
        ${jsonOrNull(d.nsAttributes)}::jsonb, ${JSON.stringify(d.extensions)}::jsonb,
        ${call.clTRID}, ${call.svTRID}, ${d.dueAt}::timestamptz, ${jsonOrNull(d.keysys)}::jsonb from paid
      returning id
    ), linked_contacts as (
      insert into domain_contact (domain_id, type, contact_id)
      select made.id, l.type, contacts.id
      from made, unnest(${d.contacts.map((contact) => contact.type)}::text[], ${d.contacts.map((contact) => contact.id)}::text[])
        as l (type, handle) join contacts on contacts.handle = l.handle
    ), linked_hosts as (
      insert into domain_host (domain_id, host_id) select made.id, servers.id from made, servers
    ), signed as (
      insert into domain_ds (domain_id, key_tag, alg, digest_type, digest, key)
      select made.id, r."keyTag", r.alg, r."digestType", r.digest, r.key
      from made, jsonb_to_recordset(${JSON.stringify(d.ds)}::jsonb)
        as r ("keyTag" int, alg smallint, "digestType" smallint, digest text, key jsonb)
    ), grace as (
      insert into grace_period (domain_id, kind, ends_at, years, statement_id)
      select made.id, 'add', ${d.graceEndsAt}::timestamptz, ${d.years}::int, line.id from made, line
      where ${d.graceEndsAt}::timestamptz is not null
    ), message as (
      insert into poll_message (client_id, queued_at, text, data)
      select client_id, ${call.at}::timestamptz, 'Low account balance', jsonb_build_object(
        'object', 'lowBalance', 'type', 'pollData', 'registrarName', name,
        'creditLimit', (credit_limit / 100.0)::numeric(20, 2)::text,
        'threshold', jsonb_build_object('type', 'FIXED', 'value', (low_balance_threshold / 100.0)::numeric(20, 2)::text),
        'availableCredit', ((balance + credit_limit) / 100.0)::numeric(20, 2)::text)
      from paid where is_low_balance
    )
    select made.id, paid.balance, paid.credit_limit, paid.is_low_balance as "isLowBalance" from made, paid`);
  return row && { balance: BigInt(row.balance), creditLimit: BigInt(row.credit_limit), isLowBalance: row.isLowBalance };
}

interface CreateFacts {
  readonly taken: boolean;
  readonly contacts: readonly LinkedContact[];
  readonly hosts: readonly string[];
}

/** The state of the name, the contacts and the hosts of a create. */
export function findCreateFacts(
  db: Reader,
  name: string,
  handles: readonly string[],
  hosts: readonly string[],
): Promise<CreateFacts> {
  return db.one<CreateFacts>(sql`
    select exists (select 1 from domain where name = ${name}) as taken,
      coalesce((select json_agg(json_build_object('id', id::text, 'handle', handle, 'extensions', ${storedExtensions}))
        from contact where handle = any(${handles})), '[]') as contacts,
      array(select name from host where name = any(${hosts})) as hosts`);
}
