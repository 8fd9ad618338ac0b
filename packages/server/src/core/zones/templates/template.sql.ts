import { type Reader, sql, type Tx } from '@namehold/postgres';
import type { TemplateRRset, Variable } from './template.ts';

interface HeadColumns {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly version: number;
  readonly variables: readonly Variable[];
  readonly is_shared: boolean;
  readonly updated_at: Date;
}

export interface TemplateRow extends HeadColumns {
  readonly rrsets: readonly TemplateRRset[];
}

/** 0: the account's own; 1: its parent's; and so on. */
interface Placed {
  readonly place: number;
}

export interface TemplateHeadRow extends HeadColumns, Placed {
  readonly rrset_count: number;
}

export type TemplateFields = Pick<TemplateRow, 'name' | 'description' | 'variables' | 'rrsets' | 'is_shared'>;

const headColumns = sql.raw('id, name, description, version, variables, is_shared, updated_at');
const columns = sql.raw('id, name, description, version, variables, rrsets, is_shared, updated_at');

/** The account's own, then those that the accounts above share, the nearest first. */
export async function listTemplateRows(db: Reader, resellerId: string): Promise<TemplateHeadRow[]> {
  return db.many<TemplateHeadRow>(sql`
    select t.place, ${headColumns}, jsonb_array_length(t.rrsets) as rrset_count
    from (select 0 as place, ${columns} from zone_template where reseller_id = ${resellerId}
          union all select place, ${columns} from zone_templates_above(${resellerId}, null)) t
    order by t.place, lower(t.name), t.id`);
}

export async function findTemplateRow(
  db: Reader,
  resellerId: string,
  id: string,
): Promise<(TemplateRow & Placed) | undefined> {
  return db.maybe<TemplateRow & Placed>(sql`
    select 0 as place, ${columns} from zone_template where id = ${id} and reseller_id = ${resellerId}
    union all select place, ${columns} from zone_templates_above(${resellerId}, ${id})`);
}

export async function lockTemplate(tx: Tx, resellerId: string, id: string): Promise<TemplateRow | undefined> {
  return tx.maybe<TemplateRow>(
    sql`select ${columns} from zone_template where id = ${id} and reseller_id = ${resellerId} for update`,
  );
}

export async function isNameTaken(tx: Tx, resellerId: string, name: string, but: string | null): Promise<boolean> {
  const found = await tx.maybe(sql`
    select from zone_template where reseller_id = ${resellerId} and lower(name) = lower(${name}) and id is distinct from ${but}`);
  return found !== undefined;
}

/** One at a time for each account, so that concurrent saves respect the limit and unique names. */
export async function lockTemplatesOf(tx: Tx, resellerId: string): Promise<number> {
  await tx.run(sql`select pg_advisory_xact_lock(hashtextextended('zone_template ' || ${resellerId}, 0))`);
  const { n } = await tx.one<{ n: string }>(
    sql`select count(*) as n from zone_template where reseller_id = ${resellerId}`,
  );
  return Number(n);
}

export async function insertTemplate(
  tx: Tx,
  resellerId: string,
  id: string,
  row: TemplateFields,
  now: Date,
): Promise<TemplateRow> {
  return tx.one<TemplateRow>(sql`
    insert into zone_template (id, reseller_id, name, description, variables, rrsets, is_shared, created_at, updated_at)
    values (${id}, ${resellerId}, ${row.name}, ${row.description}, ${JSON.stringify(row.variables)}, ${JSON.stringify(row.rrsets)}, ${row.is_shared}, ${now},
            ${now})
    returning ${columns}`);
}

export async function updateTemplate(
  tx: Tx,
  resellerId: string,
  id: string,
  row: TemplateFields,
  now: Date,
): Promise<TemplateRow> {
  return tx.one<TemplateRow>(sql`
    update zone_template set name = ${row.name}, description = ${row.description}, variables = ${JSON.stringify(row.variables)},
      rrsets = ${JSON.stringify(row.rrsets)}, is_shared = ${row.is_shared}, version = version + 1, updated_at = ${now}
    where id = ${id} and reseller_id = ${resellerId} returning ${columns}`);
}

export async function deleteTemplateRow(tx: Tx, resellerId: string, id: string): Promise<void> {
  await tx.run(sql`delete from zone_template where id = ${id} and reseller_id = ${resellerId}`);
}
