import type { Tx } from '@namehold/base';
import { refuse } from '../registry/refusal.ts';
import type { CommitEffects } from '../registry/registry.ts';
import { notifyLowBalance } from './low-balance.ts';
import { takeFee } from './money.sql.ts';

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
