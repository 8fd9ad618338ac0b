import { type Reader, sql } from '@namehold/postgres';

export interface LineRow {
  readonly id: string;
  readonly at: Date;
  readonly kind: string;
  readonly command: string;
  readonly domain: string | null;
  readonly years: number | null;
  readonly amount: string;
  readonly balance_after: string;
  readonly cl_trid: string | null;
  readonly sv_trid: string | null;
  readonly refund_of: string | null;
}

const lineColumns = sql.raw('id, at, kind, command, domain, years, amount, balance_after, cl_trid, sv_trid, refund_of');

interface Wanted {
  readonly client: string;
  readonly domain: string | null;
  readonly after: string;
  readonly limit: number;
}

export function statementLines(db: Reader, { client, domain, after, limit }: Wanted): Promise<LineRow[]> {
  return db.many<LineRow>(sql`
    select ${lineColumns} from statement
    where client_id = ${client} and id > ${after} and (${domain}::text is null or domain = ${domain})
    order by id limit ${limit}`);
}

export function linesOf(db: Reader, domain: string): Promise<(LineRow & { client_id: string })[]> {
  return db.many(sql`select ${lineColumns}, client_id from statement where domain = ${domain} order by id`);
}

export function totalsByKind(db: Reader, client: string): Promise<{ kind: string; total: string }[]> {
  return db.many(
    sql`select kind, sum(amount)::bigint as total from statement where client_id = ${client} group by kind`,
  );
}

interface WantedNames {
  readonly client: string;
  readonly after: string;
  /** Only this account; null: all. */
  readonly name: string | null;
  readonly limit: number;
}

/** Names that the account sponsors or ever paid for, in byte order. */
export async function knownNames(db: Reader, { client, after, name, limit }: WantedNames): Promise<string[]> {
  const rows = await db.many<{ name: string }>(sql`
    select name from (
      (select name collate "C" as name from domain where sponsor = ${client} and name collate "C" > ${after} and (${name}::text is null or name = ${name})
       order by 1 limit ${limit})
      union
      (select distinct domain collate "C" from statement where client_id = ${client} and domain collate "C" > ${after} and kind in ('charge', 'refund')
         and (${name}::text is null or domain = ${name}) order by 1 limit ${limit})
    ) known order by 1 limit ${limit}`);
  return rows.map((row) => row.name);
}

interface NameLine {
  readonly at: Date;
  readonly kind: string;
  readonly command: string;
  readonly domain: string;
  readonly amount: string;
  readonly cl_trid: string | null;
}

export function linesOfNames(db: Reader, client: string, names: readonly string[]): Promise<NameLine[]> {
  return db.many<NameLine>(sql`
    select at, kind, command, domain, amount, cl_trid from statement
    where client_id = ${client} and kind in ('charge', 'refund') and domain = any (${names}::text[]) order by id`);
}
