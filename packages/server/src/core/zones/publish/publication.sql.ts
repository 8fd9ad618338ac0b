import { type Reader, sql } from '@namehold/postgres';

export interface LastAnswer {
  readonly id: string;
  readonly serial: string | null;
  readonly published_at: Date | null;
  readonly checked_at: Date | null;
  readonly error: string | null;
}

export async function lastAnswers(db: Reader, zoneId: string): Promise<LastAnswer[]> {
  return db.many<LastAnswer>(sql`
    select n.id, p.serial, p.published_at, p.checked_at, p.error
    from nameserver n left join zone_publication p on p.nameserver_id = n.id and p.zone_id = ${zoneId}
    where n.is_active order by n.id`);
}
