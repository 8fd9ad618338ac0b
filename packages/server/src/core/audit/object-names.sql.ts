import { type Reader, type Sql, sql } from '@namehold/postgres';

/** An object of the audit log. */
export interface LoggedObject {
  readonly object_type: string;
  readonly object_id: string;
}

interface Named extends LoggedObject {
  readonly name: string;
}

/** Names of the account's objects by type. Each lists the scopes of which the reader needs one: those of the object's own route. */
const sources: Readonly<
  Record<string, { readonly scopes: readonly string[]; rows(resellerId: string, ids: Sql): Sql }>
> = {
  domain: {
    scopes: ['domains:read', 'dns:read'],
    rows: (resellerId, ids) => sql`
      select id::text as object_id, name from domain
      where reseller_id = ${resellerId} and id = any(${ids}::bigint[]) and state <> 'removed'`,
  },
  // Entries of a zone have the id of its domain.
  zone: {
    scopes: ['domains:read', 'dns:read'],
    rows: (resellerId, ids) => sql`
      select domain_id::text as object_id, rtrim(name, '.') as name from zone
      where reseller_id = ${resellerId} and domain_id = any(${ids}::bigint[]) and state = 'active'`,
  },
  zone_template: {
    scopes: ['dns:read'],
    rows: (resellerId, ids) => sql`
      select id as object_id, name from zone_template where reseller_id = ${resellerId} and id = any(${ids}::text[])`,
  },
  operation: {
    scopes: ['domains:read'],
    rows: (resellerId, ids) => sql`
      select o.id as object_id, d.name from operation o join domain d on d.id = o.domain_id and d.reseller_id = o.reseller_id
      where o.reseller_id = ${resellerId} and o.id = any(${ids}::text[]) and d.state <> 'removed'`,
  },
  contact: {
    scopes: ['contacts:read'],
    rows: (resellerId, ids) => sql`
      select id::text as object_id, name from contact
      where reseller_id = ${resellerId} and id = any(${ids}::bigint[]) and deleted_at is null`,
  },
  customer: {
    scopes: ['customers:read'],
    rows: (resellerId, ids) => sql`
      select id::text as object_id, name from customer
      where reseller_id = ${resellerId} and id = any(${ids}::bigint[]) and deleted_at is null`,
  },
  key: {
    scopes: ['account:read'],
    rows: (resellerId, ids) => sql`
      select id as object_id, label as name from api_key where reseller_id = ${resellerId} and id = any(${ids}::text[])`,
  },
  mail_target: {
    scopes: ['domains:read'],
    rows: (resellerId, ids) => sql`
      select id as object_id, address as name from mail_target where reseller_id = ${resellerId} and id = any(${ids}::text[])`,
  },
};

/** Types whose ids are numbers in the database. */
const numbered = new Set(['domain', 'zone', 'contact', 'customer']);
const isNumber = /^\d{1,18}$/;

export const scopesToName = (type: string): readonly string[] => sources[type]?.scopes ?? [];

/** The present names of these objects in one statement. Objects that are deleted or of another account are left out. */
export async function namesOf(db: Reader, resellerId: string, objects: readonly LoggedObject[]): Promise<Named[]> {
  const parts: Sql[] = [];
  for (const [type, { rows }] of Object.entries(sources)) {
    const ids = new Set(objects.filter((each) => each.object_type === type).map((each) => each.object_id));
    const usable = [...ids].filter((id) => !numbered.has(type) || isNumber.test(id));
    if (usable.length > 0)
      parts.push(
        sql`select ${type}::text as object_type, f.object_id, f.name from (${rows(resellerId, sql`${usable}`)}) f`,
      );
  }
  return parts.length === 0 ? [] : db.many<Named>(sql.join(parts, ' union all '));
}

/** The addresses of these users of the account. On the second database login, because requests cannot read users. */
export async function emailsOf(db: Reader, resellerId: string, userIds: readonly string[]): Promise<Named[]> {
  return db.many<Named>(sql`
    select 'person' as object_type, p.id as object_id, p.email as name
    from membership m join person p on p.id = m.person_id
    where m.reseller_id = ${resellerId} and p.id = any(${[...userIds]}::text[])`);
}
