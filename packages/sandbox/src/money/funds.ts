import type { Tx } from '@namehold/base';
import { refuse } from '../registry/refusal.ts';
import { fundsOf } from './money.sql.ts';

/** A transfer is charged when it completes; the requesting registrar must be able to pay for it at the request. */
export async function refuseUnlessFunded(tx: Tx, clientId: string, price: bigint) {
  const row = (await fundsOf(tx, clientId))!;
  const funds = { balance: BigInt(row.balance), creditLimit: BigInt(row.credit_limit) };
  if (funds.balance + funds.creditLimit < price) refuse(2104, 'the account balance is too low');
  return funds;
}
