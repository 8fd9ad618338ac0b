import { type Reader, sql, type Tx } from '@namehold/postgres';
import { resellerTable } from './account.sql.ts';

export interface FirstAddress {
  readonly street: string;
  readonly city: string;
  readonly state: string;
  readonly country: string;
  readonly zipcode: string;
  readonly callingCode: string;
  readonly phone: string;
  readonly currency: string;
}

interface FirstReseller extends FirstAddress {
  readonly id: string;
  readonly parentId: string | null;
  readonly email: string;
  readonly name: string;
  readonly company: string;
}

export async function insertFirstReseller(tx: Tx, now: Date, account: FirstReseller): Promise<void> {
  await tx.run(
    resellerTable.insert({
      id: account.id,
      parent_id: account.parentId,
      email: account.email,
      name: account.name,
      company: account.company,
      address_line_1: account.street,
      city: account.city,
      state: account.state,
      country_code: account.country,
      zipcode: account.zipcode,
      tel_cc_no: account.callingCode,
      tel_no: account.phone,
      selling_currency: account.currency,
      accounting_currency: account.currency,
      parent_selling_currency: account.parentId ? account.currency : null,
      created_at: now,
    }),
  );
}

export async function hasReseller(db: Reader, id: string): Promise<boolean> {
  return (await db.maybe(sql`select 1 as one from reseller where id = ${id}`)) !== undefined;
}

export async function findActiveChild(db: Reader, parentId: string, email: string): Promise<string | undefined> {
  const found = await db.maybe<{ id: string }>(sql`
    select id from reseller
    where parent_id = ${parentId} and email = ${email} and status = 'Active' and deleted_at is null`);
  return found?.id;
}
