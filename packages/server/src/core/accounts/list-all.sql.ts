import { type Reader, sql } from '@namehold/postgres';

interface ListedReseller {
  readonly id: string;
  readonly parent_id: string | null;
  readonly status: string;
  readonly company: string;
  readonly email: string;
  readonly selling_currency: string;
}

/** The whole tree, for the operator's command line; never used by a request. */
export async function listAllResellers(db: Reader): Promise<ListedReseller[]> {
  return db.many<ListedReseller>(sql`
    select id, parent_id, status, company, email, selling_currency from reseller where deleted_at is null order by id`);
}
