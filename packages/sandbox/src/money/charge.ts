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
  /** The registry's own doing (auto-renewal, an approved transfer) is owed even where the account is empty. */
  readonly owedAnyway?: boolean;
}

export interface Paid {
  readonly statementId: string;
  readonly balance: bigint;
  readonly creditLimit: bigint;
}

/** Takes the money and writes the line of the account statement, in the transaction of the command that costs it. */
export async function charge(tx: Tx, effects: CommitEffects, due: Charge): Promise<Paid> {
  const row = await takeFee(tx, due);
  if (row === undefined) refuse(2104, 'the account balance is too low');
  if (row.tell) await notifyLowBalance(tx, effects, due.clientId, due.at);
  return { statementId: row.statement_id, balance: BigInt(row.balance), creditLimit: BigInt(row.credit_limit) };
}
