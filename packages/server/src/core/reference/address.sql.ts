import { type Reader, sql } from '@namehold/postgres';

/** An address that migration 0300 left, because another one of the same owner is the same mailbox. */
interface DuplicateAddress {
  readonly kind: 'customer' | 'user' | 'account';
  readonly id: string;
}

/** Over all accounts. Nobody can sign in with such an address until it is changed. */
export async function listDuplicateAddresses(db: Reader, limit: number): Promise<DuplicateAddress[]> {
  return db.many<DuplicateAddress>(sql`
    (select 'customer' as kind, id::text as id from customer where deleted_at is null and split_part(email, '@', -1) ~ '[^\\x01-\\x7f]' limit ${limit})
    union all (select 'user', id from person where split_part(email, '@', -1) ~ '[^\\x01-\\x7f]' limit ${limit})
    union all (select 'account', id::text from reseller where deleted_at is null and split_part(email, '@', -1) ~ '[^\\x01-\\x7f]' limit ${limit})`);
}
