import { type Reader, sql } from '@namehold/postgres';

interface DomainRow {
  readonly name: string;
  readonly tld: string;
  readonly created_at: Date;
  readonly expires_at: Date;
  readonly mode: string | null;
}

const columns = sql.raw(`name, tld, created_at, expires_at, keysys ->> 'renewalmode' as mode`);

/** Domains of the account. A name may be a pattern with asterisks. */
export function domainsOf(db: Reader, clientId: string, pattern: string | null): Promise<DomainRow[]> {
  return db.many<DomainRow>(sql`
    select ${columns} from domain
    where sponsor = ${clientId} and (${pattern}::text is null or name like replace(${pattern}, '*', '%'))
    order by name collate "C"`);
}

export function orderedRenewals(db: Reader, clientId: string, pattern: string | null): Promise<DomainRow[]> {
  return db.many<DomainRow>(sql`
    select ${columns} from domain
    where sponsor = ${clientId} and keysys ->> 'renewalmode' like 'RENEWONCE%'
      and (${pattern}::text is null or name like replace(${pattern}, '*', '%'))
    order by name collate "C"`);
}

interface BookingRow {
  readonly at: Date;
  readonly kind: string;
  readonly command: string;
  readonly domain: string | null;
  readonly amount: string;
}

export function bookingsOf(
  db: Reader,
  { clientId, since, of }: { readonly clientId: string; readonly since: Date; readonly of: string | null },
): Promise<BookingRow[]> {
  return db.many<BookingRow>(sql`
    select at, kind, command, domain, amount from statement
    where client_id = ${clientId} and at >= ${since} and (${of}::text is null or domain = ${of}) order by id`);
}
