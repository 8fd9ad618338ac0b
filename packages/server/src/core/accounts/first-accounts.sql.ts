import { type Queryable, sql, type Tx } from '@namehold/base';

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

export interface FirstReseller extends FirstAddress {
  readonly id: string;
  readonly parentId: string | null;
  readonly email: string;
  readonly name: string;
  readonly company: string;
}

export async function insertFirstReseller(tx: Tx, now: Date, account: FirstReseller): Promise<void> {
  await tx.run(sql`
    insert into reseller (id, parent_id, email, name, company, address_line_1, city, state, country_code, zipcode, tel_cc_no, tel_no,
                          selling_currency, accounting_currency, parent_selling_currency, created_at)
    values (${account.id}, ${account.parentId}, ${account.email}, ${account.name}, ${account.company}, ${account.street}, ${account.city},
            ${account.state}, ${account.country}, ${account.zipcode}, ${account.callingCode}, ${account.phone}, ${account.currency},
            ${account.currency}, ${account.parentId ? account.currency : null}, ${now})`);
}

export async function hasReseller(db: Queryable, id: string): Promise<boolean> {
  return (await db.maybe(sql`select 1 as one from reseller where id = ${id}`)) !== undefined;
}

export async function findActiveChild(db: Queryable, parentId: string, email: string): Promise<string | undefined> {
  const found = await db.maybe<{ id: string }>(sql`
    select id from reseller
    where parent_id = ${parentId} and email = ${email} and status = 'Active' and deleted_at is null`);
  return found?.id;
}
