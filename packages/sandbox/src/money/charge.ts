import type { Tx } from '@namehold/postgres';
import { enqueue } from '../poll/enqueue.ts';
import { refuse } from '../registry/refusal.ts';
import type { CommitEffects } from '../registry/registry.ts';
import { fundsOf, type RefundCause, refundCharge, takeFee } from './money.sql.ts';
import { decimal } from './price.ts';

/** Refunds a charge in full, once, to the account that paid it. */
export async function refund(tx: Tx, cause: RefundCause, statementId: string): Promise<bigint> {
  return BigInt((await refundCharge(tx, cause, statementId))?.amount ?? 0);
}

/** One message each time the balance falls below the threshold. */
async function notifyLowBalance(tx: Tx, effects: CommitEffects, clientId: string, at: Date): Promise<void> {
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

export interface Charge {
  readonly clientId: string;
  readonly at: Date;
  readonly command: 'create' | 'renew' | 'transfer' | 'restore' | 'autorenew';
  readonly domain: string;
  readonly years: number;
  readonly amount: bigint;
  readonly clTRID: string | null;
  readonly svTRID: string | null;
  /** The registry's own charges (auto-renewal, an approved transfer) are debited even if the balance is too low. */
  readonly owedAnyway?: boolean;
}

export interface Paid {
  readonly statementId: string;
  readonly balance: bigint;
  readonly creditLimit: bigint;
}

/** Debits the account and writes the line of its statement, in the transaction of the command. */
export async function charge(tx: Tx, effects: CommitEffects, due: Charge): Promise<Paid> {
  const row = await takeFee(tx, due);
  if (row === undefined) refuse(2104, 'the account balance is too low');
  if (row.is_low_balance) await notifyLowBalance(tx, effects, due.clientId, due.at);
  return { statementId: row.statement_id, balance: BigInt(row.balance), creditLimit: BigInt(row.credit_limit) };
}
