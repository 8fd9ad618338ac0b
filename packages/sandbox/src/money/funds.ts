import type { Tx } from '@namehold/base';
import { refuse } from '../registry/refusal.ts';
import { fundsOf } from './money.sql.ts';

/** A transfer is paid when it is done; who asks for one must be able to pay it now. */
export async function refuseUnlessFunded(tx: Tx, clientId: string, price: bigint) {
  const row = (await fundsOf(tx, clientId))!;
  const funds = { balance: BigInt(row.balance), creditLimit: BigInt(row.credit_limit) };
  if (funds.balance + funds.creditLimit < price) refuse(2104, 'the account balance is too low');
  return funds;
}
