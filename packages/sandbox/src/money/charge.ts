import { sql, type Tx } from '@namehold/base';
import { refuse } from '../registry/refusal.ts';
import type { Ripples } from '../registry/registry.ts';
import { tellLowBalance } from './low-balance.ts';

export interface Charge {
  readonly clientId: string;
  readonly at: Date;
  readonly command: 'create' | 'renew' | 'transfer' | 'restore' | 'autorenew';
  readonly domain: string;
  readonly years: number;
  readonly amount: bigint;
  readonly clTRID: string | null;
  readonly svTRID: string | null;
  /** The registry's own doing (auto-renewal, an approved transfer) is owed even where the account is empty. */
  readonly owedAnyway?: boolean;
}

export interface Paid {
  readonly statementId: string;
  readonly balance: bigint;
  readonly creditLimit: bigint;
}

interface ChargeRow {
  statement_id: string;
  balance: string;
  credit_limit: string;
  tell: boolean;
}

/** Takes the money and writes the line of the account statement, in the transaction of the command that costs it. */
export async function charge(tx: Tx, ripples: Ripples, due: Charge): Promise<Paid> {
  const row = await tx.maybe<ChargeRow>(sql`
    with paid as (
      update registrar set balance = balance - ${due.amount}
      where client_id = ${due.clientId} and (${due.owedAnyway ?? false} or balance + credit_limit >= ${due.amount})
      returning client_id, balance, credit_limit,
        balance < low_balance_threshold and balance + ${due.amount} >= low_balance_threshold as tell
    ), line as (
      insert into statement (at, client_id, kind, command, domain, years, amount, balance_after, cl_trid, sv_trid)
      select ${due.at}::timestamptz, client_id, 'charge', ${due.command}, ${due.domain}, ${due.years}, ${due.amount}, balance,
        ${due.clTRID}, ${due.svTRID} from paid
      returning id
    )
    select line.id as statement_id, paid.balance, paid.credit_limit, paid.tell from paid, line`);
  if (row === undefined) refuse(2104, 'the account balance is too low');
  if (row.tell) await tellLowBalance(tx, ripples, due.clientId, due.at);
  return { statementId: row.statement_id, balance: BigInt(row.balance), creditLimit: BigInt(row.credit_limit) };
}
