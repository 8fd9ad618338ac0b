import { type Reader, type Sql, sql, Table, type Tx } from '@namehold/postgres';
import { asciiAddress } from '../reference/email.ts';
import { type PartyFilter, partyColumns, partyConditions } from '../reference/party.sql.ts';
import type { Party } from '../reference/party.ts';
import type { Reseller, ResellerStatus } from './account.ts';
import type { TemporaryPassword } from './password.ts';

export const resellerTable = new Table<Reseller, { password_hash: string | null }>(
  'reseller',
  {
    id: 'bigint',
    parent_id: 'bigint?',
    status: 'text',
    brand_name: 'text?',
    lang_id: 'text',
    selling_currency: 'text',
    accounting_currency: 'text',
    parent_selling_currency: 'text?',
    total_receipts: 'bigint',
    looks_after_holders: 'boolean',
    created_at: 'timestamptz',
    ...partyColumns,
  },
  { password_hash: 'text?' },
);
const { columns } = resellerTable;

/** The account itself or a direct child; any other account does not exist for the caller. */
export async function findReseller(db: Reader, viewerId: string, id: string): Promise<Reseller | undefined> {
  return db.maybe<Reseller>(sql`
    select ${resellerTable.of('r')} from reseller r
    where r.id = ${id} and (r.id = ${viewerId} or r.parent_id = ${viewerId}) and r.deleted_at is null`);
}

/** The account directly below the operator: the account itself, or the topmost of its parents. */
export async function topAccountOf(db: Reader, resellerId: string): Promise<string> {
  const { id } = await db.one<{ id: string }>(sql`
    with recursive above as (
      select id, parent_id from reseller where id = ${resellerId}
      union all select r.id, r.parent_id from reseller r join above a on r.id = a.parent_id)
    select a.id from above a left join reseller p on p.id = a.parent_id
    where p.parent_id is null order by a.parent_id nulls last limit 1`);
  return id;
}

/** For reads of its money only: includes deleted accounts. */
export async function findPayer(db: Reader, viewerId: string, id: string): Promise<Reseller | undefined> {
  return db.maybe<Reseller>(sql`
    select ${resellerTable.of('r')} from reseller r where r.id = ${id} and (r.id = ${viewerId} or r.parent_id = ${viewerId})`);
}

export type LockReseller = (tx: Tx, viewerId: string, id: string) => Promise<Reseller | undefined>;

/** For a change of the account itself: writers below it do not wait for this. */
export const lockReseller: LockReseller = (tx, viewerId, id) =>
  tx.maybe<Reseller>(sql`
    select ${columns} from reseller
    where id = ${id} and (id = ${viewerId} or parent_id = ${viewerId}) and deleted_at is null for no key update`);

/** Waits for every writer that refers to the account; later writers wait for this one. */
export const lockResellerForDeletion: LockReseller = (tx, viewerId, id) =>
  tx.maybe<Reseller>(sql`
    select ${columns} from reseller
    where id = ${id} and (id = ${viewerId} or parent_id = ${viewerId}) and deleted_at is null for update`);

/** For a writer that refers to the account: it cannot be deleted before this transaction ends. */
export const shareReseller: LockReseller = (tx, viewerId, id) =>
  tx.maybe<Reseller>(sql`
    select ${columns} from reseller
    where id = ${id} and (id = ${viewerId} or parent_id = ${viewerId}) and deleted_at is null for key share`);

interface NewResellerRow extends Party {
  readonly parent_id: string;
  readonly selling_currency: string;
  readonly password_hash: string;
  readonly created_at: Date;
}

export async function insertChild(tx: Tx, row: NewResellerRow): Promise<Reseller> {
  const parentCurrency = sql`(select p.selling_currency from reseller p where p.id = ${row.parent_id})`;
  return tx.one<Reseller>(
    resellerTable.insert(
      { ...row, accounting_currency: row.selling_currency, parent_selling_currency: parentCurrency },
      `returning ${resellerTable.list}`,
    ),
  );
}

/** Since when the account has its email address. */
export async function emailSince(db: Reader, id: string): Promise<Date | null> {
  const row = await db.maybe<{ since: Date | null }>(sql`select email_since as since from reseller where id = ${id}`);
  return row?.since ?? null;
}

export async function updateReseller(tx: Tx, id: string, party: Party): Promise<Reseller> {
  return tx.one<Reseller>(sql`
    update reseller set ${resellerTable.set(party)}
    where id = ${id} returning ${columns}`);
}

export async function setResellerStatus(tx: Tx, id: string, status: ResellerStatus): Promise<Reseller> {
  return tx.one<Reseller>(sql`update reseller set status = ${status} where id = ${id} returning ${columns}`);
}

/** Any account but the operator's own. Undefined: does not exist. */
export async function setManagesRegistrants(tx: Tx, id: string, on: boolean): Promise<Reseller | undefined> {
  return tx.maybe<Reseller>(sql`
    update reseller set looks_after_holders = ${on} where id = ${id} and parent_id is not null and deleted_at is null returning ${columns}`);
}

export async function setResellerReceipts(tx: Tx, id: string, minorUnits: bigint): Promise<Reseller> {
  return tx.one<Reseller>(sql`
    update reseller set total_receipts = ${minorUnits.toString()} where id = ${id} returning ${columns}`);
}

export async function readCompany(db: Reader, id: string): Promise<string> {
  const { company } = await db.one<{ company: string }>(
    sql`select coalesce(nullif(company, ''), name) as company from reseller where id = ${id}`,
  );
  return company;
}

/** `hand`: the creating principal of the account; null: an account above it. */
export async function setResellerPassword(
  tx: Tx,
  id: string,
  made: TemporaryPassword,
  by: { readonly principal: string | null; readonly maker: string | null },
): Promise<void> {
  await tx.run(sql`
    update reseller set temp_password_hash = ${made.hash}, temp_password_expires_at = ${made.expiresAt}, temp_password_hand = ${by.principal},
      temp_password_maker = ${by.maker}
    where id = ${id}`);
}

/** Its keys stop working with it: authentication requires an account that is not deleted. */
export async function deleteResellerRow(tx: Tx, id: string, now: Date): Promise<void> {
  await tx.run(sql`update reseller set deleted_at = ${now} where id = ${id}`);
}

interface ResellerUse {
  readonly customers: string;
  readonly resellers: string;
  readonly available: string;
  readonly held: string;
}

export async function resellerInUse(
  tx: Tx,
  parentId: string,
  child: Pick<Reseller, 'id' | 'selling_currency'>,
): Promise<ResellerUse> {
  return tx.one<ResellerUse>(sql`
    select u.customers, u.resellers, b.available, b.held
    from reseller_in_use(${parentId}, ${child.id}) u, ledger_balance(${parentId}, ${child.id}, ${child.selling_currency}) b`);
}

export interface ResellerFilter extends PartyFilter {
  /** Whole units of each account's own currency; currencies of children differ. */
  readonly receiptsFrom?: string | undefined;
  readonly receiptsTo?: string | undefined;
}

function conditions(filter: ResellerFilter): Sql[] {
  const made = partyConditions(filter);
  if (filter.email) made.push(sql`lower(email) = lower(${asciiAddress(filter.email)})`);
  return made;
}

export async function listChildren(
  db: Reader,
  parentId: string,
  filter: ResellerFilter,
  range: { start?: Readonly<Record<string, bigint>>; end?: Readonly<Record<string, bigint>> },
  page: { limit: number; offset: number },
): Promise<{ rows: Reseller[]; total: number }> {
  const bound = (limits: Readonly<Record<string, bigint>>, sign: '>=' | '<=') =>
    sql`total_receipts ${sql.raw(sign)} (${JSON.stringify(limits, (_key, value: unknown) =>
      typeof value === 'bigint' ? value.toString() : value,
    )}::jsonb ->> selling_currency)::bigint`;
  const where = sql.join(
    [
      sql`parent_id = ${parentId} and deleted_at is null`,
      ...conditions(filter),
      ...(range.start ? [bound(range.start, '>=')] : []),
      ...(range.end ? [bound(range.end, '<=')] : []),
    ],
    ' and ',
  );
  const [rows, counted] = await Promise.all([
    db.many<Reseller>(
      sql`select ${columns} from reseller where ${where} order by id limit ${page.limit} offset ${page.offset}`,
    ),
    db.one<{ n: string }>(sql`select count(*) as n from reseller where ${where}`),
  ]);
  return { rows, total: Number(counted.n) };
}

export async function childCurrencies(db: Reader, parentId: string): Promise<string[]> {
  const rows = await db.many<{ selling_currency: string }>(sql`
    select distinct selling_currency from reseller where parent_id = ${parentId} and deleted_at is null`);
  return rows.map((row) => row.selling_currency);
}
