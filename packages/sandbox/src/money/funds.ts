import { sql, type Tx } from '@namehold/base';
import { refuse } from '../registry/refusal.ts';

/** A transfer is paid when it is done; who asks for one must be able to pay it now. */
export async function refuseUnlessFunded(tx: Tx, clientId: string, price: bigint) {
  const row = await tx.one<{ balance: string; credit_limit: string }>(
    sql`select balance, credit_limit from registrar where client_id = ${clientId}`,
  );
  const funds = { balance: BigInt(row.balance), creditLimit: BigInt(row.credit_limit) };
  if (funds.balance + funds.creditLimit < price) refuse(2104, 'the account balance is too low');
  return funds;
}
