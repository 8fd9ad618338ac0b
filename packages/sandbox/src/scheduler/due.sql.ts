import { type Reader, sql } from '@namehold/postgres';
import type { TransferredObject } from '../transfer/transfer.sql.ts';

export interface DueEvent {
  readonly at: Date;
  readonly kind: 'domain' | 'transfer';
  /** A domain's name, or a transfer's id. */
  readonly key: string;
}

/** In the order in which they are due; at the same instant transfers come first. */
export function dueEvents(db: Reader, now: Date, limit: number): Promise<DueEvent[]> {
  return db.many<DueEvent>(sql`
    (select due_at as at, 'domain' as kind, name as key, 1 as rank from domain where due_at <= ${now}
      order by due_at, name limit ${limit})
    union all
    (select acted_at, 'transfer', id::text, 0 from transfer where state = 'pending' and acted_at <= ${now}
      order by acted_at, id::text limit ${limit})
    order by 1, rank, key limit ${limit}`);
}

export async function nextDue(db: Reader): Promise<Date | null> {
  const { next } = await db.one<{ next: Date | null }>(sql`
    select least((select min(due_at) from domain), (select min(acted_at) from transfer where state = 'pending')) as next`);
  return next;
}

interface TransferSubject {
  readonly object: TransferredObject;
  readonly object_id: string;
  /** A domain's name, or a contact's handle. */
  readonly name: string;
}

export function subjectOf(db: Reader, transferId: string): Promise<TransferSubject> {
  return db.one<TransferSubject>(sql`
    select t.object, t.object_id, coalesce(d.name, c.handle) as name from transfer t
    left join domain d on t.object = 'domain' and d.id = t.object_id
    left join contact c on t.object = 'contact' and c.id = t.object_id where t.id = ${transferId}`);
}
