import { sql, type Tx } from '@namehold/base';
import { enqueue } from '../poll/enqueue.ts';
import type { Ripples } from '../registry/registry.ts';
import { decimal } from './price.ts';

/** One message each time that the balance sinks through the threshold. */
export async function tellLowBalance(tx: Tx, ripples: Ripples, clientId: string, at: Date): Promise<void> {
  const row = await tx.one<{ name: string; balance: string; credit_limit: string; threshold: string }>(sql`
    select name, balance, credit_limit, low_balance_threshold as threshold from registrar where client_id = ${clientId}`);
  await enqueue(tx, ripples, {
    clientId,
    at,
    text: 'Low account balance',
    data: {
      object: 'lowBalance',
      type: 'pollData',
      registrarName: row.name,
      creditLimit: decimal(BigInt(row.credit_limit)),
      threshold: { type: 'FIXED', value: decimal(BigInt(row.threshold)) },
      availableCredit: decimal(BigInt(row.balance) + BigInt(row.credit_limit)),
    },
  });
}
