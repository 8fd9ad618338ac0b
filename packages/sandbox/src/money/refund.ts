import { sql, type Tx } from '@namehold/base';
import type { Call } from '../registry/registry.ts';

/** Gives a charge back in full, once, to the account that paid it. */
export async function refund(
  tx: Tx,
  call: Pick<Call, 'at'> & { readonly clTRID: string | null; readonly svTRID: string | null },
  statementId: string,
): Promise<bigint> {
  const row = await tx.maybe<{ amount: string }>(sql`
    with paid as (
      select s.id, s.client_id, s.command, s.domain, s.years, s.amount from statement s
      where s.id = ${statementId} and s.kind = 'charge'
        and not exists (select 1 from statement r where r.refund_of = s.id)
    ), credited as (
      update registrar r set balance = r.balance + paid.amount from paid where r.client_id = paid.client_id returning r.balance
    )
    insert into statement (at, client_id, kind, command, domain, years, amount, balance_after, cl_trid, sv_trid, refund_of)
    select ${call.at}, paid.client_id, 'refund', paid.command, paid.domain, paid.years, paid.amount, credited.balance,
      ${call.clTRID}, ${call.svTRID}, paid.id from paid, credited
    returning amount`);
  return BigInt(row?.amount ?? 0);
}
