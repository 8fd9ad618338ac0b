import { type Reader, sql } from '@namehold/postgres';
import { asciiAddress } from '../reference/email.ts';

export interface FoundRow {
  readonly id: string;
  readonly title: string;
  readonly detail: string;
}

/** In the order of the index: domain names are ASCII, and every name with this prefix sorts before the prefix followed by DEL. */
export async function namesBeginning(
  db: Reader,
  resellerId: string,
  begins: string,
  { limit, customerId }: { readonly limit: number; readonly customerId: string | null },
): Promise<FoundRow[]> {
  return db.many<FoundRow>(sql`
    select id, name as title, state as detail from domain
    where reseller_id = ${resellerId} and name ~>=~ ${begins} and name ~<~ ${`${begins}\u007f`} and state <> 'removed'
      and (${customerId}::bigint is null or customer_id = ${customerId}::bigint)
    order by name using ~<~ limit ${limit}`);
}

export async function domainsNumbered(
  db: Reader,
  resellerId: string,
  id: string,
  customerId: string | null,
): Promise<FoundRow[]> {
  return db.many<FoundRow>(sql`
    select id, name as title, state as detail from domain where id = ${id} and reseller_id = ${resellerId}
      and (${customerId}::bigint is null or customer_id = ${customerId}::bigint)`);
}

/** Only the newest are searched: the text may be anywhere in a customer's name, and no index can be used behind row-level security. */
export async function customersNamed(
  db: Reader,
  resellerId: string,
  text: string,
  { among, limit }: { readonly among: number; readonly limit: number },
): Promise<FoundRow[]> {
  return db.many<FoundRow>(sql`
    select id, name as title, email as detail
    from (select id, name, email from customer where reseller_id = ${resellerId} and deleted_at is null order by id desc limit ${among}) newest
    where position(${text} in lower(name)) > 0 or starts_with(lower(email), ${asciiAddress(text)}) or id::text = ${text}
    order by id desc limit ${limit}`);
}

export async function operationsCalled(
  db: Reader,
  resellerId: string,
  id: string,
  customerId: string | null,
): Promise<FoundRow[]> {
  return db.many<FoundRow>(sql`
    select o.id, o.kind || coalesce(' ' || d.name, '') as title, o.state as detail
    from operation o left join domain d on d.id = o.domain_id where o.id = ${id} and o.reseller_id = ${resellerId}
      and (${customerId}::bigint is null or d.customer_id = ${customerId}::bigint)`);
}

export async function keysCalled(db: Reader, resellerId: string, id: string): Promise<FoundRow[]> {
  return db.many<FoundRow>(sql`
    select id, label as title, case when revoked_at is null then 'valid' else 'revoked' end as detail from api_key
    where id = ${id} and reseller_id = ${resellerId}`);
}

export async function eventsNumbered(db: Reader, resellerId: string, number: bigint): Promise<FoundRow[]> {
  return db.many<FoundRow>(sql`
    select number::text as id, type as title, object_type || ' ' || object_id as detail from event
    where reseller_id = ${resellerId} and number = ${number.toString()}`);
}
