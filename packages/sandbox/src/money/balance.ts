import type { ResponseSpec } from '@namehold/epp';
import type { Tx } from '@namehold/postgres';
import { refuse } from '../registry/refusal.ts';
import { type Call, registryTenant } from '../registry/registry.ts';
import { fundsOf } from './money.sql.ts';
import { decimal } from './price.ts';

/** A transfer is charged when it completes; the requesting registrar must be able to pay for it at the request. */
export async function refuseUnlessFunded(tx: Tx, clientId: string, price: bigint) {
  const row = (await fundsOf(tx, clientId))!;
  const funds = { balance: BigInt(row.balance), creditLimit: BigInt(row.credit_limit) };
  if (funds.balance + funds.creditLimit < price) refuse(2104, 'the account balance is too low');
  return funds;
}

/** Verisign balance-1.0: the balance is the used part of the credit limit, so prepaid money makes it negative. */
export async function infoBalance({ registry, clientId }: Call): Promise<ResponseSpec> {
  const row = (await fundsOf(registry.db.as(registryTenant), clientId))!;
  const [balance, creditLimit] = [BigInt(row.balance), BigInt(row.credit_limit)];
  return {
    results: [{ code: 1000 }],
    data: {
      object: 'balance',
      type: 'infData',
      creditLimit: decimal(creditLimit),
      balance: decimal(-balance),
      availableCredit: decimal(balance + creditLimit),
      threshold: { type: 'FIXED', value: decimal(BigInt(row.low_balance_threshold)) },
    },
  };
}
