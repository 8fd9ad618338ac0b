import type { Tx } from '@namehold/base';
import { enqueue } from '../poll/enqueue.ts';
import type { CommitEffects } from '../registry/registry.ts';
import { fundsOf } from './money.sql.ts';
import { decimal } from './price.ts';

/** One message each time the balance falls below the threshold. */
export async function notifyLowBalance(tx: Tx, effects: CommitEffects, clientId: string, at: Date): Promise<void> {
  const row = (await fundsOf(tx, clientId))!;
  await enqueue(tx, effects, {
    clientId,
    at,
    text: 'Low account balance',
    data: {
      object: 'lowBalance',
      type: 'pollData',
      registrarName: row.name,
      creditLimit: decimal(BigInt(row.credit_limit)),
      threshold: { type: 'FIXED', value: decimal(BigInt(row.low_balance_threshold)) },
      availableCredit: decimal(BigInt(row.balance) + BigInt(row.credit_limit)),
    },
  });
}
