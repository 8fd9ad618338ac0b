import { type Reader, sql, type Tx } from '@namehold/postgres';
import type { Charge } from './charge.ts';

interface ChargeRow {
  readonly statement_id: string;
  readonly balance: string;
  readonly credit_limit: string;
  readonly is_low_balance: boolean;
}

/** Undefined: the balance is too low. */
export function takeFee(tx: Tx, due: Charge): Promise<ChargeRow | undefined> {
  return tx.maybe<ChargeRow>(sql`
    with paid as (
      update registrar set balance = balance - ${due.amount}
      where client_id = ${due.clientId} and (${due.owedAnyway ?? false} or balance + credit_limit >= ${due.amount})
      returning client_id, balance, credit_limit,
        balance < low_balance_threshold and balance + ${due.amount} >= low_balance_threshold as is_low_balance
    ), line as (
      insert into statement (at, client_id, kind, command, domain, years, amount, balance_after, cl_trid, sv_trid)
      select ${due.at}::timestamptz, client_id, 'charge', ${due.command}, ${due.domain}, ${due.years}, ${due.amount}, balance,
        ${due.clTRID}, ${due.svTRID} from paid
      returning id
    )
    select line.id as statement_id, paid.balance, paid.credit_limit, paid.is_low_balance from paid, line`);
}

export interface RefundCause {
  readonly at: Date;
  readonly clTRID: string | null;
  readonly svTRID: string | null;
}

/** Undefined: the charge does not exist or was refunded before. */
export function refundCharge(tx: Tx, cause: RefundCause, statementId: string): Promise<{ amount: string } | undefined> {
  return tx.maybe<{ amount: string }>(sql`
    with paid as (
      select s.id, s.client_id, s.command, s.domain, s.years, s.amount from statement s
      where s.id = ${statementId} and s.kind = 'charge'
        and not exists (select 1 from statement r where r.refund_of = s.id)
    ), credited as (
      update registrar r set balance = r.balance + paid.amount from paid where r.client_id = paid.client_id returning r.balance
    )
    insert into statement (at, client_id, kind, command, domain, years, amount, balance_after, cl_trid, sv_trid, refund_of)
    select ${cause.at}, paid.client_id, 'refund', paid.command, paid.domain, paid.years, paid.amount, credited.balance,
      ${cause.clTRID}, ${cause.svTRID}, paid.id from paid, credited
    returning amount`);
}

/** The statement line of the create of a name. */
export function paidCreate(db: Reader, domain: string): Promise<{ id: string } | undefined> {
  return db.maybe<{ id: string }>(sql`
    select id from statement where domain = ${domain} and kind = 'charge' and command = 'create' order by id desc limit 1`);
}

interface FundsRow {
  readonly name: string;
  readonly balance: string;
  readonly credit_limit: string;
  readonly low_balance_threshold: string;
}

export function fundsOf(db: Reader, clientId: string): Promise<FundsRow | undefined> {
  return db.maybe<FundsRow>(
    sql`select name, balance, credit_limit, low_balance_threshold from registrar where client_id = ${clientId}`,
  );
}
