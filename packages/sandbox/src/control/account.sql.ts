import { type Reader, sql, type Tx } from '@namehold/postgres';

export interface AccountRow {
  readonly client_id: string;
  readonly name: string;
  readonly balance: string;
  readonly credit_limit: string;
  readonly low_balance_threshold: string;
}

const accountColumns = sql.raw('client_id, name, balance, credit_limit, low_balance_threshold');

export function listAccounts(db: Reader): Promise<AccountRow[]> {
  return db.many<AccountRow>(sql`select ${accountColumns} from registrar order by client_id`);
}

export async function lockBalance(tx: Tx, clientId: string): Promise<bigint | undefined> {
  const row = await tx.maybe<{ balance: string }>(
    sql`select balance from registrar where client_id = ${clientId} for update`,
  );
  return row && BigInt(row.balance);
}

interface Deposit {
  readonly clientId: string;
  readonly at: Date;
  readonly amount: bigint;
  readonly balance: bigint;
}

export async function noteDeposit(tx: Tx, d: Deposit): Promise<void> {
  await tx.run(sql`insert into statement (at, client_id, kind, command, amount, balance_after)
    values (${d.at}, ${d.clientId}, 'deposit', 'deposit', ${d.amount}, ${d.balance})`);
}

/** Null fields are unchanged. */
interface AccountChange {
  readonly balance: bigint | null;
  readonly creditLimit: bigint | null;
  readonly threshold: bigint | null;
}

export function changeAccount(tx: Tx, clientId: string, to: AccountChange): Promise<AccountRow> {
  return tx.one<AccountRow>(sql`
    update registrar set balance = coalesce(${to.balance}, balance), credit_limit = coalesce(${to.creditLimit}, credit_limit),
      low_balance_threshold = coalesce(${to.threshold}, low_balance_threshold)
    where client_id = ${clientId} returning ${accountColumns}`);
}
