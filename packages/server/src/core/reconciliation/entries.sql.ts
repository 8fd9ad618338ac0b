import { type Reader, sql } from '@namehold/postgres';

export interface TransactionFacts {
  readonly transaction_id: string;
  readonly operation_id: string | null;
  readonly domain_id: string | null;
  readonly name: string | null;
  readonly amount: string;
  readonly currency: string;
}

export async function transactionFacts(db: Reader, id: string): Promise<TransactionFacts | undefined> {
  return db.maybe<TransactionFacts>(sql`
    select t.id as transaction_id, t.operation_id, t.domain_id, d.name, t.amount, t.currency
    from ledger_transaction t left join domain d on d.id = t.domain_id where t.id = ${id}`);
}
